package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
)

// output is a profile file that is written whole or not at all: into a
// temporary file beside it, which takes its name when it is complete.
type output struct {
	path   string
	format format.Format
	temp   *os.File
}

// openOutput finds out whether path can be written, before any work is done.
func openOutput(path string) (*output, error) {
	f, err := format.ForPath(path)
	if err != nil {
		return nil, usageError("-o %s: %v", path, err)
	}
	return openOutputAs(path, f)
}

// openOutputAs does so for a format that has been settled.
func openOutputAs(path string, f format.Format) (*output, error) {
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
	return &output{path: path, format: f, temp: temp}, nil
}

// write completes the file.
func (o *output) write(p *profile.Profile) error {
	err := o.format.WriteAs(o.temp, o.path, p)
	if err == nil {
		err = o.temp.Chmod(0o644)
	}
	if closeErr := o.temp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(o.temp.Name(), o.path)
	}
	if err != nil {
		os.Remove(o.temp.Name())
		return fmt.Errorf("writing %s: %w", o.path, err)
	}
	return nil
}

// discard leaves nothing behind. It is harmless after write.
func (o *output) discard() {
	o.temp.Close()
	os.Remove(o.temp.Name())
}
