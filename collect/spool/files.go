package spool

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fieldprof/fieldprof/internal/durable"
	"github.com/fieldprof/fieldprof/internal/filelock"
)

// Files is the folder of a spool. Tests replace it to make it fail.
type Files interface {
	// Lock admits one process until Close.
	Lock(name string) (io.Closer, error)
	List() ([]string, error)
	Size(name string) (int64, error)
	// Open opens a file to read and write; Create makes one that must not exist.
	Open(name string) (File, error)
	Create(name string) (File, error)
	Remove(name string) error
	// Sync makes what Create and Remove did durable.
	Sync() error
}

// File is an open file.
type File interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Sync() error
	Close() error
}

// ErrLocked says that another process uses the folder.
var ErrLocked = errors.New("another process uses it")

// folder is a folder of the disk.
type folder struct{ path string }

func openFolder(path string) (Files, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	return folder{path}, nil
}

func (d folder) file(name string) string { return filepath.Join(d.path, name) }

func (d folder) Lock(name string) (io.Closer, error) {
	f, err := os.OpenFile(d.file(name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if !filelock.Try(f) {
		f.Close()
		return nil, &fs.PathError{Op: "lock", Path: d.path, Err: ErrLocked}
	}
	return f, nil
}

func (d folder) List() (names []string, _ error) {
	entries, err := os.ReadDir(d.path)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

func (d folder) Size(name string) (int64, error) {
	info, err := os.Stat(d.file(name))
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (d folder) Open(name string) (File, error) { return os.OpenFile(d.file(name), os.O_RDWR, 0) }

func (d folder) Create(name string) (File, error) {
	return os.OpenFile(d.file(name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

func (d folder) Remove(name string) error { return os.Remove(d.file(name)) }

func (d folder) Sync() error { return durable.Folder(d.path) }
