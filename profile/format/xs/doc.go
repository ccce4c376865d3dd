// Package xs writes and reads the .cpuprofile files of Moddable's XS engine, for
// xsbug, VS Code and DevTools (https://www.moddable.com/documentation/xs/XS%20Profiler).
//
// # Nodes
//
// XS has a node for each function, not for each chain of calls: node 0 is the
// (host), node 1 the (gc), and children are all functions that were seen to be called
// from a function. A node can have several callers, which package cpuprofile
// rejects. VS Code does not support cycles, so an edge that would close one is left
// out: one that leads back to a function on the current path of a depth-first walk
// from the host. Native functions are called "@symbol" and have no file; functions
// without a name "(anonymous-id)".
//
// # Time
//
// A sample is a function, and lasts until the next sample; the last one until
// endTime. VS Code and xsbug compute self time that way, while DevTools multiplies
// hits by the mean interval. Each tick is therefore written as a sample of its own,
// one interval from the next, on a grid that includes startTime: all three agree. (XS
// itself takes samples when its interpreter allows it, the next one not before the
// next point of the grid, and its hits are samples of different length.)
//
// # What the format cannot hold
//
// is under the key "fieldprof", which other readers ignore: all stacks and
// samples, and the metadata. Reading one of our files loses nothing. Other readers see
// neither columns of definitions nor positions inside functions; (idle), (program),
// (native) and (lost) are the host's own time to them.
//
// # Files of XS
//
// They do not say which caller a sample had if its function has several: the samples
// of a function go to its callers in turn, as xsbug divides their time.
//
// A tick is the longest time that divides the duration of every sample, usually a
// microsecond, so self times equal VS Code's and xsbug's. Files with unknown
// children, cycles or negative deltas are rejected with the position, and so are
// those whose stacks, spelled out, would exceed MaxFrames.
package xs
