package builddir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// output is a tree in the making, of a directory or in memory. It is there when
// commit returns, or not at all.
type output interface {
	ReadFile(p string) ([]byte, error)
	// write creates or replaces a file, with its folders.
	write(p string, data []byte, mode fs.FileMode) error
	// copyFile takes over a file of the input.
	copyFile(f *file, place string) error
	// MkdirAll makes a folder, which Chmod gives its permissions.
	MkdirAll(p string, mode fs.FileMode) error
	Chmod(p string, mode fs.FileMode) error
	commit() error
	// discard leaves nothing behind. It is harmless after commit.
	discard()
}

// outputDirectory is a temporary folder beside its place, which takes its name
// when it is complete.
type outputDirectory struct {
	in    *os.Root
	place string // where it will stand
	temp  string
	*os.Root
}

// openOutput begins an output. The place may hold nothing, an empty directory,
// an earlier output of ours, or, in place, the input.
func openOutput(in *os.Root, place string, inPlace bool) (*outputDirectory, error) {
	if !inPlace {
		if err := replaceable(place); err != nil {
			return nil, err
		}
	}
	parent := filepath.Dir(place)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, fmt.Errorf("%s: %w", parent, reason(err))
	}
	temp, err := os.MkdirTemp(parent, "."+filepath.Base(place)+".*")
	if err != nil {
		return nil, fmt.Errorf("cannot write in %s: %w", parent, reason(err))
	}
	if err := os.Chmod(temp, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(temp)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	return &outputDirectory{in, place, temp, root}, nil
}

// keepModes gives the folders of the output the permissions of the input's,
// last of all: some may forbid to write.
func (w *work) keepModes() error {
	for i := len(w.tree.dirs) - 1; i >= 0; i-- { // from the inside out
		d := w.tree.dirs[i]
		places := []string{d.path}
		if at := w.place(d.path); at != d.path {
			places = append(places, at)
		}
		for _, at := range places {
			if err := w.out.Chmod(at, d.mode); err != nil {
				return located(d.path, err)
			}
		}
	}
	return nil
}

// removeAll removes a tree, folders that forbid it included.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() {
			os.Chmod(name, 0o700) // before it is read
		}
		return nil
	})
	return os.RemoveAll(dir)
}

func replaceable(place string) error {
	entries, err := os.ReadDir(place)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the output %s: %w", place, reason(err))
	}
	if _, err := os.Stat(filepath.Join(place, filepath.FromSlash(manifestPath))); err != nil {
		return fmt.Errorf("the output %s is there and is none of ours (no %s): remove it or choose another", place, manifestPath)
	}
	return nil
}

func (o *outputDirectory) write(p string, data []byte, mode fs.FileMode) error {
	if err := o.MkdirAll(path.Dir(p), 0o755); err != nil {
		return located(p, err)
	}
	if err := o.WriteFile(p, data, mode); err != nil {
		return fmt.Errorf("writing %s: %w", p, reason(err))
	}
	return nil
}

// copyFile copies a file with its permissions and times.
func (o *outputDirectory) copyFile(f *file, place string) (err error) {
	if f.kind == link {
		if err := o.Symlink(f.target, place); err != nil {
			return fmt.Errorf("writing %s: %w", f.path, reason(err))
		}
		return nil
	}
	from, err := o.in.Open(f.path)
	if err != nil {
		return located(f.path, err)
	}
	defer from.Close()
	to, err := o.OpenFile(place, os.O_CREATE|os.O_EXCL|os.O_WRONLY, f.mode|0o200)
	if err != nil {
		return fmt.Errorf("writing %s: %w", f.path, reason(err))
	}
	_, err = io.Copy(to, from)
	if closeErr := to.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = o.Chmod(place, f.mode)
	}
	if err == nil {
		err = o.Chtimes(place, f.modified, f.modified)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", f.path, reason(err))
	}
	return nil
}

// commit puts the tree in its place. What stood there goes only when the new
// tree has its name.
func (o *outputDirectory) commit() error {
	if err := o.Close(); err != nil {
		return err
	}
	if err := swap(o.temp, o.place); err != nil {
		return fmt.Errorf("putting the output in place as %s: %w", o.place, err)
	}
	return nil
}

func (o *outputDirectory) discard() {
	o.Close()
	removeAll(o.temp)
}

// swapByNames is for systems that cannot exchange two names at once: for a
// moment neither stands there, and a failure puts the old one back.
func swapByNames(temp, place string) error {
	old := temp + ".old"
	switch err := os.Rename(place, old); {
	case errors.Is(err, fs.ErrNotExist):
		return os.Rename(temp, place)
	case err != nil:
		return err
	}
	if err := os.Rename(temp, place); err != nil {
		return errors.Join(err, os.Rename(old, place))
	}
	return removeAll(old)
}
