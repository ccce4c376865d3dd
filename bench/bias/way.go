package bias

import (
	"time"

	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/transform"
)

// Use is the purpose of a run.
type Use string

const (
	Clean    Use = "clean"    // without checks, nothing records
	Idle     Use = "idle"     // with checks, nothing records
	Profiled Use = "profiled" // with checks, recording
	Truth    Use = "truth"    // without checks, under the engine's own sampler
	Traced   Use = "traced"   // without checks, with clocks at every entry and exit
)

// Way is one way of running a program. Its name is unique among the ways of an engine
// and a program.
type Way struct {
	Name     string           `json:"name"`
	Use      Use              `json:"use"`
	Preset   transform.Preset `json:"preset"`
	Clock    string           `json:"clock,omitempty"`
	Interval time.Duration    `json:"intervalNs,omitempty"`
	Sampler  string           `json:"sampler,omitempty"` // of the truth
	Again    bool             `json:"again,omitempty"`   // the second of a pair
	// NoInlining: the engine inlines nothing, as in the run for the truth.
	NoInlining bool `json:"noInlining,omitempty"`
	// Lasts is the intended time of a clean run with the same arguments; 0: the block's.
	Lasts time.Duration `json:"lastsNs,omitempty"`
	// After is how long the program settles first: the recording begins there.
	After time.Duration `json:"afterNs,omitempty"`
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

// plainWays profile the same program that V8's sampler sees, without inlining:
// their errors are due to the checks and not to the compiler.
func plainWays(presets []transform.Preset, interval time.Duration) []Way {
	ways := profiledWays(presets, "", interval)
	for i := range ways {
		ways[i].Name += ", no inlining"
		ways[i].NoInlining = true
	}
	return ways
}

// The intervals of all cells whose names have no other: as many samples as possible
// without spending much of a program's time on them. V8 drops optimized code at the
// first sample of each check, which makes samples expensive there: at half a
// millisecond the profile is of a program that does little else.
const (
	standardInterval = 500 * time.Microsecond
	nodeInterval     = 1250 * time.Microsecond // of real programs
	browserInterval  = time.Millisecond        // as fast as browsers' samplers go

	usualInterval = 10 * time.Millisecond // of profilers in pages
)

func isStandard(interval time.Duration) bool {
	return interval == standardInterval || interval == nodeInterval || interval == browserInterval
}

// intervalIn is an engine's standard interval. The quick plan has no time for longer
// runs, and exact programs have few checks.
func (o Options) intervalIn(engine string, program fixtures.Program) time.Duration {
	switch {
	case o.Interval > 0:
		return o.Interval
	case browser.Is(engine):
		return browserInterval
	case isNode(engine) && program.Expected == nil && !o.Quick:
		return nodeInterval
	}
	return standardInterval
}
