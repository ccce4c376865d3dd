package truth

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
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

// v8Tick is the unit of weights of V8's samples, which say when they were taken.
const v8Tick = time.Microsecond

// NoInlining are the options with which V8 inlines nothing: what its sampler needs to
// see each function, and what a profile needs to be of the same program.
var NoInlining = []string{"--no-turbo-inlining", "--no-maglev-inlining"}

// noInliningInChromium is Chromium's argument for them.
func noInliningInChromium() string { return "--js-flags=" + strings.Join(NoInlining, " ") }

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
		options = append(options, NoInlining...)
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
	r := newRecording(script)
	if err := readV8(text, r); err != nil {
		return nil, fmt.Errorf("node's profile: %w", err)
	}
	p, err := r.profile(profile.Meta{Interval: v8Tick, Engine: "node", Program: program.Path, Clock: "V8's CpuProfiler"})
	return &Run{Profile: p, Interval: interval, CPU: result.CPU, Output: output.Bytes()}, err
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
func readV8(text []byte, r *recording) error {
	var f v8Profile
	if err := json.Unmarshal(text, &f); err != nil {
		return err
	}
	if len(f.Samples) != len(f.TimeDeltas) {
		return fmt.Errorf("%d samples with %d times", len(f.Samples), len(f.TimeDeltas))
	}
	index, stacks, err := f.stacks(r)
	if err != nil {
		return err
	}
	seen := make([]int64, len(f.Nodes))
	now := 0.0
	var taken []v8Sample
	for i, id := range f.Samples {
		n, ok := index[id]
		if !ok {
			return fmt.Errorf("sample %d is of no node", i)
		}
		if now += f.TimeDeltas[i]; math.Abs(now) > 1e15 {
			return errors.New("times are out of range")
		}
		if seen[n]++; seen[n] > f.Nodes[n].HitCount {
			continue // taken for V8's own purposes
		}
		s := v8Sample{now, stacks[n].at, profile.KindOfPseudo(f.Nodes[n].CallFrame.FunctionName)}
		if stacks[n].prints {
			s.stack, s.kind = profile.NoStack, profile.Program
		} else if line := f.line(n, seen[n]); line > 0 {
			s.stack = f.push(r, n, stacks[n].caller, line)
		}
		taken = append(taken, s)
	}
	weighByTime(taken, r)
	return nil
}

// v8Sample is one sample, at a time in microseconds.
type v8Sample struct {
	time  float64
	stack profile.StackID
	kind  profile.Kind
}

// weighByTime adds samples with the time that each represents: half of what passed since
// the one before, and half of what passes to the next. V8 does not keep its interval,
// least of all where the machine is busy.
func weighByTime(taken []v8Sample, r *recording) {
	slices.SortStableFunc(taken, func(a, b v8Sample) int { return cmp.Compare(a.time, b.time) })
	for i, s := range taken {
		before, next := max(i-1, 0), min(i+1, len(taken)-1)
		weight := 1.0
		if next > before {
			weight = (taken[next].time - taken[before].time) / float64(next-before)
		}
		r.add(time.Duration(s.time*1e3), s.stack, int32(min(max(math.Round(weight), 1), math.MaxInt32)), s.kind)
	}
}

// v8Stack is the stack of a node, and that below it. On one that prints, the page's
// script is on top: it blocks the program meanwhile, which costs no function time.
type v8Stack struct {
	at, caller profile.StackID
	prints     bool
}

// stacks are the stacks of all nodes, and their indexes by ID.
func (f *v8Profile) stacks(r *recording) (index map[int64]int, stacks []v8Stack, err error) {
	index, stacks = map[int64]int{}, make([]v8Stack, len(f.Nodes))
	parent := make([]int, len(f.Nodes))
	for i := range f.Nodes {
		index[f.Nodes[i].ID] = i
		parent[i] = -1
	}
	for i := range f.Nodes {
		for _, child := range f.Nodes[i].Children {
			c, ok := index[child]
			if !ok || c <= i { // V8 writes callers first
				return nil, nil, fmt.Errorf("node %d has the child %d", f.Nodes[i].ID, child)
			}
			parent[c] = i
		}
	}
	for i := range f.Nodes {
		s := v8Stack{caller: profile.NoStack}
		if p := parent[i]; p >= 0 {
			s.caller, s.prints = stacks[p].at, stacks[p].prints
		}
		s.at = f.push(r, i, s.caller, 0)
		switch {
		case strings.HasSuffix(f.Nodes[i].CallFrame.URL, pageScript):
			s.prints = true
		case s.at != s.caller:
			s.prints = false
		}
		stacks[i] = s
	}
	return index, stacks, nil
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
