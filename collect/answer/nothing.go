package answer

import "errors"

// ErrNothing says that nothing ran in the selection, so that there is nothing to hold to budgets.
var ErrNothing = errors.New("nothing ran in this time, in the sessions that were profiled")
