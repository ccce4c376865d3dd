package cputime

import (
	"time"

	"golang.org/x/sys/unix"
)

func thread() (time.Duration, bool) { return clock(unix.CLOCK_THREAD_CPUTIME_ID) }

func threadID() int { return unix.Gettid() }

// threadOf makes the number of the thread's clock: its ID, inverted, above three bits that say
// that it is a thread's (4) and what the scheduler counts (2), see clock_getcpuclockid(3).
func threadOf(id int) (time.Duration, bool) { return clock(int32(^id<<3 | 6)) }

func clock(id int32) (time.Duration, bool) {
	var spent unix.Timespec
	if unix.ClockGettime(id, &spent) != nil {
		return 0, false
	}
	return time.Duration(spent.Nano()), true
}
