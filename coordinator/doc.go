// Package coordinator decides when a sample is due and raises the flag for it.
//
// A Coordinator is a clock. Each time a deadline passes, it raises one tick for
// every runtime that is registered with it. Each runtime has a Counter, which its
// flag reads: raising a tick adds to the counter, and the next check of the runtime
// takes all pending ticks at once, so a sample knows how many ticks it represents.
// The package knows nothing about engines; gojahost turns a counter into the flag of
// a goja runtime.
//
// # When nothing runs
//
// A tick that falls while no script runs must not stay on the flag until the next
// task, which would be charged for the time before it. Hosts bracket tasks with
// Enter and Leave; outside the brackets, ticks count as idle and never reach the
// flag.
//
// # When the coordinator does not get to run
//
// A goroutine drives the clock, and it starves while busy scripts occupy every
// processor: Go preempts after ten milliseconds at the earliest. So checks drive the
// clock too: each flag reads the time rarely while the deadline is far away and at
// every check when it is near, and raises the tick itself once the deadline has
// passed (see Counter.Pending). While the goroutine has a processor of its own, the
// checks give it a head start of an eighth of an interval: reading the time takes
// time, and the delay that a check adds to the stretch after it is visible if such
// stretches are short.
//
// Deadlines that passed before either of them noticed are counted as missed. They
// are not made up for in a burst: a sample represents a moment that was observed.
// There is one exception, the case in which it is known what ran meanwhile because
// scripts held every processor: the deadlines that passed are then raised together,
// as the weight of one sample, up to the processor time that the process spent
// since the tick before. Without this, a long native call would weigh a tenth of its
// duration.
//
// # The account
//
// Raised ticks are taken, idle, spent in a pause of Go's collector, or lost:
// Raised = Taken + Idle + GC + Lost, exactly, at any time. Pauses are
// those that runtime/debug reports: one per collection, the sum of its two stops.
package coordinator
