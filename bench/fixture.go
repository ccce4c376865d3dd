package bench

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/goja"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/fixtures"
)

// runInGoja runs a fixture in goja, and takes any failure of it for an error.
func runInGoja(ctx context.Context, program fixtures.Program, settings engine.Settings) (*engine.Result, error) {
	settings.Seed = max(settings.Seed, 1)
	return run(ctx, goja.Run, program, program.Goja, settings)
}

// runInNode does the same in Node.
func runInNode(ctx context.Context, program fixtures.Program, settings engine.Settings) (*engine.Result, error) {
	return run(ctx, node.Run, program, program.V8, settings)
}

type runner = func(context.Context, engine.Program, engine.Settings) (*engine.Result, error)

func run(ctx context.Context, in runner, program fixtures.Program, way fixtures.Run, settings engine.Settings) (*engine.Result, error) {
	debug.FreeOSMemory() // what the run before left is not this one's to collect
	result, err := in(ctx, engine.Program{Path: program.Path, Args: way.Args, Stdout: io.Discard, Stderr: io.Discard}, settings)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", program.Name, err)
	case result.Failure != nil:
		return nil, fmt.Errorf("%s: %w", program.Name, result.Failure)
	case result.Stopped:
		return nil, ctx.Err()
	}
	return result, nil
}
