package bias

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"runtime/debug"
	"time"

	benchnode "github.com/fieldprof/fieldprof/bench/node"
	"github.com/fieldprof/fieldprof/bench/truth"
	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/engine/bundle"
	"github.com/fieldprof/fieldprof/engine/goja"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

func allEngines() map[string]Engine {
	v8 := func(p fixtures.Program) []string { return p.V8.Args }
	all := map[string]Engine{
		"goja": {Run: goja.Run, Bundle: goja.Bundle, Arguments: func(p fixtures.Program) []string { return p.Goja.Args }, Missing: func(error) bool { return false }},
		"node": {Run: node.Run, Bundle: node.Bundle, Arguments: v8, Missing: func(err error) bool { return errors.Is(err, node.ErrMissing) },
			Node: func() (string, error) { return exec.LookPath("node") },
			RunNoInlining: func(ctx context.Context, p engine.Program, s engine.Settings) (*engine.Result, error) {
				return node.RunWith(ctx, p, s, truth.NoInlining...)
			}},
	}
	all[currentNode] = Engine{Bundle: node.Bundle, Arguments: v8, Node: benchnode.Current,
		Missing: func(err error) bool { return errors.Is(err, benchnode.ErrNoCurrent) },
		Run: func(ctx context.Context, p engine.Program, s engine.Settings) (*engine.Result, error) {
			path, err := benchnode.Current()
			if err != nil {
				return nil, err
			}
			return node.Command{Path: path}.Run(ctx, p, s)
		}}
	for _, name := range []browser.Name{browser.Chromium, browser.Firefox, browser.WebKit} {
		bundles := func(path string) (*bundle.Bundle, error) { return browser.Bundle(name, path) }
		all[string(name)] = Engine{Run: browser.Run(name), Bundle: bundles, Arguments: v8, Missing: func(err error) bool {
			var missing *browser.MissingError
			return errors.As(err, &missing)
		}}
	}
	return all
}

// modes of the engine's runs, by use.
var modes = map[Use]engine.Mode{Clean: engine.Clean, Traced: engine.Clean, Idle: engine.Idle, Profiled: engine.Profile}

var errTooShort = errors.New("too short")

// fewestTicks is the number of intervals that a program has to run for.
const fewestTicks = 50

// profile runs a program in one of our engines.
func (c *Collector) profile(ctx context.Context, program fixtures.Program, r *Recording) error {
	e := c.Engines[r.Engine]
	debug.FreeOSMemory() // collect the previous run's garbage now, not in this run
	printed, account := sha256.New(), lastLine{}
	run := e.Run
	if r.Way.NoInlining {
		run = e.RunNoInlining
	}
	scale := c.argue(program, r)
	result, err := run(ctx,
		engine.Program{Path: program.Path, Args: r.Args, Stdout: io.MultiWriter(printed, &account), Stderr: io.Discard},
		engine.Settings{Selection: transform.Selection{Preset: r.Way.Preset}, Interval: r.Way.Interval, After: r.Way.After, Clock: r.Way.Clock, Mode: modes[r.Way.Use], Seed: c.seedOf(r)})
	switch {
	case err != nil && e.Missing(err):
		c.missing[r.Engine] = err.Error()
		return err
	case err != nil:
		return err
	case result.Failure != nil:
		return fmt.Errorf("it failed: %w", result.Failure)
	case result.ExitCode != 0:
		return fmt.Errorf("it ended with status %d", result.ExitCode)
	case result.Stopped:
		return errors.New("it was stopped")
	}
	r.CPU, r.Elapsed, r.Output = result.CPU, result.Elapsed, hex.EncodeToString(printed.Sum(nil))
	if r.accounts() {
		r.Account, err = account.read()
		return err
	}
	long := c.took(r, scale, result.Elapsed)
	if r.Way.Use != Profiled {
		return nil
	}
	if result.Profile == nil {
		return errors.New("it ended before it could be profiled")
	}
	if least := r.Way.After + fewestTicks*r.Way.Interval; result.Elapsed < least {
		return fmt.Errorf("it ran %v, which at an interval of %v is %w: %v at least", result.Elapsed.Round(time.Millisecond), r.Way.Interval, errTooShort, least)
	}
	if !long {
		return fmt.Errorf("it ran %v, which is %w: %v at least", result.Elapsed.Round(time.Millisecond), errTooShort, r.Way.Lasts)
	}
	if err := checkHeld(result.Profile, r.Way.After); err != nil {
		return err
	}
	r.Profile = result.Profile
	r.Functions = result.Functions()
	return nil
}

// seedOf is of a run's ticks. It is never 0, which would let the engine pick one.
func (c *Collector) seedOf(r *Recording) uint64 {
	return rand.New(rand.NewPCG(c.Seed, seed(r.Engine, r.Program, fmt.Sprint(r.Round), fmt.Sprint(r.Extra), r.Way.Name))).Uint64() | 1
}

// sample runs a program without checks under one of the engine's samplers.
func (c *Collector) sample(ctx context.Context, program fixtures.Program, r *Recording) error {
	sampler, err := c.sampler(r.Way.Sampler)
	if err != nil {
		return err
	}
	scale := c.argue(program, r)
	settings := truth.Settings{Interval: r.Way.Interval, Arguments: r.Args}
	if find := c.Engines[r.Engine].Node; find != nil {
		if settings.Node, err = find(); err != nil {
			return err
		}
	}
	debug.FreeOSMemory()
	result, err := sampler.Sample(ctx, program, settings)
	if err != nil {
		return fmt.Errorf("%s: %w", r.Way.Sampler, err)
	}
	if result.Profile == nil {
		return fmt.Errorf("%s gave no profile", r.Way.Sampler)
	}
	if extent := result.Profile.Extent(); !c.took(r, scale, extent) {
		return fmt.Errorf("it ran %v, which is %w: %v at least", extent.Round(time.Millisecond), errTooShort, r.Way.Lasts)
	}
	if r.Way.After > 0 {
		result.Profile = profile.Between(result.Profile, r.Way.After, result.Profile.Extent())
	}
	c.parsed(ctx, c.Engines[r.Engine], program, r)
	sum := sha256.Sum256(result.Output)
	r.CPU, r.Output, r.Profile = result.CPU, hex.EncodeToString(sum[:]), result.Profile
	return nil
}

func (c *Collector) sampler(name string) (*truth.Sampler, error) {
	as := "sampler " + name
	if why := c.missing[as]; why != "" {
		return nil, errors.New(why)
	}
	for i := range c.Samplers {
		if s := &c.Samplers[i]; s.Name == name {
			if s.Available != nil {
				if err := s.Available(); err != nil {
					c.missing[as] = err.Error()
					return nil, err
				}
			}
			return s, nil
		}
	}
	c.missing[as] = "no sampler " + name
	return nil, errors.New(c.missing[as])
}
