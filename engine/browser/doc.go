// Package browser profiles a program in a page of Chromium, Firefox or
// WebKitGTK.
//
// Run bundles the entry file and all it imports into one script, puts checks into
// it (transform), serves it on 127.0.0.1 to a page that is cross-origin isolated,
// and starts the browser, without a window, on a profile of its own that goes
// when the program ends. With the clock "poll" the page is as most sites are: not
// isolated, and with the coarser clock that browsers have there. A script of
// package runtime runs the program there, records it, and sends what it prints,
// and the recording in the end. Positions in profiles and in errors that the
// program does not catch are those of the original sources.
//
// The program has a page: document, fetch, workers. It also has what goja's
// programs have: process.argv, env, cwd, exit, hrtime, nextTick and the write
// of stdout and stderr; setImmediate; the console's levels on standard output
// and standard error as in Node, with format strings and objects printed
// plainly. It has none of Node's modules.
//
// # The end of a program
//
// A page has no end; a program has: its script is done, top-level awaits
// included, and none of the timers, animation frames and requests (fetch,
// XMLHttpRequest) that it started is pending. What else may call it (events,
// messages, workers, sockets) does not keep it alive: a program that waits for
// such a thing holds a timer. An error or rejection that nobody handles ends it
// too, as in Node.
//
// # Limits
//
// WebKitGTK has no SharedArrayBuffer, even in an isolated page: there the checks
// poll the clock. Its clock, too, is a millisecond coarse. Workers of the
// program are not profiled. The browser's processor time is not known. When the
// context ends, the program ends at its next check or task; one that is inside
// a built-in for seconds loses its profile, and Run says so. If this process is
// killed hard, the browser ends with it on Linux, its folder of temporary files
// stays, and elsewhere it stays itself.
package browser
