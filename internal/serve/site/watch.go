package site

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/internal/rootfs"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// pause is how long the last look at the directory is good for.
const pause = 250 * time.Millisecond

// directory serves a build. It looks for changes on disk when it is asked for something;
// if there are any, the request waits for the new build, and so do all others.
type directory struct {
	site *Site
	root *os.Root

	mu     sync.Mutex
	cache  builddir.Cache
	looked time.Time
	seen   uint64   // sum of what the last build was made from
	now    *build   // the last good one
	kept   []*build // it, and those before it that pages may still have loaded
	failed string   // why there is no newer one
}

func newDirectory(s *Site) (*directory, error) {
	d := &directory{site: s}
	d.renew()
	if d.now == nil {
		return nil, errors.New(d.failed)
	}
	return d, nil
}

// open opens the directory, again if another one has its name now: some tools remove the
// old build with its folder. A build that is still in use keeps the old one.
func (d *directory) open() error {
	info, err := os.Stat(d.site.Input)
	switch {
	case err != nil:
		return located(d.site.Input, err)
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", d.site.Input)
	}
	if d.root != nil {
		if open, err := d.root.Stat("."); err == nil && os.SameFile(open, info) {
			return nil
		}
	}
	root, err := os.OpenRoot(d.site.Input)
	if err != nil {
		return located(d.site.Input, err)
	}
	d.root = root
	return nil
}

// located says once what a file error is about.
func located(name string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

func (d *directory) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !reads(w, r) {
		return
	}
	b := d.current(false)
	if d.missed(b, r.URL.Path) {
		b = d.current(true)
	}
	b.serve(w, r)
}

func (d *directory) script(id string, u *url.URL) (profile.Script, bool) {
	b := d.build(id)
	if b == nil {
		return profile.Script{}, false
	}
	return b.script(u)
}

func (d *directory) has(id string) bool { return d.build(id) != nil }

// build returns the build of a page, nil if it is not kept any more; without an ID, the latest.
func (d *directory) build(id string) *build {
	now := d.current(false)
	if id == "" {
		return now
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, b := range d.kept {
		if b.id == id {
			return b
		}
	}
	return nil
}

func (d *directory) text(file string) (string, bool) {
	return d.current(false).text(file)
}

// missed reports whether a path is of a script or page that is newer than the build.
func (d *directory) missed(b *build, urlPath string) bool {
	name, ok := nameOf(urlPath)
	return ok && !b.profiled && b.files[name] == nil && instrumentable(name) && b.onDisk(name)
}

// failure says why the build is not the newest.
func (d *directory) failure() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failed
}

// current returns the build of what is on disk now, or the last one that worked; it looks at least each pause.
func (d *directory) current(look bool) *build {
	d.mu.Lock()
	defer d.mu.Unlock()
	if now := d.site.now(); look || now.Sub(d.looked) >= pause || now.Before(d.looked) {
		d.renew()
	}
	return d.now
}

// renew makes a new build if something has changed.
func (d *directory) renew() {
	paths, sum, err := d.survey()
	if err == nil && sum == d.seen && d.now != nil {
		d.looked = d.site.now()
		return
	}
	var b *build
	if err == nil {
		b, err = d.make(paths, sum)
	}
	d.looked, d.seen = d.site.now(), sum
	if err != nil {
		d.failed = err.Error()
		if d.now != nil {
			d.failed += "; pages are from the last build that worked"
			d.site.log("%s", d.failed)
		}
		return
	}
	d.site.forget(d.failed)
	d.now, d.failed = b, ""
	d.keep(b)
}

// mostKept is how many builds are kept: they are in memory.
const mostKept = 4

func (d *directory) keep(b *build) {
	d.kept = slices.DeleteFunc(d.kept, func(old *build) bool { return old.id == b.id })
	d.kept = append(d.kept, b)
	if b.profiled { // earlier builds are gone from the disk
		d.kept = d.kept[len(d.kept)-1:]
	}
	d.kept = d.kept[max(0, len(d.kept)-mostKept):]
}

// survey lists the files that are instrumented or needed for it, and sums up the state of
// the whole tree.
func (d *directory) survey() (paths []string, sum uint64, err error) {
	if err := d.open(); err != nil {
		return nil, 0, err
	}
	hash := fnv.New64a()
	err = fs.WalkDir(rootfs.Of(d.root), ".", func(p string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && p != ".":
			return nil // it went while we looked
		case err != nil:
			return err
		case p != "." && hidden(entry.Name()) && entry.IsDir():
			return fs.SkipDir
		case entry.IsDir() || hidden(entry.Name()):
			return nil
		}
		info, err := entry.Info()
		if err == nil && entry.Type()&fs.ModeSymlink != 0 {
			info, err = d.root.Stat(p)
		}
		switch {
		case err != nil:
			return nil // it went, or leads out of the directory
		case info.IsDir():
			d.site.log("%s is a link to a folder: what is in it is served as it is", p)
			return nil
		case !info.Mode().IsRegular():
			return nil
		}
		fmt.Fprintf(hash, "%s\x00%d %d\n", p, info.Size(), info.ModTime().UnixNano())
		if instrumentable(p) {
			paths = append(paths, p)
		}
		return nil
	})
	return paths, hash.Sum64(), err
}

// instrumentable reports whether builddir changes files with such a name, or reads them to
// change others.
func instrumentable(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".js", ".mjs", ".cjs", ".html", ".htm", ".map", ".json":
		return true
	}
	return false
}

// most is how much the files of a build may hold: they are in memory.
const most = 1 << 30

// make reads the files and instruments them. A directory that is already our output
// is served unchanged. The sum is the sum of the survey.
func (d *directory) make(paths []string, sum uint64) (*build, error) {
	b := &build{site: d.site, root: d.root}
	if b.onDisk(builddir.Folder + "/manifest.json") {
		b.profiled, b.id = true, fmt.Sprintf("%024x", sum)
		return b, nil
	}
	var files []builddir.File
	total := 0
	for _, p := range paths {
		data, err := d.root.ReadFile(p)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it is noticed at the next look
		}
		if err != nil {
			d.site.log("%s cannot be read: %v", p, err)
			continue
		}
		if total += len(data); total > most {
			return nil, fmt.Errorf("%s has more than 1 GiB of scripts: name the folder that a bundler wrote", d.site.Input)
		}
		files = append(files, builddir.File{Path: p, Data: data})
	}
	made, report, err := builddir.Files(d.site.ctx, files, builddir.Options{
		Selection: d.site.Selection, Include: d.site.Include, Exclude: d.site.Exclude, NoSizes: true, Cache: &d.cache,
	})
	if err != nil {
		return nil, err
	}
	for _, warning := range report.Warnings {
		d.site.log("%s", warning)
	}
	b.files = make(map[string]*content, len(made))
	for _, f := range made {
		b.files[f.Path] = newContent(f.Data)
	}
	b.id = idOf(b.files)
	return b, nil
}

// idOf names what a build has: it is the same after the server was started again.
func idOf(files map[string]*content) string {
	hash := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(hash, "%s\x00%s\n", name, files[name].tag)
	}
	return hex.EncodeToString(hash.Sum(nil)[:12])
}
