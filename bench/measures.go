package main

import (
	"context"
	"time"

	"github.com/fieldprof/fieldprof/bench/bias"
	"github.com/fieldprof/fieldprof/bench/building"
	"github.com/fieldprof/fieldprof/bench/causal"
	"github.com/fieldprof/fieldprof/bench/collecting"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/forks"
	"github.com/fieldprof/fieldprof/bench/interactions"
	"github.com/fieldprof/fieldprof/bench/overhead"
	"github.com/fieldprof/fieldprof/bench/pages"
	"github.com/fieldprof/fieldprof/bench/recording"
	"github.com/fieldprof/fieldprof/bench/services"
	"github.com/fieldprof/fieldprof/bench/streaming"
	"github.com/fieldprof/fieldprof/bench/tenants"
	"github.com/fieldprof/fieldprof/bench/truth"
	"github.com/fieldprof/fieldprof/bench/visits"
)

// measure is one entry of the registry.
type measure struct {
	name, what string
	run        func(context.Context, *options, figures.Progress) (figures.Report, error)
}

// measures in the order in which `all` runs them.
var measures = []measure{
	{"bias", "distance from the truth, and what being closer costs, in every engine", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return bias.Measure(ctx, o.bias(), o.keep, o.replay, p)
	}},
	{"overhead", "what checks and recordings cost, to a percent, in Node, goja, Chromium and Firefox", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return overhead.Measure(ctx, o.overhead(), p)
	}},
	{"truth", "what the engines' own samplers report, compared with each other and with what is known", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return truth.Look(ctx, o.runs, o.only, o.engines, p)
	}},
	{"causal", "whether profiles tell what to optimise: known slowdowns and real optimizations against what each profiler reports", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return causal.Measure(ctx, o.causal(), p)
	}},
	{"ticks", "share of the nominal ticks that a busy script gets", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return recording.Ticks(ctx, o.runs, p)
	}},
	{"forks", "whether profiles from sobek are as right as those from goja", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return forks.Compare(ctx, o.runs, o.only, p)
	}},
	{"capture", "cost of one capture in goja", func(_ context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return recording.Capture(o.runs, p)
	}},
	{"full", "time of the profile of a full recording in goja", func(_ context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return recording.Full(o.runs, p)
	}},
	{"stopped", "what checks cost in goja while the clock is stopped, next to recording", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return recording.Stopped(ctx, o.runs, p)
	}},
	{"tenants", "whether a pool of goja runtimes says rightly which tenant uses the processor", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return tenants.Measure(ctx, o.runs, p)
	}},
	{"services", "what being recorded all day costs HTTP services in Node, and whether their profiles name what Node's own profiler names", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return services.Measure(ctx, services.Options{Only: o.only, Duration: o.duration}, p)
	}},
	{"capture-node", "cost of one sample to the sampled thread in V8", func(ctx context.Context, o *options, _ figures.Progress) (figures.Report, error) {
		return recording.CaptureNode(ctx, o.runs)
	}},
	{"diff", "changes that comparing two profiles reports where there are none", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return recording.Diff(ctx, o.runs, o.only, p)
	}},
	{"diff-slower", "changes that it reports where a function became slower", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return recording.DiffSlowdowns(ctx, o.runs, p)
	}},
	{"speed", "time of the transform against other tools, on built files from npm", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return building.Speed(ctx, o.runs, o.only, p)
	}},
	{"build", "time and memory of instrumenting a whole directory", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return building.Build(ctx, o.runs, p)
	}},
	{"convert", "time and memory of converting a large .cpuprofile", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return building.Convert(ctx, o.runs, p)
	}},
	{"report", "how fast reports of a million samples open and move in Chromium", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return pages.Look(ctx, o.runs, p)
	}},
	{"panel", "how evenly the live panel draws in Chromium while ten sources stream", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return pages.Watch(ctx, o.runs, p)
	}},
	{"live", "what streaming adds to recording in a page in Chromium", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return streaming.Look(ctx, o.runs, p)
	}},
	{"interactions", "how often slices name the cause, in three browsers, and what observe() adds to recording", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return interactions.Look(ctx, o.runs, o.engines, p)
	}},
	{"page", "what visitors of instrumented sites notice: paints, ready, interactions and bytes, in two browsers over two networks", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return visits.Measure(ctx, visits.Options{Quick: o.quick, Only: o.only, Browsers: o.engines, Budget: o.budget, Keep: o.keep, Replay: o.replay}, p)
	}},
	{"collect", "what the field collector bears, costs, and takes to answer", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return collecting.Look(ctx, collecting.Options{Sustained: o.duration, Stage: min(o.duration, 30*time.Second), Chunks: o.chunks, Runs: o.runs}, p)
	}},
	{"wasm", "time of the transform as WebAssembly against the program, in Node", func(ctx context.Context, o *options, _ figures.Progress) (figures.Report, error) {
		return building.WASM(ctx, o.runs)
	}},
	{"plugin", "time that the esbuild plugin adds to builds", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return building.Plugin(ctx, o.runs, p)
	}},
	{"plugin-js", "time that the npm package for esbuild adds to builds in Node", func(ctx context.Context, o *options, _ figures.Progress) (figures.Report, error) {
		return building.PluginJS(ctx, o.runs)
	}},
	{"size", "bytes that checks add to minified files", func(ctx context.Context, o *options, p figures.Progress) (figures.Report, error) {
		return building.Size(ctx, o.only, p)
	}},
}

// files are the names of results that are not their measures'.
var files = map[string]string{"ticks": "ticks-goja", "capture": "capture-goja"}
