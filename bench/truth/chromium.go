package truth

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/wicg"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

func chromiumAvailable() error {
	_, err := browser.Find(browser.Chromium)
	return err
}

//go:embed js/chromium.js
var chromiumBeside []byte

// describePage describes the script that a browser's page runs.
func describePage(name browser.Name, path string) (*instrumented.Script, error) {
	b, err := browser.Bundle(name, path)
	if err != nil {
		return nil, err
	}
	goal := transform.Script
	if b.Module {
		goal = transform.Module
	}
	return describe(b, transform.Web, goal)
}

// sampleChromium runs a program in a page of Chromium under its own Profiler.
func sampleChromium(ctx context.Context, program fixtures.Program, s Settings) (*Run, error) {
	run, r, said, err := inBrowser(ctx, browser.Chromium, program, &s, browser.Beside{
		Script: chromiumBeside, Headers: map[string]string{"Document-Policy": "js-profiling"},
	})
	if err != nil {
		return nil, err
	}
	interval, err := readSelfProfile(said, r)
	if err != nil {
		return nil, fmt.Errorf("chromium's trace: %w", err)
	}
	run.Profile, err = r.profile(profile.Meta{Interval: milliseconds(interval), Engine: "chromium", Program: program.Path, Clock: "Chromium's Profiler"})
	return run, err
}

// readSelfProfile adds the samples of what the page reports, a trace of the JS
// Self-Profiling API, and returns its interval.
func readSelfProfile(said []byte, r *recording) (float64, error) {
	var f struct {
		Error    string          `json:"error"`
		Interval float64         `json:"interval"` // ms
		Trace    json.RawMessage `json:"trace"`
	}
	if err := json.Unmarshal(said, &f); err != nil {
		return 0, err
	}
	if f.Error != "" {
		return 0, errors.New(f.Error)
	}
	p, err := wicg.Read(bytes.NewReader(f.Trace))
	if err != nil {
		return 0, err
	}
	r.adopt(p)
	return f.Interval, nil
}
