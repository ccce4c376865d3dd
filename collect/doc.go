// Package collect and those below are the field collector, `instrument collect`: it receives
// the profiles of real users, adds them up in a store, and answers questions about them.
//
// # The life of a chunk
//
// A request enters ingest, which checks its key, origin and size, recognizes its format, and makes
// record.Chunks of it: bounded, labelled, with the ticks of each stack summed. intake gives them
// to the spool, which writes them to disk, many at once, and only then is the request
// acknowledged. Every two seconds intake hands what has been spooled to the store in one batch,
// and removes it from the spool when the store has it. So an outage of the store, a crash or
// a restart loses nothing that was acknowledged, and since stores know chunks by their
// IDs, nothing counts twice.
//
// A question comes to api. answer adds up what the store has of the selection, finds the
// functions in the maps and tables that were uploaded for the release, whenever that was, and
// views and formats do the rest as they do for one profile.
package collect
