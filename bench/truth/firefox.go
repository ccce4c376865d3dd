package truth

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/gecko"
)

// firefoxInterval is the Firefox profiler's gap unless Settings has one.
const firefoxInterval = time.Millisecond

func firefoxAvailable() error {
	_, err := browser.Find(browser.Firefox)
	return err
}

//go:embed js/firefox.js
var firefoxBeside []byte

// sampleFirefox runs a program in a page of Firefox whose profiler runs from its
// start to its end.
func sampleFirefox(ctx context.Context, program fixtures.Program, s Settings) (*Run, error) {
	folder, err := os.MkdirTemp("", "truth-firefox-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	interval, file := s.interval(firefoxInterval), filepath.Join(folder, "profile.json")
	beside := browser.Beside{
		Script: firefoxBeside, Closes: true, Preferences: []string{`"dom.allow_scripts_to_close_windows", true`},
		Environment: []string{
			"MOZ_PROFILER_STARTUP=1", "MOZ_PROFILER_STARTUP_FEATURES=js,nomarkerstacks", "MOZ_PROFILER_STARTUP_FILTERS=GeckoMain",
			"MOZ_PROFILER_STARTUP_ENTRIES=16000000", "MOZ_PROFILER_STARTUP_INTERVAL=" + strconv.FormatFloat(float64(interval)/float64(time.Millisecond), 'f', -1, 64),
			"MOZ_PROFILER_SHUTDOWN=" + file,
		},
	}
	run, r, _, err := inBrowser(ctx, browser.Firefox, program, &s, beside)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("firefox wrote no profile: %w", err)
	}
	if err := readGecko(text, r); err != nil {
		return nil, fmt.Errorf("firefox's profile: %w", err)
	}
	run.Profile, err = r.profile(profile.Meta{Interval: interval, Engine: "firefox", Program: program.Path, Clock: "Firefox's profiler"})
	return run, err
}

// inBrowser runs a program without checks along with our own script, and returns
// what that script reported.
func inBrowser(ctx context.Context, name browser.Name, program fixtures.Program, s *Settings, beside browser.Beside) (*Run, *recording, []byte, error) {
	script, err := describePage(name, program.Path)
	if err != nil {
		return nil, nil, nil, err
	}
	var output bytes.Buffer
	result, said, err := browser.RunBeside(name, beside)(ctx, engine.Program{Path: program.Path, Args: s.arguments(program.V8), Stdout: &output, Stderr: &output}, engine.Settings{Mode: engine.Clean})
	if err := failed(ctx, result, err); err != nil {
		return nil, nil, nil, err
	}
	return &Run{CPU: result.CPU, Output: output.Bytes()}, newRecording(script), said, nil
}

// readGecko adds the samples of the thread that ran the script.
func readGecko(text []byte, r *recording) error {
	p, err := gecko.Read(bytes.NewReader(text))
	if err == nil && !r.adopt(p) {
		err = errors.New("it has no thread that ran the program")
	}
	return err
}

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
