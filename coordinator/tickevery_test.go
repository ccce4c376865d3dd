package coordinator_test

import (
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/internal/must"
)

// A tick of TickEvery passes a deadline, and none comes once it was stopped.
func TestEvery(t *testing.T) {
	ticks := make(chan int64, 1<<16)
	stop := coordinator.TickEvery(100*time.Microsecond, 1, func(passed int64) { ticks <- passed })
	for range 20 {
		if passed := <-ticks; passed < 1 {
			t.Errorf("%d deadlines passed", passed)
		}
	}
	stop()
	stop()
	left := len(ticks)
	time.Sleep(5 * time.Millisecond)
	must.Equal(t, len(ticks), left, "it ticks on after it was stopped")
}

// Without an interval it ticks at the default one.
func TestEveryDefaultInterval(t *testing.T) {
	ticks := make(chan int64, 1<<16)
	stop := coordinator.TickEvery(0, 1, func(passed int64) { ticks <- passed })
	<-ticks
	stop()
}
