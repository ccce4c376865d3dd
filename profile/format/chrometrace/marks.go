package chrometrace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/jsonstream"
)

// Bounds of a trace's marks, and of its stretches of the engine's own work: the first
// ones are taken.
const (
	maxMarks = 1 << 16
	maxWork  = 1 << 18
)

// maxUnpaired is how many beginnings and ends are held until they are put in order of time: a trace
// that has more must be in order from one such lot to the next.
const maxUnpaired = 1 << 17

// long is how long a task or frame must take to be called so, in microseconds.
const long = 50_000

// Names and categories of events.
const (
	userTiming  = "blink.user_timing"
	eventTiming = "EventTiming"
	runTask     = "RunTask"
	longFrame   = "AnimationFrame" // a long animation frame, if it is long
)

// timed is an event that may be, or begin, a mark.
type timed struct {
	name, category, id string
	thread             threadKey
	phase              string
	at, lasted         float64 // microseconds
	input              input
}

// input is what an event of Event Timing says; times are in milliseconds.
type input struct {
	kind                       string
	interaction                int64
	happened, processed, ended float64 // the event, the start of its handlers and their end
}

// mayBeMark says by its name and category whether an event matters here.
func mayBeMark(name, category string) bool {
	return name == eventTiming || name == runTask || name == longFrame || engineWork[name] != profile.NoMarker ||
		strings.Contains(category, userTiming) && !slices.Contains(loading, name)
}

// engineWork is what the engine does within an event.
var engineWork = map[string]profile.Marker{"MinorGC": profile.MarkerGC, "MajorGC": profile.MarkerGC,
	"UpdateLayoutTree": profile.MarkerStyle, "Layout": profile.MarkerLayout,
	"PrePaint": profile.MarkerPaint, "Paint": profile.MarkerPaint, "Layerize": profile.MarkerPaint, "Commit": profile.MarkerPaint}

// loading are the user timings of Chrome's own.
var loading = []string{"workerStart", "redirectStart", "redirectEnd", "fetchStart", "domainLookupStart", "domainLookupEnd", "connectStart", "connectEnd",
	"secureConnectionStart", "requestStart", "responseStart", "responseEnd", "navigationStart", "unloadEventStart", "unloadEventEnd", "commitNavigationEnd",
	"domLoading", "domInteractive", "domContentLoadedEventStart", "domContentLoadedEventEnd", "domComplete", "loadEventStart", "loadEventEnd"}

// pairKey is what the beginning and the end of an event have in common.
type pairKey struct {
	process            int64
	name, category, id string
}

// found is a mark of some thread, in microseconds of the trace's clock.
type found struct {
	thread     threadKey
	at, lasted float64
	mark       profile.Mark
}

// timeline brings events together to marks.
type timeline struct {
	unpaired     []timed // beginnings and ends, in the order of the file
	open         map[pairKey][]timed
	waiting      int // of them
	interactions map[interactionKey]int
	marks        []found
	more         int // that there was no room for
	work         []worked
}

// worked is a stretch of the engine's own work, in microseconds.
type worked struct {
	thread     threadKey
	at, lasted float64
	marker     profile.Marker
}

type interactionKey struct {
	thread threadKey
	id     int64
}

func newTimeline() timeline {
	return timeline{open: make(map[pairKey][]timed), interactions: make(map[interactionKey]int)}
}

func (l *timeline) add(e timed) {
	switch e.phase {
	case "b", "e":
		if l.unpaired = append(l.unpaired, e); len(l.unpaired) >= maxUnpaired {
			l.settle()
		}
	case "X", "I", "R":
		l.mark(e)
	}
}

// settle pairs beginnings and ends, which files may have in any order.
func (l *timeline) settle() {
	slices.SortStableFunc(l.unpaired, func(a, b timed) int { return cmp.Compare(a.at, b.at) })
	for _, e := range l.unpaired {
		l.pair(e)
	}
	l.unpaired = l.unpaired[:0]
}

func (l *timeline) pair(e timed) {
	key := pairKey{e.thread.process, e.name, e.category, e.id}
	switch e.phase {
	case "b":
		if l.waiting < maxMarks {
			l.open[key] = append(l.open[key], e)
			l.waiting++
		}
	case "e":
		begun := l.open[key]
		if n := len(begun); n > 0 {
			if l.open[key] = begun[:n-1]; n == 1 {
				delete(l.open, key)
			}
			l.waiting--
			begun[n-1].lasted = e.at - begun[n-1].at
			l.mark(begun[n-1])
		}
	}
}

// mark adds the mark that an event is, if it is one.
func (l *timeline) mark(e timed) {
	if marker := engineWork[e.name]; marker != profile.NoMarker {
		if e.phase == "X" && len(l.work) < maxWork && inRange(e.at) && inRange(e.lasted) {
			l.work = append(l.work, worked{e.thread, e.at, e.lasted, marker})
		}
		return
	}
	m := profile.Mark{Name: e.name}
	switch {
	case e.name == eventTiming:
		if e.input.interaction == 0 || e.lasted <= 0 {
			return
		}
		m.What, m.Name = profile.Interaction, e.input.kind
		in := &e.input
		end := in.happened + e.lasted/1000
		if in.happened <= in.processed && in.processed <= in.ended && in.ended <= end && inRange(in.happened*1000) && inRange(end*1000) {
			m.InputDelay, m.Processing, m.Presentation = codec.Nanos(in.processed-in.happened), codec.Nanos(in.ended-in.processed), codec.Nanos(end-in.ended)
		}
	case e.name == runTask:
		m.What, m.Name = profile.LongTask, ""
	case e.name == longFrame:
		m.What, m.Name = profile.LongFrame, ""
	case e.lasted > 0:
		m.What = profile.Measure
	default:
		m.What = profile.UserMark
	}
	if (m.What == profile.LongTask || m.What == profile.LongFrame) && e.lasted < long || !inRange(e.at) || !inRange(e.lasted) || e.lasted < 0 {
		return
	}
	f := found{e.thread, e.at, e.lasted, m}
	key := interactionKey{e.thread, e.input.interaction}
	switch same, ok := l.interactions[key]; {
	case m.What == profile.Interaction && ok:
		if f.moreThan(&l.marks[same]) {
			l.marks[same] = f
		}
		return
	case len(l.marks) == maxMarks:
		l.more++
		return
	case m.What == profile.Interaction:
		l.interactions[key] = len(l.marks)
	}
	l.marks = append(l.marks, f)
}

// moreThan compares two events of an interaction: the user's act is the one that was
// handled longest, or else that lasted longest.
func (f *found) moreThan(o *found) bool {
	return cmp.Or(cmp.Compare(f.mark.Processing, o.mark.Processing), cmp.Compare(f.lasted, o.lasted)) > 0
}

// inRange reports whether microseconds are a time that a profile can hold.
func inRange(us float64) bool { return us > -1e15 && us < 1e15 }

// addTo adds the marks of a thread while it was sampled.
func (l *timeline) addTo(b *profile.Builder, thread threadKey, start, end float64) {
	for _, f := range l.marks {
		if f.thread != thread || f.at > end || f.at+f.lasted < start {
			continue
		}
		m := f.mark
		m.Time, m.Duration = time.Duration((f.at-start)*1e3), time.Duration(f.lasted*1e3)
		codec.AddMark(b, m)
	}
	if l.more > 0 {
		b.Meta.Notes = profile.Notes([]string{fmt.Sprintf("marks: only the first %d of %d in the trace were read", maxMarks, maxMarks+l.more)})
	}
}

// markSamples says what the engine was doing at the samples of a thread.
func (l *timeline) markSamples(p *profile.Profile, thread threadKey, start float64) {
	var work []codec.Work
	for _, w := range l.work {
		if from := time.Duration((w.at - start) * 1e3); w.thread == thread {
			work = append(work, codec.Work{Start: from, End: from + time.Duration(w.lasted*1e3), Marker: w.marker})
		}
	}
	if len(work) == 0 {
		return
	}
	slices.SortStableFunc(work, func(a, b codec.Work) int { return cmp.Compare(a.Start, b.Start) })
	p.Samples.Marker = codec.Working(taken(p), work)
	for i, kind := range p.Samples.Kind {
		if kind == profile.Idle {
			p.Samples.Marker[i] = profile.NoMarker
		}
	}
}

// taken are the moments at which the samples of a trace were taken: each lasted until the next one.
func taken(p *profile.Profile) []time.Duration {
	moments := make([]time.Duration, p.Len())
	for i, end := range p.Samples.Time {
		moments[i] = time.Duration(max(0, end-int64(p.Samples.Weight[i])*int64(p.Meta.Interval)))
		if i > 0 && end > p.Samples.Time[i-1] {
			moments[i] = time.Duration(p.Samples.Time[i-1]) // to the nanosecond, which ticks may not be
		}
	}
	return moments
}

// readInput reads the arguments of an event of Event Timing.
func readInput(in *jsonstream.Reader) (event input, err error) {
	if in.Kind() != '{' {
		return event, nil
	}
	err = in.Members(jsonstream.Members{{"data", func() error {
		if in.Kind() != '{' {
			return in.Skip()
		}
		return in.Object(func(key string) (err error) {
			switch key {
			case "type":
				event.kind, err = text(in)
			case "interactionId":
				event.interaction, err = number(in)
			case "timeStamp":
				event.happened, err = decimal(in)
			case "processingStart":
				event.processed, err = decimal(in)
			case "processingEnd":
				event.ended, err = decimal(in)
			default:
				err = in.Skip()
			}
			return err
		})
	}}})
	return event, err
}
