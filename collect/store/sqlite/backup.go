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

// Backup copies the store into a new file, as it is at one moment, while it is used.
func (s *Store) Backup(ctx context.Context, file string) error { return Backup(ctx, s.path, file) }

// Backup copies a store, which this or another process may be using, into a new file.
func Backup(ctx context.Context, from, to string) error {
	if _, err := os.Stat(from); err != nil {
		return err
	}
	from, err := filepath.Abs(from)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%s exists already; name a new file for the backup", to)
	}
	folder, err := os.MkdirTemp(filepath.Dir(to), ".backup-")
	if err != nil {
		return fmt.Errorf("cannot write a backup there: %w", err)
	}
	defer os.RemoveAll(folder)
	copied := filepath.Join(folder, "store")
	db, err := sql.Open("sqlite", source(from, waiting, "cache_size(-16384)"))
	if err != nil {
		return explain(from, err)
	}
	defer db.Close()
	var of int
	if err := db.QueryRowContext(ctx, "SELECT application_id FROM pragma_application_id").Scan(&of); err != nil {
		return explain(from, err)
	}
	if of != application {
		return fmt.Errorf("%s is not a store", from)
	}
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", copied); err != nil {
		return explain(copied, err)
	}
	if err := errors.Join(os.Chmod(copied, 0o600), durable.File(copied)); err != nil {
		return err
	}
	err = os.Link(copied, to) // unlike Rename it replaces nothing,
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = os.Rename(copied, to) // but not every file system can
	}
	if err != nil {
		return fmt.Errorf("cannot write the backup: %w", err)
	}
	return durable.Folder(filepath.Dir(to))
}
