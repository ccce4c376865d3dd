package builddir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/transform/internal/disk"
)

// kind is what is done with a file.
type kind uint8

const (
	other      kind = iota // copied
	script                 // instrumented
	page                   // its scripts are
	sourceMap              // copied unless a script claims it
	compressed             // of a script, page or map: made again when that changes
	link                   // a symbolic link within the tree, kept
)

// file is one file of the input. Paths are slash-separated, from the root.
type file struct {
	path     string
	kind     kind
	size     int64
	mode     fs.FileMode
	modified time.Time
	target   string // of a link
}

// folder is one folder of the input.
type folder struct {
	path string
	mode fs.FileMode
}

// tree is what the input holds, folder by folder in order of name.
type tree struct {
	files    []*file
	byPath   map[string]*file
	dirs     []folder
	isDir    map[string]bool
	hasPages bool
	hasLinks bool
	longest  int // of the paths, in bytes
	total    Amount
}

var kinds = map[string]kind{
	".js": script, ".mjs": script, ".cjs": script,
	".html": page, ".htm": page,
	".map": sourceMap,
	".gz":  compressed, ".br": compressed, ".zst": compressed,
}

// add notes a file that was found.
func (t *tree) add(f *file) {
	t.files = append(t.files, f)
	t.byPath[f.path] = f
	t.longest = max(t.longest, len(f.path))
	t.hasPages = t.hasPages || f.kind == page
	t.hasLinks = t.hasLinks || f.kind == link
}

// surveyed completes the tree once all files are in it.
func (t *tree) surveyed() *tree {
	for _, f := range t.files {
		// Compressed files of which we have no original are like any other.
		if f.kind == compressed && t.byPath[uncompressed(f.path)] == nil {
			f.kind = other
		}
		t.total.Files++
		t.total.Bytes += f.size
	}
	return t
}

func newTree() *tree { return &tree{byPath: map[string]*file{}, isDir: map[string]bool{}} }

// kindOfFile goes by the name.
func kindOfFile(p string) kind { return kinds[strings.ToLower(path.Ext(p))] }

// uncompressed is the path of what a compressed file was made from.
func uncompressed(p string) string { return strings.TrimSuffix(p, path.Ext(p)) }

// located prefixes an error of the file system with the path.
func located(p string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%s: %w", p, disk.Reason(err))
}

// Folder is the folder of the runtime and the manifest in an output.
const Folder = "fieldprof"

const manifestPath = Folder + "/manifest.json"

// fresh refuses a tree that is one of our outputs, or that has something else in the
// place of the runtime.
func (t *tree) fresh(input string) error {
	if t.byPath[manifestPath] != nil {
		return fmt.Errorf("%s is instrumented already (it has %s): instrument the clean build", input, manifestPath)
	}
	for _, f := range t.files {
		if strings.HasPrefix(f.path, Folder+"/") {
			return fmt.Errorf("%s: the folder %s is where the runtime goes: rename yours", f.path, Folder)
		}
	}
	if f := t.byPath[Folder]; f != nil {
		return fmt.Errorf("%s: the runtime needs a folder of this name: rename yours", f.path)
	}
	for _, f := range t.files {
		if table := f.path + tableSuffix; (f.kind == script || f.kind == page) && t.has(table) {
			return fmt.Errorf("%s is where the function table of %s goes: remove it (is the build instrumented already?)", table, f.path)
		}
	}
	return nil
}

// resolve follows the links in a path. survey has made sure that none leads out of the
// tree or in a circle.
func (t *tree) resolve(p string) string {
	for range 40 { // as systems do
		if !t.hasLinks || t.byPath[p] != nil && t.byPath[p].kind != link {
			return p
		}
		at := p
		for at != "." && at != "/" && (t.byPath[at] == nil || t.byPath[at].kind != link) {
			at = path.Dir(at)
		}
		f := t.byPath[at]
		if f == nil {
			return p
		}
		p = path.Join(path.Dir(at), f.target, strings.TrimPrefix(p, at))
	}
	return p
}

// leads reports whether there is a file at a path, maybe through links.
func (t *tree) leads(p string) bool {
	if !t.hasLinks && len(p) > t.longest {
		return false
	}
	return t.byPath[t.resolve(p)] != nil
}

// has reports whether a path exists.
func (t *tree) has(p string) bool { return t.byPath[p] != nil || t.isDir[p] }
