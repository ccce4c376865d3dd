// Package server makes one process of the parts of the field collector: it opens the store and
// the spool, routes requests, watches memory and connections, keeps house in the store, and
// ends in order.
//
// # Order
//
// Open goes from the ground up: folder and its lock, store, intake, forwarding, answers,
// handlers. Close goes back. In between, Run serves until its context ends: readiness goes
// first, then new connections are refused, requests that have begun are finished, and the
// content of the spool goes to the store. If the time for this is over, the process ends anyway:
// acknowledged chunks are in the spool, and the next start finds them there.
package server
