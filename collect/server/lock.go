package server

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fieldprof/fieldprof/internal/filelock"
)

var errLocked = errors.New("locked")

// lock makes sure that one process uses a folder of data. The lock ends with the process,
// however it ends.
func lock(folder string) (unlock func() error, err error) { return tryLock(folder, os.O_CREATE) }

// isLocked says whether a process uses a folder of data, which may be none yet. It makes nothing.
func isLocked(folder string) (bool, error) {
	unlock, err := tryLock(folder, 0)
	switch {
	case errors.Is(err, errLocked):
		return true, nil
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	}
	return false, unlock()
}

func tryLock(folder string, create int) (unlock func() error, err error) {
	file, err := os.OpenFile(filepath.Join(folder, "lock"), create|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the folder of data cannot be written: %w: let this user write there, or name another one with --data", err)
	}
	if !filelock.Try(file) {
		file.Close()
		return nil, fmt.Errorf("another collector uses %s (%w): end it, or name another folder with --data", folder, errLocked)
	}
	return file.Close, nil
}
