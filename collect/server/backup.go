package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/store/sqlite"
	"github.com/fieldprof/fieldprof/internal/durable"
)

// storeFile is the store in a backup.
const storeFile = "store.sqlite"

// Backup copies the store and the generated keys into a new folder, also while a collector
// uses them.
func Backup(ctx context.Context, c *config.Config, to string) (err error) {
	c.SetDefaults()
	file, ok := strings.CutPrefix(c.Store, "sqlite:")
	if !ok {
		return errors.New("only a SQLite store is copied: ClickHouse has a BACKUP of its own (docs/clickhouse.md)")
	}
	if _, err := os.Stat(file); err != nil {
		return fmt.Errorf("there is no store: %w", err)
	}
	if err := os.Mkdir(to, 0o700); err != nil {
		return fmt.Errorf("a backup goes into a new folder: %w", err)
	}
	defer func() {
		if err != nil {
			os.RemoveAll(to) // half a backup is none
		}
	}()
	if err := sqlite.Backup(ctx, file, filepath.Join(to, storeFile)); err != nil {
		return err
	}
	err = copyFile(filepath.Join(c.Data, config.KeysFile), filepath.Join(to, config.KeysFile))
	if errors.Is(err, fs.ErrNotExist) { // there are none when the configuration has its own
		err = nil
	}
	return errors.Join(err, durable.Folder(to), durable.Folder(filepath.Dir(to)))
}

// Restore makes a folder of data from a backup.
func Restore(ctx context.Context, c *config.Config, from string) (err error) {
	c.SetDefaults()
	file, ok := strings.CutPrefix(c.Store, "sqlite:")
	if !ok {
		return errors.New("only a SQLite store is restored: ClickHouse has a RESTORE of its own (docs/clickhouse.md)")
	}
	entries, err := os.ReadDir(c.Data)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := os.Stat(file); err == nil || slices.ContainsFunc(entries, isData) {
		return fmt.Errorf("%s is not empty: a backup is restored into a new folder", c.Data)
	}
	if _, err := os.Stat(filepath.Join(from, storeFile)); err != nil {
		return fmt.Errorf("%s is not a backup: %w", from, err)
	}
	if err := errors.Join(os.MkdirAll(c.Data, 0o700), os.MkdirAll(filepath.Dir(file), 0o700)); err != nil {
		return err
	}
	unlock, err := lock(c.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	keys := filepath.Join(c.Data, config.KeysFile)
	defer func() {
		if err != nil { // half of it would keep the next try out
			for _, made := range []string{keys, file, file + "-wal", file + "-shm", file + ".lock"} {
				os.Remove(made)
			}
		}
	}()
	err = copyFile(filepath.Join(from, config.KeysFile), keys)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := copyFile(filepath.Join(from, storeFile), file); err != nil {
		return err
	}
	kept, err := openStore(ctx, c) // it must be readable, and of a version that this program knows
	if err != nil {
		return err
	}
	return errors.Join(kept.Ready(ctx), kept.Close(), durable.Folder(c.Data), durable.Folder(filepath.Dir(file)))
}

// isData reports whether a folder with this entry is in use: a new one has a lock, and an empty volume what file
// systems put there.
func isData(entry fs.DirEntry) bool { return entry.Name() != "lock" && entry.Name() != "lost+found" }

// copyFile copies a file to where there is none. Only its owner can read the copy.
func copyFile(from, to string) (err error) {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Sync(), target.Close())
}
