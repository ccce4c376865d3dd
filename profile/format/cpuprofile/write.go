package cpuprofile

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// MaxTicks bounds what Write writes: each tick is an entry of its own.
const MaxTicks = 1 << 27

// rootID is the id of the (root) node, the first.
const rootID = 1

// Write writes an attributed profile.
func Write(w io.Writer, p *profile.Profile) error {
	if err := p.CheckValid(); err != nil {
		return fmt.Errorf("cpuprofile: %w", err)
	}
	t := newTree(p)
	var ticks int64
	nodes := make([]int32, p.Len())
	for i := range nodes {
		nodes[i] = t.take(i)
		ticks += int64(p.Samples.Weight[i])
	}
	if ticks > MaxTicks {
		return fmt.Errorf("cpuprofile: %d ticks: the format holds each as an entry, and %d are the limit", ticks, MaxTicks)
	}
	interval := p.Meta.Interval
	if interval == 0 {
		interval = time.Millisecond
	}
	if ticks > 0 && int64(interval) > math.MaxInt64/ticks {
		return fmt.Errorf("cpuprofile: %d ticks of %v are more time than the format holds", ticks, interval)
	}
	out := &writer{Writer: bufio.NewWriterSize(w, 1<<16)}
	out.tree(t)
	start := int64(0)
	if !p.Meta.Start.IsZero() {
		start = p.Meta.Start.UnixMicro()
	}
	out.text(`,"startTime":`).int(start)
	out.text(`,"endTime":`).int(start + micros(ticks, interval))
	out.samples(p, nodes, ticks)
	out.deltas(ticks, interval)
	extension, err := json.Marshal(newExtension(p, t))
	if err != nil {
		return fmt.Errorf("cpuprofile: %w", err)
	}
	out.text(`,"fieldprof":`).text(string(extension)).text("}\n")
	return out.Flush()
}

// micros is the time at which a slot begins, in whole microseconds from the
// start.
func micros(slot int64, interval time.Duration) int64 {
	return slot * int64(interval) / 1000
}

// tree is the calling context tree by function.
type tree struct {
	p     *profile.Profile
	nodes []node
	ids   map[nodeKey]int32      // index into nodes
	of    []int32                // node of a stack, -1: not yet asked for
	lone  map[profile.Kind]int32 // nodes of samples without a stack
}

type node struct {
	function profile.FunctionID // -1: (root)
	children []int32
	hits     int64
	lines    map[int32]int64
}

type nodeKey struct {
	parent   int32
	function profile.FunctionID
}

func newTree(p *profile.Profile) *tree {
	t := &tree{p: p, nodes: []node{{function: -1}}, ids: make(map[nodeKey]int32), lone: make(map[profile.Kind]int32), of: make([]int32, len(p.Stacks.Parent))}
	for i := range t.of {
		t.of[i] = -1
	}
	return t
}

// take counts sample i and returns its node.
func (t *tree) take(i int) int32 {
	s := t.p.Samples.Stack[i]
	if s == profile.NoStack {
		return t.hit(t.pseudo(t.p.Samples.Kind[i]), 0, t.p.Samples.Weight[i])
	}
	return t.hit(t.stack(s), t.p.Frames.Line[t.p.Stacks.Frame[s]], t.p.Samples.Weight[i])
}

func (t *tree) hit(n, line, weight int32) int32 {
	node := &t.nodes[n]
	node.hits += int64(weight)
	if line > 0 {
		if node.lines == nil {
			node.lines = make(map[int32]int64)
		}
		node.lines[line] += int64(weight)
	}
	return n
}

// stack is the node of a stack.
func (t *tree) stack(s profile.StackID) int32 {
	var path []profile.StackID
	at := int32(0)
	for ; s != profile.NoStack; s = t.p.Stacks.Parent[s] {
		if t.of[s] >= 0 {
			at = t.of[s]
			break
		}
		path = append(path, s)
	}
	for i := len(path) - 1; i >= 0; i-- {
		f := t.p.Frames.Function[t.p.Stacks.Frame[path[i]]]
		switch {
		case t.p.Functions.Flags[f]&profile.Pseudo == 0:
			at = t.child(at, f)
		case t.name(f) == profile.NameRoot:
			at = 0
		case t.name(f) == profile.NameNative:
			at = t.child(at, f)
		default:
			at = t.child(0, f)
		}
		t.of[path[i]] = at
	}
	return at
}

func (t *tree) name(f profile.FunctionID) string { return t.p.Strings[t.p.Functions.Name[f]] }

// child is the node of a function called by a node's. Children without a
// function of the profile have the numbers from −2 down.
func (t *tree) child(parent int32, f profile.FunctionID) int32 {
	key := nodeKey{parent, f}
	id, ok := t.ids[key]
	if !ok {
		id = int32(len(t.nodes))
		t.ids[key] = id
		t.nodes = append(t.nodes, node{function: f})
		t.nodes[parent].children = append(t.nodes[parent].children, id)
	}
	return id
}

// pseudo is the node of a sample without a stack.
func (t *tree) pseudo(k profile.Kind) int32 {
	name := k.PseudoName()
	if name == "" {
		k, name = profile.Program, profile.NameProgram
	}
	if n, ok := t.lone[k]; ok {
		return n
	}
	function := -2 - profile.FunctionID(k)
	for f := range t.p.Functions.Name { // the same node when the profile has the function, too
		if t.p.Functions.Flags[f]&profile.Pseudo != 0 && t.name(profile.FunctionID(f)) == name {
			function = profile.FunctionID(f)
			break
		}
	}
	t.lone[k] = t.child(0, function)
	return t.lone[k]
}

// function is a node's function, spelled out.
func (t *tree) function(n int32) profile.Function {
	switch f := t.nodes[n].function; {
	case f == -1:
		return profile.Function{Name: profile.NameRoot, Flags: profile.Pseudo}
	case f < -1:
		return profile.Function{Name: profile.Kind(-2 - f).PseudoName(), Flags: profile.Pseudo}
	default:
		return t.p.Function(f)
	}
}

// writer writes JSON by hand: the arrays are long. Errors surface in Flush.
type writer struct {
	*bufio.Writer
	number []byte
}

func (w *writer) text(s string) *writer {
	w.WriteString(s)
	return w
}

func (w *writer) int(v int64) *writer {
	w.number = strconv.AppendInt(w.number[:0], v, 10)
	w.Write(w.number)
	return w
}

func (w *writer) quoted(s string) *writer {
	data, _ := json.Marshal(s) // a string always has a JSON form
	w.Write(data)
	return w
}

func (w *writer) tree(t *tree) {
	scripts := map[string]int64{"": 0}
	w.text(`{"nodes":[`)
	for i := range t.nodes {
		n, f := &t.nodes[i], t.function(int32(i))
		script, ok := scripts[f.File]
		if !ok {
			script = int64(len(scripts))
			scripts[f.File] = script
		}
		if i > 0 {
			w.text(",\n")
		}
		w.text(`{"id":`).int(int64(i) + rootID)
		w.text(`,"callFrame":{"functionName":`).quoted(f.Name).text(`,"scriptId":"`).int(script)
		w.text(`","url":`).quoted(f.File).text(`,"lineNumber":`).int(int64(f.Line) - 1)
		w.text(`,"columnNumber":`).int(int64(f.Column) - 1).text(`},"hitCount":`).int(n.hits)
		w.text(`,"children":[`)
		for j, c := range n.children {
			if j > 0 {
				w.text(",")
			}
			w.int(int64(c) + rootID)
		}
		w.text("]")
		if len(n.lines) > 0 {
			w.text(`,"positionTicks":[`)
			for j, line := range slices.Sorted(maps.Keys(n.lines)) {
				if j > 0 {
					w.text(",")
				}
				w.text(`{"line":`).int(int64(line)).text(`,"ticks":`).int(n.lines[line]).text("}")
			}
			w.text("]")
		}
		w.text("}")
	}
	w.text("]")
}

func (w *writer) samples(p *profile.Profile, nodes []int32, ticks int64) {
	w.text(`,"samples":[`)
	for i, n := range nodes {
		for range p.Samples.Weight[i] {
			w.int(int64(n) + rootID).text(",")
		}
	}
	if ticks > 0 {
		w.int(rootID) // closes the last slot
	}
	w.text("]")
}

func (w *writer) deltas(ticks int64, interval time.Duration) {
	w.text(`,"timeDeltas":[`)
	if ticks > 0 {
		w.text("0")
	}
	for slot := int64(1); slot <= ticks; slot++ {
		w.text(",").int(micros(slot, interval) - micros(slot-1, interval))
	}
	w.text("]")
}
