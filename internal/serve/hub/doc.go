// Package hub is where running programs (sources) and the pages that draw their
// profiles (panels) meet. It speaks the protocol of package live over WebSockets, keeps
// what sources send in memory and in a journal, and saves and compares profiles.
//
// # What is kept
//
// A source's last profile is kept twice: as it was sent, which is what is saved, and as
// panels see it. Both are bounded, and the oldest samples go first. Before a batch
// is acknowledged it is written to the journal, so a server that was killed knows
// everything that it acknowledged. The journal is not synced to the disk: it outlives the
// process, not the machine.
//
// # Pace
//
// Nothing is queued for a panel. Each has a cursor into what is kept, and its next
// batch holds everything since the previous one: a slow panel gets fewer and larger
// batches and never delays a source. A panel that lags too far skips to the present
// and is told how much it missed.
//
// # Trust
//
// Programs, pages and panels are untrusted until they have shown their token, and even
// then everything they send is checked and bounded. The server in front of the hub
// checks Host. The hub checks Origin, because sockets are not subject to the same-origin
// policy. No name that a client chooses becomes a path.
package hub
