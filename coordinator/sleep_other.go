//go:build !linux

package coordinator

import "time"

// sleeper waits for deadlines.
type sleeper struct{ done chan struct{} }

func newSleeper() *sleeper { return &sleeper{make(chan struct{})} }

// sleep waits for a duration, or until stop.
func (s *sleeper) sleep(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.done:
	}
}

// stop ends the current sleep and all later ones.
func (s *sleeper) stop() { close(s.done) }

// close has nothing to release.
func (s *sleeper) close() {}
