// Package otlp writes and reads the profiles signal of OpenTelemetry
// (opentelemetry.proto.profiles.v1development), as one ProfilesData message in
// protocol buffers: the body of an OTLP/HTTP request to /v1development/profiles.
// The signal is still in development; the collector's own package pprofile, at
// the version in go.mod, does the encoding, so it can read what we write.
// It needs neither gRPC nor the protobuf runtime.
//
// The one profile has the sample type time/nanoseconds, and a sample for each stack
// (and kind, see below) with a value and a timestamp for each time that it was
// captured; the interval is the period. Columns of definitions, skids, and flags
// other than native code and top level are lost. Functions without a name are
// called "(anonymous) file:line" and "(top level) file", as in package pprof,
// because the signal has no other place for them. The resource's service.name is
// the program; the metadata, in JSON, are the profile's attribute "fieldprof.meta";
// a kind that does not follow from the function on top is the attribute
// "fieldprof.kind". Times of a profile without a start count from 1970.
//
// Read takes the first profile of a message whose samples are times, or else
// counts. A sample without timestamps is one sample, at the time of the ticks
// before it.
package otlp
