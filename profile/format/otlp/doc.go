// Package otlp writes and reads the profiles signal of OpenTelemetry
// (opentelemetry.proto.profiles.v1development), as one ProfilesData message in
// protocol buffers: the body of an OTLP/HTTP request to /v1development/profiles.
// The signal is still in development; the collector's own package pprofile, at
// the version in go.mod, does the encoding, so it can read what we write.
// It needs neither gRPC nor the protobuf runtime.
//
// The one profile has the sample type samples/count and the period type
// cpu/nanoseconds, which receivers know as CPU time; the interval is the period. It
// has a sample for each stack and set of attributes, with a timestamp for each tick
// and no values: equal timestamps are the ticks of one sample, so a sample at the same
// nanosecond as the one before it is written a nanosecond later. If there would be more
// than a million timestamps and most samples have many ticks, a sample has the sum of
// its ticks instead.
//
// Columns of definitions, skids, and flags other than native code and top level are
// lost. Functions without a name are called "(anonymous) file:line" and "(top level)
// file", as in package pprof, because the signal has no other place for them. The
// resource's service.name is the program; the metadata and the marks, in JSON, are the
// profile's attributes "fieldprof.meta" and "fieldprof.marks". Attributes of samples are
// "fieldprof.kind", for a kind that does not follow from the function on top,
// "fieldprof.marker", and the marks that the sample falls within, such as
// "fieldprof.interaction": "click button#save". Times of a profile without a start count
// from 1970.
//
// Read takes the first profile of a message whose samples are times, or else
// counts; earlier versions of this package wrote times. Limits.ReadAll reads all
// recordings of a message. A sample without timestamps is one sample, at the end of its ticks, which follow those
// of the samples before it. A profile without a time began a tick before its first timestamp.
package otlp
