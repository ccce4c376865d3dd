package profile

// Folded is the number of ticks that Fold moves to the callers of hidden functions.
func Folded(p *Profile, hide func(Function) bool) (ticks int64) {
	hidden := make([]bool, len(p.Functions.Name))
	for f := range hidden {
		hidden[f] = hide(p.Function(FunctionID(f)))
	}
	for i, s := range p.Samples.Stack {
		if s != NoStack && hidden[p.Frames.Function[p.Stacks.Frame[s]]] {
			ticks += int64(p.Samples.Weight[i])
		}
	}
	return ticks
}

// Fold returns the profile without the frames of the functions for which hide is true.
// Their time becomes their caller's, as if they had been part of it; without a caller
// it becomes (program).
func Fold(p *Profile, hide func(Function) bool) *Profile {
	hidden := make([]bool, len(p.Functions.Name))
	for f := range hidden {
		hidden[f] = hide(p.Function(FunctionID(f)))
	}
	var b Builder
	b.like(p)
	c := newCopier(p, &b)
	folded := make([]StackID, len(p.Stacks.Parent)) // in b, NoStack when nothing stays
	stack := func(s StackID) StackID {
		if s == NoStack {
			return NoStack
		}
		return folded[s]
	}
	for s, parent := range p.Stacks.Parent { // parents come first
		frame := p.Stacks.Frame[s]
		folded[s] = stack(parent)
		if !hidden[p.Frames.Function[frame]] {
			folded[s] = b.Stack(folded[s], c.mapFrame(frame))
		}
	}
	for i := range p.Len() {
		s := p.Sample(i)
		onTop := s.Stack != NoStack && hidden[p.Frames.Function[p.Stacks.Frame[s.Stack]]]
		if s.Stack = stack(s.Stack); onTop {
			s.Kind = Own
			if s.Stack == NoStack {
				s.Kind, s.Stack = Program, b.Pseudo(NoStack, NameProgram)
			}
		}
		b.Sample(s)
	}
	return b.Profile()
}
