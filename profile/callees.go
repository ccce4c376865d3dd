package profile

// callees finds the stacks that a stack calls. Most call a few, which are a list: to follow it
// costs a fraction of a map's look-up where there are hundreds of thousands of stacks, because
// it touches less memory.
type callees struct {
	first []StackID            // by caller, that of the outermost frames first; NoStack: none
	next  []StackID            // of the same caller
	more  map[stackKey]StackID // those that would make a list long
}

type stackKey struct {
	caller StackID
	frame  FrameID
}

// maxListed is how many callees of a caller are in its list.
const maxListed = 8

// find returns the callee with a frame, or NoStack, and how many callees the list has.
func (c *callees) find(t *Stacks, caller StackID, frame FrameID) (id StackID, listed int) {
	if int(caller)+1 >= len(c.first) {
		return NoStack, 0
	}
	for id = c.first[caller+1]; id != NoStack; id = c.next[id] {
		if t.Frame[id] == frame {
			return id, listed
		}
		listed++
	}
	if listed < maxListed {
		return NoStack, listed
	}
	if id, ok := c.more[stackKey{caller, frame}]; ok {
		return id, listed
	}
	return NoStack, listed
}

// add adds a stack that find has not found. Stacks are added in the order of their ids.
func (c *callees) add(id, caller StackID, frame FrameID, listed int) {
	if c.first == nil {
		c.first = []StackID{NoStack}
	}
	c.first, c.next = append(c.first, NoStack), append(c.next, NoStack)
	if listed == maxListed {
		if c.more == nil {
			c.more = map[stackKey]StackID{}
		}
		c.more[stackKey{caller, frame}] = id
		return
	}
	c.next[id], c.first[caller+1] = c.first[caller+1], id
}
