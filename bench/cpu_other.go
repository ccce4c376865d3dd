//go:build !unix

package bench

import (
	"os"
	"time"
)

var started = time.Now()

// processCPU is the time by the clock where the system does not tell another.
func processCPU() time.Duration { return time.Since(started) }

// peakMemory is not known here.
func peakMemory(*os.ProcessState) int64 { return 0 }
