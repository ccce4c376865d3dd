package view

import "github.com/fieldprof/fieldprof/profile"

// maxSteps bounds the work on a bottom-up tree, which, unlike a top-down one, can
// be as large as the square of its profile: a step is a stack at a node, and a
// node has at least one. A larger tree is cut (Tree.Cut).
const maxSteps = 1 << 22

// origin is where the samples of a bottom-up node are: a stack whose top is the
// node's function, and the ticks that came from above by it.
type origin struct {
	stack       profile.StackID
	self, total int64
}

// climb is a bottom-up node whose callers are to be found.
type climb struct {
	node    *Node
	depth   int
	origins []origin
}

// growUp fills a bottom-up tree, level by level.
func growUp(p *profile.Profile, o TreeOptions, t *Tree) {
	enough, steps := t.enough(o), 0
	measure := func(n *Node) int64 { return n.Self }
	if o.Focus != nil {
		measure = func(n *Node) int64 { return n.Total }
	}
	// keep keeps the large nodes, and sums up the others.
	keep := func(all []*climb, children *[]*Node, hidden *Hidden, depth int) (kept []*climb) {
		for _, c := range all {
			switch {
			case measure(c.node) == 0:
			case measure(c.node) < enough || o.Depth > 0 && depth >= o.Depth:
				hidden.add(c.node.Self, c.node.Total)
			default:
				c.depth = depth
				*children = append(*children, c.node)
				kept = append(kept, c)
			}
		}
		sortNodes(*children, o.Focus == nil)
		return kept
	}
	open := keep(tops(p, o), &t.Roots, &t.Hidden, 0)
	for len(open) > 0 {
		c := open[0]
		open = open[1:]
		if steps += len(c.origins); steps > maxSteps {
			t.Cut = true
			return
		}
		open = append(open, keep(callers(p, c.origins), &c.node.Children, &c.node.Hidden, c.depth+1)...)
	}
}

// tops returns the roots of a bottom-up tree: each function, and the stacks on
// whose top it is.
func tops(p *profile.Profile, o TreeOptions) []*climb {
	self := make([]int64, len(p.Stacks.Parent))
	for i, s := range p.Samples.Stack {
		if s != profile.NoStack {
			self[s] += int64(p.Samples.Weight[i])
		}
	}
	through := append([]int64(nil), self...) // ticks with this stack or one above it
	for s := len(through) - 1; s >= 0; s-- {
		if parent := p.Stacks.Parent[s]; parent != profile.NoStack {
			through[parent] += through[s]
		}
	}
	innermost := append([]int64(nil), through...) // without those of the same function above it
	for s, below := range sameBelow(p) {
		if below != profile.NoStack {
			innermost[below] -= through[s]
		}
	}
	fits := fitting(p, o.Focus)
	roots := make([]*climb, len(p.Functions.Name))
	var out []*climb
	for s := range self {
		f := p.Frames.Function[p.Stacks.Frame[s]]
		if innermost[s] == 0 || !fits[f] {
			continue
		}
		if roots[f] == nil {
			roots[f] = &climb{node: newNode(p, f, 0, 0)}
			out = append(out, roots[f])
		}
		roots[f].add(origin{profile.StackID(s), self[s], innermost[s]})
	}
	return out
}

func (c *climb) add(o origin) {
	c.node.Self += o.self
	c.node.Total += o.total
	c.origins = append(c.origins, o)
}

// callers goes one call down all stacks, and merges stacks that have become the same,
// and those with the same function on top.
func callers(p *profile.Profile, origins []origin) []*climb {
	met := make(map[profile.StackID]int, len(origins))
	var below []origin
	for _, o := range origins {
		parent := p.Stacks.Parent[o.stack]
		if parent == profile.NoStack {
			continue
		}
		i, ok := met[parent]
		if !ok {
			i = len(below)
			met[parent] = i
			below = append(below, origin{stack: parent})
		}
		below[i].self += o.self
		below[i].total += o.total
	}
	byFunction := make(map[profile.FunctionID]*climb)
	var out []*climb
	for _, o := range below {
		f := p.Frames.Function[p.Stacks.Frame[o.stack]]
		c := byFunction[f]
		if c == nil {
			c = &climb{node: newNode(p, f, 0, 0)}
			byFunction[f] = c
			out = append(out, c)
		}
		c.add(o)
	}
	return out
}
