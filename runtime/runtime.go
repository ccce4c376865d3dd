// Package runtime holds what instrumented code needs where it runs: the names
// it is bound to and, for pages, the script that ships with them.
package runtime

// Bindings are the names that inserted text uses, all absent from the source.
type Bindings struct {
	// Flag, Capture and Value are local: the flag, the function that captures
	// a sample, and a variable that holds a value while an exit check runs.
	Flag, Capture, Value string
	// Entry, Loop and Exit are the functions that the compact form calls.
	Entry, Loop, Exit string
	// GlobalFlag and GlobalCapture are the properties of the global object
	// that a goja host provides and the locals are declared from.
	GlobalFlag, GlobalCapture string
}

// Global is the property of the global object where the web runtime keeps
// {flag, capture, entry, loop, exit} for instrumented classic scripts.
const Global = "__fieldprof"

// ChecksModule is the module an instrumented ES module imports its bindings
// from, as {flag, capture, entry, loop, exit}.
const ChecksModule = "@fieldprof/runtime/checks"
