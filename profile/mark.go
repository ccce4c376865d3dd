package profile

import (
	"slices"
	"time"
)

// Mark is a stretch or a moment on the profile's time axis that has a name: a slow
// interaction, a long task, a measure of the program's own. Strings may come from a page.
type Mark struct {
	What     What
	Name     string        // the event's type, the measure's name, …
	Target   string        // the element of an interaction: "button#save"
	Detail   string        // more, for people
	Time     time.Duration // since Meta.Start; as times of samples
	Duration time.Duration // 0: a moment

	// Of an interaction: from the input to its first handler, its handlers, and from
	// their end to the next picture. All are 0 if they are not known.
	InputDelay, Processing, Presentation time.Duration
}

// What says what a Mark marks.
type What string

// The kinds of mark. Other texts are allowed, and mean nothing to this package.
const (
	Interaction What = "interaction" // that took long, as Event Timing reports it
	LongFrame   What = "long-frame"  // a long animation frame
	LongTask    What = "long-task"   // as the browser reports it, or as ticks found it
	Load        What = "load"        // of a page
	Navigation  What = "navigation"  // within a page
	UserMark    What = "mark"        // performance.mark
	Measure     What = "measure"     // performance.measure
	FrameData   What = "frame"       // frame() of Mozilla's API
	Note        What = "note"        // something that people should know of
)

// End is when a mark's stretch ends.
func (m *Mark) End() time.Duration { return m.Time + m.Duration }

// sortMarks returns marks in order of time; of those that begin at once, the longest first.
func sortMarks(marks []Mark) []Mark {
	sorted := slices.Clone(marks)
	slices.SortStableFunc(sorted, func(a, b Mark) int {
		if a.Time != b.Time {
			return int(min(max(a.Time-b.Time, -1), 1))
		}
		return int(min(max(b.Duration-a.Duration, -1), 1))
	})
	return sorted
}

// marksBetween are the marks that touch a stretch of time, counted from its start. A mark
// that began before the stretch or ends after it is cut to it, but its parts are not.
func marksBetween(marks []Mark, from, to time.Duration) []Mark {
	var within []Mark
	for _, m := range marks {
		if m.Time >= to || m.End() < from || m.End() == from && m.Duration > 0 {
			continue
		}
		start, end := max(m.Time, from), min(m.End(), to)
		m.Time, m.Duration = start-from, end-start
		within = append(within, m)
	}
	return within
}
