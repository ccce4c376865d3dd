package figures

import (
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

func TestSkids(t *testing.T) {
	var b profile.Builder
	stack := b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "f"}), 1, 1))
	for _, s := range []struct {
		skid time.Duration
		kind profile.Kind
	}{{0, profile.Exit}, {250, profile.Loop}, {251, profile.Entry}, {time.Millisecond, profile.Exit}, {time.Hour, profile.Exit}, {time.Second, profile.Native}} {
		b.Sample(profile.Sample{Stack: stack, Weight: 1, Kind: s.kind, Skid: int64(s.skid)})
	}
	got := SkidsOf([]*profile.Profile{b.Profile()})
	for bar, n := range got.Bars {
		want := map[int]int{0: 2, 1: 1, 12: 1, SkidBars - 1: 1}[bar]
		if n != want {
			t.Errorf("bar %d, up to %v: %d, want %d", bar, BarEnd(bar), n, want)
		}
	}
	if got.Median != 251 || got.Max != time.Hour {
		t.Errorf("%+v", got)
	}
	if empty := SkidsOf(nil); empty.Max != 0 {
		t.Errorf("of nothing: %+v", empty)
	}
}
