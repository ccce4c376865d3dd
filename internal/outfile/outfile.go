// Package outfile writes files completely or not at all: a temporary file in the same folder
// takes the name when it is complete.
//
//	f, err := outfile.Open(path)
//	if err != nil {
//		return err
//	}
//	defer f.Discard()
//	return f.Complete(func(w io.Writer) error { … })
//
// Links are followed, and a file that is replaced leaves its permissions to the new one. Devices,
// pipes and the standard streams of this process are written into: others have them open, and
// would not see a file that takes the name.
package outfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// File is a file that has not got its name yet.
type File struct {
	path      string      // as it was named
	place     string      // where it will be; "": it is written into
	mode      fs.FileMode // that it gets in the end; 0: what it was made with
	temporary string      // the name that it has until then
	out       *os.File
	borrowed  bool // out is a standard stream
}

// Open finds out whether a path can be written, before any work is done.
func Open(path string) (*File, error) { return open(path, false) }

// Check finds out the same and leaves nothing.
func Check(path string) error {
	f, err := find(path, false)
	if err != nil || f.place == "" { // the reader of a pipe would take this for the end
		return err
	}
	if err := f.begin(false); err != nil {
		return err
	}
	f.Discard()
	return nil
}

// WriteSecret writes a file that only its owner can read at any time. It replaces what was
// there, a link too, and is on the disk before it has its name.
func WriteSecret(path string, text []byte) error {
	f, err := open(path, true)
	if err != nil {
		return err
	}
	return f.Complete(func(w io.Writer) error {
		if _, err := w.Write(text); err != nil {
			return err
		}
		return f.out.Sync()
	})
}

func open(path string, secret bool) (*File, error) {
	f, err := find(path, secret)
	if err != nil {
		return nil, err
	}
	if err := f.begin(secret); err != nil {
		return nil, err
	}
	return f, nil
}

// find finds out where a file will be, and whether it is written into.
func find(path string, secret bool) (*File, error) {
	f := &File{path: path, place: path}
	info, err := os.Stat(path) // usually fails because the file does not exist yet; if it cannot be made, begin says why
	if err == nil && info.IsDir() {
		return nil, fmt.Errorf("cannot write %s: it is a directory; name a file in it", path)
	}
	if secret {
		return f, nil
	}
	if err == nil {
		if f.out = streamOf(info); f.out != nil || !info.Mode().IsRegular() {
			f.place, f.borrowed = "", f.out != nil
			return f, nil
		}
		f.mode = info.Mode().Perm()
	}
	if f.place, err = Followed(path); err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", path, err)
	}
	return f, nil
}

// streamOf returns the standard stream that a file is, nil for none.
func streamOf(info fs.FileInfo) *os.File {
	for _, stream := range []*os.File{os.Stdout, os.Stderr} {
		if its, err := stream.Stat(); err == nil && os.SameFile(info, its) {
			return stream
		}
	}
	return nil
}

// mostLinks is how many links may follow each other.
const mostLinks = 40

// Followed returns the path to which links lead, whether or not there is something.
func Followed(path string) (string, error) {
	for range mostLinks {
		to, err := os.Readlink(path)
		if err != nil { // it is not a link
			return path, nil
		}
		if !filepath.IsAbs(to) {
			folder, _ := filepath.Split(path)
			to = folder + to // uncleaned: the folder may be a link
		}
		path = to
	}
	return "", errors.New("its links lead in a circle")
}

// begin opens what is written to.
func (f *File) begin(secret bool) error {
	if f.borrowed {
		return nil
	}
	name, flags, mode := f.path, os.O_WRONLY, fs.FileMode(0)
	if f.place != "" {
		folder, base := filepath.Split(f.place)
		f.temporary = folder + temporaryOf(base)
		name, flags, mode = f.temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666
		switch {
		case secret:
			mode = 0o600
		case f.mode != 0:
			mode = f.mode | 0o200 // Windows removes and renames nothing that is read-only
		}
	}
	err := opened.add(f, func() (err error) {
		f.out, err = os.OpenFile(name, flags, mode)
		return err
	})
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", f.path, Reason(err))
	}
	return nil
}

// longestName is how many bytes file systems allow in a name.
const longestName = 255

// temporaryOf is a name for a file until it gets this one. A long one is cut, so that whatever name the file system
// takes can be written.
func temporaryOf(base string) string {
	random := "." + rand.Text()[:10]
	base = base[:min(len(base), longestName-len(".")-len(random))]
	return "." + strings.ToValidUTF8(base, "") + random
}

// Complete writes the file and gives it its name.
func (f *File) Complete(write func(io.Writer) error) error {
	err := write(f.out)
	if err == nil {
		err = f.setMode()
	}
	if closing := f.close(); err == nil {
		err = closing
	}
	if err == nil && f.place != "" {
		err = opened.finish(f, func() error { return os.Rename(f.temporary, f.place) })
	}
	if err != nil {
		f.Discard()
		return fmt.Errorf("writing %s: %w", f.path, err)
	}
	return nil
}

// setMode gives the file the permissions of the one that it replaces.
func (f *File) setMode() error {
	if f.mode == 0 {
		return nil
	}
	info, err := f.out.Stat()
	if err != nil || info.Mode().Perm() == f.mode {
		return err
	}
	return f.out.Chmod(f.mode)
}

func (f *File) close() error {
	if f.borrowed {
		return nil
	}
	return f.out.Close()
}

// Discard removes the temporary file. It is harmless after Complete.
func (f *File) Discard() {
	_ = f.close()
	_ = opened.finish(f, func() error { return os.Remove(f.temporary) })
}

// Reason returns what a file error says, without the path.
func Reason(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	if link := (*os.LinkError)(nil); errors.As(err, &link) {
		return link.Err
	}
	return err
}
