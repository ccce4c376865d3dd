package bias

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	benchnode "github.com/fieldprof/fieldprof/bench/node"
	"github.com/fieldprof/fieldprof/bench/truth"
	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/bundle"
	"github.com/fieldprof/fieldprof/fixtures"
)

// Collector runs plans.
type Collector struct {
	Engines  map[string]Engine
	Samplers []truth.Sampler
	Progress figures.Progress
	Keep     string // the folder in which recordings are kept; "" for none
	Now      func() time.Time
	Observe  func() (end func() *figures.Load) // the load of the machine; nil: not observed
	Seed     uint64                            // of the order of ways, and of the ticks
	// Seal is called when a block's recordings are in the folder.
	Seal func() error

	recordings []*Recording
	number     int                      // of the last recording that was kept
	missing    map[string]string        // engines that are not installed, and samplers
	off        map[string]guesses       // by engine, and by engine/program
	scale      map[string]float64       // of the programs' own, by engine/program
	versions   map[string]string        // of engines that are a Node
	lasts      map[string]time.Duration // for which the scale is, by engine/program
	pace       map[string]time.Duration // of the program at its own scale, by kind of run
	until      time.Time                // of the budget
	coming     []Block                  // after the block that runs
}

// Engine runs programs.
type Engine struct {
	Run       func(context.Context, engine.Program, engine.Settings) (*engine.Result, error)
	Arguments func(fixtures.Program) []string
	// Bundle makes the script of a program without checks; nil if it is not known.
	Bundle func(path string) (*bundle.Bundle, error)
	// Node is the executable that truth is to be sampled in, if the engine is a Node.
	Node func() (string, error)
	// RunNoInlining runs programs as V8's sampler needs them, without inlining.
	RunNoInlining func(context.Context, engine.Program, engine.Settings) (*engine.Result, error)
	// Missing reports whether an error means that the engine is not installed.
	Missing func(error) bool
}

// NewCollector has all engines and samplers.
func NewCollector() *Collector {
	return &Collector{Engines: allEngines(), Samplers: truth.Samplers(), Now: time.Now, Observe: figures.Observe, Seed: rand.Uint64() >> 12}
}

// Run runs a plan. A failed run is a recording that says why; an error is the bench's
// own, or the context's.
func (c *Collector) Run(ctx context.Context, plan Plan) ([]*Recording, error) {
	c.missing, c.off, c.scale = map[string]string{}, map[string]guesses{}, map[string]float64{}
	c.lasts, c.pace, c.versions = map[string]time.Duration{}, map[string]time.Duration{}, map[string]string{}
	if err := installFor(plan); err != nil {
		c.missing["npm"] = err.Error()
	}
	began := c.Now()
	c.until = began.Add(plan.Budget)
	for i, b := range plan.Blocks {
		left := plan.Budget - c.Now().Sub(began)
		if expected := c.expect(b); expected > left {
			c.skip(b, fmt.Sprintf(overBudget+" of %v has %v left, and this takes some %v", plan.Budget, max(left, 0).Round(time.Second), expected.Round(time.Second)))
			continue
		}
		c.coming = plan.Blocks[i+1:]
		c.Progress.Show("%d of %d: %s in %s, round %d", i+1, len(plan.Blocks), b.Program.Name, b.Engine, b.Round)
		if err := c.calibrate(ctx, b); err != nil {
			return nil, err
		}
		blockBegan := c.Now()
		if err := c.block(ctx, b); err != nil {
			return nil, err
		}
		c.learn(b, c.Now().Sub(blockBegan))
		if c.Seal != nil {
			if err := c.Seal(); err != nil {
				return nil, err
			}
		}
	}
	return c.recordings, nil
}

func installFor(plan Plan) error {
	for _, b := range plan.Blocks {
		if b.accounts() {
			b.Program.NeedsNPM = true // the tool that wraps it does
		}
		if err := b.Program.InstallPackages(); err != nil {
			return err
		}
	}
	return nil
}

// overBudget begins the reason of blocks that there was no time for.
const overBudget = "the budget"

// order is in which a block's ways run: in each block another, and in each session.
func (c *Collector) order(b Block) []int {
	return rand.New(rand.NewPCG(c.Seed, seed(b.Engine, b.Program.Name, fmt.Sprint(b.Round)))).Perm(len(b.Ways))
}

// block runs every way of a block, in random order, and then compares what they printed.
func (c *Collector) block(ctx context.Context, b Block) error {
	folder, err := os.MkdirTemp("", "instrument-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	var runs []*Recording
	for _, i := range c.order(b) {
		way := b.Ways[i]
		r := &Recording{Engine: b.Engine, Version: c.version(b.Engine), Program: b.Program.Name, Variant: b.variant(), Round: b.Round, Way: way}
		if c.Now().Before(c.until) {
			c.prepareAndRun(ctx, b, folder, r)
		} else {
			r.Skipped = overBudget + " ended within the block, which took longer than it did before"
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		runs = append(runs, r)
	}
	runs = append(runs, c.balance(ctx, b, folder, runs)...)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	compareOutput(runs)
	for _, r := range runs {
		if err := c.take(r); err != nil {
			return err
		}
	}
	return nil
}

// prepareAndRun prepares a recording's program and runs it.
func (c *Collector) prepareAndRun(ctx context.Context, b Block, folder string, r *Recording) {
	began := c.Now()
	defer func() { r.took = c.Now().Sub(began) }()
	if c.Observe != nil {
		end := c.Observe()
		defer func() { r.Load = end() }()
	}
	program := b.Program
	var err error
	switch {
	case r.accounts() && c.missing["npm"] != "":
		err = errors.New(c.missing["npm"])
	case r.accounts():
		program, err = clocked(ctx, program, folder)
	}
	if err != nil {
		r.Skipped = err.Error()
		return
	}
	c.run(ctx, program, r)
}

// version tells one Node from another; "" of all other engines.
func (c *Collector) version(engineName string) string {
	v, known := c.versions[engineName]
	if find := c.Engines[engineName].Node; !known && find != nil && c.missing[engineName] == "" {
		if path, err := find(); err == nil {
			v = benchnode.Version(path)
		}
		c.versions[engineName] = v
	}
	return v
}

// compareOutput skips runs that printed something other than a run without checks did,
// with the same arguments. Where there is no such run, all have to agree.
func compareOutput(runs []*Recording) {
	groups := map[string][]*Recording{}
	for _, r := range runs {
		if r.Skipped == "" && !r.accounts() { // those that do print times
			key := r.Variant + "\x00" + strings.Join(r.Args, "\x00")
			groups[key] = append(groups[key], r)
		}
	}
	for _, group := range groups {
		var want *Recording
		for _, use := range []Use{Clean, Truth} {
			if i := slices.IndexFunc(group, func(r *Recording) bool { return r.Way.Use == use }); want == nil && i >= 0 {
				want = group[i]
			}
		}
		if want == nil && slices.ContainsFunc(group, func(r *Recording) bool { return r.Output != group[0].Output }) {
			for _, r := range group {
				r.Skipped, r.Profile = "it does not print the same in every way, and did not run without checks", nil
			}
		}
		for _, r := range group {
			if want != nil && r.Output != want.Output {
				r.Skipped, r.Profile = "it printed something other than the clean program", nil
			}
		}
	}
}

// skip records that a block was not run.
func (c *Collector) skip(b Block, why string) {
	for _, way := range b.Ways {
		_ = c.take(&Recording{Engine: b.Engine, Program: b.Program.Name, Round: b.Round, Way: way, Skipped: why})
	}
}

func (c *Collector) take(r *Recording) error {
	r.placeless()
	c.recordings = append(c.recordings, r)
	if c.Keep == "" {
		return nil
	}
	c.number++
	return Keep(c.Keep, c.number, r)
}

// tooLong ends a run: fixtures take a few seconds, or more in a slow browser.
const tooLong = 2 * time.Minute

// run fills a recording with the result of the run, or the reason why it has none.
func (c *Collector) run(ctx context.Context, program fixtures.Program, r *Recording) {
	switch _, ok := c.Engines[r.Engine]; {
	case !ok:
		r.Skipped = "no engine " + r.Engine
		return
	case c.missing[r.Engine] != "":
		r.Skipped = c.missing[r.Engine]
		return
	case program.NeedsNPM && c.missing["npm"] != "":
		r.Skipped = c.missing["npm"]
		return
	}
	limit := tooLong * time.Duration(max(1, len(program.Packs)/10))
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	once := c.profile
	if r.Way.Use == Truth {
		once = c.sample
	}
	err := once(limited, program, r)
	for range 2 {
		if errors.Is(err, errTooShort) && r.Way.Lasts > 0 { // now it is known better how fast it is
			err = once(limited, program, r)
		}
	}
	switch {
	case errors.Is(limited.Err(), context.DeadlineExceeded):
		r.Skipped, r.Profile = fmt.Sprintf("it did not end within %v", limit), nil
	case err != nil:
		r.Skipped, r.Profile = err.Error(), nil
	}
}
