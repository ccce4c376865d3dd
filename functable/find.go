package functable

import "sort"

// Find returns the index of the innermost function that executes at a position
// of the deployed text: a binary search, then a climb to the enclosing function
// while the position is past the end of the candidate. Outside every function, and
// for a zero or wild position, it returns 0, the script.
//
// A method executes from its `(` on; its computed name is evaluated by the enclosing
// function.
func (t *Table) Find(p Position) int {
	i := t.last(p)
	for i > 0 && !t.Functions[i].executes(p) {
		i = int(t.Functions[i].Parent)
	}
	return max(0, i)
}

// Beginning returns the index of the function of which an engine says that it begins
// at a position, or has its parameters there; where none does, what Find returns. A
// script, which has no name, may begin where its first function does; a method begins
// after `static`, before its name.
func (t *Table) Beginning(p Position, isNamed bool) int {
	if !isNamed && len(t.Functions) > 0 && p == t.Functions[0].Start {
		return 0
	}
	if i := t.last(p); i > 0 && t.Functions[i].isMethod() && !t.Functions[i].Definition.Before(p) {
		return i
	}
	return t.Find(p)
}

// last returns the index of the last function that begins at p or before it; -1 if none does.
func (t *Table) last(p Position) int {
	return sort.Search(len(t.Functions), func(i int) bool { return p.Before(t.Functions[i].Start) }) - 1
}

func (f *Function) executes(p Position) bool {
	if !p.Before(f.End) {
		return false
	}
	return !f.isMethod() || f.Definition.IsZero() || !p.Before(f.Definition)
}

func (f *Function) isMethod() bool {
	switch f.Kind {
	case Method, Getter, Setter, Constructor:
		return true
	}
	return false
}
