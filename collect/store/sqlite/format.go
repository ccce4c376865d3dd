package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fieldprof/fieldprof/internal/durable"
)

// leastFile is the size of the smallest database.
const leastFile = 512

// errEmpty is about a file that SQLite would take for a new database.
var errEmpty = errors.New("it is empty or cut short, as a full disk or an interrupted copy leaves it; restore it from a backup, or remove it to begin anew")

// exists says whether there is a file that may be a store.
func exists(path string) (bool, error) {
	file, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err == nil && file.Mode().IsRegular() && file.Size() < leastFile:
		return true, errEmpty
	}
	return true, nil // or SQLite says why not
}

// begin makes a new store, unless the file is there. The file gets its name when it is whole, so one that is
// empty was not left by a start that was interrupted, and never begins anew by itself.
func begin(ctx context.Context, path string) (err error) {
	if there, err := exists(path); there || err != nil {
		return err
	}
	made := path + ".new"
	for _, left := range []string{made, made + "-journal", path + "-wal", path + "-shm"} { // SQLite would add those of another file to this one
		if err := os.Remove(left); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	// SQLite would let everybody read a new file. Its other files take their permissions from it.
	file, err := os.OpenFile(made, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(made)
		}
	}()
	if err := file.Close(); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", source(made, "synchronous(FULL)"))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	if err := errors.Join(migrate(ctx, db), db.Close()); err != nil {
		return err
	}
	if err := os.Rename(made, path); err != nil {
		return err
	}
	_ = durable.Folder(filepath.Dir(path)) // not every system can
	return nil
}

// Format says which format a store has, 0 if it does not exist, and which one this program brings it to. It
// changes nothing. No process may have the store open.
func Format(ctx context.Context, path string) (has, known int, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = explain(path, err) }()
	if there, err := exists(path); !there || err != nil {
		return 0, len(migrations), err
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0) // a store is of no use without
	if err != nil {
		return 0, 0, err
	}
	if err := file.Close(); err != nil {
		return 0, 0, err
	}
	mode := "&mode=ro"
	if log, err := os.Stat(path + "-wal"); err != nil || log.Size() == 0 {
		mode += "&immutable=1" // else even a reader makes the files beside it
	}
	db, err := sql.Open("sqlite", source(path)+mode)
	if err != nil {
		return 0, 0, err
	}
	defer db.Close()
	has, err = formatOf(ctx, db)
	return has, len(migrations), err
}

// formatOf is the format of a file that this program can use; 0 if there is nothing in it.
func formatOf(ctx context.Context, db *sql.DB) (version int, err error) {
	var of, tables int
	if err := db.QueryRowContext(ctx, "SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)").Scan(&version, &of, &tables); err != nil {
		return 0, err
	}
	if of != application && (version != 0 || tables != 0) {
		return 0, errors.New("it is a database of another program; give the store a file of its own")
	}
	if version > len(migrations) {
		return 0, fmt.Errorf("it was written by a newer version of instrument (format %d, this one knows %d); use that version", version, len(migrations))
	}
	return version, nil
}

// migrate brings a file to the present format.
func migrate(ctx context.Context, db *sql.DB) error {
	version, err := formatOf(ctx, db)
	if err != nil {
		return err
	}
	for ; version < len(migrations); version++ {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, fmt.Sprintf("%s; PRAGMA application_id = %d; PRAGMA user_version = %d", migrations[version], application, version+1))
		if err != nil {
			_ = tx.Rollback()
			return err
		}
		if err := tx.Commit(); err != nil {
			return err
		}
	}
	return nil
}
