package functable

import "fmt"

// Check reports the first fault of a table that would mislead Find: a first
// entry that is not the script, an order or nesting that does not hold, a
// position before the text.
func (t *Table) Check() error {
	if len(t.Functions) == 0 {
		return fmt.Errorf("function table of %q: has no entry for the script", t.File)
	}
	for i := range t.Functions {
		if fault := t.fault(i); fault != "" {
			return fmt.Errorf("function table of %q: function %d: %s", t.File, i, fault)
		}
	}
	return nil
}

func (t *Table) fault(i int) string {
	f, d := &t.Functions[i], t.Functions[i].Definition
	switch {
	case (f.Kind == Script) != (i == 0):
		return fmt.Sprintf("kind %d: the script, and only it, is entry 0", f.Kind)
	case f.Kind > Initializer:
		return fmt.Sprintf("unknown kind %d", f.Kind)
	case f.Sites >= Exit<<1:
		return fmt.Sprintf("unknown sites %#x", f.Sites)
	case f.Statements < 0:
		return fmt.Sprintf("%d statements", f.Statements)
	case f.Start.Line < 1 || f.Start.Column < 1:
		return fmt.Sprintf("starts at %s, positions count from 1", f.Start)
	case f.End.Before(f.Start):
		return fmt.Sprintf("ends at %s, before its start at %s", f.End, f.Start)
	case !d.IsZero() && (d.Before(f.Start) || f.End.Before(d)):
		return fmt.Sprintf("is defined at %s, outside %s to %s", d, f.Start, f.End)
	case i == 0 && f.Parent != -1:
		return fmt.Sprintf("the script has parent %d, want -1", f.Parent)
	case i == 0:
		return ""
	case f.Start.Before(t.Functions[i-1].Start):
		return fmt.Sprintf("starts at %s, before function %d at %s", f.Start, i-1, t.Functions[i-1].Start)
	case f.Parent < 0 || int(f.Parent) >= i:
		return fmt.Sprintf("parent %d, want 0 to %d", f.Parent, i-1)
	}
	if p := &t.Functions[f.Parent]; f.Start.Before(p.Start) || p.End.Before(f.End) {
		return fmt.Sprintf("%s to %s is not inside its parent %d, %s to %s", f.Start, f.End, f.Parent, p.Start, p.End)
	}
	return ""
}
