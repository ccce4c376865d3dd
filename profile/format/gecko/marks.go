package gecko

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// maxMarks bounds the marks that are taken from a file: the first ones are.
const maxMarks = 1 << 16

// aFrame is how long an event or the engine's own work must take to be a mark.
const aFrame = 16 * time.Millisecond

// addMarks takes from the markers of the file what has a meaning here: measures, long
// tasks, loads, events that took long, and the engine's own work.
func (t *thread) addMarks(b *profile.Builder, all []stretch) {
	n := 0
	for i := range all {
		m, ok := t.mark(&all[i])
		if !ok {
			continue
		}
		if n++; n <= maxMarks {
			codec.AddMark(b, m)
		}
	}
	if n > maxMarks {
		b.Meta.Notes = append(b.Meta.Notes, fmt.Sprintf("marks: only the first %d of %d were read", maxMarks, n))
	}
}

// mark returns the mark for a marker, one of Firefox's or one of ours.
func (t *thread) mark(s *stretch) (profile.Mark, bool) {
	p := &s.payload
	m := profile.Mark{Name: t.text(p.Name), Target: t.text(p.Target), Detail: t.text(p.Detail), Time: s.start, Duration: s.end - s.start}
	switch {
	case p.Type == "UserTiming":
		m.What = profile.What(t.text(p.EntryType))
	case p.Type == "DOMEvent":
		latency := duration(p.Latency)
		m.What, m.Name, m.Target = profile.Interaction, t.text(p.EventType), element(m.Target)
		m.InputDelay, m.Processing = latency, m.Duration
		m.Time, m.Duration = m.Time-latency, m.Duration+latency
		return m, m.Duration >= aFrame && slices.Contains(interactions, m.Name)
	case p.Type == "Interaction":
		m.What, m.InputDelay, m.Processing, m.Presentation = profile.Interaction, duration(p.InputDelay), duration(p.Processing), duration(p.Presentation)
	case s.name == "LongFrame":
		m.What = profile.LongFrame
	case p.Type == "MainThreadLongTask" || s.name == "LongTask" || s.name == "Jank":
		m.What = profile.LongTask
	case s.name == "DocumentLoad":
		m.What, m.Name, m.Detail = profile.Load, "load", m.Name
	case p.Type == "Navigation" && s.name == "Load":
		m.What = profile.Load
	case p.Type == "Navigation":
		m.What = profile.Navigation
	default:
		m.What, m.Name, m.Target, m.Detail = profile.Note, s.name, "", ""
		return m, m.Duration >= aFrame && engineWork(s.name) != profile.NoMarker
	}
	return m, true
}

// interactions are the events of the input of people, as Event Timing counts them.
var interactions = []string{"pointerdown", "pointerup", "mousedown", "mouseup", "touchstart", "touchend", "click", "auxclick",
	"dblclick", "contextmenu", "keydown", "keypress", "keyup", "beforeinput", "input", "change", "drop"}

// engineWork is what the engine does within a marker of that name.
func engineWork(name string) profile.Marker {
	switch {
	case name == "GC", name == "GCMajor", name == "GCSlice", name == "GCMinor":
		return profile.MarkerGC
	case name == "Styles":
		return profile.MarkerStyle
	case name == "Reflow", strings.HasPrefix(name, "Reflow ("):
		return profile.MarkerLayout
	case name == "Paint":
		return profile.MarkerPaint
	}
	return profile.NoMarker
}

// engineAt says for each sample what the engine was doing, by its markers and by the
// category of the stack: the marker that began last counts.
func (t *thread) engineAt(all []stretch) []profile.Marker {
	markers := make([]profile.Marker, len(t.samples.stack))
	order := make([]int, len(markers))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.samples.time[a], t.samples.time[b]) })
	moments := make([]time.Duration, len(order))
	for i, sample := range order {
		moments[i] = codec.Nanos(t.samples.time[sample])
	}
	var work []codec.Work
	for _, s := range all {
		if marker := engineWork(s.name); marker != profile.NoMarker {
			work = append(work, codec.Work{Start: s.start, End: s.end, Marker: marker})
		}
	}
	for i, marker := range codec.Working(moments, work) {
		if s := t.samples.stack[order[i]]; marker == profile.NoMarker && s >= 0 {
			marker = categoryMarkers[t.category[s]]
		}
		markers[order[i]] = marker
	}
	return markers
}

// duration is one in milliseconds; 0 for nonsense.
func duration(ms float64) time.Duration {
	if !(ms >= 0 && isTime(ms)) {
		return 0
	}
	return codec.Nanos(ms)
}

func isTime(ms float64) bool { return math.Abs(ms) < 1e12 }

// text is a string of a payload, which may be an index of the strings.
func (t *thread) text(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) == nil {
		return s
	}
	var i int
	if json.Unmarshal(raw, &i) == nil && i >= 0 && i < len(t.strings) {
		return t.strings[i]
	}
	return ""
}

var described = regexp.MustCompile(`^([\w-]+)@[0-9a-f]+(?: id="([^"]*)")?`)

// element is how an element is called here: Firefox says button@7fc3e5513040 id="save".
func element(target string) string {
	found := described.FindStringSubmatch(target)
	switch {
	case found == nil:
		return target
	case found[2] == "":
		return found[1]
	}
	return found[1] + "#" + found[2]
}
