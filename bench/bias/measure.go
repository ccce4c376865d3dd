package bias

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench"
)

// resamples of a figure's interval. Its ends are the 5th and 195th of them.
const resamples = 200

// Measure runs the bench, or, with a directory of kept recordings to replay,
// evaluates those.
func Measure(ctx context.Context, o Options, keep, replay string, progress io.Writer) (*Report, error) {
	terms := Terms{Machine: bench.ThisMachine(), Command: o.command(), Resamples: resamples}
	if replay != "" {
		recordings, err := ReadKept(replay)
		if err != nil {
			return nil, err
		}
		terms.Command = "instrument bench bias --replay DIR"
		return Evaluate(recordings, terms), nil
	}
	if keep != "" {
		if old, _ := filepath.Glob(filepath.Join(keep, "*"+kept)); len(old) > 0 {
			return nil, fmt.Errorf("%s has recordings already: name another directory to keep these in", keep)
		}
	}
	plan := NewPlan(o)
	if len(plan.Blocks) == 0 {
		return nil, fmt.Errorf("no program of this plan has %q in engine/name (fixtures/README.md lists them; --quick has a few)", o.Only)
	}
	c := NewCollector()
	c.Progress, c.Keep = progress, keep
	began := time.Now()
	recordings, err := c.Run(ctx, plan)
	if err != nil {
		return nil, err
	}
	terms.Took = time.Since(began).Round(time.Second)
	return Evaluate(recordings, terms), nil
}

func (o Options) command() string {
	words := []string{"instrument bench bias"}
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
	return strings.Join(words, " ")
}

// WritePlots writes the report's plots into a directory.
func (r *Report) WritePlots(directory string) error {
	for name, svg := range r.Plots() {
		temp, err := os.CreateTemp(directory, "."+name+".*")
		if err != nil {
			return err
		}
		defer os.Remove(temp.Name())
		if _, err = temp.Write(svg); err == nil {
			err = temp.Chmod(0o644)
		}
		if closing := temp.Close(); err == nil {
			err = closing
		}
		if err != nil {
			return err
		}
		if err := os.Rename(temp.Name(), filepath.Join(directory, name)); err != nil {
			return err
		}
	}
	return nil
}

// Unmet is what --strict does not let pass: cells that were skipped, but for
// those that the budget left no time for.
func (r *Report) Unmet() []Skip {
	var unmet []Skip
	for _, s := range r.Skipped {
		if !s.late() {
			unmet = append(unmet, s)
		}
	}
	return unmet
}

// late reports whether there was no time.
func (s *Skip) late() bool { return strings.HasPrefix(s.Reason, overBudget) }

// KnownEngine reports whether the bench knows an engine.
func KnownEngine(name string) bool {
	for _, e := range engines {
		if e.name == name {
			return true
		}
	}
	return false
}
