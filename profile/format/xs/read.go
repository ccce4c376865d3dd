package xs

import (
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/durations"
)

// Bounds on the stacks that Read spells out: XS writes which function calls which, and few
// functions make many stacks.
const (
	MaxFrames = 1 << 26 // of all samples
	MaxStacks = 1 << 21 // that differ
)

// Read reads a profile of XS, or one written by Write.
func Read(r io.Reader) (*profile.Profile, error) {
	var f file
	if err := codec.Decode(r, math.MaxInt64, &f); err != nil {
		return codec.Checked("xs", nil, err)
	}
	p, err := f.profile()
	return codec.Checked("xs", p, err)
}

func (f *file) profile() (*profile.Profile, error) {
	if len(f.Nodes) == 0 {
		return nil, errors.New(`"nodes" is missing`)
	}
	if f.Fieldprof != nil {
		return f.Fieldprof.profile(f)
	}
	c := &callers{f: f}
	if err := c.link(); err != nil {
		return nil, err
	}
	lasted, err := f.lasted()
	if err != nil {
		return nil, err
	}
	owners := make([]int32, len(f.Samples))
	for i, id := range f.Samples {
		n, ok := c.index[id]
		if !ok {
			return nil, fmt.Errorf("samples[%d]: %d is not a node", i, id)
		}
		owners[i] = n
	}
	counter := durations.Counter{Tick: durations.Tick(len(lasted), func(i int) int64 { return lasted[i] })}
	if counter.Tick > 0 && int64(length(lasted))/counter.Tick > codec.MaxTicks {
		return nil, fmt.Errorf("timeDeltas: %v are more ticks of %v than a profile holds", length(lasted), time.Duration(counter.Tick))
	}
	c.b.Meta.Interval, c.b.Meta.Exact = time.Duration(counter.Tick), true
	c.b.Meta.Duration = time.Duration((f.EndTime - f.StartTime) * 1e3)
	now := int64(0)
	for i, n := range owners {
		now += lasted[i]
		if ticks := counter.Count(lasted[i]); ticks > 0 {
			s, err := c.stack(n)
			if err != nil {
				return nil, fmt.Errorf("samples[%d]: %w", i, err)
			}
			c.b.Add(profile.Sample{Time: now, Stack: s, Kind: c.kinds[n]}, ticks)
		}
	}
	return c.b.Profile(), nil
}

// lasted are the nanoseconds from each sample to the next, or to the end.
func (f *file) lasted() ([]int64, error) {
	n := len(f.Samples)
	if len(f.TimeDeltas) != n {
		return nil, fmt.Errorf("timeDeltas: %d for %d samples", len(f.TimeDeltas), n)
	}
	length := f.EndTime - f.StartTime
	if !(length >= 0 && length < maxMicros) || math.Abs(f.StartTime) > 1e18 {
		return nil, fmt.Errorf("endTime: %v, with a startTime of %v", f.EndTime, f.StartTime)
	}
	lasted, sum := make([]int64, n), 0.0
	for i, d := range f.TimeDeltas {
		if !(d >= 0) || sum+d > maxMicros {
			return nil, fmt.Errorf("timeDeltas[%d]: %v", i, d)
		}
		sum += d
		if i > 0 {
			lasted[i-1] = int64(math.Round(d * 1e3))
		}
	}
	if n > 0 {
		lasted[n-1] = int64(math.Round(max(0, length-sum) * 1e3))
	}
	return lasted, nil
}

// length returns the length of all samples.
func length(lasted []int64) (all time.Duration) {
	for _, l := range lasted {
		all += time.Duration(l)
	}
	return all
}

// maxMicros is the longest profile that is read.
const maxMicros = durations.Limit / 1e3

// callers finds the stacks of functions.
type callers struct {
	f         *file
	b         profile.Builder
	index     map[int64]int32 // of a node by id
	callers   [][]int32       // of a node, none for the host's own
	next      []int           // caller whose turn it is
	functions []profile.FunctionID
	kinds     []profile.Kind
	spelled   int     // frames
	path      []int32 // of the stack that is built
}

// link finds which function calls which, and refuses cycles.
func (c *callers) link() error {
	nodes := c.f.Nodes
	c.index = make(map[int64]int32, len(nodes))
	for i := range nodes {
		if first, ok := c.index[nodes[i].ID]; ok {
			return fmt.Errorf("nodes[%d]: id %d is also the id of nodes[%d]", i, nodes[i].ID, first)
		}
		c.index[nodes[i].ID] = int32(i)
		for name, v := range map[string]float64{"lineNumber": nodes[i].CallFrame.LineNumber, "columnNumber": nodes[i].CallFrame.ColumnNumber} {
			if !(v >= -1 && v < math.MaxInt32-1) {
				return fmt.Errorf("nodes[%d]: %s %v is out of range", i, name, v)
			}
		}
	}
	n := len(nodes)
	c.callers, c.next, c.functions, c.kinds = make([][]int32, n), make([]int, n), make([]profile.FunctionID, n), make([]profile.Kind, n)
	waits := make([]int, n) // callers of a node that have not been visited
	for i := range nodes {
		for _, id := range nodes[i].Children {
			child, ok := c.index[id]
			if !ok {
				return fmt.Errorf("nodes[%d]: child %d is not a node", i, id)
			}
			c.callers[child] = append(c.callers[child], int32(i))
			waits[child]++
		}
		f := nodes[i].function()
		c.functions[i], c.kinds[i] = c.b.Function(f), codec.Kind(f)
	}
	var order []int32
	for i := range nodes {
		if waits[i] == 0 {
			order = append(order, int32(i))
		}
	}
	for at := 0; at < len(order); at++ {
		for _, id := range nodes[order[at]].Children {
			if child := c.index[id]; waits[child] == 1 {
				order = append(order, child)
				waits[child] = 0
			} else {
				waits[child]--
			}
		}
	}
	if len(order) < n {
		for i := range nodes {
			if waits[i] > 0 {
				return fmt.Errorf("nodes[%d]: id %d is part of a cycle, or called from one", i, nodes[i].ID)
			}
		}
	}
	return nil
}

// stack returns the stack of a sample of a node: its callers' turns are taken.
func (c *callers) stack(n int32) (profile.StackID, error) {
	path := append(c.path[:0], n)
	for {
		over := c.callers[n]
		if len(over) == 0 {
			break
		}
		turn := c.next[n]
		c.next[n] = (turn + 1) % len(over)
		if n = over[turn]; c.f.Nodes[n].ID == hostID {
			break
		}
		path = append(path, n)
	}
	c.path = path
	if c.spelled += len(path); c.spelled > MaxFrames {
		return 0, fmt.Errorf("more than %d frames in all stacks", MaxFrames)
	}
	if c.b.Stacks() > MaxStacks {
		return 0, fmt.Errorf("more than %d stacks", MaxStacks)
	}
	if top := path[0]; c.kinds[top] == profile.GC {
		path = path[:1]
	}
	s := profile.NoStack
	for i := len(path) - 1; i >= 0; i-- {
		s = c.b.Stack(s, c.b.Frame(c.functions[path[i]], 0, 0))
	}
	return s, nil
}
