package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/bench"
	"github.com/fieldprof/fieldprof/bench/bias"
	"github.com/fieldprof/fieldprof/bench/pages"
)

// benchFlags are the flags of instrument bench.
type benchFlags struct {
	out      string
	runs     int
	interval time.Duration
	only     string

	quick, strict bool // of bias, as all that follow
	engines       []string
	budget        time.Duration
	keep, replay  string
	dryRun        bool
}

// measure runs one measure of the bench.
type measure func(ctx context.Context, f benchFlags, progress io.Writer) (bench.Report, error)

// measures in the order in which `all` runs them.
var measures = []struct {
	name, what string
	run        measure
}{
	{"bias", "distance from the truth, and what being nearer costs, in every engine", measureBias},
	{"exact", "overlap with programs whose distribution is known", func(ctx context.Context, f benchFlags, w io.Writer) (bench.Report, error) {
		return bench.Exact(ctx, f.runs, f.interval, f.only, w)
	}},
	{"truth", "what the engines' own samplers say, beside themselves and what is known", measureTruth},
	{"overhead", "CPU time against the clean program, on real programs in goja", func(ctx context.Context, f benchFlags, w io.Writer) (bench.Report, error) {
		return bench.Overhead(ctx, f.runs, f.only, w)
	}},
	{"overhead-node", "the same in Node", func(ctx context.Context, f benchFlags, w io.Writer) (bench.Report, error) {
		return bench.OverheadNode(ctx, f.runs, f.only, w)
	}},
	{"ticks", "share of the nominal ticks a busy script gets", func(ctx context.Context, f benchFlags, w io.Writer) (bench.Report, error) {
		return bench.Ticks(ctx, f.runs, w)
	}},
	{"capture", "what one capture costs", func(_ context.Context, f benchFlags, w io.Writer) (bench.Report, error) {
		return bench.Capture(f.runs, w)
	}},
	{"capture-node", "what one sample costs the sampled thread in V8", func(ctx context.Context, f benchFlags, _ io.Writer) (bench.Report, error) {
		return bench.CaptureNode(ctx, f.runs)
	}},
	{"clocks", "checks that poll beside the shared flag, on real programs in Node", func(ctx context.Context, f benchFlags, w io.Writer) (bench.Report, error) {
		return bench.Clocks(ctx, f.runs, f.only, w)
	}},
	{"diff", "changes that comparing two profiles finds where there are none", func(ctx context.Context, f benchFlags, w io.Writer) (bench.Report, error) {
		return bench.Diff(ctx, f.runs, f.only, w)
	}},
	{"diff-slower", "and that it finds where a function became slower", func(ctx context.Context, f benchFlags, w io.Writer) (bench.Report, error) {
		return bench.DiffSlowdowns(ctx, f.runs, w)
	}},
	{"speed", "time of the transform beside other tools, on built files from npm", func(ctx context.Context, f benchFlags, w io.Writer) (bench.Report, error) {
		return bench.Speed(ctx, f.runs, f.only, w)
	}},
	{"build", "time and memory of a whole directory", func(ctx context.Context, f benchFlags, w io.Writer) (bench.Report, error) {
		return bench.Build(ctx, f.runs, w)
	}},
	{"convert", "time and memory of converting a large .cpuprofile", func(ctx context.Context, f benchFlags, w io.Writer) (bench.Report, error) {
		return bench.Convert(ctx, f.runs, w)
	}},
	{"report", "how reports of a million samples open and move in Chromium", func(ctx context.Context, f benchFlags, w io.Writer) (bench.Report, error) {
		return pages.Look(ctx, f.runs, w)
	}},
	{"wasm", "time of the transform as WebAssembly beside the program, in Node", func(ctx context.Context, f benchFlags, _ io.Writer) (bench.Report, error) {
		return bench.WASM(ctx, f.runs)
	}},
	{"plugin", "time that the esbuild plugin adds to builds", func(ctx context.Context, f benchFlags, w io.Writer) (bench.Report, error) {
		return bench.Plugin(ctx, f.runs, w)
	}},
	{"plugin-js", "the same of the npm package, in Node", func(ctx context.Context, f benchFlags, _ io.Writer) (bench.Report, error) {
		return bench.PluginJS(ctx, f.runs)
	}},
	{"size", "bytes that checks add to minified files", func(ctx context.Context, f benchFlags, w io.Writer) (bench.Report, error) {
		return bench.Size(ctx, f.only, w)
	}},
}

func newBench(stdout, stderr io.Writer) *cobra.Command {
	var f benchFlags
	help := "Measure the profiler in this repository and print the tables. The measures:\n"
	for _, m := range measures {
		help += fmt.Sprintf("\n  %-14s%s", m.name, m.what)
	}
	cmd := &cobra.Command{
		Use:   "bench [flags] all|MEASURE…",
		Short: "Measure accuracy, overhead, size and the clock",
		Long:  help,
		Example: `  instrument bench bias --quick                   five minutes, goja and Node
  instrument bench bias --dry-run                 what it would run, and for how long
  instrument bench bias --only node/acorn --keep raw
  instrument bench bias --replay raw              other rules on the same samples
  instrument bench exact --only async
  instrument bench truth --only raytrace          every engine's own sampler
  instrument bench all --out bench/results`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError("name a measure, or all (instrument bench -h lists them)")
			}
			return runBench(cmd.Context(), f, args, stdout, stderr)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "write the reports into this `directory`, as JSON and Markdown")
	flags.IntVar(&f.runs, "runs", 3, "runs of each cell")
	flags.DurationVar(&f.interval, "interval", time.Millisecond, "gap between ticks")
	flags.StringVar(&f.only, "only", "", "only programs with this `text` in their name")
	flags.BoolVar(&f.quick, "quick", false, "bias: a part that takes five minutes, not an hour")
	flags.BoolVar(&f.strict, "strict", false, "bias: exit 1 when a cell was skipped for any reason but time")
	flags.StringSliceVar(&f.engines, "engine", nil, "bias: only in these `engines` (goja, node, chromium, firefox, webkit)")
	flags.DurationVar(&f.budget, "budget", 0, "bias: `time` that may be used; what does not fit is skipped")
	flags.BoolVar(&f.dryRun, "dry-run", false, "bias: list what would be run and how long it takes, by guess; run nothing")
	flags.StringVar(&f.keep, "keep", "", "bias: keep the raw samples in this `directory`")
	flags.StringVar(&f.replay, "replay", "", "bias: run nothing, attribute the samples kept in this `directory`")
	return cmd
}

func runBench(ctx context.Context, f benchFlags, names []string, stdout, stderr io.Writer) error {
	if f.runs < 1 || f.interval <= 0 {
		return usageError("--runs and --interval must be above zero")
	}
	if err := checkBiasFlags(f); err != nil {
		return err
	}
	if err := bench.CheckPlace(); err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	known := map[string]bool{"all": true}
	for _, m := range measures {
		known[m.name] = true
	}
	for _, name := range names {
		if !known[name] {
			return usageError("no measure %q (instrument bench -h lists them)", name)
		}
	}
	if f.dryRun {
		return listBias(f, names, stdout)
	}
	progress := io.Discard
	if isTerminal(stderr) {
		progress = stderr
	}
	for _, m := range measures {
		if !wanted["all"] && !wanted[m.name] {
			continue
		}
		report, err := m.run(ctx, f, progress)
		if err != nil {
			return fmt.Errorf("bench %s: %w", m.name, err)
		}
		fmt.Fprintf(stdout, "## %s\n\n%s\n", m.name, report.Table())
		if f.out != "" {
			if err := bench.Write(f.out, report); err != nil {
				return err
			}
		}
		if found, ok := report.(*bias.Report); ok {
			if err := afterBias(f, found); err != nil {
				return err
			}
		}
	}
	return nil
}
