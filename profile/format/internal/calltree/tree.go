// Package calltree turns the stacks of a profile into the tree of Chrome's formats: a
// node is a function called by a chain of functions, and samples refer to nodes.
package calltree

import (
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"slices"
)

// Tree is the calling context tree by function.
type Tree struct {
	Nodes []Node // the first is (root)

	p    *profile.Profile
	ids  map[nodeKey]int32      // index into nodes
	of   []int32                // node of a stack, -1: not yet asked for
	lone map[profile.Kind]int32 // nodes of samples without a stack
}

// Node is a function called by a chain of functions. Nodes are identified by their
// index in Tree.Nodes.
type Node struct {
	Parent   int32 // −1 of (root)
	Children []int32
	Hits     int64           // ticks with the function on top
	Lines    map[int32]int64 // the same by line, where it is known

	function profile.FunctionID // -1: (root)
}

type nodeKey struct {
	parent   int32
	function profile.FunctionID
}

// New returns a tree of nothing but (root).
func New(p *profile.Profile) *Tree {
	return &Tree{p: p, Nodes: []Node{{function: -1, Parent: -1}}, ids: make(map[nodeKey]int32), lone: make(map[profile.Kind]int32), of: slices.Repeat([]int32{-1}, len(p.Stacks.Parent))}
}

// Take counts all samples, and returns the node of each.
func (t *Tree) Take() (nodes []int32) {
	samples := &t.p.Samples
	nodes = make([]int32, t.p.Len())
	byStack := make([]int64, len(t.p.Stacks.Parent)) // for nodes lie far apart
	for i, s := range samples.Stack {
		weight := int64(samples.Weight[i])
		if s == profile.NoStack {
			nodes[i] = t.pseudo(samples.Kind[i])
			t.hit(nodes[i], 0, weight)
			continue
		}
		byStack[s] += weight
		if nodes[i] = t.of[s]; nodes[i] < 0 {
			nodes[i] = t.stack(s)
		}
	}
	for s, weight := range byStack {
		if weight > 0 {
			t.hit(t.of[s], t.p.Frames.Line[t.p.Stacks.Frame[s]], weight)
		}
	}
	return nodes
}

func (t *Tree) hit(n, line int32, weight int64) {
	node := &t.Nodes[n]
	node.Hits += weight
	if line > 0 {
		if node.Lines == nil {
			node.Lines = make(map[int32]int64)
		}
		node.Lines[line] += weight
	}
}

// stack is the node of a stack.
func (t *Tree) stack(s profile.StackID) int32 {
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

func (t *Tree) name(f profile.FunctionID) string { return t.p.Strings[t.p.Functions.Name[f]] }

// child is the node of a function called by a node's. Children without a
// function of the profile have the numbers from −2 down.
func (t *Tree) child(parent int32, f profile.FunctionID) int32 {
	key := nodeKey{parent, f}
	id, ok := t.ids[key]
	if !ok {
		id = int32(len(t.Nodes))
		t.ids[key] = id
		t.Nodes = append(t.Nodes, Node{function: f, Parent: parent})
		t.Nodes[parent].Children = append(t.Nodes[parent].Children, id)
	}
	return id
}

// pseudo is the node of a sample without a stack.
func (t *Tree) pseudo(k profile.Kind) int32 {
	name := codec.LoneName(k)
	k = profile.KindOfPseudo(name)
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

// Function is a node's function, spelled out.
func (t *Tree) Function(n int32) profile.Function {
	switch f := t.Nodes[n].function; {
	case f == -1:
		return profile.Function{Name: profile.NameRoot, Flags: profile.Pseudo}
	case f < -1:
		return profile.Function{Name: profile.Kind(-2 - f).PseudoName(), Flags: profile.Pseudo}
	default:
		return t.p.Function(f)
	}
}
