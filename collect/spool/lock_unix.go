//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package spool

import (
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks a file until it is closed or its process ends, unless another has it.
func tryLock(f *os.File) bool {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
}

// syncFolder makes the entries of a folder durable.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
