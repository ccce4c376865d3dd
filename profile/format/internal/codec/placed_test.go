package codec

import (
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// TestPlaced has samples of 1, 3 and 2 ticks with gaps before the first and the last.
func TestPlaced(t *testing.T) {
	const ms = time.Millisecond
	b := profile.Builder{Meta: profile.Meta{Interval: 10 * ms}}
	for _, s := range []struct {
		at    time.Duration
		ticks int32
	}{{100 * ms, 1}, {130 * ms, 3}, {500 * ms, 2}} {
		b.Sample(profile.Sample{Time: int64(s.at), Stack: b.Pseudo(profile.NoStack, profile.NameProgram), Weight: s.ticks, Kind: profile.Program})
	}
	for _, at := range []time.Duration{0, 95, 100, 110, 300, 490, 600} {
		b.Mark(profile.Mark{Time: at * ms, Duration: 20 * ms})
	}
	p := b.Profile()
	o := must.Get(Prepare("test", p, ms, Never))(t)
	var got []time.Duration
	for _, m := range o.Placed(p) {
		got = append(got, m.Time/ms, m.Duration/ms)
	}
	must.Equal(t, got, []time.Duration{0, 0, 5, 20, 10, 20, 20, 20, 40, 0, 50, 10, 60, 0})

	for i := range p.Samples.Time { // as a reader of such a format makes it
		p.Samples.Time[i] = []int64{int64(10 * ms), int64(40 * ms), int64(60 * ms)}[i]
	}
	must.Equal(t, o.Placed(p), p.Marks)
}
