// Package truth says where a program's time really goes, as far as anyone can
// tell: it runs fixtures without checks under the samplers that the engines
// bring themselves, and accounts for known programs with clocks at every entry
// and exit.
package truth

import (
	"context"
	"errors"
	"time"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
)

// Settings say how one run is sampled.
type Settings struct {
	// Interval is the sampler's nominal gap; 0 is its own default.
	Interval time.Duration
	// NoInlining asks V8 not to inline functions (--no-turbo-inlining), so that
	// its sampler sees each of them.
	NoInlining bool
	// Arguments are the program's; nil are those the fixture names for the
	// engine.
	Arguments []string
}

// Run is one reference run of an uninstrumented program.
type Run struct {
	Profile *profile.Profile
	CPU     time.Duration // of the process; 0 when unknown
	Output  []byte
}

// Sampler is the reference sampler of one engine.
type Sampler struct {
	Name   string // "v8", "v8-noinline", "goja", "goja-startprofile", "jsc", "spidermonkey", "chromium"
	Engine string // whose programs it runs: "node", "goja", "chromium", "firefox", "jsc"
	Sample func(ctx context.Context, program fixtures.Program, s Settings) (*Run, error)
	// Available says why the sampler cannot be used here, and what to install
	// for it; nil when it can.
	Available func() error
}

// Samplers are the reference samplers, in the order in which tables show them.
func Samplers() []Sampler { return nil }

// Account measures how much of its time a program of known distribution spends
// in each function, by clocks that are read wherever a function is entered,
// left, suspended or resumed. It gives shares in percent by the keys of the
// program's Expected.
func Account(ctx context.Context, program fixtures.Program, engineName string) (map[string]float64, error) {
	return nil, errors.New("not written yet")
}
