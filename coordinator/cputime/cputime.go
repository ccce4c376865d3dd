// Package cputime tells the processor time of this process. Where others want
// the processor too, it says what work took and a clock would not.
package cputime

import "time"

// Process is the processor time that all threads of the process have used, in
// user and system mode; false where the system does not tell.
func Process() (time.Duration, bool) { return process() }
