// Package sites holds instrument's directories to what bundlers really write.
//
// Each folder of testdata is a small application with the bundler it is built
// with (site.mjs) and a visitor's actions in it (drive.js). The tests build it,
// instrument the result with transform/builddir as it is, and visit the original,
// the profiled copy with nothing profiling (idle), and the copy with every check
// capturing (armed), in three browsers or in Node. The visitor's view, the console,
// the failures and the answers of workers must be the same.
//
// They also compare every instrumented script with the original by the standards
// of others: acorn for syntax and the ranges of functions, trace-mapping for
// source maps.
//
// Nothing that is built stays: a run takes a minute or so, most of it bundlers.
package sites
