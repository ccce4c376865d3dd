// Package sdk tests the two SDKs that send a Profiler's traces, as published on npm, in
// pages with our Profiler: an application is bundled with each, instrumented, and must send
// its functions and the debug ids of its script to an ingest of our own. The minutely work of
// the SDKs is tested on a clock that the application moves (testdata/clock.js): what they lose
// or get wrong alone, and with our adapters (docs/sdks.md).
package sdk
