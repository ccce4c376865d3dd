// Package sdk drives the two SDKs that send what a Profiler measures, as npm has
// them, in pages whose Profiler is ours: an application is bundled with each,
// instrumented, and must send its functions to an ingest of our own.
package sdk
