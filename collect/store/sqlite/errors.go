package sqlite

import (
	"errors"
	"fmt"

	"github.com/fieldprof/fieldprof/collect/store"
	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// isBusy says that another connection has a lock.
func isBusy(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && (e.Code()&0xff == lib.SQLITE_BUSY || e.Code()&0xff == lib.SQLITE_LOCKED)
}

// advice is what to do about SQLite's errors.
var advice = map[int]string{
	lib.SQLITE_NOTADB:   "it is not a database; give the store another file, or restore this one from a backup",
	lib.SQLITE_CORRUPT:  "the file is damaged; restore it from a backup",
	lib.SQLITE_CANTOPEN: "it cannot be opened; check that the folder exists and may be written",
	lib.SQLITE_READONLY: "it may not be written; check the permissions of the file and its folder",
	lib.SQLITE_PERM:     "it may not be written; check the permissions of the file and its folder",
	lib.SQLITE_FULL:     "the disk is full; make room",
	lib.SQLITE_IOERR:    "the disk cannot be read or written; check it, and whether it is full",
	lib.SQLITE_BUSY:     "another program has locked it; stop that one",
}

// explain names the file of an error, and says what to do.
func explain(path string, err error) error {
	if err == nil {
		return nil
	}
	var e *driver.Error
	if errors.As(err, &e) {
		if e.Code()&0xff == lib.SQLITE_TOOBIG {
			return fmt.Errorf("store %s: a text or a blob is too long (%w): %w", path, err, store.ErrRefused)
		}
		if text := advice[e.Code()&0xff]; text != "" {
			return fmt.Errorf("store %s: %s (%w)", path, text, err)
		}
	}
	return fmt.Errorf("store %s: %w", path, err)
}
