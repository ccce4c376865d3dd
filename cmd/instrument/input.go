package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/transform/training"
)

const standard = "-" // input or output

// input is a file to read. It is opened once, because it may be a pipe.
type input struct {
	path string
	file *os.File      // nil until it is open
	text *bufio.Reader // of it
}

func inputsOf(paths []string) []*input {
	var all []*input
	for _, path := range paths {
		all = append(all, &input{path: path})
	}
	return all
}

// longestSniff is how much of a file says whether it holds counts.
const longestSniff = 1 << 10

// open opens the file unless it is open.
func (in *input) open() (err error) {
	if in.file != nil {
		return nil
	}
	if in.file, _, err = openProfile(in.path); err == nil {
		in.text = bufio.NewReaderSize(in.file, 64<<10)
	}
	return err
}

// close closes the file if it is open.
func (in *input) close() {
	if in.file != nil {
		in.file.Close()
	}
}

// isCounts reports whether the file holds counts of executions rather than a profile.
func (in *input) isCounts() (bool, error) {
	if err := in.open(); err != nil {
		return false, err
	}
	head, err := in.text.Peek(longestSniff)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, fmt.Errorf("%s: %w", in.path, err)
	}
	return training.Is(head), nil
}

// profile reads the file, and closes it.
func (in *input) profile(anySize bool) (*profile.Profile, error) {
	if err := in.open(); err != nil {
		return nil, err
	}
	defer in.close()
	p, _, err := format.Options{AnySize: anySize}.Read(in.text, in.path)
	if err != nil {
		return nil, unread(in.path, err)
	}
	return p, nil
}

// readProfile reads a profile file of any format.
func (f *inputFlags) readProfile(path string) (*profile.Profile, error) {
	return (&input{path: path}).profile(f.anySize)
}

// unread says why a profile could not be read, and what to do about it.
func unread(path string, err error) error {
	var much *format.TooMuch
	if errors.As(err, &much) {
		return fmt.Errorf("%s: %w; --any-size reads it anyway", path, much)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// openProfile opens a profile file, and says what is wrong if it cannot be one.
func openProfile(path string) (*os.File, fs.FileInfo, error) {
	info, err := stat(path)
	switch {
	case path == standard && errors.Is(err, fs.ErrClosed):
		return nil, nil, errors.New("- is standard input, which can be read once: name it once")
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, fmt.Errorf("%s: no such file", path)
	case err != nil:
		return nil, nil, err
	case info.IsDir():
		return nil, nil, fmt.Errorf("%s is a directory: name a profile file", path)
	case info.Mode().IsRegular() && info.Size() == 0:
		return nil, nil, fmt.Errorf("%s is empty: there is no profile in it", path)
	}
	if path == standard {
		return os.Stdin, info, nil
	}
	file, err := os.Open(path)
	return file, info, err
}

// stat describes an input.
func stat(path string) (fs.FileInfo, error) {
	if path == standard {
		return os.Stdin.Stat()
	}
	return os.Stat(path)
}
