package coordinator

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// sleeper waits for deadlines on a kernel timer, which Go's poller watches like any
// other file. Go's own timers are up to a millisecond late, because the poller counts
// in milliseconds; this one is some 60 µs late, and takes neither a thread nor a
// processor from scripts. (A thread blocking in the kernel did: Go's monitor, which
// looks for such threads every 20 µs, cost a fifth of a processor at an interval of
// 1 ms.)
type sleeper struct {
	timer *os.File // nil if the kernel has none
	fd    int
	done  chan struct{}
}

// newSleeper makes a sleeper. It falls back to Go's timers.
func newSleeper() *sleeper {
	s := &sleeper{done: make(chan struct{})}
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err == nil {
		s.fd, s.timer = fd, os.NewFile(uintptr(fd), "timer")
	}
	return s
}

// sleep waits for a duration, or until stop. It may return early.
func (s *sleeper) sleep(d time.Duration) {
	if d <= 0 {
		return
	}
	if s.timer == nil {
		select {
		case <-time.After(d):
		case <-s.done:
		}
		return
	}
	setting := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}
	if unix.TimerfdSettime(s.fd, 0, &setting, nil) != nil {
		time.Sleep(d)
		return
	}
	var expirations [8]byte
	_, _ = s.timer.Read(expirations[:]) // fails once stopped
}

// stop ends the current sleep and all later ones.
func (s *sleeper) stop() {
	close(s.done)
	if s.timer != nil {
		_ = s.timer.SetReadDeadline(time.Unix(1, 0)) // wakes a reader
	}
}

// close releases the timer. No sleep may follow.
func (s *sleeper) close() {
	if s.timer != nil {
		_ = s.timer.Close()
	}
}
