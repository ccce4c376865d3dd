package main

import (
	"cmp"

	"github.com/spf13/pflag"

	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// presetFlags choose the checks of a site or a program.
type presetFlags struct {
	preset        string
	minStatements int
	checks        string
}

func (f *presetFlags) addTo(flags *pflag.FlagSet) {
	flags.StringVar(&f.preset, "preset", "balanced", "`name` of the preset: "+presetNames)
	flags.IntVar(&f.minStatements, "min-statements", 0, "check loop-free functions of at least `N` statements (0: the preset's number)")
	flags.StringVar(&f.checks, "checks", "", "kinds of checks to insert, a `list` of entry,loop,exit (default: the preset's)")
}

// selection checks the flags.
func (f *presetFlags) selection() (s transform.Selection, err error) {
	if s.Preset, err = transform.ParsePreset(f.preset); err != nil {
		return s, usageError("--preset: %v", err)
	}
	if f.checks != "" {
		if s.Checks, err = transform.ParseChecks(f.checks); err != nil {
			return s, usageError("--checks: %v", err)
		}
	}
	if f.minStatements < 0 {
		return s, usageError("--min-statements %d: a number of statements must not be negative", f.minStatements)
	}
	s.MinStatements = f.minStatements
	return s, nil
}

// checkFlags say where a site gets checks, and in which form.
type checkFlags struct {
	presetFlags
	form    string
	maxGzip string
	include []string
	exclude []string
}

func (f *checkFlags) addTo(flags *pflag.FlagSet) {
	f.presetFlags.addTo(flags)
	flags.StringVar(&f.form, "form", "inline", "`form` of the checks: inline, or compact (half the bytes, slower)")
	flags.StringVar(&f.maxGzip, "max-gzip", "", "let no script grow by more than this `share` after gzip, such as 3%")
	flags.StringArrayVar(&f.include, "include", nil, "only files whose path or original source matches `glob` (may be repeated)")
	flags.StringArrayVar(&f.exclude, "exclude", nil, "no files whose path or original source matches `glob` (may be repeated)")
}

// selection checks the flags.
func (f *checkFlags) selection() (s transform.Selection, err error) {
	if s, err = f.presetFlags.selection(); err != nil {
		return s, err
	}
	if s.Form, err = transform.ParseForm(f.form); err != nil {
		return s, usageError("--form: %v", err)
	}
	if err := cmp.Or(checkGlobs("include", f.include), checkGlobs("exclude", f.exclude)); err != nil {
		return s, err
	}
	if f.maxGzip != "" {
		share, err := builddir.ParseShare(f.maxGzip)
		switch {
		case err != nil:
			return s, usageError("--max-gzip %s: %v", f.maxGzip, err)
		case share <= 0:
			return s, usageError("--max-gzip %s: a share above 0, because any check takes bytes", f.maxGzip)
		}
		s.MaxGzip = share * 100
	}
	return s, nil
}
