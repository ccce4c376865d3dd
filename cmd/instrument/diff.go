package main

import (
	"errors"
	"fmt"
	"io"
	"os"
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
		Short: "Compare two profile files, or several a side, function by function",
		Long: `Compare what functions have of the busy time in two profiles. Both are normalised,
so their lengths may differ, and idle time does not count. An asterisk marks a
change that is more than chance: the test is set so that of comparisons of like with
like 2 in 100 show one. Functions are the same by name and file; code may have moved.

The last line says how small a change would have been found. Several runs a side,
separated by commas, find smaller ones: they have more samples together, and show how
much runs differ that are the same.

--same-work compares times instead of shares: it finds smaller changes, where both
runs did the same from beginning to end on a quiet machine.`,
		Example: `  instrument diff main.cpuprofile branch.cpuprofile
  instrument diff main1.cpuprofile,main2.cpuprofile branch1.cpuprofile,branch2.cpuprofile
  instrument diff --same-work --noise 2 before.cpuprofile after.cpuprofile
  instrument diff --exit-code --json main.pb.gz branch.pb.gz > changes.json`,
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) != 2:
				return usageError("name two profiles: instrument diff before.cpuprofile after.cpuprofile")
			case f.rows < 0:
				return usageError("--top %d: a number of rows is not negative", f.rows)
			case !(f.noise > 0 && f.noise <= 100):
				return usageError("--noise %v: a standard deviation in percent, above 0", f.noise)
			}
			if err := f.check(); err != nil {
				return err
			}
			return f.diff(args, stdout, stderr)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.IntVar(&f.rows, "top", 20, "rows of the table (0: all); what changed is always shown")
	flags.BoolVar(&f.sameWork, "same-work", false, "compare times: both runs did the same work on a quiet machine")
	flags.Float64Var(&f.noise, "noise", 100*view.DefaultNoise, "how much a function's time varies between runs that are the same, in `percent` (standard deviation); of several runs a side it is measured, and this is the least")
	flags.BoolVar(&f.exitCode, "exit-code", false, "exit with 1 when something changed beyond chance")
	f.addTo(flags)
	flags.BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

func (f *diffFlags) diff(args []string, stdout, stderr io.Writer) error {
	var sides [2][]*profile.Profile
	for i, arg := range args {
		paths := runsOf(arg)
		runs, err := f.readAlike(paths, stderr)
		if err != nil {
			return err
		}
		if f.sameWork && runs[0].Meta.Interval == 0 {
			return fmt.Errorf("%s: it has no clock: --same-work compares times", paths[0])
		}
		sides[i] = runs
	}
	d, err := view.DiffRuns(sides[0], sides[1], view.DiffOptions{SameWork: f.sameWork, Noise: f.noise / 100})
	if err != nil {
		return errors.New(view.Printable(err.Error()))
	}
	for i, r := range []view.Recorded{d.Before, d.After} {
		if r.Busy == 0 {
			return fmt.Errorf("%s: nothing ran while it was recorded: there is nothing to compare", args[i])
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

// runsOf are the files that an argument names: one, or several with commas between.
func runsOf(arg string) []string {
	if _, err := os.Stat(arg); err == nil { // a name may have commas of its own
		return []string{arg}
	}
	return strings.Split(arg, ",")
}
