package view

import "github.com/fieldprof/fieldprof/profile"

// calls is a top-down tree in columns: the trie of stacks, in which stacks that
// differ only in positions are merged.
type calls struct {
	parent      []int32 // before its children; -1: none
	depth       []int32
	function    []profile.FunctionID
	self, total []int64
}

// growDown fills a top-down tree.
func growDown(p *profile.Profile, o TreeOptions, t *Tree) {
	c := callsOf(p, o)
	enough := t.enough(o)
	nodes := make([]*Node, len(c.parent))
	for i, parent := range c.parent {
		children, hidden := &t.Roots, &t.Hidden
		if parent >= 0 {
			if nodes[parent] == nil {
				continue // its caller is hidden, and it with that
			}
			children, hidden = &nodes[parent].Children, &nodes[parent].Hidden
		}
		switch {
		case c.total[i] == 0: // no sample needs it
		case c.total[i] < enough || o.Depth > 0 && int(c.depth[i]) >= o.Depth:
			hidden.add(c.self[i], c.total[i])
		default:
			nodes[i] = newNode(p, c.function[i], c.self[i], c.total[i])
			*children = append(*children, nodes[i])
		}
	}
	sortNodes(t.Roots, false)
	for _, n := range nodes {
		if n != nil {
			sortNodes(n.Children, false)
		}
	}
}

func callsOf(p *profile.Profile, o TreeOptions) *calls {
	type key struct {
		parent   int32
		function profile.FunctionID
	}
	c := &calls{}
	known := make(map[key]int32)
	of := make([]int32, len(p.Stacks.Parent)) // -1: not yet at a function in focus
	fits := fitting(p, o.Focus)
	for s, below := range p.Stacks.Parent { // parents come first
		parent := int32(-1)
		if below != profile.NoStack {
			parent = of[below]
		}
		f := p.Frames.Function[p.Stacks.Frame[s]]
		if parent < 0 && !fits[f] {
			of[s] = -1
			continue
		}
		k := key{parent, f}
		at, ok := known[k]
		if !ok {
			at = int32(len(c.parent))
			known[k] = at
			depth := int32(0)
			if parent >= 0 {
				depth = c.depth[parent] + 1
			}
			c.parent, c.depth, c.function = append(c.parent, parent), append(c.depth, depth), append(c.function, f)
		}
		of[s] = at
	}
	c.self, c.total = make([]int64, len(c.parent)), make([]int64, len(c.parent))
	for i, s := range p.Samples.Stack {
		if s != profile.NoStack && of[s] >= 0 {
			c.self[of[s]] += int64(p.Samples.Weight[i])
		}
	}
	for i := len(c.parent) - 1; i >= 0; i-- { // children come last
		c.total[i] += c.self[i]
		if parent := c.parent[i]; parent >= 0 {
			c.total[parent] += c.total[i]
		}
	}
	return c
}
