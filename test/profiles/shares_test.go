package profiles

import (
	"encoding/json"
	"fmt"
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
		clock := clockOf(b, isolated)
		for _, work := range []string{"work(1500)", "workInTasks(1500)"} {
			count := gather(t, b, url, work, 1500, func(s *session) map[string]float64 {
				if s.Trace.Fieldprof.Clock != clock {
					t.Fatalf("%s: the clock is %q, want %q; lost %q", work, s.Trace.Fieldprof.Clock, clock, s.Trace.Fieldprof.Lost)
				}
				return s.captures()
			}, "six", "three", "one")
			off := 8.0
			if clock == "shared" {
				off = 5
			}
			got := among(count, "six", "three", "one")
			if math.Abs(got["six"]-60) > off-1 { // as many again, to judge by
				for name, n := range gather(t, b, url, work, 3000, (*session).captures, "six", "three", "one") {
					count[name] += n
				}
				got = among(count, "six", "three", "one")
			}
			t.Logf("%s: %.1f / %.1f / %.1f of %v", work, got["six"], got["three"], got["one"], count)
			for name, want := range map[string]float64{"six": 60, "three": 30, "one": 10} {
				if math.Abs(got[name]-want) > off {
					t.Errorf("%s: %s has %.1f %%, want %.0f ± %.0f; samples are %v", work, name, got[name], want, off, count)
				}
			}
		}
	})
}

// gather profiles an expression until so many samples fell on the functions of
// some names. A busy machine gives few at a time.
func gather(t *testing.T, b *browser.Browser, url, expression string, enough float64, count func(*session) map[string]float64, names ...string) map[string]float64 {
	t.Helper()
	sum := map[string]float64{}
	for range 15 {
		s := profile(t, b, url, "auto", expression)
		for name, n := range count(&s) {
			sum[name] += n
		}
		total := 0.0
		for _, name := range names {
			total += sum[name]
		}
		if total >= enough {
			return sum
		}
	}
	t.Fatalf("%s: too few samples: %v", expression, sum)
	return nil
}

// A flag that is raised while a hot loop runs must be seen inside it, not when
// the loop ends.
func TestFlagIsSeenInHotLoops(t *testing.T) {
	files := instrument(t, "shares", transform.Balanced)
	eachWay(t, files, nil, func(t *testing.T, b *browser.Browser, url string, _ bool) {
		var skids []float64
		gather(t, b, url, "hot(1000)", 50, func(s *session) map[string]float64 {
			seen := 0.0
			for _, sample := range s.Trace.Samples {
				if sample.Kind == "loop" && s.owner(sample.StackID, nil) == "hot" {
					skids = append(skids, sample.Skid)
					seen++
				}
			}
			if seen < 5 { // hoisted, it is seen once or twice
				t.Errorf("%.0f samples in a loop of a second; ticks are %v", seen, s.shares())
			}
			return map[string]float64{"hot": seen}
		}, "hot")
		slices.Sort(skids)
		if median := skids[len(skids)/2]; median > 100 {
			t.Errorf("half of the ticks waited longer than %.0f ms for a check in a hot loop", median)
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

// Time in builtins belongs to the function that called them. A reading that is
// off is taken once more: machines stall.
func TestTimeInBuiltins(t *testing.T) {
	files := instrument(t, "builtins", transform.Precise)
	eachWay(t, files, nil, func(t *testing.T, b *browser.Browser, url string, isolated bool) {
		if off := builtinsOff(t, b, url); len(off) > 0 {
			t.Log(off)
			for _, what := range builtinsOff(t, b, url) {
				t.Error(what)
			}
		}
	})
}

// builtinsOff tells of builtins whose share by the page's clock is another than
// in the profile.
func builtinsOff(t *testing.T, b *browser.Browser, url string) (off []string) {
	t.Helper()
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
			off = append(off, fmt.Sprintf("%s took %.1f %%, and reads %.1f %%; ticks are %v", name, want[name], got[name], sum))
		}
	}
	return off
}
