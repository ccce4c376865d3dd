//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package durable

func folder(string) error { return nil }
