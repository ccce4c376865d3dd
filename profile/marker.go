package profile

import "slices"

// Marker is what the engine was doing when a sample was taken, as the standard's
// markers say it (ProfilerMarker of the JS Self-Profiling API).
type Marker uint8

// The markers. The zero Marker says that it is not known.
const (
	NoMarker     Marker = iota
	MarkerScript        // it ran a script
	MarkerGC            // it collected garbage
	MarkerStyle         // it computed styles
	MarkerLayout        // it laid out the page
	MarkerPaint         // it painted
	MarkerOther         // something else
)

var markerNames = []string{"", "script", "gc", "style", "layout", "paint", "other"}

// String is the standard's name of a marker, "" for none.
func (m Marker) String() string {
	if int(m) < len(markerNames) {
		return markerNames[m]
	}
	return ""
}

// ParseMarker is the inverse of Marker.String; a name that it does not know is other, as
// the standard may have more one day.
func ParseMarker(name string) Marker {
	if i := slices.Index(markerNames, name); i >= 0 {
		return Marker(i)
	}
	return MarkerOther
}
