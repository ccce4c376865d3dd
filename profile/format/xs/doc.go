// Package xs writes and reads the .cpuprofile files of Moddable's XS engine, for
// xsbug, VS Code and DevTools (https://www.moddable.com/documentation/xs/XS%20Profiler).
//
// # Nodes
//
// XS has a node for each function, not for each chain of calls: node 0 is the
// (host), node 1 the (gc), and children are all functions that were seen to be called
// from a function. A node can have several callers, which package cpuprofile
// refuses. Edges that would close a cycle are left out, as VS Code needs it: an
// edge is, when a walk from the host along the first callee of each function
// meets a function that it is in. Native functions are called "@symbol" and have no
// file; functions without a name "(anonymous-id)".
//
// # Time
//
// A sample is a function, and lasts until the next sample; the last one until
// endTime. So VS Code and xsbug reckon. DevTools multiplies hits by the mean interval.
// Each tick is therefore written as a sample of its own, one interval from the next,
// on a grid that startTime is on, too: all three agree. (XS itself takes samples where
// its interpreter allows it, the next one not before the next point of the grid,
// and its hits are samples of different length.)
//
// # What the format cannot hold
//
// is under the key "fieldprof", which other readers ignore: all stacks and
// samples, and the metadata. Reading a file of ours loses nothing. Others see
// no columns of definitions, nor positions inside functions; (idle), (program), (native)
// and (lost) are to them the host's own time.
//
// # Files of XS
//
// They do not tell which caller a sample had, when its function has several: a
// function's samples go to its callers in turn, as xsbug divides their time.
//
// A tick is the longest time of which every sample lasted a whole number, mostly a
// microsecond, so that self times are VS Code's and xsbug's. Files with
// unknown children, cycles or deltas below zero are refused with the place, and so are
// those whose stacks, spelled out, would be more than MaxFrames.
package xs
