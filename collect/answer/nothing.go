package answer

import "errors"

// ErrNothing says that nothing ran in a selection: there is nothing to hold to budgets, or
// to compare.
var ErrNothing = errors.New("nothing ran in this time, in the sessions that were profiled")
