package truth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// v8Interval is V8's gap unless Settings has one.
const v8Interval = 250 * time.Microsecond

func nodeAvailable() error {
	if _, err := exec.LookPath("node"); err != nil {
		return node.ErrMissing
	}
	return nil
}

// sampleV8 runs a program in Node under V8's CpuProfiler.
func sampleV8(ctx context.Context, program fixtures.Program, s Settings) (*Run, error) {
	b, err := node.Bundle(program.Path)
	if err != nil {
		return nil, err
	}
	goal := transform.FunctionBody
	if b.Module {
		goal = transform.Module
	}
	script, err := describe(b, transform.Web, goal)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "truth-v8-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	const file = "v8.cpuprofile"
	interval := s.interval(v8Interval)
	options := []string{"--cpu-prof", "--cpu-prof-dir=" + folder, "--cpu-prof-name=" + file, fmt.Sprintf("--cpu-prof-interval=%d", max(1, interval.Microseconds()))}
	if s.NoInlining {
		options = append(options, "--no-turbo-inlining", "--no-maglev-inlining")
	}
	var output bytes.Buffer
	result, err := node.Command{Path: s.Node, Options: options}.Run(ctx, engine.Program{Path: program.Path, Args: s.arguments(program.V8), Stdout: &output, Stderr: &output}, engine.Settings{Mode: engine.Clean})
	if err := failed(ctx, result, err); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(folder, file))
	if err != nil {
		return nil, fmt.Errorf("node wrote no profile: %w", err)
	}
	recorded, err := readV8(text, newRecording(script))
	if err != nil {
		return nil, fmt.Errorf("node's profile: %w", err)
	}
	p, err := recorded.profile(profile.Meta{Interval: interval, Engine: "node", Program: program.Path, Clock: "V8's CpuProfiler"})
	return &Run{Profile: p, CPU: result.CPU, Output: output.Bytes()}, err
}

// v8Profile is the part of the Chrome DevTools Protocol's Profiler.Profile that is
// needed here.
type v8Profile struct {
	Nodes []struct {
		ID        int64 `json:"id"`
		CallFrame struct {
			FunctionName string `json:"functionName"`
			URL          string `json:"url"`
			LineNumber   int32  `json:"lineNumber"` // from 0, −1: unknown
			ColumnNumber int32  `json:"columnNumber"`
		} `json:"callFrame"`
		HitCount      int64   `json:"hitCount"`
		Children      []int64 `json:"children"`
		PositionTicks []struct {
			Line  int32 `json:"line"` // from 1
			Ticks int64 `json:"ticks"`
		} `json:"positionTicks"`
	} `json:"nodes"`
	Samples    []int64   `json:"samples"`
	TimeDeltas []float64 `json:"timeDeltas"` // µs
}

// readV8 adds a profile's samples to a recording. Package cpuprofile reads such
// files too, but without the lines on which functions were seen.
func readV8(text []byte, r *recording) (*recording, error) {
	var f v8Profile
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	if len(f.Samples) != len(f.TimeDeltas) {
		return nil, fmt.Errorf("%d samples with %d times", len(f.Samples), len(f.TimeDeltas))
	}
	index, parent := map[int64]int{}, make([]int, len(f.Nodes))
	for i := range f.Nodes {
		index[f.Nodes[i].ID] = i
		parent[i] = -1
	}
	for i := range f.Nodes {
		for _, child := range f.Nodes[i].Children {
			c, ok := index[child]
			if !ok || c <= i { // V8 writes callers first
				return nil, fmt.Errorf("node %d has the child %d", f.Nodes[i].ID, child)
			}
			parent[c] = i
		}
	}
	callers := make([]profile.StackID, len(f.Nodes)) // below each node
	stacks := make([]profile.StackID, len(f.Nodes))
	for i := range f.Nodes {
		if callers[i] = profile.NoStack; parent[i] >= 0 {
			callers[i] = stacks[parent[i]]
		}
		stacks[i] = f.push(r, i, callers[i], 0)
	}
	seen := make([]int64, len(f.Nodes))
	now := 0.0
	for i, id := range f.Samples {
		n, ok := index[id]
		if !ok {
			return nil, fmt.Errorf("sample %d is of no node", i)
		}
		if now += f.TimeDeltas[i]; math.Abs(now) > 1e15 {
			return nil, errors.New("times are out of range")
		}
		if seen[n]++; seen[n] > f.Nodes[n].HitCount {
			continue // taken for V8's own purposes
		}
		stack := stacks[n]
		if line := f.line(n, seen[n]); line > 0 {
			stack = f.push(r, n, callers[n], line)
		}
		r.add(time.Duration(now*1e3), stack, 1, profile.KindOfPseudo(f.Nodes[n].CallFrame.FunctionName))
	}
	return r, nil
}

// push puts a node's function on a stack, if it is in the script.
func (f *v8Profile) push(r *recording, node int, caller profile.StackID, line int32) profile.StackID {
	c := &f.Nodes[node].CallFrame
	if name := path.Base(c.URL); name != "bundle.js" && name != "bundle.mjs" || c.LineNumber < 0 {
		return caller
	}
	return r.push(caller, functable.Position{Line: c.LineNumber + 1, Column: c.ColumnNumber + 1}, functable.Position{Line: line})
}

// line is the line of the node's nth hit. Hits are counted by line, in no order.
func (f *v8Profile) line(node int, nth int64) int32 {
	for _, t := range f.Nodes[node].PositionTicks {
		if nth -= t.Ticks; nth <= 0 {
			return t.Line
		}
	}
	return 0
}
