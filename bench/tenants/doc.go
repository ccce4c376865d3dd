// Package tenants measures whether a pool says rightly who uses the processor. Eight
// goja runtimes work for twenty tenants on two processors. A tenant's tasks have a fixed
// number of turns, and wait meanwhile in a Go function: those who work least wait longest,
// so a measure that takes waiting for work shows everything upside down.
//
// The truth is the processor time of the thread, which is read around each call of a script
// (round.go). Two things are compared with it, in points of the whole (shares.go): what
// gojahost.Usage has measured around the same calls, and what the samples of the profile say. The
// error of as many ticks that are drawn at random by the true shares is chance; an error beyond it is
// the samples' own: ticks count the clock's time, in which eight runtimes wait for two processors.
package tenants
