package truth

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/fieldprof/fieldprof/bench/devtools"
	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
)

// sampleDevtools runs a program in a page of Chromium under the profiler of its
// developer tools, V8's CpuProfiler: the page waits for it to start.
func sampleDevtools(ctx context.Context, program fixtures.Program, s Settings) (*Run, error) {
	port, err := devtools.FreePort()
	if err != nil {
		return nil, err
	}
	interval := s.interval(v8Interval)
	beside := browser.Beside{
		Script:    []byte("// The page waits for this script until the profiler runs.\n"),
		Arguments: []string{fmt.Sprintf("--remote-debugging-port=%d", port)},
		Around: func(ctx context.Context, page string) (func() ([]byte, error), error) {
			return profileByDevtools(ctx, port, page, interval)
		},
	}
	if s.NoInlining {
		beside.Arguments = append(beside.Arguments, noInliningInChromium())
	}
	run, r, said, err := inBrowser(ctx, browser.Chromium, program, &s, beside)
	if err != nil {
		return nil, err
	}
	if err := readV8(said, r); err != nil {
		return nil, fmt.Errorf("chromium's profile: %w", err)
	}
	run.Interval = interval
	run.Profile, err = r.profile(profile.Meta{Interval: v8Tick, Engine: "chromium", Program: program.Path, Clock: "V8's CpuProfiler"})
	return run, err
}

// profileByDevtools starts the profiler of a page. The function it returns stops it and
// returns the profile.
func profileByDevtools(ctx context.Context, port int, url string, interval time.Duration) (func() ([]byte, error), error) {
	page, err := devtools.Attach(ctx, port, url)
	if err != nil {
		return nil, err
	}
	for _, call := range []struct {
		method string
		params any
	}{
		{"Profiler.enable", struct{}{}},
		{"Profiler.setSamplingInterval", map[string]int64{"interval": max(1, interval.Microseconds())}},
		{"Profiler.start", struct{}{}},
	} {
		if err := page.Call(ctx, call.method, call.params, nil); err != nil {
			page.Close()
			return nil, err
		}
	}
	return func() ([]byte, error) {
		defer page.Close()
		var stopped struct{ Profile json.RawMessage }
		err := page.Call(ctx, "Profiler.stop", struct{}{}, &stopped)
		return stopped.Profile, err
	}, nil
}
