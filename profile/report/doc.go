// Package report writes a profile as one HTML file to look at: no network, no
// other files, from disk as well as from a server.
//
// The page shows the whole recording on a line of time, where a stretch can be
// chosen that all the rest is about: the flame graph, the calls in the order of
// time, the functions with callers, callees and lines, and trees from the top and
// from the bottom. Beside another profile it shows what has changed. Everything
// is there for keyboards and screen readers too: the trees and tables hold what
// the charts draw.
//
// # Why not a viewer that exists
//
// speedscope, the best of those that can be embedded, has no trees, no
// stretch of time that holds for all views, no comparison, no lines and nothing
// for screen readers, and is a megabyte; d3-flame-graph draws an SVG element for
// each box, so a million samples end it; pprof's own page needs its server. The
// charts here are some hundred lines over a canvas, and the page is 40 KB
// beside its profile. Who wants another viewer has all their formats.
//
// # A million samples
//
// Opening a page must not take longer the more it could show. So it holds columns of
// numbers, gzipped, that become typed arrays as they are; the tree of calls is made
// here, in the order in which the flame graph draws it; and views are made when they are
// opened. Calls in time, tens of millions of boxes, are found as they come into
// sight. Charts paint pixels, in a time that depends on the size of the window only,
// and tables have only those rows in the page that are in sight. `go run ./bench
// report` measures what comes of it.
//
// The page needs a browser of 2023 or later: Chromium 80, Firefox 113, Safari 16.4.
//
// # What a file may hold
//
// Names, files and sources are whatever the profiled program called them. They
// go into the page packed, in letters that mean nothing to HTML, and from there into
// text nodes, never into markup. A policy in the page allows its one script and its one style,
// by their hashes, and nothing else: no request, no frame, no evaluation.
package report
