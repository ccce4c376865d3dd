// Package stacks holds instrumented programs to the stacks of errors: the view of
// an error tracker must not depend on the checks.
//
// Every program of fixtures is translated file by file (the first layer of
// maps), then bundled and minified with those maps as input (the second), and
// the bundle is instrumented. Bundle and instrumented bundle run in Node, where
// builtins count their calls: at some they note the stack, at some they throw.
// Each frame, mapped with the map of its own file, must give the same source,
// line and column in both, by our reader of maps and by another.
package stacks
