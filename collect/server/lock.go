package server

import (
	"errors"
	"fmt"
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
