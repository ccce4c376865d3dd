package profile

import "slices"

// pseudoNames are the names of the pseudo-functions.
var pseudoNames = []string{NameRoot, NameProgram, NameIdle, NameGC, NameNative, NameHost, NameLost}

// IsPseudoName reports whether a name is spelled like a pseudo-function's. A
// program can name a method so, too: only Flags can tell the two apart.
func IsPseudoName(name string) bool { return slices.Contains(pseudoNames, name) }

// pseudoOf is the pseudo-function that a kind of sample charges when it has no stack.
var pseudoOf = [...]string{Native: NameNative, Idle: NameIdle, GC: NameGC, Program: NameProgram, Lost: NameLost}

// PseudoName is the pseudo-function that a kind of sample charges when it has
// no stack: (idle), (garbage collector), (program), (lost), (native); "" for
// the kinds that must have a stack.
func (k Kind) PseudoName() string {
	if int(k) < len(pseudoOf) {
		return pseudoOf[k]
	}
	return ""
}

// IsBusy reports whether something ran when a stack was taken: it is no (idle) and
// no (lost) time.
func (p *Profile) IsBusy(s StackID) bool {
	if s == NoStack {
		return false
	}
	f := p.Frames.Function[p.Stacks.Frame[s]]
	if p.Functions.Flags[f]&Pseudo == 0 {
		return true
	}
	name := p.Strings[p.Functions.Name[f]]
	return name != NameIdle && name != NameLost
}

// KindOfPseudo is the kind of a sample whose stack has a pseudo-function on top,
// as far as its name tells.
func KindOfPseudo(name string) Kind {
	if name == NameRoot || name == NameHost {
		return Program
	}
	return Kind(max(0, slices.Index(pseudoOf[:], name))) // 0 is Own
}

var kindNames = [...]string{Own: "own", Entry: "entry", Loop: "loop", Exit: "exit",
	Native: "native", Idle: "idle", GC: "gc", Program: "program", Lost: "lost"}

// String is the kind in one lower-case word.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// ParseKind is the inverse of Kind.String.
func ParseKind(s string) (Kind, bool) {
	k := slices.Index(kindNames[:], s)
	return Kind(max(0, k)), k >= 0
}

// RuntimeKinds are the kinds of sample as the runtime numbers them: those of check
// sites come first (runtime/src/core/kinds.ts).
var RuntimeKinds = [...]Kind{Entry, Loop, Exit, Idle, Program, GC}

// KindNames are the texts of all kinds, by kind.
func KindNames() []string { return slices.Clone(kindNames[:]) }

// The names that views give to functions without one.
const (
	DisplayAnonymous = "(anonymous)"
	DisplayTopLevel  = "(top level)"
)

// DisplayName is what views call a function: its name, "(top level)" for the
// code of a script outside its functions, "(anonymous)" for any other function
// without a name. The name comes from the program and may hold anything.
func (p *Profile) DisplayName(f FunctionID) string {
	name := p.Strings[p.Functions.Name[f]]
	switch {
	case name != "":
		return name
	case p.Functions.Flags[f]&TopLevel != 0:
		return DisplayTopLevel
	}
	return DisplayAnonymous
}
