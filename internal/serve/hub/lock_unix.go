//go:build unix

package hub

import (
	"os"
	"syscall"
)

// takeLock takes a lock that the process holds until it ends, however it ends.
func takeLock(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
