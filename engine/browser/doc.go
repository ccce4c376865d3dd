// Package browser profiles a program in a page of Chromium, Firefox or
// WebKitGTK.
//
// Run bundles the entry file and all it imports into one script, inserts checks
// (transform), serves the script on 127.0.0.1 to a cross-origin isolated page, and
// starts the browser, without a window, with a temporary profile. With the clock "poll"
// the page is like most sites: not isolated, and with the coarser clock that browsers
// then provide. A script of package runtime runs the program in the page, records it,
// and sends its output and finally the recording. Positions in profiles and in uncaught
// errors refer to the original sources.
//
// The program has a page: document, fetch, workers. It also has what goja's
// programs have: process.argv, env, cwd, exit, exitCode, hrtime, nextTick and the write
// of stdout and stderr; setImmediate; the console's levels on standard output
// and standard error as in Node, with format strings and objects printed
// plainly. It has none of Node's modules.
//
// # The end of a program
//
// A page has no end, but a program has: it ends when its script is done, including
// top-level awaits, and none of the timers, animation frames and requests (fetch,
// XMLHttpRequest, and reads of their answers) that it started is pending. Anything else that
// may call it (events, messages, workers, sockets) does not keep it alive: a program that waits
// for such a thing must hold a timer. An error or rejection also ends it, as in Node, unless the
// program handles its event: preventDefault, or an onerror that returns true.
//
// A page that crashes, or that the program leaves, ends the run with an error after ten
// seconds. One that the program loads again starts from the beginning. Firefox does not always
// leave a page for about:blank, nor does it drop the page's requests then: such a program runs on,
// until it is stopped.
//
// # Limits
//
// WebKitGTK has no SharedArrayBuffer, even in an isolated page, so its checks poll the
// clock, which has a resolution of only a millisecond. Workers of the program are not
// profiled. The browser's processor time is unknown. When the context ends, the program
// ends at its next check or task; if it stays inside a built-in for seconds, the profile
// is lost, and Run says so. If this process is killed, its temporary folder remains; on
// Linux the browser ends with it, elsewhere the browser remains, too.
package browser
