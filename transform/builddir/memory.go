package builddir

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// File is a file of a tree in memory: a path with slashes below the root of the
// output, and its contents.
type File struct {
	Path string
	Data []byte
}

// Files instruments a tree in memory as Run does a directory, and gives the
// whole instrumented tree, in order of path: the same files with the same bytes
// as Run writes for the same input and options. Unchanged files share their contents
// with the input, which is never modified.
//
// Input, Output and InPlace have no meaning here and must not be set. A dry run
// gives no files.
func Files(ctx context.Context, files []File, options Options) ([]File, *Report, error) {
	if options.Input != "" || options.Output != "" || options.InPlace {
		return nil, nil, errors.New("a tree in memory has no input or output directory: leave Input, Output and InPlace empty")
	}
	s, err := options.settle()
	if err != nil {
		return nil, nil, err
	}
	s.Input, s.inMemory = "the tree", true // as messages call it
	in, err := newInputMemory(files)
	if err != nil {
		return nil, nil, err
	}
	out := &outputMemory{in: in, contents: map[string][]byte{}}
	report, err := s.run(ctx, in, func(*tree) (output, error) { return out, nil })
	if err != nil {
		return nil, nil, err
	}
	return out.files(), report, nil
}

// inputMemory holds contents by path.
type inputMemory map[string][]byte

// newInputMemory refuses trees that no directory could hold.
func newInputMemory(files []File) (inputMemory, error) {
	in := make(inputMemory, len(files))
	for _, f := range files {
		if !belowRoot(f.Path, runtime.GOOS == "windows") {
			return nil, fmt.Errorf("%q is not the path of a file below the root: write it with slashes, without . and .. folders", f.Path)
		}
		if _, twice := in[f.Path]; twice {
			return nil, fmt.Errorf("%s occurs twice", f.Path)
		}
		in[f.Path] = f.Data
	}
	for p := range in {
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			if _, isFile := in[dir]; isFile {
				return nil, fmt.Errorf("%s is a file and the folder of %s", dir, p)
			}
		}
	}
	return in, nil
}

// belowRoot reports whether a path is written the one way there is. File
// systems take names that are no UTF-8, unlike fs.ValidPath. In Windows some
// characters lead elsewhere (..\, C:, a file's streams), and some names are devices.
func belowRoot(p string, windows bool) bool {
	if p == "" || path.Clean("/"+p) != "/"+p || strings.ContainsRune(p, 0) {
		return false
	}
	if !windows {
		return true
	}
	return !strings.ContainsAny(p, `\:`) && !slices.ContainsFunc(strings.Split(p, "/"), isOddInWindows)
}

// isOddInWindows reports whether a name refers to a device or another name in Windows,
// which ignores what follows the first dot of a device's name, and trailing dots and
// blanks.
func isOddInWindows(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	switch {
	case strings.HasSuffix(name, "."), strings.HasSuffix(name, " "):
		return true
	case slices.Contains([]string{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}, base):
		return true
	}
	digit, ok := strings.CutPrefix(base, "COM")
	if !ok {
		digit, ok = strings.CutPrefix(base, "LPT")
	}
	return ok && slices.Contains(strings.Split("0123456789¹²³", ""), digit)
}

func (in inputMemory) survey(ctx context.Context) (*tree, error) {
	t := newTree()
	for p, data := range in {
		t.add(&file{path: p, kind: kindOfFile(p), size: int64(len(data)), mode: 0o644})
		for dir := path.Dir(p); !t.isDir[dir]; dir = path.Dir(dir) {
			t.isDir[dir] = true
		}
	}
	// In the order of a directory walk: a folder is compared by its own name.
	slices.SortFunc(t.files, func(x, y *file) int { return compareNames(x.path, y.path) })
	return t.surveyed(), ctx.Err()
}

// compareNames compares paths name by name.
func compareNames(x, y string) int {
	return slices.Compare(strings.Split(x, "/"), strings.Split(y, "/"))
}

func (in inputMemory) ReadFile(p string) ([]byte, error) {
	data, ok := in[p]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: p, Err: fs.ErrNotExist}
	}
	return data, nil
}

// outputMemory has no folders of its own: they are where files are.
type outputMemory struct {
	in       inputMemory
	mu       sync.Mutex
	contents map[string][]byte
}

func (o *outputMemory) ReadFile(p string) ([]byte, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return inputMemory(o.contents).ReadFile(p)
}

func (o *outputMemory) write(p string, data []byte, _ fs.FileMode) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.contents[p] = data
	return nil
}

func (o *outputMemory) copyFile(f *file, place string) error {
	return o.write(place, o.in[f.path], f.mode)
}

func (o *outputMemory) MkdirAll(string, fs.FileMode) error { return nil }
func (o *outputMemory) Chmod(string, fs.FileMode) error    { return nil }
func (o *outputMemory) keepForeign() error                 { return nil }
func (o *outputMemory) warnings() []Warning                { return nil }
func (o *outputMemory) commit() error                      { return nil }
func (o *outputMemory) discard()                           {}

// files are in order of path.
func (o *outputMemory) files() []File {
	files := make([]File, 0, len(o.contents))
	for p, data := range o.contents {
		files = append(files, File{p, data})
	}
	slices.SortFunc(files, func(x, y File) int { return cmp.Compare(x.Path, y.Path) })
	return files
}
