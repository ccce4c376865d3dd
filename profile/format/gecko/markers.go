package gecko

import "github.com/fieldprof/fieldprof/profile"

// gcSchema tells the Firefox Profiler how to show the markers that are written.
var gcSchema = object{
	"name": "GC", "display": []string{"marker-chart", "marker-table", "timeline-overview"},
	"tableLabel": "Garbage collection", "fields": []object{}, "data": []object{},
}

// marker is a stretch of time, in milliseconds.
type marker struct {
	name       string
	start, end float64
}

const phaseInterval = 1

// markers are the collector's pauses and the ticks that were lost, from what
// the samples say of them.
func (w *written) markers() []marker {
	var found []marker
	for i := range w.Len() {
		s := w.Profile.Sample(i)
		name := ""
		switch s.Kind {
		case profile.GC:
			name = "GC"
		case profile.Lost:
			name = "Lost"
		default:
			continue
		}
		lasted := int64(s.Weight) * int64(w.Interval)
		found = append(found, marker{name, milliseconds(max(0, s.Time-lasted)), milliseconds(s.Time)})
	}
	return found
}

func markerCategory(m marker) int {
	if m.name == "GC" {
		return gc
	}
	return other
}
