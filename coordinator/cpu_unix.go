//go:build unix

package coordinator

import "syscall"

// processCPU is the processor time that the process has spent, in nanoseconds;
// -1 where the system does not tell.
func processCPU() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return -1
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}
