// Package otlp writes and reads the profiles signal of OpenTelemetry
// (opentelemetry.proto.profiles.v1development), as one ProfilesData message in
// protocol buffers: what an OTLP/HTTP request to /v1development/profiles carries.
// The signal is still in development; the collector's own package pprofile, at
// the version in go.mod, does the encoding, so what it reads is what we write.
// It needs neither gRPC nor the protobuf runtime.
//
// The one profile has the sample type time/nanoseconds, a sample for each stack
// (and kind, see below) with a value and a timestamp for each time that it was
// captured; the interval is the period. Columns of definitions, skids and flags
// other than of native code and top levels are lost. Functions without a name are
// called "(anonymous) file:line" and "(top level) file", as in package pprof,
// for the signal has no other place for them. The resource's service.name is the
// program; the metadata, in JSON, is the profile's attribute "fieldprof.meta"; a
// kind that the function on top does not tell is the attribute
// "fieldprof.kind". Times of a profile without a start are those of 1970.
//
// Read takes the first profile whose samples are times, or else counts, of all
// that a message holds. A sample without timestamps is one at the time of the
// ticks before it.
package otlp
