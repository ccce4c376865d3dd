// Package gojahost samples goja runtimes.
//
// A Host makes one goja.Runtime observable: it compiles scripts with checks in
// them, gives those checks a flag to read and a function that captures the stack, and
// turns the captures into a profile. One coordinator serves any number of hosts.
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
// In JavaScript the flag is a variable in an if. Its value is a Go value whose
// ToBoolean loads the runtime's pending ticks: about 10 ns per check, with no call
// and no data race. A script that gets hold of it sees the empty string (see Limits).
//
// # Functions as text
//
// For functions that Compile and CompileWith have instrumented,
// Function.prototype.toString returns the text of the source, because that text may be
// evaluated again. If the sources of two functions with the same instrumented text
// differ in the braces around a loop's body, it may return either. Scripts of a host that
// is closed are known while something refers to that host, or to its pool.
//
// # Whose time it is
//
// Checks account for the time between them. Time in goja's own built-ins belongs to
// the function that called them. Time in Go functions that were registered with
// Native, or found by WrapNatives, appears as a native frame on top of the caller. Go
// code that calls a script should do so in Run, or through Callable: time outside is
// idle, and belongs to no function. A host that uses neither gets samples, too, but
// cannot tell waiting from work.
//
// Tasks for someone, such as a tenant, have tags (As), and Usage adds up what each set of
// tags used. A Go function that waits does so in Waiting, which is not work. Budgets say
// who uses too much, and can end a script.
//
// # Many runtimes
//
// A Pool records any number of runtimes together, and compiles programs once for all of
// them. Package jsprofile serves its profiles over HTTP.
//
// # Limits
//
// A host belongs to the goroutine of its runtime; its recording may be read from any. Stacks deeper than MaxDepth
// keep their innermost frames, without those of async callers (TruncatedStacks counts
// them; if Go and scripts call each other alternately, goja may return a few frames
// fewer). The latest MaxSamples samples are kept, with MaxStacks stacks or less, or those of
// Options.Keep: older ones fall out, and are counted (profile.Ticks.Dropped). Scripts compiled without the host are sampled when they call scripts compiled
// by it, but their frames are not told apart.
//
// Taking a sample needs one call: under SetMaxCallStackSize a script has one call less.
//
// Errors have the lines of the source, and columns of the text with checks. Source maps of
// scripts serve profiles alone; errors do not follow them, as they do in plain goja.
//
// The text, the function table and the source map of a script are kept until Go collects
// what is left of it: its program, its functions in runtimes, and the samples with one of
// them on their stack. A pool keeps the first 4096 programs of Pool.Compile, and what
// Pool.Adopt was given, for as long as it lives itself.
//
// The flag is a value of a type that goja does not know. It converts,
// concatenates on the left, compares and serializes as the empty string; where
// goja insists on a string type of its own ('a' + flag, 'a' < flag), it throws a
// TypeError. The flag's names occur in no instrumented source, so only a script that
// enumerates all names of the global object can get hold of it.
package gojahost

//go:generate go run ./build
