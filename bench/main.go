// Command bench measures how close profiles are to the truth, what checks cost in
// time and in bytes, whether the clock keeps time, and how fast code is
// transformed: go run ./bench -h lists the measures.
//
// A measure is a function that returns a report; a report prints itself as a table
// and is written as JSON into bench/results, which the docs quote. Machines are
// shared and noisy, so the sides of a comparison run interleaved in one process, and
// reports hold medians and ratios along with the spread of single runs. Nothing
// here is a test: a slow machine makes a figure worse and breaks nothing.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/bench/archive"
	"github.com/fieldprof/fieldprof/bench/bias"
	"github.com/fieldprof/fieldprof/bench/causal"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/overhead"
	"github.com/fieldprof/fieldprof/bench/provenance"
	"github.com/fieldprof/fieldprof/bench/truth"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

func main() {
	truth.Child()
	overhead.Child()
	figures.Ask = provenance.Fill
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	go func() {
		<-ctx.Done()
		cancel() // a second Ctrl-C ends the process at once
	}()
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// usageError is a mistake in the command line.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usage(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// execute runs one command line and returns its exit code.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	cmd := newBench(stdout, stderr)
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(ctx)
	var mistake *usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &mistake):
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	}
	fmt.Fprintln(stderr, "bench:", err)
	return 1
}

// options are the flags of the command.
type options struct {
	out  string
	runs int
	only string

	part          string // of bias, like all that follow
	interval      time.Duration
	quick, strict bool
	engines       []string
	budget        time.Duration
	keep, replay  string
	resume        bool
	dryRun        bool

	presets     []string // of overhead, like the next
	maxOverhead string
	aa, prove   bool

	duration time.Duration // of collect, like the next
	chunks   int
}

func newBench(stdout, stderr io.Writer) *cobra.Command {
	var o options
	help := "Measure the profiler in this repository and print the tables. The measures:\n"
	for _, m := range measures {
		help += fmt.Sprintf("\n  %-14s%s", m.name, m.what)
	}
	cmd := &cobra.Command{
		Use:   "bench [flags] all|MEASURE…",
		Short: "Measure accuracy, overhead, size and the clock",
		Long:  help,
		Example: `  go run ./bench bias --quick                     five minutes, goja and Node
  go run ./bench bias --dry-run                   what it would run, and when
  go run ./bench bias --only node/acorn --keep raw
  go run ./bench bias --replay raw                evaluates the same samples again
  go run ./bench bias --part exact --only async
  go run ./bench overhead --preset balanced       twenty minutes, goja and Node
  go run ./bench overhead --engine firefox --only acorn
  go run ./bench overhead --max-overhead 2%       builds with checks that counts have chosen
  go run ./bench overhead --aa                    whether it sees a slowdown of 2 %
  go run ./bench truth --only raytrace            every engine's own sampler
  go run ./bench truth --only exact/ --engine goja which of goja's samplers are a truth, and clocks
  go run ./bench page --only grid --engine firefox
  go run ./bench causal --quick                   who tells what to optimise?
  go run ./bench all --out bench/results`,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), args, stdout, stderr)
		},
		Args:              cobra.ArbitraryArgs,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	cmd.AddCommand(newArchive(stdout), newAgree(stdout))
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage("%v (-h lists the flags)", err) })
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.out, "out", "", "write the reports into this `directory`, as JSON and Markdown")
	flags.IntVar(&o.runs, "runs", 3, "runs of each cell; of bias only where a --part is named")
	flags.StringVar(&o.only, "only", "", "only programs or sites with this `text` in their name")
	flags.StringVar(&o.part, "part", "", "bias: only this `part`: exact (programs whose distribution is known)")
	flags.DurationVar(&o.interval, "interval", 0, "bias: `time` between ticks (default: what suits the engine)")
	flags.BoolVar(&o.quick, "quick", false, "bias, overhead, causal, page: a selection, in minutes (five for bias)")
	flags.BoolVar(&o.strict, "strict", false, "bias: exit with 1 if a cell was skipped for any reason but time")
	flags.StringSliceVar(&o.engines, "engine", nil, "only in these `engines` (goja, node, node-current, chromium, firefox, webkit), where a measure has several")
	flags.DurationVar(&o.budget, "budget", 0, "bias, overhead, causal, page: the `time` it may take; what does not fit is skipped")
	flags.BoolVar(&o.dryRun, "dry-run", false, "bias, overhead, causal: list what would run and how long it would take, and run nothing")
	flags.StringVar(&o.keep, "keep", "", "bias, page: keep the raw data in this `directory`")
	flags.BoolVar(&o.resume, "resume", false, "bias: go on in the directory of --keep, where a run was interrupted or out of time")
	flags.StringVar(&o.replay, "replay", "", "bias, page, overhead, causal: run nothing; evaluate what was kept, or the results of overhead and causal, in this `directory`")
	flags.StringSliceVar(&o.presets, "preset", nil, "overhead: only these `presets` (default: balanced, fine and precise)")
	flags.StringVar(&o.maxOverhead, "max-overhead", "", "overhead: measure builds that were trained to stay within this `share` of the time, such as 2%")
	flags.BoolVar(&o.aa, "aa", false, "overhead: measure the instrument instead, on clean builds with and without planted work")
	flags.BoolVar(&o.prove, "prove", false, "overhead: compare builds that share an isolate with builds that do not")
	flags.DurationVar(&o.duration, "duration", 10*time.Minute, "collect, services: `time` of the sustained load")
	flags.IntVar(&o.chunks, "chunks", 1_000_000, "collect: `number` of chunks in the day that is asked about")
	return cmd
}

func (o *options) run(ctx context.Context, names []string, stdout, stderr io.Writer) error {
	if err := o.check(names); err != nil {
		return err
	}
	if _, err := fixtures.Find(); err != nil {
		return fmt.Errorf("the bench needs a checkout of fieldprof around it: %w", err)
	}
	if o.dryRun {
		lists := map[string]func() string{
			"bias":     func() string { return bias.NewPlan(o.bias()).List() },
			"causal":   func() string { return o.causal().List() },
			"overhead": func() string { return overhead.NewPlan(o.overhead()).List() },
		}
		if len(names) != 1 || lists[names[0]] == nil {
			return usage("--dry-run lists what bias, causal or overhead would run: name one of them alone")
		}
		_, err := io.WriteString(stdout, lists[names[0]]())
		return err
	}
	var progress figures.Progress
	if file, ok := stderr.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			progress.Terminal = file
		}
	}
	for _, m := range measures {
		if !slices.Contains(names, "all") && !slices.Contains(names, m.name) {
			continue
		}
		report, err := m.run(ctx, o, progress)
		progress.Show("")
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		fmt.Fprintf(stdout, "## %s\n\n%s\n", m.name, report.Table())
		if err := o.finish(m.name, report); err != nil {
			return err
		}
	}
	return nil
}

// former are the measures that are part of others now.
var former = map[string]string{
	"exact":         "bias --part exact",
	"overhead-node": "overhead --engine node",
	"clocks":        "bias --engine node",
}

// replayable are the measures that --replay evaluates again.
var replayable = []string{"bias", "overhead", "causal", "page"}

func (o *options) check(names []string) error {
	if len(names) == 0 {
		return usage("name a measure, or all (-h lists them)")
	}
	for _, name := range names {
		known := name == "all" || slices.ContainsFunc(measures, func(m measure) bool { return m.name == name })
		switch {
		case former[name] != "":
			return usage("%s is now: go run ./bench %s", name, former[name])
		case !known:
			return usage("no measure %q (-h lists them)", name)
		}
	}
	for _, name := range o.engines {
		if !bias.KnownEngine(name) {
			return usage("no engine %q: choose goja, node, node-current, chromium, firefox or webkit", name)
		}
	}
	for _, name := range o.presets {
		if _, err := transform.ParsePreset(name); err != nil {
			return usage("--preset: %v", err)
		}
	}
	switch {
	case o.runs < 1:
		return usage("--runs must be above zero")
	case o.interval < 0:
		return usage("--interval must be above zero")
	case o.part == "overhead":
		return usage("bias --part overhead is now: go run ./bench overhead")
	case o.part != "" && !bias.KnownPart(o.part):
		return usage("no part %q of bias: choose exact", o.part)
	case o.part != "" && o.quick:
		return usage("--part is a part of the whole plan, not of the --quick one: choose one")
	case o.duration <= 0 || o.chunks < 1:
		return usage("--duration and --chunks must be above zero")
	case o.budget < 0:
		return usage("--budget must be above zero")
	case o.aa && o.prove:
		return usage("--aa and --prove are measures of their own: choose one")
	case o.maxOverhead != "" && !(o.within() > 0 && o.within() <= 100):
		return usage("--max-overhead %s: a share above 0 and up to 100%%, such as 2%%", o.maxOverhead)
	case o.maxOverhead != "" && (o.aa || o.prove):
		return usage("--max-overhead and --aa or --prove are measures of their own: choose one")
	case o.maxOverhead != "" && slices.ContainsFunc(o.engines, func(name string) bool { return name != "node" }):
		return usage("--max-overhead is measured in node, where a counting build runs: leave --engine out")
	case o.resume && o.keep == "":
		return usage("--resume goes on in the directory of --keep: name it")
	case o.replay != "" && slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(replayable, name) }):
		return usage("--replay runs nothing, and only %s are evaluated again: name them", strings.Join(replayable, ", "))
	case o.keep != "" && o.replay != "":
		return usage("--keep keeps what is run, and --replay runs nothing: choose one")
	}
	return nil
}

func (o *options) bias() bias.Options {
	return bias.Options{Part: bias.Part(o.part), Rounds: o.runs, Interval: o.interval, Quick: o.quick, Only: o.only, Engines: o.engines, Budget: o.budget, Resume: o.resume}
}

func (o *options) overhead() overhead.Options {
	var presets []transform.Preset
	for _, name := range o.presets {
		preset, _ := transform.ParsePreset(name) // check has seen to errors
		presets = append(presets, preset)
	}
	return overhead.Options{Presets: presets, Quick: o.quick, Only: o.only, Engines: o.engines, Budget: o.budget, MaxOverhead: o.within(), Trial: o.aa, Prove: o.prove, Replay: o.replay}
}

// within returns --max-overhead in percent, or 0 if it is absent or not a valid share.
func (o *options) within() float64 {
	share, _ := builddir.ParseShare(o.maxOverhead)
	return 100 * share
}

func (o *options) causal() causal.Options {
	return causal.Options{Quick: o.quick, Only: o.only, Engines: o.engines, Budget: o.budget, Rounds: o.runs, Replay: o.replay}
}

// finish writes a report where it is asked for, and with --strict objects to what
// bias skipped.
func (o *options) finish(measure string, report figures.Report) error {
	found, isBias := report.(*bias.Report)
	if o.out != "" {
		name := cmp.Or(files[measure], measure)
		if found, ok := report.(figures.Named); ok {
			name = found.Name()
		}
		reports := map[string]figures.Report{name: report}
		if isBias {
			if err := found.Write(o.out); err != nil { // with its pictures
				return err
			}
			reports = nil
		}
		if err := archive.Record(o.out, reports); err != nil {
			return err
		}
	}
	if !isBias || !o.strict {
		return nil
	}
	if unmet := found.Unmet(); len(unmet) > 0 {
		return fmt.Errorf("%d cells were skipped, the first: %s in %s: %s", len(unmet), unmet[0].Program, unmet[0].Engine, unmet[0].Reason)
	}
	return nil
}
