//go:build unix

package builddir

import (
	"io/fs"
	"os"
	"path"
	"syscall"

	"github.com/fieldprof/fieldprof/transform/internal/disk"
)

// keepOwners gives what is made the owners of the tree that it replaces: a file's own, and a new
// file that of its folder. Only root can, and others' files have the owner that they must have.
func keepOwners(made, before *os.Root) error {
	if os.Geteuid() != 0 {
		return nil
	}
	return fs.WalkDir(made.FS(), ".", func(p string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := made.Lstat(p)
		if err != nil {
			return err
		}
		own := info.Sys().(*syscall.Stat_t)
		to, err := ownerIn(before, p)
		if err != nil || own.Uid == to.Uid && own.Gid == to.Gid {
			return err
		}
		if err := made.Lchown(p, int(to.Uid), int(to.Gid)); err != nil {
			return located(p, disk.Reason(err))
		}
		if entry.Type()&fs.ModeSymlink != 0 {
			return nil
		}
		return made.Chmod(p, info.Mode()) // a new owner takes some bits away
	})
}

// ownerIn is whose a path is in a tree, or whose it would be.
func ownerIn(tree *os.Root, p string) (*syscall.Stat_t, error) {
	for {
		info, err := tree.Lstat(p)
		if err == nil {
			return info.Sys().(*syscall.Stat_t), nil
		}
		if p == "." {
			return nil, located(p, disk.Reason(err))
		}
		p = path.Dir(p)
	}
}
