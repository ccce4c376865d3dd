package sdk

import (
	"slices"
	"testing"
)

// Sentry's SDK asks for half a minute of samples each minute. Alone it loses the other half,
// without a word; with our adapter it loses nothing, whichever Profiler it finds.
func TestSentryMinutes(t *testing.T) {
	for _, c := range []struct {
		name string
		app  app
		each func(samples int) bool // of a full minute
		gap  func(seconds float64) bool
	}{
		{"alone", app{browser: "firefox"}, func(samples int) bool { return samples == 3000 }, func(seconds float64) bool { return seconds > 25 }},
		{"adapted", app{query: "?adapted"}, isWhole, isShort},
		{"adapted, in place of one that refuses", app{query: "?adapted", native: true, browser: "chromium"}, isWhole, isShort},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.app.script, c.app.clock = "sentry-minutes.js", true
			drive(t, c.app, func(t *testing.T, i *ingest, _, _ string) {
				chunks := []sentryProfile{wait(t, i, readEnvelope), wait(t, i, readEnvelope), wait(t, i, readEnvelope)}
				slices.SortFunc(chunks, func(a, b sentryProfile) int { return int(a.times()[0] - b.times()[0]) })
				var times []float64
				for n, chunk := range chunks {
					if samples := len(chunk.Profile.Samples); n < 2 && !c.each(samples) {
						t.Errorf("the chunk of minute %d has %d samples", n+1, samples)
					}
					times = append(times, chunk.times()...)
				}
				if gap := longestPause(times); !c.gap(gap) {
					t.Errorf("at most %.1f s are without samples", gap)
				}
			})
		})
	}
}

// isWhole: 6,000 are expected, and ticks are random.
func isWhole(samples int) bool { return samples > 5500 && samples < 6600 }

func isShort(seconds float64) bool { return seconds < 1 }

// times returns the times of the samples, in seconds.
func (p sentryProfile) times() []float64 {
	times := make([]float64, len(p.Profile.Samples))
	for n, s := range p.Profile.Samples {
		times[n] = s.Timestamp
	}
	return times
}

// longestPause is the longest time without a sample.
func longestPause(times []float64) (longest float64) {
	for n := 1; n < len(times); n++ {
		longest = max(longest, times[n]-times[n-1])
	}
	return longest
}
