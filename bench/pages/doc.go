// Package pages measures how the HTML report opens and moves in Chromium, with
// profiles of a million samples: a typical one, and one that is as hard as they get.
// It also measures how evenly the live panel draws while a million samples are held and
// more come in; Stream is a server for panels, which tests use as well.
//
// A page of the bench shows the report in a frame that fills the window, and
// acts as its reader: it opens views, scrolls, zooms and pans, a step each time the
// browser is about to draw, and records the times between those moments. At 60 frames
// a second they are 16.7 ms; a late frame takes 33.3 ms or more. Steps are made by
// scripts, so unlike a reader's wheel they wait for the page's own thread: nothing is
// smooth merely because the browser scrolls what it has drawn before.
//
// Everything is drawn by the processor, as in a headless browser: with a
// graphics card frames have more room.
package pages
