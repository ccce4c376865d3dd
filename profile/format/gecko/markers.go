package gecko

import (
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// The Firefox Profiler calls marks markers. Each has a name, a place in time and a
// payload, whose type names the schema that says how to show it.

// markerSchemas returns the schemas of the markers that are written.
func markerSchemas() []object {
	schema := func(name, label string, fields ...[3]string) object {
		s := object{"name": name, "display": []string{"marker-chart", "marker-table", "timeline-overview"},
			"tableLabel": label, "chartLabel": label, "tooltipLabel": label, "data": []object{}}
		all := []object{}
		for _, f := range fields {
			all = append(all, object{"key": f[0], "label": f[1], "format": f[2]})
		}
		s["fields"] = all
		return s
	}
	name, target, detail := [3]string{"name", "Name", "string"}, [3]string{"target", "Element", "string"}, [3]string{"detail", "Detail", "string"}
	return []object{
		schema("GC", "Garbage collection"),
		schema("Interaction", "{marker.data.name} {marker.data.target}", name, target, detail,
			[3]string{"inputDelay", "Input delay", "duration"}, [3]string{"processing", "Handlers", "duration"}, [3]string{"presentation", "Until the next frame", "duration"}),
		schema("LongTask", "{marker.data.name}", name, target, detail),
		schema("Navigation", "{marker.data.name}", name, target, detail),
		schema("UserTiming", "{marker.data.name}", name, [3]string{"entryType", "Kind", "string"}, target, detail),
	}
}

// marker is a stretch of time or, without an end, a moment; in milliseconds.
type marker struct {
	name       string
	start, end float64
	moment     bool
	category   int
	data       object // nil: no payload
}

// Phases.
const (
	phaseInstant = iota
	phaseInterval
	phaseStart
	phaseEnd
)

func (m *marker) phase() int {
	if m.moment {
		return phaseInstant
	}
	return phaseInterval
}

// endOrNull is the marker's end in JSON.
func (m *marker) endOrNull() any {
	if m.moment {
		return nil
	}
	return m.end
}

// markers are the marks, and what the samples say of the engine's own work and of ticks
// that were lost.
func (w *written) markers() []marker {
	var found []marker
	for i := range w.Marks {
		found = append(found, markerOf(&w.Marks[i]))
	}
	running := "" // the name of the last one, if the sample before was part of it
	for i := range w.Len() {
		s := w.Profile.Sample(i)
		name, category := engineMarker(s)
		if name == "" {
			running = ""
			continue
		}
		lasted := int64(s.Weight) * int64(w.Interval)
		start, end := milliseconds(max(0, s.Time-lasted)), milliseconds(s.Time)
		if name == running && s.Kind != profile.GC && s.Kind != profile.Lost {
			found[len(found)-1].end = end
			continue
		}
		running = name
		found = append(found, marker{name: name, start: start, end: end, category: category, data: object{"type": name}})
	}
	return found
}

// engineMarker is the name and category of the marker around a sample, "" for none.
func engineMarker(s profile.Sample) (name string, category int) {
	switch {
	case s.Kind == profile.GC || s.Marker == profile.MarkerGC:
		return "GC", gc
	case s.Kind == profile.Lost:
		return "Lost", other
	case s.Marker == profile.MarkerStyle:
		return "Styles", layout
	case s.Marker == profile.MarkerLayout:
		return "Reflow", layout
	case s.Marker == profile.MarkerPaint:
		return "Paint", graphics
	}
	return "", other
}

func markerOf(m *profile.Mark) marker {
	data := object{"name": m.Name}
	for key, text := range map[string]string{"target": m.Target, "detail": m.Detail} {
		if text != "" {
			data[key] = text
		}
	}
	out := marker{start: codec.Millis(m.Time), end: codec.Millis(m.End()), moment: m.Duration == 0, category: javaScript, data: data}
	switch m.What {
	case profile.Interaction:
		out.name, data["type"] = "Interaction", "Interaction"
		for key, d := range map[string]time.Duration{"inputDelay": m.InputDelay, "processing": m.Processing, "presentation": m.Presentation} {
			data[key] = codec.Millis(d)
		}
	case profile.LongTask:
		out.name, data["type"] = "LongTask", "LongTask"
	case profile.LongFrame:
		out.name, data["type"] = "LongFrame", "LongTask"
	case profile.Load:
		out.name, data["type"] = "Load", "Navigation"
	case profile.Navigation:
		out.name, data["type"] = "Navigation", "Navigation"
	default:
		out.name, data["type"], data["entryType"] = "UserTiming", "UserTiming", string(m.What)
	}
	return out
}
