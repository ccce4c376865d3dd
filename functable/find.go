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
	// The first function that begins after p; the wanted one precedes it.
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
