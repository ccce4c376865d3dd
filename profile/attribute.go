package profile

import "slices"

// Rule says which frame of a sample's stack owns its self time.
type Rule uint8

// The rules. They differ only in samples taken at function entry.
const (
	// BySite: the kind of the check decides. The caller spent the time before an
	// entry check, unless the engine filled the function's parameters first
	// (FilledFirst); time before a loop or exit check is the function's own.
	BySite Rule = iota
	// OwnFrame: every sample belongs to the function that took it, as in
	// Facebook's profiler.
	OwnFrame
	// CallerFrame: an entry sample always belongs to the caller.
	CallerFrame
)

// Attribute returns the profile with every stack cut down to the owner of its
// sample's time.
//
// The rule names a frame. From there outwards, the owner is the nearest frame whose
// function is Checked: the time of other functions counts in their nearest checked
// caller. An entry sample without such a caller fell before the host called the
// function, when nothing ran: it becomes (idle), unless the host itself detects idle
// time (Meta.IdleKnown). Any other sample without a checked frame becomes (program).
//
// A checked function that had functions without checks above it is marked
// HoldsOthers.
//
// Samples of the kinds Own, Native, Idle, GC, Program and Lost already have their
// owner on top; without a stack they get that of their pseudo-function. The others
// become Own (or Idle, Program), so attributing twice changes nothing.
func Attribute(p *Profile, r Rule) *Profile {
	var b Builder
	b.Meta = p.Meta
	owners := newClimber(p)
	p = owners.marked(p)
	stacks := newCopier(p, &b)
	for i := range p.Len() {
		s := p.Sample(i)
		owner := s.Stack
		switch s.Kind {
		case Entry, Loop, Exit:
			s.Kind = Own
			top := owner
			if entersFrom(p, s.Stack, i, r) {
				top = p.Stacks.Parent[top]
				if s.Kind = Idle; p.Meta.IdleKnown { // unless a checked caller is found
					s.Kind = Program
				}
			}
			if owner = owners.of(top); owner != NoStack {
				s.Kind = Own
			} else if s.Kind != Idle {
				s.Kind = Program
			}
		}
		switch {
		case owner != NoStack:
			s.Stack = stacks.stack(owner)
		case s.Kind.PseudoName() != "":
			s.Stack = b.Pseudo(NoStack, s.Kind.PseudoName())
		default: // Own, and no stack: an unknown function
			s.Kind, s.Stack = Program, b.Pseudo(NoStack, NameProgram)
		}
		b.Sample(s)
	}
	return b.Profile()
}

// entersFrom reports whether sample i, taken with the stack s, belongs to the
// caller of the function on top.
func entersFrom(p *Profile, s StackID, i int, r Rule) bool {
	if p.Samples.Kind[i] != Entry || s == NoStack || r == OwnFrame {
		return false
	}
	top := p.Frames.Function[p.Stacks.Frame[s]]
	return r == CallerFrame || p.Functions.Flags[top]&FilledFirst == 0
}

// climber knows the nearest checked frame of every stack.
type climber []StackID

func newClimber(p *Profile) climber {
	c := make(climber, len(p.Stacks.Parent))
	for i, parent := range p.Stacks.Parent { // parents come first
		if p.Functions.Flags[p.Frames.Function[p.Stacks.Frame[i]]]&Checked != 0 {
			c[i] = StackID(i)
		} else {
			c[i] = c.of(parent)
		}
	}
	return c
}

// marked is the profile with HoldsOthers set on functions that have functions without
// checks above them.
func (c climber) marked(p *Profile) *Profile {
	marked := *p
	marked.Functions.Flags = slices.Clone(p.Functions.Flags)
	for s, owner := range c {
		top := p.Functions.Flags[p.Frames.Function[p.Stacks.Frame[s]]]
		if owner != NoStack && top&(Checked|Pseudo|NativeCode) == 0 {
			marked.Functions.Flags[p.Frames.Function[p.Stacks.Frame[owner]]] |= HoldsOthers
		}
	}
	return &marked
}

func (c climber) of(s StackID) StackID {
	if s == NoStack {
		return NoStack
	}
	return c[s]
}
