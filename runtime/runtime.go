// Package runtime holds what instrumented code needs where it runs: the names
// it is bound to and, for pages, the script that ships with them.
package runtime

// Bindings are the names that inserted text uses for the flag and for the
// function that captures a sample. Value is a local that holds a return value
// while the exit check runs (target web).
type Bindings struct {
	Flag, Capture, Value string
}
