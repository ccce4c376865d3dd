// Package sentry writes and reads the profile chunks of Sentry's continuous
// profiling (profile_chunk, version 2 of the sample format): the JSON that its
// SDKs send as an item of an envelope.
//
// A sample of a chunk lasts to the next one of its thread, so Write puts each at
// the end of the ticks before it, and closes the last with a sample of an empty
// stack, which also represents (idle). Timestamps have microsecond precision,
// though the format has seconds. Frames are functions and where they are defined,
// as in Sentry's own SDK for browsers; the position of execution is lost, and so are
// the times, kinds and skids of samples. The ids are derived from the content: the
// same profile gives the same chunk. The metadata and the marks are under the key
// "fieldprof", which Sentry ignores; a chunk has no place for marks, and its measurements
// are readings over time, which marks are not. The marks are where their samples are. Sentry rejects a chunk without samples, and so does Write;
// its servers reject a chunk of more than 66 seconds, which the sender must avoid.
//
// Read takes version 2, from SDKs for any language. Of several threads it takes the
// one with the most time in functions, the first of equals; ReadAll returns them
// all. The last sample of a thread lasts as long as the others do on average, and so does one before
// a gap in which the machine slept or the page was frozen.
package sentry
