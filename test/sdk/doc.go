// Package sdk tests the two SDKs that send a Profiler's traces, as published on npm, in
// pages with our Profiler: an application is bundled with each, instrumented, and must send
// its functions to an ingest of our own.
package sdk
