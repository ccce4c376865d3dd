package symbols

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/fieldprof/fieldprof/internal/rootfs"
)

// Bounds on what is read.
const (
	maxFiles = 200_000
	maxBytes = 512 << 20 // of one file
)

const (
	mapSuffix   = ".map"
	tableSuffix = ".functions.json"
)

// tree is a directory that the user named, or one file in it, or Files.
type tree struct {
	name  string // as the user gave it
	root  *os.Root
	other Files               // instead of root
	files map[string]bool     // slash-separated paths of scripts, maps and tables
	bases map[string][]string // the same by their last part
	named bool                // the user named the one file
	ids   map[string]string   // debug ids of files, by path; nil if they must be read
	keys  map[string]string   // by which Memory knows files, by path
}

func openTree(name string) (*tree, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file or directory", name)
	case err != nil:
		return nil, err
	}
	directory := name
	if !info.IsDir() {
		directory = filepath.Dir(name)
	}
	root, err := os.OpenRoot(directory)
	if err != nil {
		return nil, err
	}
	t := &tree{name: name, root: root, files: map[string]bool{}, bases: map[string][]string{}}
	if !info.IsDir() {
		t.named = true
		t.add(filepath.Base(name))
		return t, nil
	}
	if err := t.walk(); err != nil {
		root.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

func (t *tree) add(p string) {
	t.files[p] = true
	t.bases[path.Base(p)] = append(t.bases[path.Base(p)], p)
}

func (t *tree) walk() error {
	return fs.WalkDir(rootfs.Of(t.root), ".", func(p string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.Type().IsRegular():
			return nil
		case len(t.files) == maxFiles:
			return fmt.Errorf("more than %d scripts and maps: name a directory further in", maxFiles)
		}
		for _, suffix := range []string{mapSuffix, tableSuffix, ".js", ".mjs", ".cjs"} {
			if strings.HasSuffix(p, suffix) {
				t.add(p)
				break
			}
		}
		return nil
	})
}

// read reads a file of the directory, whose path a script may have given.
func (t *tree) read(p string) ([]byte, error) {
	if t.other != nil {
		return t.other.Read(p)
	}
	file, err := t.root.Open(filepath.FromSlash(p))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", p)
	}
	data, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err == nil && len(data) > maxBytes {
		err = fmt.Errorf("%s is larger than %d MB", p, maxBytes>>20)
	}
	return data, err
}

// at is how errors name a file of the directory.
func (t *tree) at(p string) string {
	if t.named {
		return t.name
	}
	if t.other != nil {
		return p
	}
	return filepath.Join(t.name, filepath.FromSlash(p))
}
