package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/internal/outfile"
	"github.com/fieldprof/fieldprof/profile/budget"
)

// budgetFlags are the flags of instrument budget, as given.
type budgetFlags struct {
	symbolFlags
	json     bool
	markdown bool
}

func newBudget(stdout, stderr io.Writer) *cobra.Command {
	var f budgetFlags
	cmd := &cobra.Command{
		Use:   "budget [flags] budgets.yaml PROFILE…",
		Short: "Check profiles against CPU budgets",
		Long: `Check profiles against budgets, which limit the share of the busy time, or the
milliseconds, that parts of a program may take. The exit code is 1 when a budget is
broken, and 2 when the budgets or a profile cannot be read.

    features:                        # parts of a program, by name
      checkout: [src/checkout/**, src/cart/**]
    budgets:
      - name: parsing
        sources: src/parser/**       # a glob, or a list
        max: 25%                     # of the busy time
      - feature: checkout
        measure: total               # the default is self
        max: 120ms                   # per profile
      - functions: [format*, "(garbage collector)"]
        max: 5%`,
		Example: `  instrument budget budgets.yaml app.cpuprofile
  instrument budget --maps dist/ budgets.yaml field/*.cpuprofile
  instrument budget --markdown budgets.yaml app.cpuprofile >> "$GITHUB_STEP_SUMMARY"`,
		RunE: interruptible(func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) < 2:
				return usageError("name budgets and profiles: instrument budget budgets.yaml app.cpuprofile")
			case f.json && f.markdown:
				return usageError("--json and --markdown: choose one")
			}
			if err := f.check(); err != nil {
				return err
			}
			return f.hold(args[0], args[1:], stdout, stderr)
		}),
	}
	flags := cmd.Flags()
	f.addTo(flags)
	flags.BoolVar(&f.markdown, "markdown", false, "print Markdown, for a build's summary")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

// hold checks the budgets. A file that cannot be read ends with exitUsage, so that 1
// always means a broken budget.
func (f *budgetFlags) hold(budgets string, paths []string, stdout, stderr io.Writer) error {
	result, err := f.result(budgets, paths, stderr)
	if err != nil {
		return &exitError{exitUsage, err.Error()}
	}
	write, summary := result.WriteText, "" // the table ends with it
	switch {
	case f.json:
		write, summary = result.WriteJSON, result.Summary()
	case f.markdown:
		write, summary = result.WriteMarkdown, result.Summary()
	}
	if err := write(stdout); err != nil {
		return &exitError{exitUsage, err.Error()}
	}
	if result.Broken > 0 {
		return &exitError{exitFailure, summary}
	}
	return nil
}

func (f *budgetFlags) result(budgets string, paths []string, stderr io.Writer) (*budget.Result, error) {
	data, err := os.ReadFile(budgets)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: name a file of budgets, such as budgets.yaml", budgets, outfile.Reason(err))
	}
	file, err := budget.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", budgets, quoting{err})
	}
	f.fit.several = len(paths) > 1
	profiles, err := f.readAll(inputsOf(paths), stderr)
	if err != nil {
		return nil, err
	}
	result, err := budget.Check(file, profiles...)
	if err != nil {
		return nil, quoting{err}
	}
	return result, nil
}
