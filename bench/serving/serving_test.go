package serving

import (
	"context"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
)

// The processor time of this process grows while it works, and its memory is not 0.
func TestUsed(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	before := must.Get(Used(os.Getpid()))(t)
	must.Happen(t, "processor time", func() bool { return must.Get(Used(os.Getpid()))(t).CPU > before.CPU })
	if before.Memory < 1<<20 {
		t.Errorf("%d bytes of memory", before.Memory)
	}
	if _, err := Used(-1); err == nil {
		t.Error("there is no such process")
	}
}

// Requests are due at the same moments each time, whenever they are taken, and with as many a
// second as was asked for.
func TestSchedule(t *testing.T) {
	const perSecond, count = 1e5, 2000
	moments := func() (gaps []time.Duration) {
		ctx, cancel := context.WithCancel(context.Background())
		due := make(chan time.Time)
		ended := make(chan struct{})
		go func() {
			Schedule(ctx, due, perSecond, 7)
			close(ended)
		}()
		last := <-due
		for range count {
			at := <-due
			gaps, last = append(gaps, at.Sub(last)), at
		}
		cancel()
		<-ended
		return gaps
	}
	first := moments()
	must.Equal(t, moments(), first)
	sum := time.Duration(0)
	for _, gap := range first {
		sum += gap
	}
	if mean := sum / count; mean < 9*time.Microsecond || mean > 11*time.Microsecond {
		t.Errorf("the mean gap is %v, of a seed that does not change", mean)
	}
}
