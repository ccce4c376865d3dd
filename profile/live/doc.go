// Package live is the protocol by which a running program shows its profile: what a
// page, a worker, a Node process or a goja host (a source) tells a server, and what
// the server tells the pages that draw it (panels). docs/live.md describes it for
// people who write a client in another language.
//
// The model follows Moddable's XS, whose instrument profiler streams to xsbug. Every
// function has a profile id, host and collector have the ids 0 and 1, a record is sent
// once, before a sample first needs it, and a sample is the time since the previous one
// with a chain of ids. XS repeats the chain with each sample; here chains form a trie
// whose nodes are sent once as well.
//
// The same batches travel both hops. A source sends functions and positions as the
// engine names them, and its samples with the kind of their check. The server knows the
// function tables and source maps: it symbolizes and attributes, and sends panels
// batches of original functions in which the owner of a sample's time is on top.
//
// Everything that arrives is hostile until it is checked: see Limits.
package live
