package service

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/fieldprof/fieldprof/transform/builddir"
	"github.com/fieldprof/fieldprof/transform/internal/disk"
)

// folders are those that the service writes to, each with what it knows to be
// there. They are written one build after the other.
type folders struct {
	mu   sync.Mutex
	list []*folder // the one used latest is the last
}

type folder struct {
	path string
	disk disk.Disk
}

// writeError says why a tree that was made could not be written.
type writeError struct{ error }

// write writes a tree. An error names files from base.
func (f *folders) write(into, base string, tree []builddir.File) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	files := make([]disk.File, len(tree))
	for i, made := range tree {
		local := filepath.FromSlash(made.Path)
		if !filepath.IsLocal(local) { // the system has the last word on what its paths mean
			return &writeError{fmt.Errorf("cannot write %q: it is no path below %s", made.Path, into)}
		}
		files[i] = disk.File{Path: filepath.Join(into, local), Contents: made.Data}
	}
	if err := f.take(into).disk.Write(files, base); err != nil {
		return &writeError{err}
	}
	return nil
}

// take gives what is known of a folder, and forgets the one that was not used for
// longest where there are as many as there may be trees.
func (f *folders) take(path string) *folder {
	at := slices.IndexFunc(f.list, func(known *folder) bool { return known.path == path })
	found := &folder{path: path}
	if at >= 0 {
		found = f.list[at]
		f.list = slices.Delete(f.list, at, at+1)
	} else if len(f.list) == maxTrees {
		f.list = slices.Delete(f.list, 0, 1)
	}
	f.list = append(f.list, found)
	return found
}
