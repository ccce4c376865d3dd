package causal

import (
	"context"
	"errors"
	"time"

	"github.com/fieldprof/fieldprof/bench/truth"
	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/engine/bundle"
	"github.com/fieldprof/fieldprof/engine/goja"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/transform"
)

// Engine runs programs, and knows how long.
type Engine struct {
	Name      string
	Bundle    func(path string) (*bundle.Bundle, error)
	Target    transform.Target
	Goal      transform.Goal // unless a bundle is a module
	Run       func(context.Context, engine.Program, engine.Settings) (*engine.Result, error)
	Arguments func(fixtures.Program) []string
	Missing   func(error) bool // whether an error means that it is not installed
	// Reference is the sampler that chooses the functions. It is measured like the others.
	Reference string
	Interval  time.Duration // of presets
	Lasts     time.Duration // of a clean run; twice that if the budget allows
	Starts    time.Duration // what a run takes in addition
}

// Engines in the order of tables.
func Engines() []*Engine {
	v8 := func(p fixtures.Program) []string { return p.V8.Args }
	list := []*Engine{
		{Name: "goja", Bundle: goja.Bundle, Target: transform.Goja, Goal: transform.Script, Run: goja.Run,
			Arguments: func(p fixtures.Program) []string { return p.Goja.Args }, Missing: func(error) bool { return false },
			Reference: "goja", Interval: 500 * time.Microsecond, Lasts: 350 * time.Millisecond, Starts: 150 * time.Millisecond},
		{Name: "node", Bundle: node.Bundle, Goal: transform.FunctionBody, Run: node.Run, Arguments: v8,
			Missing:   func(err error) bool { return errors.Is(err, node.ErrMissing) },
			Reference: "v8-noinline", Interval: time.Millisecond, Lasts: 450 * time.Millisecond, Starts: 300 * time.Millisecond},
	}
	for _, b := range []struct {
		name      browser.Name
		reference string
	}{{browser.Chromium, "chromium"}, {browser.Firefox, "spidermonkey"}, {browser.WebKit, "jsc"}} {
		list = append(list, &Engine{
			Name: string(b.name), Goal: transform.Script, Run: browser.Run(b.name), Arguments: v8, Reference: b.reference,
			Bundle: func(path string) (*bundle.Bundle, error) { return browser.Bundle(b.name, path) },
			Missing: func(err error) bool {
				var missing *browser.MissingError
				return errors.As(err, &missing)
			},
			Interval: time.Millisecond, Lasts: 2 * time.Second, Starts: 3 * time.Second,
		})
	}
	return list
}

// inBrowser: such engines run only if they are asked for.
func (e *Engine) inBrowser() bool { return browser.Is(e.Name) }

// Way is a way to run a program: clean, with a preset, or under a sampler of the engine's.
type Way struct {
	Name    string
	Profile bool // with the preset
	Preset  transform.Preset
	Sampler *truth.Sampler
}

// The clean runs of a condition: the shorter one counts, since disturbances make
// a run longer.
const cleanRuns = 2

const clean = "clean"

func (e *Engine) ways(samplers []truth.Sampler) []Way {
	var ways []Way
	for range cleanRuns {
		ways = append(ways, Way{Name: clean})
	}
	for _, preset := range presets {
		ways = append(ways, Way{Name: preset.String(), Profile: true, Preset: preset})
	}
	for i := range samplers {
		if samplers[i].Engine == e.Name && !samplers[i].ExactOnly() { // the programs are real
			ways = append(ways, Way{Name: samplers[i].Name, Sampler: &samplers[i]})
		}
	}
	return ways
}

// interval is the interval of an engine's sampler, as it is used everywhere; 0 is the sampler's default.
func (w *Way) interval() time.Duration {
	if w.Sampler.Engine == "node" {
		return time.Millisecond // node --cpu-prof without other options
	}
	return 0
}
