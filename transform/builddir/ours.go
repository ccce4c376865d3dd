package builddir

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/internal/rootfs"
	"github.com/fieldprof/fieldprof/transform/internal/disk"
)

// An output that is made again replaces the earlier one. Only files that the earlier run
// wrote may be removed: files added since by others (CNAME, uploads/) are kept. So the
// manifest records what was written, as digests of paths: it may be published, and must
// not reveal the names of unlinked files.

// made notes a file of the output.
func (w *work) made(place string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.makes[place] = true
}

// writeOut writes a file of the output, and notes it.
func (w *work) writeOut(place string, data []byte, mode fs.FileMode) error {
	w.made(place)
	return w.out.write(place, data, mode)
}

// copyOut copies a file of the input, and notes it.
func (w *work) copyOut(f *file, place string) error {
	w.made(place)
	return w.out.copyFile(f, place)
}

// ours returns the digests of everything the run writes: files and empty folders.
func (w *work) ours() []string {
	all := maps.Clone(w.makes)
	all[manifestPath] = true
	filled := map[string]bool{}
	for p := range all {
		for dir := path.Dir(p); dir != "." && !filled[dir]; dir = path.Dir(dir) {
			filled[dir] = true
		}
	}
	for _, d := range w.tree.dirs {
		if d.path != "." && !filled[d.path] {
			all[d.path+"/"] = true
		}
	}
	var digests []string
	for p := range all {
		digests = append(digests, digestOfPath(p))
	}
	slices.Sort(digests)
	return digests
}

func digestOfPath(p string) string {
	sum := sha256.Sum256([]byte(p))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// maxOurs bounds what is read of an earlier manifest.
const maxOurs = 256 << 20

// readOurs reads what an earlier run wrote. Without a list, nothing is known to be ours.
func readOurs(place string) (map[string]bool, error) {
	f, err := os.Open(filepath.Join(place, filepath.FromSlash(manifestPath)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // the directory is empty
	}
	if err != nil {
		return nil, fmt.Errorf("the output %s: %w", place, disk.Reason(err))
	}
	defer f.Close()
	var m manifest
	if err := json.NewDecoder(io.LimitReader(f, maxOurs)).Decode(&m); err != nil || len(m.Ours) == 0 {
		return nil, fmt.Errorf("the output %s is there, and its %s does not say which of the files are ours: remove it or choose another", place, manifestPath)
	}
	ours := make(map[string]bool, len(m.Ours))
	for _, digest := range m.Ours {
		ours[digest] = true
	}
	return ours, nil
}

// entry is a file or folder as it was found.
type entry struct {
	kind     fs.FileMode
	size     int64
	modified time.Time
}

// contents are the known files and folders of a directory that is to be replaced, by
// path.
type contents map[string]entry

// contentsOfTree returns the contents of the input as it was found.
func contentsOfTree(t *tree) contents {
	c := contents{}
	for _, f := range t.files {
		e := entry{0, f.size, f.modified}
		if f.kind == link {
			e = entry{kind: fs.ModeSymlink}
		}
		c[f.path] = e
	}
	for p := range t.isDir {
		c[p] = entry{kind: fs.ModeDir}
	}
	return c
}

func entryOf(info fs.FileInfo) entry {
	if !info.Mode().IsRegular() {
		return entry{kind: info.Mode().Type()}
	}
	return entry{0, info.Size(), info.ModTime()}
}

// list finds what is in a directory, if it is there.
func list(dir string) (contents, error) {
	c := contents{}
	root, err := os.OpenRoot(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c, nil
	case err != nil:
		return nil, err // it names the folder
	}
	defer root.Close()
	err = fs.WalkDir(rootfs.Of(root), ".", func(p string, found fs.DirEntry, err error) error {
		if err != nil {
			return located(p, err)
		}
		info, err := found.Info()
		if err != nil {
			return located(p, err)
		}
		c[p] = entryOf(info)
		return nil
	})
	return c, err
}

// check fails if a directory has changed in unknown ways.
func (c contents) check(dir string) error {
	now, err := list(dir)
	if err != nil {
		return err
	}
	const again = "while the output was made: nothing was changed; run again when nothing else writes there"
	for _, p := range slices.Sorted(maps.Keys(now)) {
		switch was, there := c[p]; {
		case p == ".":
		case !there:
			return fmt.Errorf("%s: %s appeared %s", dir, p, again)
		case was.kind != now[p].kind || was.size != now[p].size || !was.modified.Equal(now[p].modified):
			return fmt.Errorf("%s: %s changed %s", dir, p, again)
		}
	}
	for _, p := range slices.Sorted(maps.Keys(c)) {
		if _, there := now[p]; !there && p != "." {
			return fmt.Errorf("%s: %s vanished %s", dir, p, again)
		}
	}
	return nil
}

// keepForeign carries over what others have added to the earlier output.
func (o *outputDirectory) keepForeign() error {
	if len(o.known) > 0 {
		return nil // in place
	}
	found, err := list(o.place)
	if err != nil {
		return err
	}
	ours, err := readOurs(o.place)
	if err != nil {
		return err
	}
	o.known = found
	folders := map[string]bool{} // that are there for what is in them
	for p := range found {
		if ours[digestOfPath(p)] {
			for dir := path.Dir(p); dir != "." && !folders[dir]; dir = path.Dir(dir) {
				folders[dir] = true
			}
		}
	}
	isOurs := func(folder string) bool { // the variant has folders without files where only pages are
		return folders[folder] || ours[digestOfPath(folder+"/")] || strings.HasPrefix(folder+"/", variant(""))
	}
	paths := slices.Sorted(maps.Keys(found))
	for _, p := range paths {
		switch isFolder := found[p].kind == fs.ModeDir; {
		case p == ".", ours[digestOfPath(p)]:
		case isFolder && isOurs(p):
		case ours[digestOfPath(uncompressed(p))] && kindOfFile(p) == compressed:
			o.said = append(o.said, Warning{File: p, Text: "was compressed from a file that is made again, and is left out: compress that one again"})
		default:
			if err := o.keep(p, found[p]); err != nil {
				return err
			}
		}
	}
	for _, p := range slices.Backward(paths) {
		if found[p].kind == fs.ModeDir && p != "." && !isOurs(p) {
			if info, err := os.Lstat(filepath.Join(o.place, filepath.FromSlash(p))); err == nil {
				if err := o.Chmod(p, folderMode(info.Mode())); err != nil {
					return located(p, err)
				}
			}
		}
	}
	return nil
}

// keep carries one file or folder over.
func (o *outputDirectory) keep(p string, e entry) error {
	if there, err := o.Lstat(p); err == nil {
		if e.kind == fs.ModeDir && there.IsDir() {
			return nil
		}
		return fmt.Errorf("the output %s has %s, which is not ours, where one goes now: move it away or choose another output", o.place, p)
	}
	if err := o.MkdirAll(path.Dir(p), 0o755); err != nil {
		return fmt.Errorf("keeping %s of the output %s: %w", p, o.place, disk.Reason(err))
	}
	from, to := filepath.Join(o.place, filepath.FromSlash(p)), filepath.Join(o.temp, filepath.FromSlash(p))
	var err error
	switch {
	case e.kind == fs.ModeDir:
		err = o.Mkdir(p, 0o755)
	case e.kind == fs.ModeSymlink:
		var target string
		if target, err = os.Readlink(from); err == nil {
			err = os.Symlink(target, to)
		}
	case e.kind != 0:
		err = errors.New("it is neither a file nor a directory: remove it")
	default:
		if err = os.Link(from, to); err != nil {
			err = o.copyKept(from, p, e)
		}
	}
	if err != nil {
		return fmt.Errorf("keeping %s of the output %s: %w", p, o.place, disk.Reason(err))
	}
	return nil
}

// copyKept copies where nothing can be linked.
func (o *outputDirectory) copyKept(from, p string, e entry) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	err = o.create(p, info.Mode().Perm(), func(to *os.File) error {
		_, err := io.Copy(to, f)
		return err
	})
	if err != nil {
		return err
	}
	return o.Chtimes(p, e.modified, e.modified)
}
