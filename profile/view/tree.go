package view

import (
	"cmp"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Direction says which way a call tree grows.
type Direction uint8

const (
	// TopDown trees grow from callers to what they call.
	TopDown Direction = iota
	// BottomUp trees grow from the functions that had the time to their callers.
	BottomUp
)

// String is the direction as the command line spells it.
func (d Direction) String() string {
	if d == BottomUp {
		return "bottom-up"
	}
	return "top-down"
}

// TreeOptions choose what is in a call tree. The zero value leaves nothing out
// that has time.
type TreeOptions struct {
	// Focus begins the tree at the functions that fit: top down at the outermost
	// one of each sample, bottom up at each. Nil is every sample's outermost
	// function, and every function with self time.
	Focus func(profile.Function) bool
	// Depth is the number of levels; 0 is all of them.
	Depth int
	// MinPercent leaves out what has less, in percent of all ticks: of total time
	// top down, of self time bottom up (of total time with Focus).
	MinPercent float64
}

// Tree is a call tree.
type Tree struct {
	Direction Direction
	Ticks     int64 // of all samples, those included that are not in the tree
	Interval  time.Duration
	Roots     []*Node
	Hidden    Hidden // roots that were left out
	// Cut says that a bottom-up tree would have been too large, and ends early.
	Cut bool

	tick profile.TickTime
}

// Node is a function in a call tree.
//
// Top down it is one path of calls from the root. Total is the ticks of the samples
// on this path, Self those that went no further; a function that calls itself has a
// node inside its own.
//
// Bottom up, the nodes on the path to it called each other, ending at the root of
// the tree. Total is the ticks of the samples in which they did, Self those in
// which that root was on top. A sample in which the root occurs several times
// counts once, by the innermost one, so the callers' shares add up to the whole.
type Node struct {
	Function profile.FunctionID
	Name     string // as displayed, not fit for a terminal: see Printable
	File     string
	Line     int32 // where it is defined, 0 when unknown
	// HoldsOthers: its time includes that of functions without checks.
	HoldsOthers bool

	Self, Total int64 // ticks
	Children    []*Node
	Hidden      Hidden // children that were left out
}

// Hidden sums up what a tree leaves out at one place.
type Hidden struct {
	Nodes       int
	Self, Total int64 // ticks
}

func (h *Hidden) add(self, total int64) {
	h.Nodes++
	h.Self += self
	h.Total += total
}

// NewTree returns the call tree of a profile. Children are in order of total
// time top down and with Focus, of self time bottom up.
func NewTree(p *profile.Profile, d Direction, o TreeOptions) *Tree {
	t := &Tree{Direction: d, Interval: p.Meta.Interval, Ticks: p.Samples.Ticks(), tick: p.TickTime()}
	if d == BottomUp {
		growUp(p, o, t)
	} else {
		growDown(p, o, t)
	}
	return t
}

// enough is the number of ticks below which a node is left out; always above 0.
func (t *Tree) enough(o TreeOptions) int64 {
	least := o.MinPercent / 100 * float64(t.Ticks)
	n := int64(least)
	if float64(n) < least {
		n++
	}
	return max(n, 1)
}

func newNode(p *profile.Profile, f profile.FunctionID, self, total int64) *Node {
	return &Node{Function: f, Name: p.DisplayName(f), File: p.Strings[p.Functions.File[f]], Line: p.Functions.Line[f], HoldsOthers: holdsOthers(p, f), Self: self, Total: total}
}

// sortNodes puts the nodes with most time first, by total or by self.
func sortNodes(nodes []*Node, bySelf bool) {
	slices.SortFunc(nodes, func(x, y *Node) int {
		order := cmp.Or(cmp.Compare(y.Total, x.Total), cmp.Compare(y.Self, x.Self))
		if bySelf {
			order = cmp.Or(cmp.Compare(y.Self, x.Self), cmp.Compare(y.Total, x.Total))
		}
		return cmp.Or(order, cmp.Compare(x.Name, y.Name), cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line),
			cmp.Compare(x.Function, y.Function))
	})
}

// fitting says for each function whether it fits; all do without a filter.
func fitting(p *profile.Profile, fits func(profile.Function) bool) []bool {
	out := make([]bool, len(p.Functions.Name))
	for f := range out {
		out[f] = fits == nil || fits(p.Function(profile.FunctionID(f)))
	}
	return out
}

// Walk calls visit for each node of the tree, callers before their children, with
// its depth from 0. Trees may be millions deep, so it does not recurse.
func (t *Tree) Walk(visit func(n *Node, depth int)) {
	type step struct {
		node  *Node
		depth int
	}
	var open []step
	push := func(nodes []*Node, depth int) {
		for _, n := range slices.Backward(nodes) {
			open = append(open, step{n, depth})
		}
	}
	push(t.Roots, 0)
	for len(open) > 0 {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		visit(s.node, s.depth)
		push(s.node.Children, s.depth+1)
	}
}
