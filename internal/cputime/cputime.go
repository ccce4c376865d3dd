// Package cputime reads the processor time of this process, and of a thread. If other processes compete
// for the processor, it shows what the work took, which a clock does not.
package cputime

import "time"

// Process returns the processor time that all threads of the process have used, in
// user and system mode; false if the system does not provide it.
func Process() (time.Duration, bool) { return process() }

// Thread returns the processor time that the calling thread has used; false if the
// system does not provide it. Differences mean something only to a goroutine that is
// locked to its thread.
func Thread() (time.Duration, bool) { return thread() }

// ThreadID names the calling thread for ThreadOf; 0 if the system does not tell.
func ThreadID() int { return threadID() }

// ThreadOf returns the processor time of another thread of this process; false if there is
// no such thread, or the system does not tell.
func ThreadOf(id int) (time.Duration, bool) { return threadOf(id) }
