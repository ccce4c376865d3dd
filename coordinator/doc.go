// Package coordinator decides when a sample is due and raises the flag for it.
//
// A Coordinator is a clock. Each time a deadline passes it raises one tick for
// every runtime that is registered with it. Each runtime has a Counter, the
// word behind its flag: raising adds to it, and the next check of the runtime
// takes all that is pending at once, so a sample knows how many ticks it
// stands for. The package knows nothing of engines; gojahost makes a counter
// the flag of a goja runtime.
//
// # When nothing runs
//
// A tick that falls while no script runs must not wait on the flag for the
// next task, which would be charged for the time before it. Hosts bracket
// tasks with Enter and Leave; outside of them ticks are counted as idle and
// never reach the flag.
//
// # When the coordinator does not get to run
//
// The clock is driven by a goroutine, and where every processor is taken by a
// busy script that goroutine starves: Go preempts after ten milliseconds at
// the earliest. So checks drive the clock too: each flag looks at the time
// rarely while the deadline is far and at each check when it is near, and
// raises the tick itself once it has passed (see Counter.Pending). While the
// goroutine has a processor of its own, they leave it an eighth of an interval
// to come first: looking at the time takes time, and what a check adds to the
// stretch behind it shows where such stretches are short.
//
// Deadlines that passed while neither came to it are counted as missed. They
// are not made up for in a burst: a sample stands for a moment that was looked
// at. The exception is the one case in which what ran meanwhile is known,
// because scripts held every processor: then the deadlines that passed are
// raised together, as the weight of one sample, as many of them as the process
// spent processor time for. Without that, a long native call would weigh a
// tenth of what it lasted.
//
// # The account
//
// Raised ticks are taken, idle, spent in a pause of Go's collector, or lost:
// Raised = Taken + Idle + GC + Lost, exactly, at any time. Pauses are known as
// runtime/debug tells them: one for each collection, its two stops added up.
package coordinator
