package spool

import (
	"os"

	"golang.org/x/sys/windows"
)

// tryLock locks a file until it is closed or its process ends, unless another has it.
func tryLock(f *os.File) bool {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{}) == nil
}

// syncFolder does nothing: the system writes entries of a folder with the file.
func syncFolder(string) error { return nil }
