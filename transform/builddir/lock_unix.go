//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package builddir

import (
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks a file until it is closed or its process ends, unless another has it.
func tryLock(f *os.File) bool {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
}
