package truth

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// jscInterval is JavaScriptCore's gap unless Settings has one.
const jscInterval = 500 * time.Microsecond

func jscAvailable() error {
	if _, err := exec.LookPath("jsc"); err != nil {
		return errors.New("no jsc on the PATH: install JavaScriptCore's shell (on Debian: apt-get install libjavascriptcoregtk-4.0-bin)")
	}
	return nil
}

//go:embed js/jsc.js
var jscPrelude string

// jscMark begins the line with the samples.
const jscMark = "\x00samples:"

// sampleJSC runs a program in the shell of JavaScriptCore, WebKit's engine,
// under its sampling profiler. The bundle is the one that WebKit's page runs.
func sampleJSC(ctx context.Context, program fixtures.Program, s Settings) (*Run, error) {
	if err := jscAvailable(); err != nil {
		return nil, err
	}
	b, err := browser.Bundle(browser.WebKit, program.Path)
	if err != nil {
		return nil, err
	}
	if b.Module {
		return nil, errors.New("a program with a top-level await does not run in jsc")
	}
	script, err := describe(b, transform.Web, transform.Script)
	if err != nil {
		return nil, err
	}
	interval := s.interval(jscInterval)
	printed, sampled, cpu, err := runJSC(ctx, b.Code, program.Path, s.arguments(program.V8), interval)
	if err != nil {
		return nil, err
	}
	recorded, err := readJSC(sampled, newRecording(script))
	if err != nil {
		return nil, fmt.Errorf("jsc's samples: %w", err)
	}
	p, err := recorded.profile(profile.Meta{Interval: interval, Engine: "webkit", Program: program.Path, Clock: "JavaScriptCore's sampling profiler"})
	return &Run{Profile: p, CPU: cpu, Output: printed}, err
}

// runJSC runs a script in the shell. It returns what was printed and, if there is an
// interval, the samples.
func runJSC(ctx context.Context, code []byte, path string, args []string, interval time.Duration) (printed, sampled []byte, cpu time.Duration, err error) {
	fail := func(err error) ([]byte, []byte, time.Duration, error) { return nil, nil, 0, err }
	folder, err := os.MkdirTemp("", "truth-jsc-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(folder)
	order, err := json.Marshal(map[string]any{"path": path, "args": append([]string{}, args...), "mark": jscMark, "sample": interval > 0})
	if err != nil {
		return fail(err)
	}
	prelude, main := filepath.Join(folder, "prelude.js"), filepath.Join(folder, "bundle.js")
	for path, text := range map[string][]byte{prelude: fmt.Appendf(nil, "const order = %s;\n%s", order, jscPrelude), main: code} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return fail(err)
		}
	}
	var options []string
	if interval > 0 {
		options = []string{"--useSamplingProfiler=true", fmt.Sprintf("--sampleInterval=%d", max(1, interval.Microseconds()))}
	}
	cmd := exec.CommandContext(ctx, "jsc", append(options, prelude, main)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	printed, sampled, ok := bytes.Cut(stdout.Bytes(), []byte(jscMark)) // samples come after all that is printed, errors too
	if err == nil && !ok && interval > 0 {
		err = errors.New("it gave no samples")
	}
	if err != nil {
		return fail(fmt.Errorf("jsc: %w\n%s%s", err, lastBytes(printed), lastBytes(stderr.Bytes())))
	}
	return bytes.Clone(printed), sampled, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

func lastBytes(text []byte) []byte { return text[max(0, len(text)-2000):] }

// jscTraces is what samplingProfilerStackTraces gives.
type jscTraces struct {
	Traces []struct {
		Timestamp float64    `json:"timestamp"` // s
		Frames    []jscFrame `json:"frames"`    // innermost first
	} `json:"traces"`
}

// jscFrame is a frame. Line and column are where it runs, 2³²−1 if unknown.
type jscFrame struct {
	SourceID int64 `json:"sourceID"`
	Line     int64 `json:"line"`
	Column   int64 `json:"column"`
	Flags    int64 `json:"flags"` // 1: a builtin that is written in JavaScript
}

func (f *jscFrame) isScript() bool {
	return f.Flags&1 == 0 && f.Line > 0 && f.Line < 1<<31 && f.Column > 0 && f.Column < 1<<31
}

// readJSC adds samples to a recording.
func readJSC(text []byte, r *recording) (*recording, error) {
	var f jscTraces
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	ours := f.source()
	for i := range f.Traces {
		t := &f.Traces[i]
		stack := profile.NoStack
		for j := len(t.Frames) - 1; j >= 0; j-- {
			if frame := &t.Frames[j]; frame.isScript() && frame.SourceID == ours {
				at := functable.Position{Line: int32(frame.Line), Column: int32(frame.Column)}
				stack = r.push(stack, at, at)
			}
		}
		r.add(time.Duration((t.Timestamp-f.Traces[0].Timestamp)*1e9), stack, 1, profile.Program)
	}
	return r, nil
}

// source is jsc's number for the bundle. jsc numbers sources as it meets them, and
// names none of them; the only other source is the prelude, which is seldom on top.
func (f *jscTraces) source() int64 {
	onTop, ours := map[int64]int{}, int64(-1)
	for i := range f.Traces {
		for j := range f.Traces[i].Frames {
			frame := &f.Traces[i].Frames[j]
			if !frame.isScript() {
				continue
			}
			if onTop[frame.SourceID]++; onTop[frame.SourceID] > onTop[ours] {
				ours = frame.SourceID
			}
			break
		}
	}
	return ours
}
