package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/internal/outfile"
	"github.com/fieldprof/fieldprof/profile/view"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// buildFlags are the flags of instrument DIR, as given.
type buildFlags struct {
	output  string
	inPlace bool
	checkFlags
	trainFlags
	embed                   []string
	publicPath              string
	sample                  string
	clock                   string
	prefer                  string
	tables                  string
	base                    time.Duration
	maxRecording            string
	obeyPolicy, wrapWorkers bool
	list                    bool
	noSizes                 bool
	strict                  bool
	json                    bool
	workers                 int
}

const buildLong = `Insert checks into a built directory, the output of any bundler: scripts, modules,
CommonJS, workers and the scripts in pages. The profiled copy behaves the same;
source maps, integrity hashes and compressed siblings are updated.`

const buildExample = `  instrument dist/                              # writes dist-profiled/
  instrument dist/ -o public/ --preset precise
  instrument dist/ --in-place --exclude 'node_modules/**'
  instrument dist/ --max-gzip 3%                # the most valuable checks that fit
  instrument dist/ --train                      # writes dist-counting/, which counts
  instrument dist/ --counts counts.json --max-overhead 2%
  instrument dist/ --sample 1%                  # both variants, and a chooser in each page
  instrument dist/ --list | grep render         # why a function is in or out`

// addBuildFlags makes the root command instrument a directory.
func addBuildFlags(cmd *cobra.Command, f *buildFlags) {
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "write the copy to `directory` (default: DIR-profiled)")
	flags.BoolVar(&f.inPlace, "in-place", false, "replace the directory itself, in one step at the end")
	f.checkFlags.addTo(flags)
	f.trainFlags.addTo(flags, "write a counting build, DIR-counting, whose runs write counts.json")
	flags.StringArrayVar(&f.embed, "embed", nil, "scripts that match `glob` carry the runtime, for pages that are not in the directory (may be repeated)")
	flags.StringVar(&f.publicPath, "public-path", "", "`URL` under which the directory is served, if pages name it with a host")
	flags.StringVar(&f.sample, "sample", "", "keep the site clean, add the profiled variant and let pages choose it for this `share` of sessions, such as 1%")
	flags.StringVar(&f.clock, "clock", "auto", "`name` of the clock in pages: shared (a worker raises ticks in shared memory), poll (checks read the time), or auto (shared where the page allows it)")
	flags.StringVar(&f.prefer, "prefer", "native", "`name` of the Profiler for pages in browsers that have one: native (the browser's, if the document may use it) or polyfill (always fieldprof's)")
	flags.DurationVar(&f.base, "base", 10*time.Millisecond, "sample intervals of pages are multiples of this `time`")
	flags.StringVar(&f.maxRecording, "max-recording", "", "a profile of a page ends itself if recording takes more than this `share` of the time that the page is busy, such as 5% (default: none does)")
	flags.BoolVar(&f.obeyPolicy, "obey-policy", false, "pages get no Profiler where the browser refuses its own for lack of a Document-Policy")
	flags.BoolVar(&f.wrapWorkers, "wrap-workers", false, "wrap the page's Worker, so that workers from blob: and data: URLs have a Profiler")
	flags.StringVar(&f.tables, "tables", "early", "`name` of the time when profiled pages fetch function tables: early (with the first samples), late (when a trace is made), or none (names are left to those who read traces with --tables)")
	flags.BoolVar(&f.list, "list", false, "write nothing; list every function and why it is in or out")
	flags.BoolVar(&f.noSizes, "no-sizes", false, "do not measure compressed sizes")
	flags.BoolVar(&f.strict, "strict", false, "exit with 1 when there is a warning")
	flags.BoolVar(&f.json, "json", false, "print the report as JSON to standard output")
	flags.IntVar(&f.workers, "workers", 0, "files to work on at a time (0: one per processor)")
}

// options checks the flags.
func (f *buildFlags) options(dir string) (builddir.Options, error) {
	o := builddir.Options{
		Input: dir, Output: f.output, InPlace: f.inPlace, Include: f.include, Exclude: f.exclude, Embed: f.embed,
		PublicPath: f.publicPath, List: f.list, DryRun: f.list, NoSizes: f.noSizes, Workers: f.workers,
	}
	var err error
	if o.Selection, err = f.selection(); err != nil {
		return o, err
	}
	if err := checkGlobs("embed", f.embed); err != nil {
		return o, err
	}
	if err := f.trainFlags.apply(&o.Selection, f.sample != ""); err != nil {
		return o, err
	}
	if !slices.Contains([]string{"auto", "shared", "poll"}, f.clock) {
		return o, usageError("--clock %s: choose auto, shared or poll", f.clock)
	}
	if !slices.Contains([]string{"native", "polyfill"}, f.prefer) {
		return o, usageError("--prefer %s: choose native or polyfill", f.prefer)
	}
	if !slices.Contains([]string{"early", "late", "none"}, f.tables) {
		return o, usageError("--tables %s: choose early, late or none", f.tables)
	}
	if f.clock != "auto" {
		o.Runtime.Clock = f.clock
	}
	if f.prefer != "native" {
		o.Runtime.Prefer = f.prefer
	}
	if f.base < minInterval {
		return o, usageError("--base %v: the shortest gap between ticks is %v", f.base, minInterval)
	}
	if f.base != 10*time.Millisecond {
		o.Runtime.Base = f.base.Seconds() * 1000
	}
	if f.maxRecording != "" {
		share, err := builddir.ParseShare(f.maxRecording)
		if err != nil || share <= 0 || share > 1 {
			return o, usageError("--max-recording %s: a share of the time that a page is busy, such as 5%% or 0.05", f.maxRecording)
		}
		o.Runtime.MaxOverhead = 100 * share
	}
	o.Runtime.ObeyPolicy, o.Runtime.WrapWorkers = f.obeyPolicy, f.wrapWorkers
	if f.tables != "early" {
		o.Runtime.Tables = f.tables
	}
	if f.sample != "" {
		if o.Sample, err = builddir.ParseShare(f.sample); err != nil {
			return o, usageError("--sample %s: %v", f.sample, err)
		}
		if o.Sample <= 0 || o.Sample > 1 {
			return o, usageError("--sample %s: a share of sessions, such as 1%% or 0.01", f.sample)
		}
	}
	switch {
	case f.workers < 0:
		return o, usageError("--workers %d: a number of files must not be negative", f.workers)
	case f.inPlace && f.output != "":
		return o, usageError("--in-place and --output: choose one")
	}
	return o, nil
}

// checkDirectory finds out whether the arguments name one directory. A name that is not there and looks
// like a command was meant as one.
func checkDirectory(cmd *cobra.Command, args []string) error {
	info, err := os.Stat(args[0])
	switch {
	case errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(args[0], `/\.`):
		return usageError("no command %q, and no directory of that name%s (instrument -h lists the commands)", args[0], suggestion(cmd, args[0]))
	case len(args) > 1:
		return usageError("one directory at a time, not %q", args)
	case err == nil && !info.IsDir():
		return usageError("%s is a file: run it with `instrument run %s`, look at a profile with `instrument top %s`, or name the directory it is in", args[0], args[0], args[0])
	}
	return notFound(args[0], err)
}

// notFound says why a directory cannot be read, nil if err is.
func notFound(directory string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: no such directory: name one that a bundler wrote, such as dist/", directory)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", directory, outfile.Reason(err))
	}
	return nil
}

// nothingThere is the error for a directory whose copy could never have a profile.
const nothingThere = "there is no script or page in it (.js, .mjs, .cjs, .html): name the directory that a bundler or compiler wrote; `instrument run` runs TypeScript as it is"

// build is instrument DIR.
func build(ctx context.Context, f *buildFlags, directory string, stdout, stderr io.Writer) error {
	options, err := f.options(directory)
	if err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50) // large files come and go: collecting is better than growing
	}
	progress := newProgress(stderr)
	options.Progress = progress.show
	report, err := builddir.Run(ctx, options)
	progress.clear()
	if err != nil {
		if ctx.Err() != nil {
			return &exitError{exitInterrupted, "interrupted; nothing was written"}
		}
		return quoting{err}
	}
	report.Warnings = append(f.trainFlags.warnings, report.Warnings...)
	if report.Scripts+report.Pages == 0 {
		report.Warnings = append(report.Warnings, builddir.Warning{File: directory, Text: nothingThere})
	} else if report.Instrumented == 0 && len(options.Include) > 0 {
		report.Warnings = append(report.Warnings, builddir.Warning{File: directory, Text: "nothing that --include " + strings.Join(options.Include, ", ") + " selects got checks: is the path right?"})
	}
	for _, w := range report.Warnings {
		fmt.Fprintf(stderr, "instrument: warning: %s\n", view.Printable(w.String()))
	}
	if err := printBuild(report, f, stdout); err != nil {
		return err
	}
	if f.strict && len(report.Warnings) > 0 {
		return &exitError{exitFailure, view.Count(len(report.Warnings), "warning") + " (--strict)"}
	}
	return nil
}

// printBuild prints the report, or the list of functions.
func printBuild(r *builddir.Report, f *buildFlags, stdout io.Writer) error {
	switch {
	case f.json:
		return view.EncodeJSON(stdout, r)
	case f.list:
		return printList(r, stdout)
	}
	how := "instrumented"
	if f.train {
		how = "count their sites"
	}
	out := bufio.NewWriter(stdout)
	fmt.Fprintf(out, "%s: %d of %d scripts and pages %s, %s\n", shown(r.Output), r.Instrumented, r.Scripts+r.Pages, how, r.Preset)
	fmt.Fprintf(out, "  functions   %d of %d checked, %.1f%% of the statements\n", r.CheckedFunctions, r.Functions, share(r.CheckedStatements, r.Statements))
	fmt.Fprintf(out, "  bytes       %s", growth(r.Sizes.Raw))
	if !f.noSizes {
		fmt.Fprintf(out, "; gzip %s; brotli %s", growth(r.Sizes.Gzip), growth(r.Sizes.Brotli))
	}
	fmt.Fprintf(out, "\n  time        %.2fs", r.Elapsed.Seconds())
	if s := r.Elapsed.Seconds(); s > 0 {
		fmt.Fprintf(out, ", %.0f MB/s", float64(r.ScriptBytes)/1e6/s)
	}
	fmt.Fprintln(out)
	if p := r.Placed; p != nil {
		fmt.Fprintf(out, "  by counts   %d of %d sites, which would have taken %.2f%% of %.1fs in %s\n", p.Sites, p.Candidates, p.Overhead, p.Seconds, view.Count(p.Sessions, "session"))
	}
	if r.Handlers > 0 {
		fmt.Fprintf(out, "  left alone  %s\n", view.Count(r.Handlers, "inline event handler"))
	}
	return out.Flush()
}

// shown shortens a path for display.
func shown(p string) string {
	if directory, err := os.Getwd(); err == nil {
		if relative, err := filepath.Rel(directory, p); err == nil && !strings.HasPrefix(relative, "..") {
			return relative
		}
	}
	return p
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return float64(part) / float64(whole) * 100
}

func growth(g builddir.Growth) string {
	return fmt.Sprintf("%+d (%+.1f%%)", g.After-g.Before, g.Percent())
}

// printList prints a line for each function.
func printList(r *builddir.Report, stdout io.Writer) error {
	out := bufio.NewWriter(stdout)
	for _, d := range r.Details {
		if d.LeftOut != "" {
			fmt.Fprintf(out, "%s: out: %s\n", view.Printable(d.Path), d.LeftOut)
		}
		for _, l := range d.List {
			name, in := l.Name, "out"
			if name == "" {
				name = "(anonymous)"
			}
			if l.Checks != "" {
				in = "in " + l.Checks
			}
			origin := ""
			if o := l.Original; o != nil {
				origin = fmt.Sprintf(" (%s:%d:%d)", o.Source, o.Line, o.Column)
			}
			fmt.Fprintf(out, "%s:%d:%d %s%s: %s: %s\n", view.Printable(d.Path), l.Line, l.Column, view.Printable(name), view.Printable(origin), in, l.Reason)
		}
	}
	return out.Flush()
}
