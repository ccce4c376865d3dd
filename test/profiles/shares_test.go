package profiles

import (
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
)

// By real clocks these tests look at what is sampled, not at how much of it: that
// depends on the machine. Shares are in moved_test.go and of the bench.

// gather profiles an expression until the profile shows what it must. A busy
// machine gives few samples at a time.
func gather(t *testing.T, b *browser.Browser, url, expression string, shows func(s *session) bool) {
	t.Helper()
	for end := time.Now().Add(must.Hang); ; {
		s := profile(t, b, url, "auto", expression)
		if shows(&s) {
			return
		}
		if t.Failed() || time.Now().After(end) {
			t.Fatalf("%s: samples are %v", expression, s.shares())
		}
	}
}

// has reports whether there are samples of all these functions.
func has(count map[string]float64, names ...string) bool {
	for _, name := range names {
		if count[name] == 0 {
			return false
		}
	}
	return true
}

// Functions that work are sampled, by the clock that the browser can have, in one
// task and in many.
func TestWorkIsSampled(t *testing.T) {
	files := instrument(t, "shares", transform.Balanced)
	eachWay(t, files, nil, func(t *testing.T, b *browser.Browser, url string, isolated bool) {
		for _, work := range []string{"work(300)", "workInTasks(300)"} {
			gather(t, b, url, work, func(s *session) bool {
				if got, want := s.Trace.Fieldprof.Clock, clockOf(b, isolated); got != want {
					t.Fatalf("%s: the clock is %q, want %q; lost %q", work, got, want, s.Trace.Fieldprof.Lost)
				}
				return has(s.captures(), "six", "three", "one")
			})
		}
	})
}

// A flag that is raised while a hot loop runs must be seen inside it, not when
// the loop ends.
func TestFlagIsSeenInHotLoops(t *testing.T) {
	files := instrument(t, "shares", transform.Balanced)
	eachWay(t, files, nil, func(t *testing.T, b *browser.Browser, url string, _ bool) {
		gather(t, b, url, "hot(1000)", func(s *session) bool {
			seen := 0
			for _, sample := range s.Trace.Samples {
				if sample.Kind == "loop" && s.owner(sample.StackID, nil) == "hot" {
					seen++
				}
			}
			return seen >= 5 // where engines hoist it, a call sees it once or twice, forever
		})
	})
}

// A page that mostly rests has samples of nothing, and of its handlers.
func TestIdleIsSampled(t *testing.T) {
	files := instrument(t, "idle", transform.Balanced)
	eachWay(t, files, nil, func(t *testing.T, b *browser.Browser, url string, _ bool) {
		gather(t, b, url, "live(1500)", func(s *session) bool {
			return has(s.shares(), none, "spin") && has(s.shares("timerHandler", "clickHandler", "messageHandler"), none)
		})
	})
}

// Builtins that take long are sampled in the functions that call them.
func TestBuiltinsAreSampled(t *testing.T) {
	files := instrument(t, "builtins", transform.Precise)
	eachWay(t, files, nil, func(t *testing.T, b *browser.Browser, url string, _ bool) {
		names := []string{"parsing", "sorting", "matching", "rendering"}
		gather(t, b, url, "work(800)", func(s *session) bool { return has(s.shares(names...), names...) })
	})
}
