// Package filelock locks files, so that one process at a time uses what they belong to.
package filelock

import "os"

// Try locks a file until it is closed or its process ends, unless another has it. Where files cannot be locked it
// does nothing.
func Try(f *os.File) bool { return try(f) }
