package codec

import (
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Work is a stretch of the engine's own work.
type Work struct {
	Start, End time.Duration
	Marker     profile.Marker
}

// Working says what the engine was doing at each of some moments, in order: of the
// stretches around it, which are in order of their starts, the one that began last counts.
func Working(moments []time.Duration, work []Work) []profile.Marker {
	markers := make([]profile.Marker, len(moments))
	var open []*Work
	next := 0
	for i, at := range moments {
		for ; next < len(work) && work[next].Start <= at; next++ {
			open = append(open, &work[next])
		}
		for len(open) > 0 && open[len(open)-1].End <= at {
			open = open[:len(open)-1]
		}
		if n := len(open); n > 0 {
			markers[i] = open[n-1].Marker
		}
	}
	return markers
}
