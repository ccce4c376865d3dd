package cpuprofile

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// SelfTime says how long the samples of others last, on which viewers disagree.
// Our files come to the same by either.
type SelfTime uint8

const (
	// ByHits is DevTools' table: a node has its hits times the mean interval.
	ByHits SelfTime = iota
	// ToNext is what VS Code, xsbug and speedscope do, and DevTools in its
	// timeline: a sample lasts to the next one.
	ToNext
)

// Read reads a profile written by Write, V8 or DevTools; foreign samples last as
// DevTools does.
func Read(r io.Reader) (*profile.Profile, error) { return ReadAs(r, ByHits) }

// ReadAs reads a profile, and says how long samples of others last.
func ReadAs(r io.Reader, self SelfTime) (*profile.Profile, error) {
	var p *profile.Profile
	f, err := readFile(r)
	if err == nil {
		p, err = f.Profile(self)
	}
	if err != nil {
		return nil, fmt.Errorf("cpuprofile: %w", err)
	}
	return p, nil
}

// Profile makes a profile of the file, which must not be used afterwards.
func (f *File) Profile(self SelfTime) (*profile.Profile, error) {
	f.completeEnd()
	switch {
	case len(f.Nodes) == 0:
		return nil, errors.New(`"nodes" is missing or empty`)
	case f.EndTime < f.StartTime:
		return nil, fmt.Errorf("endTime %v is before startTime %v", f.EndTime, f.StartTime)
	case !(f.EndTime-f.StartTime <= math.MaxInt64/1e4):
		return nil, fmt.Errorf("from startTime %v to endTime %v is too long", f.StartTime, f.EndTime)
	}
	t := &reader{f: f}
	if err := t.link(); err != nil {
		return nil, err
	}
	if err := t.build(); err != nil {
		return nil, err
	}
	if err := t.samples(self); err != nil {
		return nil, err
	}
	p := t.b.Profile()
	return p, p.CheckValid()
}

// completeEnd finds out the end of a file that does not say it: the last sample lasts for the mean of the deltas.
func (f *File) completeEnd() {
	n := f.Deltas()
	if f.EndTime != 0 || n == 0 {
		return
	}
	sum := 0.0
	for i := range n {
		sum += f.deltas.at(i)
	}
	if n > 1 {
		sum += (sum - f.FirstDelta()) / float64(n-1)
	}
	f.EndTime = f.StartTime + max(0, sum)
}

type reader struct {
	f      *File
	b      profile.Builder
	index  index
	parent []int32 // of a node; -1: none
	order  []int32 // all nodes, parents first
	// For each node: its function, its stack, the stack below, and the kind of
	// a sample on it.
	functions []profile.FunctionID
	stacks    []profile.StackID
	callers   []profile.StackID
	kinds     []profile.Kind
	deals     []*deal // of its lines; nil for a node without, or for all
}

// link finds every node's parent, and an order of the nodes.
func (t *reader) link() error {
	nodes := t.f.Nodes
	t.index = newIndex(nodes)
	t.parent = make([]int32, len(nodes))
	for i := range nodes {
		if first, ok := t.index.of(nodes[i].ID); ok {
			return fmt.Errorf("nodes[%d]: id %d is also the id of nodes[%d]", i, nodes[i].ID, first)
		}
		t.index.set(nodes[i].ID, int32(i))
		t.parent[i] = -1
	}
	adopt := func(parent, child int32) error {
		if p := t.parent[child]; p >= 0 && p != parent {
			return fmt.Errorf("nodes[%d]: a child of nodes[%d] and of nodes[%d]", child, p, parent)
		}
		t.parent[child] = parent
		return nil
	}
	for i := range nodes {
		for _, id := range nodes[i].Children {
			child, ok := t.index.of(id)
			if !ok {
				return fmt.Errorf("nodes[%d]: child %d is not a node", i, id)
			}
			if err := adopt(int32(i), child); err != nil {
				return err
			}
		}
		if nodes[i].HasParent {
			parent, ok := t.index.of(nodes[i].Parent)
			if !ok {
				return fmt.Errorf("nodes[%d]: parent %d is not a node", i, nodes[i].Parent)
			}
			if err := adopt(parent, int32(i)); err != nil {
				return err
			}
		}
	}
	var cycle int32
	if t.order, cycle = codec.CallersFirst(t.parent); cycle >= 0 {
		return fmt.Errorf("nodes[%d]: id %d is part of a cycle", cycle, nodes[cycle].ID)
	}
	return nil
}

func (t *reader) isRoot(n int32) bool {
	c := &t.f.Nodes[n]
	return t.parent[n] < 0 && c.Name == profile.NameRoot && c.URL == ""
}

// build makes the stack of every node.
func (t *reader) build() error {
	t.functions = make([]profile.FunctionID, len(t.f.Nodes))
	t.stacks = make([]profile.StackID, len(t.f.Nodes))
	t.callers = make([]profile.StackID, len(t.f.Nodes))
	t.kinds = make([]profile.Kind, len(t.f.Nodes))
	for _, n := range t.order {
		t.callers[n] = codec.StackAt(t.stacks, t.parent[n])
		if t.isRoot(n) {
			t.stacks[n], t.kinds[n] = profile.NoStack, profile.Program
			continue
		}
		f, err := t.function(n)
		if err != nil {
			return err
		}
		t.functions[n], t.kinds[n] = t.b.Function(f), codec.Kind(f)
		t.stacks[n] = t.b.Stack(t.callers[n], t.b.Frame(t.functions[n], 0, 0))
	}
	return nil
}

func (t *reader) function(n int32) (profile.Function, error) {
	c := &t.f.Nodes[n]
	f := profile.Function{Name: c.Name, File: c.URL}
	for _, v := range []struct {
		name string
		from float64
		to   *int32
	}{{"lineNumber", c.Line, &f.Line}, {"columnNumber", c.Column, &f.Column}} {
		if !(v.from >= -1 && v.from < math.MaxInt32) {
			return f, fmt.Errorf("nodes[%d]: %s %v is out of range", n, v.name, v.from)
		}
		*v.to = int32(v.from) + 1
	}
	if e := t.f.own; e != nil && int(n) < len(e.flags) {
		f.Flags = e.flags[n]
		return f, nil
	}
	top := t.parent[n] < 0 || t.isRoot(t.parent[n])
	switch {
	case c.URL == "" && profile.IsPseudoName(c.Name) && (top || c.Name == profile.NameNative):
		f.Flags = profile.Pseudo
		f.Line, f.Column = 0, 0
	case c.URL != "" && c.Line == 0 && c.Column == 0 && (c.Name == "" || c.Name == profile.DisplayAnonymous):
		// So V8 describes a script's top level, and Node a CommonJS module's.
		f.Name, f.Flags = "", profile.TopLevel
	case c.Name == profile.DisplayAnonymous:
		f.Name = ""
	case c.URL == profile.NameNative: // so Write and its like call the host's code
		f.Flags = profile.NativeCode
	}
	return f, nil
}
