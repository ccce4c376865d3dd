//go:build !unix

package goja

import "time"

// processCPU is unknown here.
func processCPU() time.Duration { return 0 }
