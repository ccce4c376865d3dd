//go:build !unix

package coordinator

func processCPU() int64 { return -1 }
