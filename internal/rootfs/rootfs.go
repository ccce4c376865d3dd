// Package rootfs reads all that a folder holds, within it.
package rootfs

import (
	"io/fs"
	"os"
)

// Of returns a root as a file system. Unlike Root.FS and os.DirFS it opens files and folders whose names are not
// UTF-8, as archives from elsewhere have them: a walk stops at none.
func Of(root *os.Root) fs.FS { return files{root} }

type files struct{ root *os.Root }

func (f files) Open(name string) (fs.File, error)     { return f.root.Open(name) }
func (f files) Stat(name string) (fs.FileInfo, error) { return f.root.Stat(name) }
