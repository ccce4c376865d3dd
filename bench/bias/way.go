package bias

import (
	"time"

	"github.com/fieldprof/fieldprof/fixtures"
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
	// NoInlining: the engine inlines nothing, as it does for the truth.
	NoInlining bool `json:"noInlining,omitempty"`
}

// presets in the order of tables; ends are the cheapest and the closest of ours.
var (
	presets = []transform.Preset{transform.Classic, transform.Balanced, transform.Fine, transform.Precise}
	ends    = []transform.Preset{transform.Balanced, transform.Precise}
)

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
		if !isStandard(interval) {
			name += " " + interval.String()
		}
		ways = append(ways, Way{Name: name, Use: Profiled, Preset: p, Clock: clock, Interval: interval})
	}
	return ways
}

// plainWays profile the very program that V8's sampler sees, without inlining:
// what they get wrong is the checks' fault, and not the compiler's.
func plainWays(presets []transform.Preset, interval time.Duration) []Way {
	ways := profiledWays(presets, "", interval)
	for i := range ways {
		ways[i].Name += ", no inlining"
		ways[i].NoInlining = true
	}
	return ways
}

// The intervals of all cells whose name tells no other: as many samples as a
// program's time can give while taking them does not take much of it. V8 drops
// optimised code at the first sample of each check, which makes samples dear
// there: at half a millisecond the profile is of a program that does little else.
const (
	standardInterval = 500 * time.Microsecond
	nodeInterval     = 1250 * time.Microsecond // of real programs
	browserInterval  = time.Millisecond        // that is as fast as browsers' samplers go

	usualInterval = 10 * time.Millisecond // in the field
)

func isStandard(interval time.Duration) bool {
	return interval == standardInterval || interval == nodeInterval || interval == browserInterval
}

// intervalIn is the standard one of an engine. The quick plan has no time for
// programs that run for longer, and exact ones have few checks.
func (o Options) intervalIn(engine string, program fixtures.Program) time.Duration {
	switch {
	case o.Interval > 0:
		return o.Interval
	case isBrowser(engine):
		return browserInterval
	case engine == "node" && program.Expected == nil && !o.Quick:
		return nodeInterval
	}
	return standardInterval
}
