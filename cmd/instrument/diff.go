package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
)

// diffFlags are the flags of instrument diff, as given.
type diffFlags struct {
	symbolFlags
	rows     int
	sameWork bool
	noise    float64
	exitCode bool
	json     bool
}

func newDiff(stdout, stderr io.Writer) *cobra.Command {
	var f diffFlags
	cmd := &cobra.Command{
		Use:   "diff [flags] BEFORE[,…] AFTER[,…]",
		Short: "Compare two profile files, or several per side, function by function",
		Long: `Compare the shares that functions have of the busy time in two profiles. Both are
normalised, so their lengths may differ, and idle time does not count. An asterisk
marks a change that is more than chance: 2 in 100 comparisons of identical programs
show one. Functions are matched by name and file, so code may move within a file.

The last line says how small a change would have been found. Several runs per side,
separated by commas, find smaller changes: together they have more samples, and they
show how much identical runs differ.

--same-work compares times instead of shares. It finds smaller changes if both runs
did the same work from beginning to end on a quiet machine.`,
		Example: `  instrument diff main.cpuprofile branch.cpuprofile
  instrument diff main1.cpuprofile,main2.cpuprofile branch1.cpuprofile,branch2.cpuprofile
  instrument diff --same-work --noise 2 before.cpuprofile after.cpuprofile
  instrument diff --exit-code --json main.pb.gz branch.pb.gz > changes.json`,
		RunE: interruptible(func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) != 2:
				return usageError("name two profiles: instrument diff before.cpuprofile after.cpuprofile")
			case f.rows < 0:
				return usageError("--top %d: a number of rows must not be negative", f.rows)
			case !(f.noise > 0 && f.noise <= 100):
				return usageError("--noise %v: a standard deviation in percent, above 0", f.noise)
			}
			if err := f.check(); err != nil {
				return err
			}
			err := f.diff(args, stdout, stderr)
			if f.exitCode && err != nil && !errors.As(err, new(*exitError)) {
				return &exitError{exitUsage, err.Error()} // so that 1 always means a change
			}
			return err
		}),
	}
	flags := cmd.Flags()
	flags.IntVar(&f.rows, "top", 20, "rows of the table (0: all); changed functions are always shown")
	flags.BoolVar(&f.sameWork, "same-work", false, "compare times, because both runs did the same work on a quiet machine")
	flags.Float64Var(&f.noise, "noise", 100*view.DefaultNoise, "how much a function's time varies between identical runs, in `percent` (standard deviation); with several runs per side it is measured, and this is the minimum")
	flags.BoolVar(&f.exitCode, "exit-code", false, "exit with 1 when something changed beyond chance, and with 2 when a file cannot be read")
	f.addTo(flags)
	flags.BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

func (f *diffFlags) diff(args []string, stdout, stderr io.Writer) error {
	var sides [2][]*profile.Profile
	for i, arg := range args {
		paths := runsOf(arg)
		if slices.Contains(paths, "") {
			return usageError("%q: a name is missing beside a comma, which stands between the runs of one side", arg)
		}
		runs, err := f.readAlike(inputsOf(paths), stderr)
		if err != nil {
			return err
		}
		if f.sameWork && runs[0].Meta.Interval == 0 {
			return fmt.Errorf("%s has no clock, and --same-work compares times", paths[0])
		}
		sides[i] = runs
	}
	d, err := view.DiffRuns(sides[0], sides[1], view.DiffOptions{SameWork: f.sameWork, Noise: f.noise / 100})
	if err != nil {
		return quoting{err}
	}
	for i, r := range []view.Recorded{d.Before, d.After} {
		if r.Busy == 0 {
			return fmt.Errorf("%s: nothing ran during the recording, so there is nothing to compare", args[i])
		}
	}
	write := view.WriteDiff
	if f.json {
		write = view.WriteDiffJSON
	}
	if err := write(stdout, d, f.rows); err != nil {
		return err
	}
	if f.exitCode && d.Changed > 0 {
		return &exitError{code: exitFailure}
	}
	return nil
}

// runsOf returns the files that an argument names: one, or several separated by commas.
func runsOf(arg string) []string {
	if _, err := os.Stat(arg); err == nil { // a file name may contain commas
		return []string{arg}
	}
	return strings.Split(arg, ",")
}
