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
// owner on top; without a stack they get the stack of their pseudo-function. The others
// become Own (or Idle, Program), so attributing twice changes nothing.
func Attribute(p *Profile, r Rule) *Profile {
	var b Builder
	b.like(p)
	owners := Owners{p: p, rule: r, idleKnown: p.Meta.IdleKnown}
	owners.climb()
	p = owners.nearest.marked(p)
	stacks := newCopier(p, &b)
	for i := range p.Len() {
		s := p.Sample(i)
		if s.Stack, s.Kind = owners.Of(s.Stack, s.Kind); s.Stack != NoStack {
			s.Stack = stacks.stack(s.Stack)
		} else {
			s.Stack = b.Pseudo(NoStack, s.Kind.PseudoName())
		}
		b.Sample(s)
	}
	return b.Profile()
}

// Owners knows whose time samples are, as Attribute does, while the profile is built.
type Owners struct {
	p         *Profile // more stacks may be added
	rule      Rule
	idleKnown bool
	nearest   climber
}

// Owners attributes samples whose stacks are in the Builder. idleKnown is the field of Meta.
func (b *Builder) Owners(r Rule, idleKnown bool) *Owners {
	return &Owners{p: &b.p, rule: r, idleKnown: idleKnown}
}

// Of returns the stack with the owner of a sample's time on top, and the kind that the
// sample has then. If there is no stack, the kind has a pseudo-function.
func (o *Owners) Of(s StackID, kind Kind) (StackID, Kind) {
	switch kind {
	case Entry, Loop, Exit:
		nobody := Program
		if kind == Entry && o.enteredFrom(s) {
			s = o.p.Stacks.Parent[s]
			if !o.idleKnown { // the host was on its way to call it
				nobody = Idle
			}
		}
		o.climb()
		if s = o.nearest.of(s); s == NoStack {
			return NoStack, nobody
		}
		return s, Own
	}
	if s == NoStack && kind.PseudoName() == "" { // an unknown function
		kind = Program
	}
	return s, kind
}

// enteredFrom reports whether a sample taken at the entry of the function on top
// belongs to its caller.
func (o *Owners) enteredFrom(s StackID) bool {
	if s == NoStack || o.rule == OwnFrame {
		return false
	}
	return o.rule == CallerFrame || o.p.Functions.Flags[o.p.Frames.Function[o.p.Stacks.Frame[s]]]&FilledFirst == 0
}

// climb extends nearest to all stacks of the profile.
func (o *Owners) climb() {
	p := o.p
	o.nearest = slices.Grow(o.nearest, len(p.Stacks.Parent)-len(o.nearest))
	for i := len(o.nearest); i < len(p.Stacks.Parent); i++ { // parents come first
		owner := StackID(i)
		if p.Functions.Flags[p.Frames.Function[p.Stacks.Frame[i]]]&Checked == 0 {
			owner = o.nearest.of(p.Stacks.Parent[i])
		}
		o.nearest = append(o.nearest, owner)
	}
}

// climber is the nearest checked frame of every stack.
type climber []StackID

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
