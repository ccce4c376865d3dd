package causal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/truth"
	"github.com/fieldprof/fieldprof/fixtures"
)

// session runs a plan.
type session struct {
	options  Options
	report   *Report
	progress figures.Progress
	folder   string
	subjects map[string]*subject // by engine/program
	units    map[string]float64  // by engine and round
	missing  map[string]string   // engines, samplers, npm
	longer   map[string]float64  // than planned, by engine
}

// Measure runs the plan that options ask for and evaluates it.
func Measure(ctx context.Context, o Options, progress figures.Progress) (*Report, error) {
	if o.Replay != "" {
		return replayed(o)
	}
	samplers := truth.Samplers()
	plan := newPlan(o, Engines(), func(e *Engine) []Way { return e.ways(samplers) })
	if len(plan.Blocks) == 0 {
		return nil, fmt.Errorf("no program of this plan has %q in engine/name", o.Only)
	}
	if o.Seed == 0 {
		o.Seed = rand.Uint64() >> 12 // a number that JSON keeps
	}
	folder, err := os.MkdirTemp("", "instrument-causal-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	s := &session{
		options: o, progress: progress, folder: folder,
		report:   &Report{Origin: figures.Here(o.arguments()), Seed: o.Seed, Engines: map[string]*Result{}},
		subjects: map[string]*subject{}, units: map[string]float64{}, missing: map[string]string{}, longer: map[string]float64{},
	}
	began := time.Now()
	if err := s.run(ctx, plan); err != nil {
		return nil, err
	}
	s.report.Took = time.Since(began).Round(time.Second)
	s.report.Evaluate()
	return s.report, nil
}

// replayed evaluates recorded runs again.
func replayed(o Options) (*Report, error) {
	reports, err := ReadRecorded(o.Replay)
	if err != nil {
		return nil, err
	}
	name := nameFor(o.Engines)
	r := reports[name]
	if r == nil {
		return nil, fmt.Errorf("%s has no %s.json", o.Replay, name)
	}
	r.Evaluate()
	return r, nil
}

// List lists what Measure would run.
func (o Options) List() string {
	samplers := truth.Samplers()
	return newPlan(o, Engines(), func(e *Engine) []Way { return e.ways(samplers) }).List(o)
}

func (s *session) run(ctx context.Context, plan Plan) error {
	deadline := time.Now().Add(plan.Budget)
	for i := range plan.Blocks {
		b := &plan.Blocks[i]
		what := "doses"
		if b.Change != nil {
			what = "optimization"
		}
		what = fmt.Sprintf("%s, round %d", what, b.Round)
		expected := b.expected(s.options)
		if known := s.longer[b.Engine.Name]; known > 0 {
			expected = time.Duration(float64(expected) * known)
		}
		if left := time.Until(deadline); expected > left {
			s.skip(b.Engine.Name, b.Program.Name, what, fmt.Sprintf("the budget of %v has %v left, and this takes some %v", plan.Budget, max(left, 0).Round(time.Second), expected.Round(time.Second)))
			continue
		}
		s.progress.Show("%d of %d: %s in %s, %s", i+1, len(plan.Blocks), b.Program.Name, b.Engine.Name, what)
		began := time.Now()
		err := s.block(ctx, b)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			s.skip(b.Engine.Name, b.Program.Name, what, err.Error())
		default:
			s.longer[b.Engine.Name] = float64(time.Since(began)) / float64(b.expected(s.options))
		}
	}
	return nil
}

func (s *session) skip(engine, program, what, why string) {
	s.report.Skipped = append(s.report.Skipped, Skip{engine, program, what, why})
}

func (s *session) result(engine string) *Result {
	if s.report.Engines[engine] == nil {
		s.report.Engines[engine] = &Result{Programs: map[string]*Trial{}, Changes: map[string]*Optimization{}}
	}
	return s.report.Engines[engine]
}

func (s *session) block(ctx context.Context, b *Block) error {
	if why := s.missing[b.Engine.Name]; why != "" {
		return errors.New(why)
	}
	if err := s.install(b.Program); err != nil {
		return err
	}
	unit, err := s.unit(ctx, b.Engine, b.Round)
	if err != nil {
		return err
	}
	subject, err := s.subject(ctx, b.Engine, b.Program, unit)
	if err != nil {
		return err
	}
	if b.Change != nil {
		return s.change(ctx, b, subject)
	}
	return s.doses(ctx, b, subject, unit)
}

func (s *session) install(program fixtures.Program) error {
	if why := s.missing["npm"]; why != "" {
		return errors.New(why)
	}
	program.NeedsNPM = true // acorn is from there
	if err := program.InstallPackages(); err != nil {
		s.missing["npm"] = err.Error()
		return err
	}
	return nil
}

// unit is the time of a round of the spin in an engine, in nanoseconds.
func (s *session) unit(ctx context.Context, e *Engine, round int) (float64, error) {
	key := fmt.Sprint(e.Name, round)
	if unit := s.units[key]; unit > 0 {
		return unit, nil
	}
	path := filepath.Join(s.folder, "calibration.js")
	least := func(rounds, runs int) (float64, error) {
		if err := os.WriteFile(path, []byte(calibration(rounds)), 0o600); err != nil {
			return 0, err
		}
		shortest := math.Inf(1)
		for range runs {
			run, err := s.once(ctx, e, Way{Name: clean}, path, nil, 1)
			if err != nil {
				return 0, fmt.Errorf("calibrating the spin: %w", err)
			}
			shortest = min(shortest, run.seconds)
		}
		return shortest, nil
	}
	rounds, took := 20_000, 0.0
	for took < 0.05 {
		var err error
		if took, err = least(rounds, 1); err != nil {
			return 0, err
		}
		rounds *= 4
	}
	spun, err := least(rounds, 3)
	if err != nil {
		return 0, err
	}
	unspun, err := least(0, 1)
	if err != nil {
		return 0, err
	}
	unit := (spun - unspun) * 1e9 / float64(rounds)
	if !(unit > 0) {
		return 0, fmt.Errorf("calibrating the spin: %d rounds take no time", rounds)
	}
	s.units[key] = unit
	return unit, nil
}

// doses runs a round of a program: every way under every condition, in random order.
func (s *session) doses(ctx context.Context, b *Block, of *subject, unit float64) error {
	t := s.result(b.Engine.Name).Programs[b.Program.Name]
	if t == nil {
		t = &Trial{Functions: of.functions, Units: map[string]float64{}}
		s.result(b.Engine.Name).Programs[b.Program.Name] = t
	}
	t.Units[fmt.Sprint(b.Round)] = unit
	rng := generator(s.report.Seed, b.Engine.Name, b.Program.Name, fmt.Sprint(b.Round))
	type cell struct {
		levels Condition
		way    Way
	}
	var cells []cell
	for _, levels := range conditions(len(t.Functions), rng) {
		for _, way := range b.Ways {
			cells = append(cells, cell{levels, way})
		}
	}
	rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	for i, c := range cells {
		steps := make([]int, len(t.Functions))
		for f := range steps {
			steps[f] = t.Functions[f].Step * multiple(c.levels[f])
		}
		run, err := s.edited(ctx, b.Engine, c.way, of, of.script.dosed(of.sites(), steps), uint64(b.Round<<16+i+1))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.skip(b.Engine.Name, b.Program.Name, fmt.Sprintf("%s, doses %v, round %d", c.way.Name, c.levels, b.Round), err.Error())
			continue
		}
		r := Run{Round: b.Round, Levels: c.levels, Way: c.way.Name}
		if run.profile != nil {
			found := sharesOf(run.profile, of.script, of.indexes)
			r.Shares, r.Samples = found.self, found.samples
		} else {
			r.Seconds = run.seconds
		}
		t.Runs = append(t.Runs, r)
	}
	return nil
}

// edited runs an edited script, which must print what the original does.
func (s *session) edited(ctx context.Context, e *Engine, way Way, of *subject, text string, seed uint64) (*outcome, error) {
	if err := os.WriteFile(of.script.path, []byte(text), 0o600); err != nil {
		return nil, err
	}
	run, err := s.once(ctx, e, way, of.script.path, of.arguments, seed)
	if err == nil && run.printed != of.printed {
		err = errors.New("it printed something other than the clean program")
	}
	return run, err
}

// change runs a round of a program without and with an optimization.
func (s *session) change(ctx context.Context, b *Block, of *subject) error {
	after, err := b.Change.apply(of.script.text)
	if err != nil {
		return err
	}
	scripts := map[bool]*script{false: of.script}
	if scripts[true], err = parse(ctx, of.script.path, after); err != nil {
		return err
	}
	at := map[bool]int{}
	for changed, script := range scripts {
		if at[changed] = b.Change.in(script, changed); at[changed] == 0 {
			return errors.New("the optimization is in no function")
		}
	}
	o := s.result(b.Engine.Name).Changes[b.Program.Name]
	if o == nil {
		o = &Optimization{Function: b.Change.Function, What: b.Change.What}
		s.result(b.Engine.Name).Changes[b.Program.Name] = o
	}
	rng := generator(s.report.Seed, b.Engine.Name, b.Program.Name, "change", fmt.Sprint(b.Round))
	order := rng.Perm(2 * len(b.Ways))
	for i, n := range order {
		way, changed := b.Ways[n/2], n%2 == 1
		run, err := s.edited(ctx, b.Engine, way, of, scripts[changed].text, uint64(b.Round<<16+i+1))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.skip(b.Engine.Name, b.Program.Name, fmt.Sprintf("%s, optimization, round %d", way.Name, b.Round), err.Error())
			continue
		}
		r := ChangeRun{Round: b.Round, After: changed, Way: way.Name}
		if run.profile != nil {
			found := sharesOf(run.profile, scripts[changed], []int{at[changed]})
			r.Total, r.Samples = found.total[0], found.samples
		} else {
			r.Seconds = run.seconds
		}
		o.Runs = append(o.Runs, r)
	}
	return nil
}
