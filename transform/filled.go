package transform

import "github.com/fieldprof/fieldprof/transform/internal/jsscan"

// mostToFill is the largest N for which it matters that goja builds the arguments
// object and rest arrays: where checks are few, callers have done more since the
// previous check (docs/accuracy.md).
const mostToFill = 3

// filledFirst reports whether the engine does measurable work in f before an
// entry check can run: more than its caller is likely to have done since the
// previous check. Every engine evaluates defaults and takes patterns apart, and
// goja builds arguments and rest. Most of that is no work, though, and charging
// such a function for what came before would take that time from its caller.
func filledFirst(f *jsscan.Function, options *Options) bool {
	if options.Target == Goja && (f.UsesArguments || f.HasRest) && options.minStatements() <= mostToFill {
		return true
	}
	return (f.HasDefaults || f.HasDestructuring) && f.ParamsWork
}
