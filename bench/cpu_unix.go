//go:build unix

package bench

import (
	"syscall"
	"time"
)

// processCPU is the processor time this process has used. Where others want the
// processor too, it says what work took and a clock would not.
func processCPU() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
