package profiles

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
)

// Three functions work 60, 30 and 10 percent of the time.
func TestKnownShares(t *testing.T) {
	files := instrument(t, "shares", transform.Balanced)
	eachWay(t, files, nil, func(t *testing.T, b *browser.Browser, url string, isolated bool) {
		for _, work := range []string{"work(2000)", "workInTasks(2000)"} {
			s := profile(t, b, url, "auto", work)
			if want := clockOf(b, isolated); s.Trace.Fieldprof.Clock != want {
				t.Fatalf("%s: the clock is %q, want %q; lost %q", work, s.Trace.Fieldprof.Clock, want, s.Trace.Fieldprof.Lost)
			}
			sum := s.shares()
			got := among(sum, "six", "three", "one")
			off := 8.0
			if isolated {
				off = 5
			}
			t.Logf("%s: %.1f / %.1f / %.1f of %v", work, got["six"], got["three"], got["one"], sum)
			for name, want := range map[string]float64{"six": 60, "three": 30, "one": 10} {
				if math.Abs(got[name]-want) > off {
					t.Errorf("%s: %s has %.1f %%, want %.0f ± %.0f; ticks are %v", work, name, got[name], want, off, sum)
				}
			}
			if sum["six"]+sum["three"]+sum["one"] < 500 {
				t.Errorf("%s: too few ticks fell on the work: %v", work, sum)
			}
		}
	})
}

// A flag that is raised while a hot loop runs must be seen inside it.
func TestFlagIsSeenInHotLoops(t *testing.T) {
	files := instrument(t, "shares", transform.Balanced)
	eachWay(t, files, nil, func(t *testing.T, b *browser.Browser, url string, _ bool) {
		s := profile(t, b, url, "auto", "hot(1000)")
		var skids []float64
		for _, sample := range s.Trace.Samples {
			if sample.Kind == "loop" && sample.StackID != nil && s.Trace.Frames[s.Trace.Stacks[*sample.StackID].FrameID].Name == "hot" {
				skids = append(skids, sample.Skid)
			}
		}
		if len(skids) < 100 {
			t.Fatalf("%d samples in a loop of a second; all: %v", len(skids), s.shares())
		}
		slices.Sort(skids)
		if median := skids[len(skids)/2]; median > 2 {
			t.Errorf("half of the ticks waited longer than %.2f ms for a check in a hot loop", median)
		}
	})
}

// A page that is idle 95 % of the time must read so, and no handler may be
// charged for the wait before it, whose outermost function is unchecked.
func TestIdleStaysIdle(t *testing.T) {
	files := instrument(t, "idle", transform.Balanced)
	eachWay(t, files, nil, func(t *testing.T, b *browser.Browser, url string, _ bool) {
		s := profile(t, b, url, "auto", "live(5000)")
		var worked map[string]float64
		if err := json.Unmarshal(s.Value, &worked); err != nil {
			t.Fatal(err)
		}
		sum := s.shares()
		total := 0.0
		for _, ticks := range sum {
			total += ticks
		}
		busy := 100 * (worked["timer"] + worked["click"] + worked["message"]) / (s.Ended - s.Began)
		idle := 100 * sum[none] / total
		t.Logf("worked %.1f %%, idle reads %.1f %%: %v", busy, idle, sum)
		if math.Abs(100-busy-idle) > 3 {
			t.Errorf("the page worked %.1f %% of the time, and idle reads %.1f %%: %v", busy, idle, sum)
		}
		if total < 0.5*(s.Ended-s.Began) {
			t.Errorf("%.0f ticks in %.0f ms at 1 ms", total, s.Ended-s.Began)
		}
	})
}

// Time in builtins belongs to the function that called them.
func TestTimeInBuiltins(t *testing.T) {
	files := instrument(t, "builtins", transform.Precise)
	eachWay(t, files, nil, func(t *testing.T, b *browser.Browser, url string, isolated bool) {
		s := profile(t, b, url, "auto", "work(3000)")
		var took map[string]float64
		if err := json.Unmarshal(s.Value, &took); err != nil {
			t.Fatal(err)
		}
		names := []string{"parsing", "sorting", "matching", "rendering"}
		sum := s.shares(names...) // callbacks of the builtins count as their callers
		got, want := among(sum, names...), among(took, names...)
		t.Logf("profile %v, clock %v; %v", got, want, sum)
		for _, name := range names {
			if math.Abs(got[name]-want[name]) > 8 {
				t.Errorf("%s took %.1f %%, and reads %.1f %%; ticks are %v", name, want[name], got[name], sum)
			}
		}
	})
}
