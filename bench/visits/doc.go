// Package visits measures what a visitor of an instrumented site notices: how soon pages paint and
// are ready, how fast they answer, and what they fetch.
//
// Three sites are built by Vite from packages of npm (sites): React with a router, a lazy chunk and
// a worker; Svelte; and a large library, AG Grid. Each has three builds: clean, as the bundler
// wrote it; idle, instrumented with the defaults of `instrument dist/`, while nothing profiles; and
// recording, the same with a Profiler of 10 ms from the start of the load. The clean build is
// visited twice; its difference from itself is the floor.
//
// A round visits each site in each browser over each network in each of these four ways, in random
// order (the seed is in the report): networks, then sites, then the four, which come one after another
// so that a machine that becomes slower does so for all. Over the slow network, where pages mostly wait,
// both browsers are driven at the same time. Comparisons are within a round: a figure is the
// median of the rounds' ratios and differences, with an interval by bootstrap.
//
// Every visit is to a server of its own, at an origin of its own, in a browser context of its own, so
// no cache knows anything. The server sends what static hosts send, compressed, over HTTP/1.1, so a
// browser uses six connections. The slow network has a round trip of 150 ms and 200 kB/s towards the browser,
// which all connections share: Lighthouse's phone. It is made by the server (link.go), the same for both
// browsers: a handshake takes a round trip, a request arrives half a round trip after it was sent, bytes wait
// for the link in packets and travel another half. It has no slow start, no losses, no TLS, no lookup
// of names, and no limit towards the server. The fast one is the loopback.
//
// Times are the browsers' own entries: milliseconds from the navigation, as coarse as the browser makes
// them (Chromium 0.1 ms, Firefox 1 ms; Event Timing 8 ms in both). The largest paint is the last before
// the interaction. The page says itself when it is ready. The interaction is clicks and keys that
// the driver sends; the time of handlers is finer than that to the next paint. The time of scripts and of the
// thread's processor is Chromium's alone. Pages are not cross-origin isolated, as most are not, so
// recordings poll the clock.
package visits
