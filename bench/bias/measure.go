package bias

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench/archive"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// resamples of a figure's interval. Its ends are the 5th and 195th of them.
const resamples = 200

// Measure runs a plan, or evaluates the kept recordings of a directory to replay.
func Measure(ctx context.Context, o Options, keep, replay string, progress figures.Progress) (*Report, error) {
	terms := Terms{Origin: figures.Here(o.arguments()), Part: o.Part, Resamples: resamples}
	if replay != "" {
		return Replay(replay, o.Part)
	}
	plan := NewPlan(o)
	if len(plan.Blocks) == 0 {
		return nil, fmt.Errorf("no program of this plan has %q in engine/name (fixtures/README.md lists them; --quick has a few)", o.Only)
	}
	c := NewCollector()
	c.Progress, c.Keep, terms.Origin.Seed = progress, keep, c.Seed
	began := time.Now()
	if keep != "" {
		took, err := c.goOn(keep, o.Resume, &plan, &terms.Origin)
		if err != nil {
			return nil, err
		}
		began = began.Add(-took)
	}
	seal := func() error {
		terms.Took = time.Since(began).Round(time.Second)
		if keep == "" {
			return nil
		}
		return archive.Seal(keep, archive.Manifest{Pattern: archive.Recordings, Origin: &terms.Origin, Took: terms.Took})
	}
	c.Seal = seal // the files of an interrupted run can be verified, and gone on with
	recordings, err := c.Run(ctx, plan)
	if err := errors.Join(err, seal()); err != nil {
		return nil, err
	}
	return Evaluate(recordings, terms), nil
}

// goOn prepares the directory that recordings are kept in: a new one, or that of a run to
// resume, of which it returns how long it took.
func (c *Collector) goOn(keep string, resume bool, plan *Plan, origin *figures.Origin) (took time.Duration, err error) {
	old, _ := filepath.Glob(filepath.Join(keep, archive.Recordings))
	switch {
	case len(old) == 0:
		return 0, nil
	case !resume:
		return 0, fmt.Errorf("%s has recordings already: name another directory to keep these in, or go on there with --resume", keep)
	}
	e, err := plan.resume(keep, *origin)
	if err != nil {
		return 0, err
	}
	origin.After(*e.manifest.Origin)
	if before := e.manifest.Origin.Seed; before != 0 {
		c.Seed, origin.Seed = before, before
	}
	c.recordings, c.number = e.recordings, e.last
	return e.manifest.Took, e.remove()
}

// Replay evaluates the recordings of a directory, or of a packed archive, after it has
// verified them. The report is what it was when they were made, and has their origin.
func Replay(path string, part Part) (*Report, error) {
	if archive.Packed(path) {
		parent, err := os.MkdirTemp("", "fieldprof-archive-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(parent)
		folder := filepath.Join(parent, "unpacked")
		if err := archive.Unpack(path, folder); err != nil {
			return nil, err
		}
		path = folder
	}
	manifest, err := archive.Verify(path, archive.Recordings)
	if err != nil {
		return nil, err
	}
	recordings, err := ReadKept(path)
	if err != nil {
		return nil, err
	}
	terms := Terms{Part: part, Took: manifest.Took, Resamples: resamples}
	if terms.Origin = figures.Here("bias --replay DIR"); manifest.Origin != nil {
		terms.Origin = *manifest.Origin
	}
	return Evaluate(recordings, terms), nil
}

// arguments are the arguments of the bench command that ask for the options.
func (o Options) arguments() string {
	words := []string{"bias"}
	if o.Part != "" {
		words = append(words, "--part", string(o.Part), "--runs", fmt.Sprint(o.Rounds))
	}
	if o.Interval > 0 {
		words = append(words, "--interval", o.Interval.String())
	}
	if o.Quick {
		words = append(words, "--quick")
	}
	if o.Only != "" {
		words = append(words, "--only", o.Only)
	}
	if len(o.Engines) > 0 {
		words = append(words, "--engine", strings.Join(o.Engines, ","))
	}
	if o.Budget > 0 {
		words = append(words, "--budget", o.Budget.String())
	}
	if o.Resume {
		words = append(words, "--resume")
	}
	return strings.Join(words, " ")
}

// Write writes the report and its plots into a directory. The details of single
// programs, which no page quotes, go into a file of their own.
func (r *Report) Write(directory string) error {
	details := map[string]map[string]map[string]*Cell{}
	for name, e := range r.Engines {
		details[name] = e.Programs
	}
	text, err := json.Marshal(details)
	if err != nil {
		return err
	}
	if err := figures.Write(directory, r.Name(), r.brief()); err != nil {
		return err
	}
	if err := figures.Replace(filepath.Join(directory, r.Name()+"-programs.json"), append(text, '\n')); err != nil {
		return err
	}
	return r.WritePlots(directory)
}

// brief is the report with only as much about single programs as its tables show.
func (r *Report) brief() *Report {
	brief := *r
	brief.Engines = map[string]*EngineReport{}
	for name, engine := range r.Engines {
		e := *engine
		e.Programs = map[string]map[string]*Cell{}
		for program, cells := range engine.Programs {
			e.Programs[program] = map[string]*Cell{}
			for way, cell := range cells {
				c := *cell
				c.Rules, c.Overlaps = nil, map[string]Comparison{}
				for _, detail := range []string{Promise, Strict} {
					if comparison, ok := cell.Overlaps[detail]; ok {
						c.Overlaps[detail] = comparison
					}
				}
				e.Programs[program][way] = &c
			}
		}
		brief.Engines[name] = &e
	}
	return &brief
}

// WritePlots writes the report's plots into a directory. Its overhead.json has the costs. Plots that an
// earlier report left and this one does not draw are removed, so that nobody takes them for its own.
func (r *Report) WritePlots(directory string) error {
	costs, err := ReadCosts(directory)
	if err != nil {
		return err
	}
	plots := r.Plots(costs)
	former, err := filepath.Glob(filepath.Join(directory, "bias-*.svg"))
	if err != nil {
		return err
	}
	for _, path := range former {
		if _, drawn := plots[filepath.Base(path)]; !drawn && r.Part == "" {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	for name, svg := range plots {
		if err := figures.Replace(filepath.Join(directory, name), svg); err != nil {
			return err
		}
	}
	return nil
}

// Unmet are the cells that --strict objects to: those skipped for any reason but time.
func (r *Report) Unmet() []Skip {
	var unmet []Skip
	for _, s := range r.Skipped {
		if !s.late() {
			unmet = append(unmet, s)
		}
	}
	return unmet
}

// late reports whether there was no time for it.
func (s *Skip) late() bool { return isLate(s.Reason) }

// isLate reports whether the reason why something was skipped is the budget.
func isLate(reason string) bool { return strings.HasPrefix(reason, overBudget) }

// KnownEngine reports whether the bench knows an engine.
func KnownEngine(name string) bool {
	for _, e := range engines {
		if e.name == name {
			return true
		}
	}
	return false
}
