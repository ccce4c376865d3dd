// Package recording measures what recording costs and gives: the cost of a capture,
// the ticks that a busy script gets, and what comparing two profiles finds.
package recording

import (
	"context"
	"io"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/goja"
	"github.com/fieldprof/fieldprof/transform"
)

// record records a program in goja with the balanced preset.
func record(ctx context.Context, path string, args []string, interval time.Duration, seed uint64) (*engine.Result, error) {
	result, err := goja.Run(ctx, engine.Program{Path: path, Args: args, Stdout: io.Discard, Stderr: io.Discard},
		engine.Settings{Selection: transform.Selection{Preset: transform.Balanced}, Interval: interval, Seed: seed})
	switch {
	case err != nil:
		return nil, err
	case result.Failure != nil:
		return nil, result.Failure
	case result.Stopped:
		return nil, ctx.Err()
	}
	return result, nil
}
