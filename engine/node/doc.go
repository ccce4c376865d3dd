// Package node profiles a program in Node.
//
// Run bundles the entry file and all it imports into one script, but for Node's
// own modules and addons; puts checks into it (transform); and runs it in a node
// process through a small script of package runtime, which records and writes
// what it has to a file when the process ends. Positions in profiles and in
// errors that the program does not catch are those of the original sources.
//
// The program has Node's standard streams, arguments, environment and working
// directory; it ends with its own exit code. __filename, __dirname and
// import.meta.url are the entry file's, in all files of the bundle; require of
// a name that is computed looks from there, and finds files as they are, which
// are not profiled. Nor are the program's worker threads and child processes.
// A program with a top-level await runs as an ES module, any other as CommonJS.
//
// When the context ends, the program ends at its next check or task; one that
// listens to SIGINT or SIGTERM itself is first given a moment to do so, unless
// its time is up. A process that is killed, or that is inside a built-in for
// longer than that, loses its profile, and Run says so.
package node
