package coordinator

import (
	"sync"
	"time"
)

// TickEvery calls tick each time a deadline of a clock like a Coordinator's has passed,
// with the number of deadlines that passed since the last call: more than one if the
// machine was busy. It is for samplers that use no flag. An interval of 0 is
// DefaultInterval. The returned stop ends it, and waits for a call in progress.
func TickEvery(interval time.Duration, seed uint64, tick func(passed int64)) (stop func()) {
	wait, gone, began := newSleeper(), make(chan struct{}), time.Now()
	ended := make(chan struct{})
	go func() {
		defer close(gone)
		c := newClock(bounded(interval, DefaultInterval), seed)
		for c.begin(0); ; {
			wait.sleep(time.Duration(c.deadline) - time.Since(began))
			select {
			case <-ended:
				return
			default:
			}
			if now := int64(time.Since(began)); now >= c.deadline {
				tick(1 + c.pass(now))
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(ended)
		wait.stop()
		<-gone
		wait.close()
	})
}
