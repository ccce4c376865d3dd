// Package libraries holds the transform to what well-known libraries do: their
// own test suites where the packages ship them, and programs that put the
// others to work, must print the same instrumented as original.
//
// Every script of node_modules is instrumented, file by file, except the tests
// themselves and their runners. Each check runs as it is, idle (the flag never
// rises) and armed (every check calls for a capture), for each way to instrument.
// Programs print digests of what libraries gave them, and how often that was
// what a specification says.
package libraries
