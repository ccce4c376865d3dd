package profile

import "slices"

// copier brings the stacks of a profile into a Builder as they are asked for,
// so that anything that no sample needs is left out.
type copier struct {
	from *Profile
	to   *Builder
	// frame makes the frame of a copied stack; nil copies it.
	frame func(FrameID) FrameID

	functions []FunctionID // what became of each, -1: not yet asked for
	frames    []FrameID
	stacks    []StackID
	path      []StackID
}

func newCopier(from *Profile, to *Builder) *copier {
	return &copier{from: from, to: to,
		functions: slices.Repeat([]FunctionID{-1}, len(from.Functions.Name)),
		frames:    slices.Repeat([]FrameID{-1}, len(from.Frames.Function)),
		stacks:    slices.Repeat([]StackID{-1}, len(from.Stacks.Parent)),
	}
}

func (c *copier) stack(s StackID) StackID {
	c.path = c.path[:0]
	for s != NoStack && c.stacks[s] < 0 {
		c.path = append(c.path, s)
		s = c.from.Stacks.Parent[s]
	}
	at := NoStack
	if s != NoStack {
		at = c.stacks[s]
	}
	for i := len(c.path) - 1; i >= 0; i-- {
		s := c.path[i]
		at = c.to.Stack(at, c.mapFrame(c.from.Stacks.Frame[s]))
		c.stacks[s] = at
	}
	return at
}

func (c *copier) mapFrame(f FrameID) FrameID {
	if c.frames[f] < 0 {
		if c.frame != nil {
			c.frames[f] = c.frame(f)
		} else {
			t := &c.from.Frames
			c.frames[f] = c.to.Frame(c.function(t.Function[f]), t.Line[f], t.Column[f])
		}
	}
	return c.frames[f]
}

func (c *copier) function(f FunctionID) FunctionID {
	if c.functions[f] < 0 {
		c.functions[f] = c.to.Function(c.from.Function(f))
	}
	return c.functions[f]
}
