package functable

import "sort"

// Find returns the index of the innermost function that executes at a position
// of the deployed text: a binary search, then a climb to the enclosing function
// while the position is after the end of the one before it. Outside every
// function, and for a zero or wild position, that is 0, the script.
//
// A method executes from its `(` on; the computed name before it is the
// enclosing function's business.
func (t *Table) Find(p Position) int {
	// The first function that begins after p; the one we want is before it.
	i := sort.Search(len(t.Functions), func(i int) bool { return p.Before(t.Functions[i].Start) }) - 1
	for i > 0 && !t.Functions[i].executes(p) {
		i = int(t.Functions[i].Parent)
	}
	return max(0, i)
}

func (f *Function) executes(p Position) bool {
	if !p.Before(f.End) {
		return false
	}
	switch f.Kind {
	case Method, Getter, Setter, Constructor:
		return f.Definition.IsZero() || !p.Before(f.Definition)
	}
	return true
}
