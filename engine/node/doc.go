// Package node profiles a program in Node.
//
// Run bundles the entry file and all it imports, except Node's own modules and addons,
// into one script; inserts checks (transform); and runs it in a node process through a
// small script of package runtime, which records the program and writes the recording
// to a file when the process ends. Positions in profiles and in uncaught errors are
// those of the original sources.
//
// The program has Node's standard streams, arguments, environment and working
// directory; it ends with its own exit code. In all files of the bundle, __filename,
// __dirname and import.meta are the entry file's. A require of a computed name
// resolves from there, and finds files as they are, which are not profiled. Neither are
// the program's worker threads and child processes; the first worker has the threadId
// 2, since the clock is in the one before, unless checks poll it. A program with a
// top-level await runs as an ES module, any other as CommonJS, in a promise job if its
// entry file is an ES module.
//
// When the context ends, the program ends at its next check or task. If the program
// listens to SIGINT or SIGTERM itself, it first gets a moment to react, unless its time
// is up. If the process is killed, or stays inside a built-in for longer than that, the
// profile is lost, and Run says so.
package node
