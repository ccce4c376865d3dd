// Package report writes a profile as one HTML file: no network, no other files,
// from disk as well as from a server.
//
// The page shows the whole recording on a time line, and all other views are about
// the range selected there: the flame graph, the calls in order of time, the
// functions with callers, callees and lines, and the top-down and bottom-up trees.
// With a second profile it shows what has changed. Everything is available to
// keyboards and screen readers as well: the trees and tables hold what the charts
// draw.
//
// Idle time and hidden functions are folded away before anything is computed
// (src/fold.ts), so every view and every share follows. Each mark of something slow
// comes with a sentence about what is to blame, which package slices makes.
//
// # Why not an existing viewer
//
// docs/views.md compares it with speedscope and the Firefox Profiler. speedscope, the
// best of the viewers that can be embedded, has no trees, no selected range shared by all
// views, no comparison, no lines and no support for screen readers, and is a megabyte;
// d3-flame-graph draws an SVG element for each box, so it cannot show a million samples;
// pprof's own page needs its server. The charts here are a few hundred lines over a
// canvas, and the page is 70 KB plus its profile. For any other viewer there are all the
// formats.
//
// # A million samples
//
// Opening a page must not take longer the more it could show. The page therefore
// holds columns of numbers, gzipped, that become typed arrays as they are; the tree
// of calls is made here, in the order in which the flame graph draws it; and views
// are made when they are opened. Calls in time, tens of millions of boxes, are
// computed as they scroll into view. Charts paint pixels, in a time that depends only
// on the size of the window, and tables have only the visible rows in the page.
// `go run ./bench report` measures the result.
//
// The page needs a browser of 2023 or later: Chromium 80, Firefox 113, Safari 16.4.
//
// # The live panel
//
// WritePanel writes the page of a server's live panel: the same views over a profile
// that grows. A worker holds the socket and the samples (src/live), merges the chosen
// sources into one tree, and makes what views need: columns, sums, the flame graph.
// Snapshots of that are moved to the page, not copied, so that the page only draws.
//
// # Untrusted content
//
// Names, files and sources are whatever the profiled program called them. They are
// packed into the page in letters without meaning in HTML, and from there go into
// text nodes, never into markup. A policy in the page allows its one script and its
// one style, by their hashes, and nothing else: no request, no frame, no evaluation.
// The panel's policy also allows its worker, and connections to its own origin.
package report
