package main

import (
	"context"
	"fmt"
	"io"

	"github.com/fieldprof/fieldprof/bench"
	"github.com/fieldprof/fieldprof/bench/bias"
)

func measureBias(ctx context.Context, f benchFlags, progress io.Writer) (bench.Report, error) {
	return bias.Measure(ctx, biasOptions(f), f.keep, f.replay, progress)
}

func biasOptions(f benchFlags) bias.Options {
	return bias.Options{Quick: f.quick, Only: f.only, Engines: f.engines, Budget: f.budget}
}

// listBias prints what bias would run.
func listBias(f benchFlags, names []string, stdout io.Writer) error {
	if len(names) != 1 || names[0] != "bias" {
		return usageError("--dry-run lists what bias would run: name that measure alone")
	}
	_, err := io.WriteString(stdout, bias.NewPlan(biasOptions(f)).List())
	return err
}

func checkBiasFlags(f benchFlags) error {
	for _, name := range f.engines {
		if !bias.KnownEngine(name) {
			return usageError("no engine %q: choose goja, node, chromium, firefox or webkit", name)
		}
	}
	switch {
	case f.budget < 0:
		return usageError("--budget must be above zero")
	case f.keep != "" && f.replay != "":
		return usageError("--keep keeps what is run, and --replay runs nothing: choose one")
	}
	return nil
}

// afterBias writes the plots, and with --strict objects to what was skipped.
func afterBias(f benchFlags, report *bias.Report) error {
	if f.out != "" {
		if err := report.WritePlots(f.out); err != nil {
			return err
		}
	}
	if unmet := report.Unmet(); f.strict && len(unmet) > 0 {
		return fmt.Errorf("%d cells were skipped, the first: %s in %s: %s", len(unmet), unmet[0].Program, unmet[0].Engine, unmet[0].Reason)
	}
	return nil
}
