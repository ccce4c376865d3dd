package codec

import (
	"fmt"
	"math"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Mark is a profile.Mark in JSON, as pages write it (TraceMark in
// runtime/src/recording/parts.ts) and as our extensions of formats do. Times are
// milliseconds from the profile's start.
type Mark struct {
	What         string   `json:"what"`
	Name         string   `json:"name"`
	Target       string   `json:"target,omitempty"`
	Detail       string   `json:"detail,omitempty"`
	Time         *float64 `json:"time"`
	Duration     float64  `json:"duration,omitempty"`
	InputDelay   float64  `json:"inputDelay,omitempty"`
	Processing   float64  `json:"processing,omitempty"`
	Presentation float64  `json:"presentation,omitempty"`
}

// maxMillis is the latest time, and the longest duration, of a mark: 31 years.
const maxMillis = 1e12

// NewMarks is the inverse of AddMarks.
func NewMarks(marks []profile.Mark) []Mark {
	var out []Mark
	for _, m := range marks {
		at := Millis(m.Time)
		out = append(out, Mark{string(m.What), m.Name, m.Target, m.Detail, &at,
			Millis(m.Duration), Millis(m.InputDelay), Millis(m.Processing), Millis(m.Presentation)})
	}
	return out
}

// AddMarks adds marks to a profile. A stretch that began before the profile is cut to it.
func AddMarks(b *profile.Builder, marks []Mark) error {
	for i, m := range marks {
		if m.Time == nil || !(math.Abs(*m.Time) < maxMillis) {
			return fmt.Errorf("fieldprof.marks[%d].time: missing, or no time", i)
		}
		for name, v := range map[string]float64{"duration": m.Duration, "inputDelay": m.InputDelay, "processing": m.Processing, "presentation": m.Presentation} {
			if !(v >= 0 && v < maxMillis) {
				return fmt.Errorf("fieldprof.marks[%d].%s: %v is not a duration", i, name, v)
			}
		}
		AddMark(b, profile.Mark{What: profile.What(m.What), Name: m.Name, Target: m.Target, Detail: m.Detail,
			Time: Nanos(*m.Time), Duration: Nanos(m.Duration),
			InputDelay: Nanos(m.InputDelay), Processing: Nanos(m.Processing), Presentation: Nanos(m.Presentation)})
	}
	return nil
}

// AddMark adds a mark, cut to the profile if it began earlier.
func AddMark(b *profile.Builder, m profile.Mark) {
	if m.Time < 0 {
		m.Time, m.Duration = 0, max(0, m.End())
	}
	b.Mark(m)
}

// Millis is a duration in milliseconds.
func Millis(d time.Duration) float64 { return float64(d) / 1e6 }

// Nanos is the inverse of Millis.
func Nanos(ms float64) time.Duration { return time.Duration(math.Round(ms * 1e6)) }
