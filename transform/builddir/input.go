package builddir

import (
	"context"
	"fmt"
	"io/fs"
	"os"

	"github.com/fieldprof/fieldprof/internal/rootfs"
)

// input is the tree to instrument: a directory, or Files in memory.
type input interface {
	// survey lists it.
	survey(ctx context.Context) (*tree, error)
	// ReadFile returns contents that must not be changed.
	ReadFile(p string) ([]byte, error)
}

// inputDirectory is read through os.Root: nothing in it leads out of it.
type inputDirectory struct{ *os.Root }

func (d inputDirectory) survey(ctx context.Context) (*tree, error) {
	t := newTree()
	err := fs.WalkDir(rootfs.Of(d.Root), ".", func(p string, entry fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return located(p, err)
		}
		if entry.IsDir() {
			info, err := entry.Info()
			if err != nil {
				return located(p, err)
			}
			t.dirs = append(t.dirs, folder{p, folderMode(info.Mode())})
			t.isDir[p] = true
			return nil
		}
		f, err := d.look(p, entry)
		if err != nil {
			return err
		}
		t.add(f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t.surveyed(), nil
}

func (d inputDirectory) look(p string, entry fs.DirEntry) (*file, error) {
	f := &file{path: p, kind: kindOfFile(p)}
	info, err := entry.Info()
	if err != nil {
		return nil, located(p, err)
	}
	f.size, f.mode, f.modified = info.Size(), info.Mode().Perm(), info.ModTime()
	switch {
	case entry.Type()&fs.ModeSymlink != 0:
		if f.target, err = d.Readlink(p); err != nil {
			return nil, located(p, err)
		}
		if _, err := d.Stat(p); err != nil {
			return nil, fmt.Errorf("%s is a symbolic link to %s, which leads out of the directory, nowhere or in a circle: replace it by what it should be", p, f.target)
		}
		f.kind, f.size = link, 0
	case !entry.Type().IsRegular():
		return nil, fmt.Errorf("%s is neither a file nor a directory: remove it", p)
	}
	return f, nil
}
