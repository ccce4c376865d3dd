// Package interactions measures what observe() finds and costs.
//
// Causes: the shop of test/interactions/site has eight buttons, each slow for a known cause.
// A browser clicks on each again and again, and the first slice that comes names the cause
// or does not. The pages are not isolated. In Chromium the same clicks are also observed
// with ticks alone, as in a browser that has no Long Tasks; its own entries then say how far
// the tasks that ticks found are from the tasks of the browser.
//
// Overhead: one page in Chromium does the same work again and again, with real clicks that
// are not slow; in turn it is recorded by a plain Profiler, observed, and recorded once
// more, which shows the noise. The time that counts is that of the page's thread.
package interactions
