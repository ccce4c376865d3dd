package k6

import (
	"bytes"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"sync"

	"github.com/spf13/afero"
	"go.k6.io/k6/lib/fsext"
)

// files is k6's file system, whose modules have checks.
type files struct {
	fsext.Fs
	session *session
}

// Open opens a file. k6 copies what it opens, and then serves its copy.
func (f *files) Open(name string) (afero.File, error) {
	file, err := f.Fs.Open(name)
	s := f.session.begin()
	if err != nil || s == nil {
		return file, err
	}
	script, is := s.script(name)
	if !is {
		return file, nil
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return f.Fs.Open(name)
	}
	source, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	memory := fsext.NewMemMapFs()
	if err := fsext.WriteFile(memory, name, s.instrument(script, source), info.Mode()); err != nil {
		return nil, err
	}
	if err := memory.Chtimes(name, info.ModTime(), info.ModTime()); err != nil {
		return nil, err
	}
	return memory.Open(name)
}

// standardInputName is k6's name of a script that it reads there.
const standardInputName = "file:///-"

// standardInput is where k6 reads a script that is called -.
type standardInput struct {
	io.Reader
	session *session
	begin   sync.Once
}

func (in *standardInput) Read(p []byte) (int, error) {
	in.begin.Do(func() {
		s := in.session.begin()
		if s == nil {
			return
		}
		source, err := io.ReadAll(in.Reader)
		if err == nil {
			source = s.instrument(standardInputName, source)
		}
		in.Reader = io.MultiReader(bytes.NewReader(source), failing{err})
	})
	return in.Reader.Read(p)
}

// failing is a reader that has nothing.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err == nil {
		return 0, io.EOF
	}
	return 0, f.err
}

// filePath is the path that k6 opens for a URL.
func filePath(u *url.URL) (string, error) {
	if u.Scheme != "file" {
		return "", errNoFile
	}
	name, err := url.PathUnescape(path.Clean(u.String()[len("file:/"):]))
	return filepath.Clean(filepath.FromSlash(name)), err
}
