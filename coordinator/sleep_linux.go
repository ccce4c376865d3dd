package coordinator

import (
	"syscall"
	"time"
)

// fineSleep is how much of a wait is left to the kernel. Go's timers are up to
// a millisecond late on Linux, where its poller counts in milliseconds; the
// kernel's are some 60 µs late. That matters where checks do not keep the clock,
// in long calls of native functions.
const fineSleep = 3 * time.Millisecond

// sleep blocks the calling thread.
func sleep(d time.Duration) {
	wait := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&wait, nil) // a signal ends it early; the caller looks at the clock
}
