package gojahost

import "github.com/dop251/goja"

// frameID and stackID index the tables of captured stacks. A stack is its top
// frame and its caller's stack; noStack is the caller of the outermost frame.
type (
	frameID int32
	stackID int32
)

const noStack stackID = -1

// node is one stack in the trie.
type node struct {
	caller stackID
	frame  frameID
}

// stacks interns captured stacks. Frames stay as goja returns them, and are formatted
// when the profile is made: that costs a hundred times more.
type stacks struct {
	frames   []goja.StackFrame
	frameIDs map[goja.StackFrame]frameID
	nodes    []node
	nodeIDs  map[node]stackID
	limit    int // of nodes
	// recent holds the callee seen last, for the root (first) and for each node. Most
	// of a stack is the same as the last time its caller was seen, and comparing a frame
	// is many times cheaper than looking it up.
	recent []stackID
}

func newStacks(limit int) *stacks {
	return &stacks{
		frameIDs: map[goja.StackFrame]frameID{},
		nodeIDs:  map[node]stackID{},
		recent:   []stackID{noStack},
		limit:    limit,
	}
}

// intern returns the id of a stack as goja captures it, with the innermost frame first.
// The empty stack is noStack. It fails if the stack is new and there is no room.
func (s *stacks) intern(captured []goja.StackFrame) (stackID, bool) {
	id := noStack
	for i := len(captured) - 1; i >= 0; i-- {
		callee := s.recent[id+1]
		if callee == noStack || s.frames[s.nodes[callee].frame] != captured[i] {
			known := false
			if callee, known = s.node(node{id, s.frame(captured[i])}); !known {
				return noStack, false
			}
			s.recent[id+1] = callee
		}
		id = callee
	}
	return id, true
}

func (s *stacks) frame(f goja.StackFrame) frameID {
	id, ok := s.frameIDs[f]
	if !ok {
		id = frameID(len(s.frames))
		s.frames = append(s.frames, f)
		s.frameIDs[f] = id
	}
	return id
}

func (s *stacks) node(n node) (stackID, bool) {
	id, ok := s.nodeIDs[n]
	if !ok {
		if len(s.nodes) >= s.limit {
			return noStack, false
		}
		id = stackID(len(s.nodes))
		s.nodes = append(s.nodes, n)
		s.nodeIDs[n] = id
		s.recent = append(s.recent, noStack)
	}
	return id, true
}

// seal drops what only intern needs.
func (s *stacks) seal() { s.frameIDs, s.nodeIDs, s.recent = nil, nil, nil }
