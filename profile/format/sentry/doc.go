// Package sentry writes and reads the profile chunks of Sentry's continuous
// profiling (profile_chunk, version 2 of the sample format): the JSON that its
// SDKs send as an envelope's item.
//
// A sample of a chunk lasts to the next one of its thread, so Write puts each at
// the end of the ticks before it, and closes the last with a sample of an empty
// stack, which is also what (idle) is written as. Timestamps are in microseconds,
// though the format has seconds. Frames are functions and where they are defined,
// as Sentry's own SDK for browsers has them; where execution was is lost, and
// with it when samples were taken, their kinds and skids. The ids are made of the
// content: the same profile gives the same chunk. The metadata is under the
// key "fieldprof", which Sentry passes over. A chunk without samples is refused
// by Sentry, so by Write; one of more than 66 seconds is refused by Sentry's
// servers, which is for the sender to mind.
//
// Read takes version 2, of SDKs for any language. Of several threads it takes the
// one with the most time in functions, the first of equals; ReadAll returns them
// all. The last sample of a thread lasts as long as the others do on average.
package sentry
