// Package cputime reads the processor time of this process. If other processes compete
// for the processor, it shows what the work took, which a clock does not.
package cputime

import "time"

// Process returns the processor time that all threads of the process have used, in
// user and system mode; false if the system does not provide it.
func Process() (time.Duration, bool) { return process() }
