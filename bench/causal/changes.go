package causal

import (
	"fmt"
	"strings"
)

// Change is a real optimization of one function, in the text of the bundle.
type Change struct {
	Function string // its readable name
	What     string
	Anchor   string // where the function begins, before and after; the bundle has it once
	Edits    []Edit
}

// Edit replaces a text that the bundle has exactly once.
type Edit struct{ Old, New string }

func (c *Change) apply(text string) (string, error) {
	for _, e := range c.Edits {
		if n := strings.Count(text, e.Old); n != 1 {
			return "", fmt.Errorf("the bundle has %q %d times, not once: the optimization has lost its place", e.Old, n)
		}
		text = strings.Replace(text, e.Old, e.New, 1)
	}
	return text, nil
}

// changes are the optimizations, by program.
var changes = map[string]*Change{}
