package server

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

var errLocked = errors.New("locked")

// lock makes sure that one process uses a folder of data. The lock ends with the process,
// however it ends.
func lock(folder string) (unlock func() error, err error) {
	file, err := os.OpenFile(filepath.Join(folder, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the folder of data cannot be written: %w: let this user write there, or name another one with --data", err)
	}
	if err := lockFile(file); err != nil {
		file.Close()
		return nil, fmt.Errorf("another collector uses %s (%w): end it, or name another folder with --data", folder, err)
	}
	return file.Close, nil
}

// isLocked says whether a process uses a folder of data, which may be none yet.
func isLocked(folder string) (bool, error) {
	file, err := os.OpenFile(filepath.Join(folder, "lock"), os.O_RDWR, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("the folder of data cannot be written: %w: let this user write there, or name another one with --data", err)
	}
	defer file.Close()
	if err := lockFile(file); !errors.Is(err, errLocked) {
		return false, err
	}
	return true, nil
}
