package causal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/fieldprof/fieldprof/bench/truth"
	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// outcome is one run.
type outcome struct {
	seconds float64 // by the wall clock, or of processor time if that is less
	printed string
	profile *profile.Profile // attributed; nil of a clean run
}

// once runs a script in one way.
func (s *session) once(ctx context.Context, e *Engine, way Way, path string, args []string, seed uint64) (*outcome, error) {
	if why := s.missing[way.Name]; why != "" {
		return nil, errors.New(why)
	}
	limited, cancel := context.WithTimeout(ctx, tooLong)
	defer cancel()
	debug.FreeOSMemory() // collect the previous run's garbage now, not in this run
	run, err := s.inOne(limited, e, way, path, args, seed)
	if errors.Is(limited.Err(), context.DeadlineExceeded) {
		return nil, fmt.Errorf("it did not end within %v", tooLong)
	}
	return run, err
}

func (s *session) inOne(ctx context.Context, e *Engine, way Way, path string, args []string, seed uint64) (*outcome, error) {
	if way.Sampler != nil {
		return s.sample(ctx, way, path, args)
	}
	var printed bytes.Buffer
	settings := engine.Settings{Mode: engine.Clean, Seed: seed}
	if way.Profile {
		settings = engine.Settings{Selection: transform.Selection{Preset: way.Preset}, Interval: e.Interval, Seed: seed}
	}
	result, err := e.Run(ctx, engine.Program{Path: path, Args: args, Stdout: &printed, Stderr: io.Discard}, settings)
	switch {
	case err != nil:
		if e.Missing(err) {
			s.missing[e.Name] = err.Error()
		}
		return nil, err
	case result.Failure != nil:
		return nil, fmt.Errorf("it failed: %w", result.Failure)
	case result.ExitCode != 0:
		return nil, fmt.Errorf("it ended with status %d", result.ExitCode)
	case result.Stopped:
		return nil, errors.New("it was stopped")
	}
	run := &outcome{seconds: result.Elapsed.Seconds(), printed: printed.String()}
	if cpu := result.CPU.Seconds(); cpu > 0 { // on a busy machine the program had to wait
		run.seconds = min(run.seconds, cpu)
	}
	if way.Profile {
		if result.Profile == nil {
			return nil, errors.New("it ended before it could be profiled")
		}
		run.profile = profile.Attribute(result.Profile, settings.Rule())
	}
	return run, nil
}

func (s *session) sample(ctx context.Context, way Way, path string, args []string) (*outcome, error) {
	if way.Sampler.Available != nil {
		if err := way.Sampler.Available(); err != nil {
			s.missing[way.Name] = err.Error()
			return nil, err
		}
	}
	run, err := way.Sampler.Sample(ctx, fixtures.Program{Name: "the program", Path: path}, truth.Settings{
		Interval: way.interval(), NoInlining: way.Name == "v8-noinline", Arguments: args,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", way.Name, err)
	}
	if run.Profile == nil {
		return nil, fmt.Errorf("%s gave no profile", way.Name)
	}
	return &outcome{printed: string(run.Output), profile: run.Profile}, nil
}
