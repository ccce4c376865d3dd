//go:build unix

package bench

import (
	"os"
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

// peakMemory is the most memory a process that has ended held.
func peakMemory(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return int64(usage.Maxrss) * kilobytes()
}
