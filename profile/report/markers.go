package report

import (
	"fmt"
	"strings"

	"github.com/fieldprof/fieldprof/profile"
)

// engineLine says what the engine was doing, by the markers of the samples, as shares of all
// ticks; "" if no sample has one. A tick without a marker is not known.
func engineLine(p *profile.Profile) string {
	if p.Samples.Marker == nil {
		return ""
	}
	ticks := map[profile.Marker]int64{}
	for i, marker := range p.Samples.Marker {
		ticks[marker] += int64(p.Samples.Weight[i])
	}
	all := max(1, p.Samples.Ticks())
	var parts []string
	for marker := profile.MarkerScript; marker <= profile.MarkerOther; marker++ {
		if n := ticks[marker]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %.1f %%", marker, 100*float64(n)/float64(all)))
		}
	}
	if n := ticks[profile.NoMarker]; n > 0 {
		parts = append(parts, fmt.Sprintf("not known %.1f %%", 100*float64(n)/float64(all)))
	}
	return "the engine, by its markers: " + strings.Join(parts, ", ")
}
