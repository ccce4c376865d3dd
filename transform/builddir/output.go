package builddir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/fieldprof/fieldprof/transform/internal/disk"
)

// output is a tree being made, in a directory or in memory. It exists once commit
// returns, or not at all.
type output interface {
	ReadFile(p string) ([]byte, error)
	// write creates or replaces a file, with its folders.
	write(p string, data []byte, mode fs.FileMode) error
	// copyFile copies a file of the input.
	copyFile(f *file, place string) error
	// MkdirAll makes a folder, which Chmod gives its permissions.
	MkdirAll(p string, mode fs.FileMode) error
	Chmod(p string, mode fs.FileMode) error
	// keepForeign carries over what others have added to an earlier output.
	keepForeign() error
	commit() error
	// discard leaves nothing behind. It is harmless after commit.
	discard()
	// warnings returns the warnings about the place.
	warnings() []Warning
}

// outputDirectory is a temporary folder next to its place, which takes its name
// when it is complete.
type outputDirectory struct {
	in    *os.Root
	place string // where it will be
	temp  string
	claim *claim // on temp
	known contents
	said  []Warning
	// replaces says that the place is the input's.
	replaces bool
	*os.Root
}

// openOutput begins an output. The place may hold nothing, an empty directory,
// one of our earlier outputs, or, in place, the input as it was found.
func openOutput(in *os.Root, place string, inPlace *tree) (*outputDirectory, error) {
	known := contents{}
	if inPlace != nil {
		known = contentsOfTree(inPlace)
	} else if err := replaceable(place); err != nil {
		return nil, err
	}
	parent := filepath.Dir(place)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, fmt.Errorf("%s: %w", parent, disk.Reason(err))
	}
	said := sweep(place)
	claim, err := newClaim(place)
	if err != nil {
		return nil, fmt.Errorf("cannot write in %s: %w", parent, disk.Reason(err))
	}
	temp := claim.folder()
	if err := os.Mkdir(temp, 0o700); err != nil { // private until it is complete
		claim.end()
		return nil, fmt.Errorf("cannot write in %s: %w", parent, disk.Reason(err))
	}
	root, err := os.OpenRoot(temp)
	if err != nil {
		err = errors.Join(err, os.RemoveAll(temp))
		claim.end()
		return nil, err
	}
	return &outputDirectory{in, place, temp, claim, known, said, inPlace != nil, root}, nil
}

func (o *outputDirectory) warnings() []Warning { return o.said }

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
		return fmt.Errorf("the output %s: %w", place, disk.Reason(err))
	}
	if _, err := os.Stat(filepath.Join(place, filepath.FromSlash(manifestPath))); err != nil {
		return fmt.Errorf("the output %s exists and is not ours (no %s): remove it or choose another", place, manifestPath)
	}
	_, err = readOurs(place)
	return err
}

// write replaces a file by a new one, since the existing one may forbid writing.
func (o *outputDirectory) write(p string, data []byte, mode fs.FileMode) error {
	if err := o.MkdirAll(path.Dir(p), 0o755); err != nil {
		return located(p, err)
	}
	err := o.Remove(p)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = o.create(p, mode, func(to *os.File) error {
			_, err := to.Write(data)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", p, disk.Reason(err))
	}
	return nil
}

// create makes a file, which has its permissions when it is written.
func (o *outputDirectory) create(p string, mode fs.FileMode, fill func(to *os.File) error) error {
	to, err := o.OpenFile(p, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = fill(to)
	if closeErr := to.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = o.Chmod(p, mode)
	}
	return err
}

// copyFile copies a file with its permissions and times.
func (o *outputDirectory) copyFile(f *file, place string) (err error) {
	if f.kind == link {
		if err := o.Symlink(f.target, place); err != nil {
			return fmt.Errorf("writing %s: %w", f.path, disk.Reason(err))
		}
		return nil
	}
	from, err := o.in.Open(f.path)
	if err != nil {
		return located(f.path, err)
	}
	defer from.Close()
	err = o.create(place, f.mode, func(to *os.File) error {
		_, err := io.Copy(to, from)
		return err
	})
	if err == nil {
		err = o.Chtimes(place, f.modified, f.modified)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", f.path, disk.Reason(err))
	}
	return nil
}

// commit puts the tree in its place. An earlier one is removed only once the new tree has
// its name, and only if all of the earlier one is known.
func (o *outputDirectory) commit() error {
	if err := o.known.check(o.place); err != nil {
		return err
	}
	if o.replaces {
		if err := keepOwners(o.Root, o.in); err != nil {
			return err
		}
	}
	if err := o.Close(); err != nil {
		return err
	}
	if err := o.claim.placing(); err != nil {
		return fmt.Errorf("putting the output in place as %s: %w", o.place, disk.Reason(err))
	}
	old, err := swap(o.temp, o.place)
	if err != nil {
		_, lost := os.Lstat(o.temp + ".old")
		o.claim.isPlacing = lost == nil
		return fmt.Errorf("putting the output in place as %s: %w", o.place, err)
	}
	if old == "" {
		return nil
	}
	if err := o.known.check(old); err != nil { // it changed at the last moment
		made, back := swap(old, o.place)
		return errors.Join(err, back, removeAll(made))
	}
	if err := removeAll(old); err != nil {
		return fmt.Errorf("the output is in place as %s, but what was there before cannot be removed: %w: remove %s", o.place, disk.Reason(err), old)
	}
	return nil
}

func (o *outputDirectory) discard() {
	o.Close()
	if o.claim.isPlacing { // commit has removed what may be removed
		o.claim.endIfGone()
		return
	}
	removeAll(o.temp)
	o.claim.end()
}

// swapByNames is for systems that cannot exchange two names at once: for a
// moment neither is there, and a failure puts the old one back.
func swapByNames(temp, place string) (string, error) {
	old := temp + ".old"
	switch err := os.Rename(place, old); {
	case errors.Is(err, fs.ErrNotExist):
		return "", os.Rename(temp, place)
	case err != nil:
		return "", err
	}
	if err := os.Rename(temp, place); err != nil {
		return "", errors.Join(err, os.Rename(old, place))
	}
	return old, nil
}
