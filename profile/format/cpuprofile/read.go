package cpuprofile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// file is a .cpuprofile as JSON holds it, as far as it is read.
type file struct {
	Nodes      []fileNode      `json:"nodes"`
	StartTime  float64         `json:"startTime"` // microseconds
	EndTime    float64         `json:"endTime"`
	Samples    list[int64]     `json:"samples"` // node ids
	TimeDeltas list[float64]   `json:"timeDeltas"`
	Head       json.RawMessage `json:"head"`
	Fieldprof  *extension      `json:"fieldprof"`
}

type fileNode struct {
	ID        int64 `json:"id"`
	CallFrame struct {
		FunctionName string  `json:"functionName"`
		URL          string  `json:"url"`
		LineNumber   float64 `json:"lineNumber"` // from 0, −1: unknown
		ColumnNumber float64 `json:"columnNumber"`
	} `json:"callFrame"`
	HitCount int64   `json:"hitCount"`
	Children []int64 `json:"children"`
	Parent   *int64  `json:"parent"` // some tools write this instead
}

// Read reads a profile written by Write, V8 or DevTools.
func Read(r io.Reader) (*profile.Profile, error) {
	var f file
	dec := json.NewDecoder(r)
	if err := dec.Decode(&f); err != nil {
		if err == io.EOF {
			err = errors.New("the file is empty")
		}
		return nil, fmt.Errorf("cpuprofile: byte %d: %w", dec.InputOffset(), err)
	}
	p, err := f.profile()
	if err == nil {
		err = p.CheckValid()
	}
	if err != nil {
		return nil, fmt.Errorf("cpuprofile: %w", err)
	}
	return p, nil
}

func (f *file) profile() (*profile.Profile, error) {
	switch {
	case len(f.Nodes) == 0 && f.Head != nil:
		return nil, errors.New(`the old form, with a nested "head" instead of "nodes", is not supported`)
	case len(f.Nodes) == 0:
		return nil, errors.New(`"nodes" is missing or empty`)
	case f.EndTime < f.StartTime:
		return nil, fmt.Errorf("endTime %v is before startTime %v", f.EndTime, f.StartTime)
	case f.EndTime-f.StartTime > math.MaxInt64/1e4:
		return nil, fmt.Errorf("from startTime %v to endTime %v is too long", f.StartTime, f.EndTime)
	}
	t := &reader{f: f}
	if err := t.link(); err != nil {
		return nil, err
	}
	if err := t.build(); err != nil {
		return nil, err
	}
	if f.Fieldprof != nil {
		if err := f.Fieldprof.check(f); err != nil {
			return nil, err
		}
		err := t.ownSamples()
		return t.b.Profile(), err
	}
	err := t.foreignSamples()
	return t.b.Profile(), err
}

type reader struct {
	f      *file
	b      profile.Builder
	index  map[int64]int32 // of a node by id
	parent []int32         // of a node; -1: none
	order  []int32         // all nodes, parents first
	// For each node: its function, its stack, the stack below, and the kind of
	// a sample on it.
	functions []profile.FunctionID
	stacks    []profile.StackID
	callers   []profile.StackID
	kinds     []profile.Kind
}

// link finds every node's parent, and an order of the nodes.
func (t *reader) link() error {
	nodes := t.f.Nodes
	t.index = make(map[int64]int32, len(nodes))
	t.parent = make([]int32, len(nodes))
	for i := range nodes {
		if first, ok := t.index[nodes[i].ID]; ok {
			return fmt.Errorf("nodes[%d]: id %d is that of nodes[%d], too", i, nodes[i].ID, first)
		}
		t.index[nodes[i].ID] = int32(i)
		t.parent[i] = -1
	}
	children := make([][]int32, len(nodes))
	adopt := func(parent, child int32) error {
		if p := t.parent[child]; p >= 0 && p != parent {
			return fmt.Errorf("nodes[%d]: a child of nodes[%d] and of nodes[%d]", child, p, parent)
		} else if p == parent {
			return nil
		}
		t.parent[child] = parent
		children[parent] = append(children[parent], child)
		return nil
	}
	for i := range nodes {
		for _, id := range nodes[i].Children {
			child, ok := t.index[id]
			if !ok {
				return fmt.Errorf("nodes[%d]: child %d is no node", i, id)
			}
			if err := adopt(int32(i), child); err != nil {
				return err
			}
		}
		if id := nodes[i].Parent; id != nil {
			parent, ok := t.index[*id]
			if !ok {
				return fmt.Errorf("nodes[%d]: parent %d is no node", i, *id)
			}
			if err := adopt(parent, int32(i)); err != nil {
				return err
			}
		}
	}
	for i, p := range t.parent {
		if p < 0 {
			t.order = append(t.order, int32(i))
		}
	}
	for i := 0; i < len(t.order); i++ {
		t.order = append(t.order, children[t.order[i]]...)
	}
	if len(t.order) < len(nodes) {
		reached := make([]bool, len(nodes))
		for _, n := range t.order {
			reached[n] = true
		}
		for i := range nodes {
			if !reached[i] {
				return fmt.Errorf("nodes[%d]: id %d is part of a cycle, or called from one", i, nodes[i].ID)
			}
		}
	}
	return nil
}

func (t *reader) isRoot(n int32) bool {
	c := &t.f.Nodes[n].CallFrame
	return t.parent[n] < 0 && c.FunctionName == profile.NameRoot && c.URL == ""
}

// build makes the stack of every node.
func (t *reader) build() error {
	t.functions = make([]profile.FunctionID, len(t.f.Nodes))
	t.stacks = make([]profile.StackID, len(t.f.Nodes))
	t.callers = make([]profile.StackID, len(t.f.Nodes))
	t.kinds = make([]profile.Kind, len(t.f.Nodes))
	for _, n := range t.order {
		t.callers[n] = profile.NoStack
		if p := t.parent[n]; p >= 0 {
			t.callers[n] = t.stacks[p]
		}
		if t.isRoot(n) {
			t.stacks[n], t.kinds[n] = profile.NoStack, profile.Program
			continue
		}
		f, err := t.function(n)
		if err != nil {
			return err
		}
		if f.Flags&profile.Pseudo != 0 {
			t.kinds[n] = profile.KindOfPseudo(f.Name)
		}
		t.functions[n] = t.b.Function(f)
		t.stacks[n] = t.b.Stack(t.callers[n], t.b.Frame(t.functions[n], 0, 0))
	}
	return nil
}

func (t *reader) function(n int32) (profile.Function, error) {
	c := &t.f.Nodes[n].CallFrame
	f := profile.Function{Name: c.FunctionName, File: c.URL}
	for _, v := range []struct {
		name string
		from float64
		to   *int32
	}{{"lineNumber", c.LineNumber, &f.Line}, {"columnNumber", c.ColumnNumber, &f.Column}} {
		if !(v.from >= -1 && v.from < math.MaxInt32) {
			return f, fmt.Errorf("nodes[%d]: %s %v is out of range", n, v.name, v.from)
		}
		*v.to = int32(v.from) + 1
	}
	if e := t.f.Fieldprof; e != nil && int(n) < len(e.Flags) {
		f.Flags = profile.Flags(e.Flags[n])
		return f, nil
	}
	top := t.parent[n] < 0 || t.isRoot(t.parent[n])
	switch {
	case c.URL == "" && profile.IsPseudoName(c.FunctionName) && (top || c.FunctionName == profile.NameNative):
		f.Flags = profile.Pseudo
		f.Line, f.Column = 0, 0
	case c.URL != "" && c.LineNumber == 0 && c.ColumnNumber == 0 && (c.FunctionName == "" || c.FunctionName == profile.DisplayAnonymous):
		// So V8 describes a script's top level, and Node a CommonJS module's.
		f.Name, f.Flags = "", profile.TopLevel
	case c.FunctionName == profile.DisplayAnonymous:
		f.Name = ""
	}
	return f, nil
}

// ownSamples takes the samples as the extension has them.
func (t *reader) ownSamples() error {
	e := t.f.Fieldprof
	t.b.Meta = e.Meta
	at, now := 0, int64(0)
	for i, w := range e.Samples.Weight {
		n, ok := t.index[t.f.Samples[at]]
		if !ok {
			return fmt.Errorf("samples[%d]: %d is no node", at, t.f.Samples[at])
		}
		at += int(w)
		now += get(e.Samples.Time, i)
		kind, _ := profile.ParseKind(e.Kinds[get(e.Samples.Kind, i)])
		stack := t.stacks[n]
		if line, column := get(e.Samples.Line, i), get(e.Samples.Column, i); stack != profile.NoStack && (line != 0 || column != 0) {
			stack = t.b.Stack(t.callers[n], t.b.Frame(t.functions[n], line, column))
		}
		t.b.Sample(profile.Sample{Time: now, Stack: stack, Weight: w, Kind: kind, Skid: get(e.Samples.Skid, i)})
	}
	return nil
}

// foreignSamples takes each entry for one tick of the mean interval.
func (t *reader) foreignSamples() error {
	f := t.f
	duration := f.EndTime - f.StartTime
	t.b.Meta.Duration = time.Duration(duration * 1e3)
	if len(f.Samples) == 0 {
		return t.hits()
	}
	if n := len(f.TimeDeltas); n != 0 && n != len(f.Samples) {
		return fmt.Errorf("timeDeltas: %d for %d samples", n, len(f.Samples))
	}
	ticks, left := t.ticks()
	interval := duration * 1e3 / float64(max(1, ticks))
	t.b.Meta.Interval = time.Duration(math.Round(interval))
	now := 0.0
	for i, id := range f.Samples {
		n, ok := t.index[id]
		if !ok {
			return fmt.Errorf("samples[%d]: %d is no node", i, id)
		}
		if f.TimeDeltas != nil {
			now += f.TimeDeltas[i] * 1e3
		} else {
			now = float64(i) * interval
		}
		if !(math.Abs(now) < math.MaxInt64/2) {
			return fmt.Errorf("timeDeltas[%d]: the sum of deltas, %v, is out of range", i, now/1e3)
		}
		if left != nil {
			if left[n]--; left[n] < 0 {
				continue
			}
		}
		t.b.Sample(profile.Sample{Time: max(0, int64(now)), Stack: t.stacks[n], Weight: 1, Kind: t.kinds[n]})
	}
	return nil
}

// ticks is the number of samples that are ticks, and how many of them each node
// has; nil when all samples are.
func (t *reader) ticks() (ticks int, left []int64) {
	left = make([]int64, len(t.f.Nodes))
	for _, id := range t.f.Samples {
		if n, ok := t.index[id]; ok {
			left[n]++
		}
	}
	for i := range left {
		hits := t.f.Nodes[i].HitCount
		if hits < 0 || hits > left[i] {
			return len(t.f.Samples), nil // the counts are of something else
		}
		left[i] = hits
		ticks += int(hits)
	}
	if ticks == 0 { // the file has no counts
		return len(t.f.Samples), nil
	}
	return ticks, left
}

// hits takes the hit counts of a file without samples, in order of nodes.
func (t *reader) hits() error {
	var all int64
	for i := range t.f.Nodes {
		h := t.f.Nodes[i].HitCount
		if h < 0 || h > math.MaxInt64-all {
			return fmt.Errorf("nodes[%d]: hitCount %d", i, h)
		}
		all += h
	}
	if all > math.MaxInt32<<10 {
		return fmt.Errorf("%d hits are more than a profile holds", all)
	}
	t.b.Meta.Interval = time.Duration(math.Round((t.f.EndTime - t.f.StartTime) * 1e3 / float64(max(1, all))))
	for i := range t.f.Nodes {
		t.b.Add(profile.Sample{Stack: t.stacks[i], Kind: t.kinds[i]}, t.f.Nodes[i].HitCount)
	}
	return nil
}
