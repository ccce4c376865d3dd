package gojahost

import "github.com/dop251/goja"

// frameID and stackID index the tables of a recorder. A stack is its top frame
// and its caller's stack; noStack is the caller of the outermost frame.
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

// stacks interns captured stacks. Frames stay as goja gives them, to be
// formatted when the profile is made: that costs a hundred times more.
type stacks struct {
	frames   []goja.StackFrame
	frameIDs map[goja.StackFrame]frameID
	nodes    []node
	nodeIDs  map[node]stackID

	// The stack captured last, outermost frame first, with the id of the stack
	// at each depth. Most samples share all but their innermost frames with
	// the one before, and comparing is many times cheaper than looking up.
	last    []goja.StackFrame
	lastIDs []stackID
}

func newStacks() *stacks {
	return &stacks{frameIDs: map[goja.StackFrame]frameID{}, nodeIDs: map[node]stackID{}}
}

// intern returns the id of a stack that is given as goja captures it, with the
// innermost frame first. An empty one is noStack.
func (s *stacks) intern(captured []goja.StackFrame) stackID {
	depth, shared := len(captured), 0
	for shared < depth && shared < len(s.last) && captured[depth-1-shared] == s.last[shared] {
		shared++
	}
	s.last, s.lastIDs = s.last[:shared], s.lastIDs[:shared]
	id := noStack
	if shared > 0 {
		id = s.lastIDs[shared-1]
	}
	for i := depth - 1 - shared; i >= 0; i-- {
		id = s.node(node{id, s.frame(captured[i])})
		s.last = append(s.last, captured[i])
		s.lastIDs = append(s.lastIDs, id)
	}
	return id
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

func (s *stacks) node(n node) stackID {
	id, ok := s.nodeIDs[n]
	if !ok {
		id = stackID(len(s.nodes))
		s.nodes = append(s.nodes, n)
		s.nodeIDs[n] = id
	}
	return id
}
