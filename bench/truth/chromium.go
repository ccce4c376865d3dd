package truth

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
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

// selfProfile is what the page reports: a trace of the JS Self-Profiling API.
type selfProfile struct {
	Error    string  `json:"error"`
	Interval float64 `json:"interval"` // ms
	Trace    struct {
		Resources []string `json:"resources"`
		Frames    []struct {
			ResourceID *int  `json:"resourceId"`
			Line       int32 `json:"line"` // where it is defined
			Column     int32 `json:"column"`
		} `json:"frames"`
		Stacks []struct {
			ParentID *int `json:"parentId"`
			FrameID  int  `json:"frameId"`
		} `json:"stacks"`
		Samples []struct {
			Timestamp float64 `json:"timestamp"`
			StackID   *int    `json:"stackId"`
		} `json:"samples"`
	} `json:"trace"`
}

// readSelfProfile adds a trace's samples and returns its interval.
func readSelfProfile(said []byte, r *recording) (float64, error) {
	var f selfProfile
	if err := json.Unmarshal(said, &f); err != nil {
		return 0, err
	}
	if f.Error != "" {
		return 0, errors.New(f.Error)
	}
	t := &f.Trace
	stacks := make([]profile.StackID, len(t.Stacks))
	hosts := make([]bool, len(t.Stacks)) // time of the script that prints for the program
	for i, s := range t.Stacks {
		stacks[i] = profile.NoStack
		if s.ParentID != nil {
			if *s.ParentID < 0 || *s.ParentID >= i {
				return 0, fmt.Errorf("stack %d: parent %d", i, *s.ParentID)
			}
			stacks[i], hosts[i] = stacks[*s.ParentID], hosts[*s.ParentID]
		}
		if s.FrameID < 0 || s.FrameID >= len(t.Frames) {
			return 0, fmt.Errorf("stack %d: frame %d of %d", i, s.FrameID, len(t.Frames))
		}
		frame := &t.Frames[s.FrameID]
		if id := frame.ResourceID; id != nil && *id >= 0 && *id < len(t.Resources) {
			switch url := t.Resources[*id]; {
			case strings.HasSuffix(url, "/bundle.js") && frame.Line > 0:
				stacks[i], hosts[i] = r.push(stacks[i], functable.Position{Line: frame.Line, Column: frame.Column}, functable.Position{}), false
			case strings.HasSuffix(url, pageScript):
				hosts[i] = true
			}
		}
	}
	for i, s := range t.Samples {
		stack := profile.NoStack
		if s.StackID != nil {
			if *s.StackID < 0 || *s.StackID >= len(stacks) {
				return 0, fmt.Errorf("sample %d: stack %d of %d", i, *s.StackID, len(stacks))
			}
			if !hosts[*s.StackID] {
				stack = stacks[*s.StackID]
			}
		}
		kind := profile.Program
		if s.StackID == nil { // no script was on the stack
			kind = profile.Idle
		}
		r.add(milliseconds(s.Timestamp), stack, 1, kind)
	}
	return f.Interval, nil
}
