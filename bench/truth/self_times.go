package truth

import (
	"fmt"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
)

// SelfTimes sums a profile's self times by the keys of a program's Expected,
// without idle, collector and lost time. Functions it does not list keep their
// own names.
func SelfTimes(program fixtures.Program, attributed *profile.Profile) map[string]float64 {
	self := map[string]float64{}
	for _, row := range view.Flat(attributed) {
		switch row.Name {
		case profile.NameIdle, profile.NameGC, profile.NameLost:
			continue
		}
		key := program.Key(row.Name, int(row.Line))
		if key == "" {
			key = fmt.Sprintf("%s %s:%d", row.Name, row.File, row.Line)
		}
		self[key] += float64(row.Self)
	}
	return self
}
