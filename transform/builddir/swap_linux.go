package builddir

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// swap exchanges temp and place in one step. It returns where the old contents are now,
// if there were any.
func swap(temp, place string) (string, error) {
	err := unix.Renameat2(unix.AT_FDCWD, temp, unix.AT_FDCWD, place, unix.RENAME_EXCHANGE)
	switch {
	case err == nil:
		return temp, nil
	case errors.Is(err, fs.ErrNotExist):
		return "", os.Rename(temp, place)
	}
	return swapByNames(temp, place) // a file system that has no exchange
}
