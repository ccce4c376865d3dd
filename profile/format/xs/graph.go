package xs

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fieldprof/fieldprof/profile"
)

// The first nodes, and XS's name for the collector.
const (
	hostID = 0
	gcID   = 1
	nameGC = "(gc)"
)

// graph says which function calls which.
type graph struct {
	p       *profile.Profile
	nodes   []node
	byFunc  []int32 // node of a function of the profile; −1: not yet one
	callees []map[int32]bool
}

type node struct {
	function profile.Function
	children []int32 // in the order in which they were met; none that closes a cycle
	hits     int64
}

// newGraph has the edges of all stacks of samples.
func newGraph(p *profile.Profile) *graph {
	g := &graph{p: p, byFunc: slices.Repeat([]int32{-1}, len(p.Functions.Name))}
	g.add(profile.Function{Name: profile.NameHost, Flags: profile.Pseudo})
	g.add(profile.Function{Name: nameGC, Flags: profile.Pseudo})
	met := make([]bool, len(p.Stacks.Parent))
	for _, s := range p.Samples.Stack {
		for ; s != profile.NoStack && !met[s]; s = p.Stacks.Parent[s] {
			met[s] = true
		}
	}
	for s, up := range p.Stacks.Parent {
		if !met[s] {
			continue
		}
		callee, caller := g.node(profile.StackID(s)), int32(hostID)
		if up != profile.NoStack {
			caller = g.node(up)
		}
		if callee != hostID && callee != caller && !g.callees[caller][callee] {
			if g.callees[caller] == nil {
				g.callees[caller] = make(map[int32]bool)
			}
			g.callees[caller][callee] = true
			g.nodes[caller].children = append(g.nodes[caller].children, callee)
		}
	}
	g.cut()
	return g
}

func (g *graph) add(f profile.Function) int32 {
	g.nodes = append(g.nodes, node{function: f})
	g.callees = append(g.callees, nil)
	return int32(len(g.nodes) - 1)
}

// node returns the node of the function on top of a stack.
func (g *graph) node(s profile.StackID) int32 {
	f := g.p.Frames.Function[g.p.Stacks.Frame[s]]
	if g.byFunc[f] < 0 {
		switch function := g.p.Function(f); {
		case function.Flags&profile.Pseudo == 0:
			g.byFunc[f] = g.add(function)
		case function.Name == profile.NameGC:
			g.byFunc[f] = gcID
		default:
			g.byFunc[f] = hostID
		}
	}
	return g.byFunc[f]
}

// of is the node of a sample.
func (g *graph) of(i int) int32 {
	switch s := g.p.Samples.Stack[i]; {
	case s != profile.NoStack:
		return g.node(s)
	case g.p.Samples.Kind[i] == profile.GC:
		return gcID
	}
	return hostID
}

// cut leaves out the edges that close a cycle, walking down from the host. Every
// function stays where the walk reaches it.
func (g *graph) cut() {
	const fresh, open, done = 0, 1, 2
	state := make([]uint8, len(g.nodes))
	type level struct {
		node, next int32
		kept       []int32
	}
	walk := []level{{node: hostID}}
	state[hostID] = open
	for len(walk) > 0 {
		l := &walk[len(walk)-1]
		children := g.nodes[l.node].children
		if int(l.next) == len(children) {
			slices.Sort(l.kept)
			g.nodes[l.node].children = l.kept
			state[l.node] = done
			walk = walk[:len(walk)-1]
			continue
		}
		child := children[l.next]
		l.next++
		if state[child] == open {
			continue
		}
		l.kept = append(l.kept, child)
		if state[child] == fresh {
			state[child] = open
			walk = append(walk, level{node: child})
		}
	}
}

// name is what XS calls a node's function.
func (n *node) name(id int32) string {
	f := n.function
	switch {
	case f.Flags&profile.NativeCode != 0 && f.Name != "":
		return "@" + strings.TrimPrefix(f.Name, "@")
	case f.Flags&profile.NativeCode != 0:
		return "@anonymous-" + strconv.Itoa(int(id))
	case f.Name == "" && f.Flags&profile.TopLevel == 0:
		return "(anonymous-" + strconv.Itoa(int(id)) + ")"
	}
	return f.Name
}

// function is the inverse of name, for the files of XS, too.
func (n *fileNode) function() profile.Function {
	f := profile.Function{Name: n.CallFrame.FunctionName, File: n.CallFrame.URL, Line: max(0, int32(n.CallFrame.LineNumber)+1)}
	if f.Line > 0 && n.CallFrame.ColumnNumber >= 0 {
		f.Column = int32(n.CallFrame.ColumnNumber) + 1
	}
	switch {
	case n.ID == hostID:
		return profile.Function{Name: profile.NameHost, Flags: profile.Pseudo}
	case n.ID == gcID:
		return profile.Function{Name: profile.NameGC, Flags: profile.Pseudo}
	case strings.HasPrefix(f.Name, "@") && f.File == "":
		f.Name, f.Flags = f.Name[1:], profile.NativeCode
		f.Line, f.Column = 0, 0
	case isNumbered(f.Name, "(anonymous-", ")"):
		f.Name = ""
	case f.Name == "" && f.File != "":
		f.Flags = profile.TopLevel
	}
	return f
}

func isNumbered(name, before, behind string) bool {
	rest, ok := strings.CutPrefix(name, before)
	if !ok {
		return false
	}
	number, ok := strings.CutSuffix(rest, behind)
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}
