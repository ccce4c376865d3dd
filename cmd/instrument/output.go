package main

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
)

// file is written completely or not at all: a temporary file in the same folder takes
// its name when it is complete.
type file struct {
	path string
	temp *os.File
}

// openFile finds out whether path can be written, before any work is done.
func openFile(path string) (*file, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("cannot write %s: it is a directory; name a file in it", path)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		var pathError *fs.PathError
		if errors.As(err, &pathError) {
			err = pathError.Err
		}
		return nil, fmt.Errorf("cannot write %s: %w", path, err)
	}
	return &file{path: path, temp: temp}, nil
}

// complete writes the file and gives it its name.
func (f *file) complete(write func(io.Writer) error) error {
	err := write(f.temp)
	if err == nil {
		err = f.temp.Chmod(0o644)
	}
	if closeErr := f.temp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.temp.Name(), f.path)
	}
	if err != nil {
		os.Remove(f.temp.Name())
		return fmt.Errorf("writing %s: %w", f.path, err)
	}
	return nil
}

// discard removes the temporary file. It is harmless after complete.
func (f *file) discard() {
	f.temp.Close()
	os.Remove(f.temp.Name())
}

// output is a file for a profile, in the format that its extension names.
type output struct {
	*file
	writeTo func(io.Writer, *profile.Profile) error
}

// openOutput finds out whether path can be written, before any work is done.
func openOutput(path string) (*output, error) {
	var writeTo func(io.Writer, *profile.Profile) error
	if !isReport(path) {
		f, err := format.ForPath(path)
		if err != nil {
			return nil, usageError("-o %s: %v; a report is .html", path, err)
		}
		writeTo = func(w io.Writer, p *profile.Profile) error { return f.WriteAs(w, path, p) }
	} else {
		writeTo = func(w io.Writer, p *profile.Profile) error {
			return zipped(path, func(w io.Writer) error { return reporting(w, p) })(w)
		}
	}
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	return &output{f, writeTo}, nil
}

// isReport reports whether a path names a report, gzipped or not.
func isReport(path string) bool {
	path, _ = cutGzip(path)
	return strings.EqualFold(filepath.Ext(path), ".html")
}

// cutGzip takes .gz off a path that has it.
func cutGzip(path string) (plain string, zipped bool) {
	if strings.EqualFold(filepath.Ext(path), ".gz") {
		return path[:len(path)-len(".gz")], true
	}
	return path, false
}

// zipped returns a write that gzips if the path ends in .gz.
func zipped(path string, write func(io.Writer) error) func(io.Writer) error {
	if _, zip := cutGzip(path); !zip {
		return write
	}
	return func(w io.Writer) error {
		z := gzip.NewWriter(w)
		if err := write(z); err != nil {
			return err
		}
		return z.Close()
	}
}

// write completes the file.
func (o *output) write(p *profile.Profile) error {
	return o.complete(func(w io.Writer) error { return o.writeTo(w, p) })
}
