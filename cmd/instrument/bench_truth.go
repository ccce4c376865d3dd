package main

import (
	"context"
	"io"

	"github.com/fieldprof/fieldprof/bench"
	"github.com/fieldprof/fieldprof/bench/truth"
)

func measureTruth(ctx context.Context, f benchFlags, progress io.Writer) (bench.Report, error) {
	return truth.Look(ctx, f.runs, f.only, progress)
}
