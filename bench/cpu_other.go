//go:build !unix

package bench

import "time"

var started = time.Now()

// processCPU is the time by the clock where the system does not tell another.
func processCPU() time.Duration { return time.Since(started) }
