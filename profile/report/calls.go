package report

import (
	"cmp"
	"slices"

	"github.com/fieldprof/fieldprof/profile"
)

// calls are the stacks of a profile as a tree of calls: a node stands for all
// stacks of the same functions, wherever execution was in them. Nodes come as a
// flame graph has them from left to right: each is followed by what it calls, the
// heaviest first. So their depths say which function calls which, and the page has its first
// picture in one pass.
type calls struct {
	depth []int32
	fn    []profile.FunctionID
	node  []int32 // of each stack; −1 for one without samples
}

func callsOf(p *profile.Profile) calls {
	m := merged(p)
	first, list := m.children()
	c := calls{depth: make([]int32, 0, len(m.fn)), fn: make([]profile.FunctionID, 0, len(m.fn))}
	// Stacks may be deeper than a recursion.
	type place struct{ node, depth int32 }
	open := make([]place, 0, 64)
	push := func(node int, depth int32) {
		for _, child := range slices.Backward(list[first[node]:first[node+1]]) {
			open = append(open, place{child, depth})
		}
	}
	renamed := make([]int32, len(m.fn))
	push(len(m.fn), 0)
	for len(open) > 0 {
		at := open[len(open)-1]
		open = open[:len(open)-1]
		renamed[at.node] = int32(len(c.fn))
		c.depth, c.fn = append(c.depth, at.depth), append(c.fn, m.fn[at.node])
		push(int(at.node), at.depth+1)
	}
	c.node = m.of
	for stack, node := range c.node {
		if node >= 0 {
			c.node[stack] = renamed[node]
		}
	}
	return c
}

// tree has callers before those they call.
type tree struct {
	parent []int32
	fn     []profile.FunctionID
	total  []int64
	of     []int32 // the node of each stack
}

// merged makes one node of stacks with the same functions, and none of those
// without samples.
func merged(p *profile.Profile) *tree {
	count := len(p.Stacks.Parent)
	self, total := make([]int64, count), make([]int64, count)
	for i, stack := range p.Samples.Stack {
		if stack >= 0 {
			self[stack] += int64(p.Samples.Weight[i])
		}
	}
	copy(total, self)
	for stack, parent := range slices.Backward(p.Stacks.Parent) {
		if parent >= 0 {
			total[parent] += total[stack]
		}
	}
	type call struct {
		caller int32
		fn     profile.FunctionID
	}
	known := make(map[call]int32)
	t := &tree{of: make([]int32, count)}
	for stack, parent := range p.Stacks.Parent {
		if t.of[stack] = -1; total[stack] == 0 {
			continue
		}
		c := call{-1, p.Frames.Function[p.Stacks.Frame[stack]]}
		if parent >= 0 {
			c.caller = t.of[parent]
		}
		node, ok := known[c]
		if !ok {
			node = int32(len(t.fn))
			known[c] = node
			t.parent, t.fn, t.total = append(t.parent, c.caller), append(t.fn, c.fn), append(t.total, 0)
		}
		t.of[stack] = node
		t.total[node] += total[stack]
	}
	return t
}

// children lists the children of node n from first[n] to first[n+1], the heaviest first;
// the last node's are the outermost.
func (t *tree) children() (first, list []int32) {
	count := int32(len(t.parent))
	at := func(n int) int32 {
		if t.parent[n] < 0 {
			return count
		}
		return t.parent[n]
	}
	first, list = make([]int32, count+2), make([]int32, count)
	for n := range t.parent {
		first[at(n)+1]++
	}
	for n := range first[1:] {
		first[n+1] += first[n]
	}
	next := slices.Clone(first)
	for n := range t.parent {
		parent := at(n)
		list[next[parent]] = int32(n)
		next[parent]++
	}
	for n := range first[1:] {
		if siblings := list[first[n]:first[n+1]]; len(siblings) > 1 {
			slices.SortFunc(siblings, func(a, b int32) int {
				return cmp.Or(cmp.Compare(t.total[b], t.total[a]), cmp.Compare(a, b))
			})
		}
	}
	return first, list
}
