// Package gojahost samples goja runtimes.
//
// A Host makes one goja.Runtime observable: it compiles scripts with checks in
// them, gives those checks a flag to look at and a function that captures the
// stack, and turns what was captured into a profile. One coordinator serves
// any number of hosts.
//
//	co := coordinator.New(coordinator.Options{})
//	host := gojahost.New(vm, co)
//	stop := co.Start()
//	_, err := host.RunScript("app.js", source)
//	stop()
//	p := profile.Attribute(host.Profile(), profile.BySite)
//
// # The flag
//
// In JavaScript the flag is a variable in an if. Behind it stands a Go value
// whose ToBoolean loads the runtime's pending ticks: about 10 ns a check, with
// no call and no data race. To a script that gets hold of it, it is the empty
// string (see the limits).
//
// # Functions as text
//
// Function.prototype.toString gives the source's text of functions that Compile and
// CompileWith have instrumented, for they may be evaluated anew. Where two functions of
// one instrumented text differ in the braces around a loop's body, either text may be
// given.
//
// # Whose time is it
//
// Checks know what lies between them. Time in goja's own built-ins belongs to
// the function that called them. Time in Go functions that were registered
// through Native, or found by WrapNatives, shows as a native frame on top of
// its caller. Go code that calls into a script should do so within Run, or
// through Callable: what lies outside is idle, and nobody's. A host that never
// does gets samples, too, but cannot tell waiting from work.
//
// # Limits
//
// A host belongs to the goroutine of its runtime. Stacks deeper than MaxDepth
// keep their innermost frames, without those of async callers (Cut counts
// them; where Go and scripts call each other in turn, goja may give some frames
// less). No more than MaxSamples samples and MaxStacks stacks are kept; ticks
// beyond are counted as lost. Scripts compiled without the host are sampled
// when they call into ones that were, but their frames are not told apart.
//
// The flag is a value of a type that goja does not know. It converts,
// concatenates on the left, compares and serialises as the empty string; where
// goja insists on a string of its own ('a' + flag, 'a' < flag), it throws a
// TypeError. The flag's names are absent from every instrumented source, so
// only a script that walks over all names of the global object gets hold of it.
package gojahost
