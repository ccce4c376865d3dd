package bias

import (
	"time"

	"github.com/fieldprof/fieldprof/transform"
)

// Use says what a run is for.
type Use string

const (
	Clean    Use = "clean"    // without checks, nothing records
	Idle     Use = "idle"     // with checks, nothing records
	Profiled Use = "profiled" // with checks, recording
	Truth    Use = "truth"    // without checks, under the engine's own sampler
	Traced   Use = "traced"   // without checks, with clocks at every entry and exit
)

// Way is one way of running a program. Its name tells it apart from the others
// of an engine and a program.
type Way struct {
	Name     string           `json:"name"`
	Use      Use              `json:"use"`
	Preset   transform.Preset `json:"preset"`
	Clock    string           `json:"clock,omitempty"`
	Interval time.Duration    `json:"intervalNs,omitempty"`
	Sampler  string           `json:"sampler,omitempty"` // of the truth
	Again    bool             `json:"again,omitempty"`   // the second of a pair
}

// presets in the order of tables.
var presets = []transform.Preset{transform.Classic, transform.Balanced, transform.Fine, transform.Precise}

// The pieces of a plan.

func cleanWays() []Way {
	return []Way{{Name: "clean", Use: Clean}, {Name: "clean again", Use: Clean, Again: true}}
}

func truthWays(sampler string, interval time.Duration) []Way {
	return []Way{
		{Name: "truth", Use: Truth, Sampler: sampler, Interval: interval},
		{Name: "truth again", Use: Truth, Sampler: sampler, Interval: interval, Again: true},
	}
}

func idleWays(presets []transform.Preset) []Way {
	var ways []Way
	for _, p := range presets {
		ways = append(ways, Way{Name: p.String() + " idle", Use: Idle, Preset: p})
	}
	return ways
}

func profiledWays(presets []transform.Preset, clock string, interval time.Duration) []Way {
	var ways []Way
	for _, p := range presets {
		name := p.String()
		if clock != "" {
			name += " " + clock
		}
		if interval != standardInterval {
			name += " " + interval.String()
		}
		ways = append(ways, Way{Name: name, Use: Profiled, Preset: p, Clock: clock, Interval: interval})
	}
	return ways
}

// standardInterval is that of all cells whose name tells no other.
const standardInterval = time.Millisecond
