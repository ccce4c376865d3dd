//go:build unix

package server

import (
	"os"

	"golang.org/x/sys/unix"
)

func lockFile(file *os.File) error {
	if unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		return errLocked
	}
	return nil
}
