package builddir

import (
	"net/url"
	"path"
	"strings"

	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// A base element changes where the relative URLs of a page start, for the elements
// after it. A base that names a host may lead to another site, which is never asked for
// the runtime by a URL that we made up.

// base is where relative URLs start.
type base struct {
	path string // of a file, in the tree or from the site's root
	away bool   // it leads where the tree may not be
}

// underBase reports whether an element at an offset comes after the page's base.
func (p *pageFile) underBase(at int) bool { return p.seen.Base != nil && p.seen.BaseAt < at }

// baseOf returns where the relative URLs of an element at an offset start.
func (w *work) baseOf(p *pageFile, at int) base {
	if !p.underBase(at) {
		return base{path: p.path}
	}
	if p.under == nil {
		under := w.readBase(p)
		p.under = &under
	}
	return *p.under
}

// readBase returns where relative URLs start under the page's base.
func (w *work) readBase(p *pageFile) base {
	page := base{path: p.path}
	value := asRead(p.seen.Base.Value)
	here := url.URL{Path: "/" + p.path}
	u, err := here.Parse(value)
	switch {
	case err != nil:
		return base{path: p.path, away: true} // unknown
	case u.Scheme == "data", u.Scheme == "javascript":
		return page // browsers do not respect it either
	case u.Scheme == "" && u.Host == "":
		if strings.HasPrefix(value, "/") {
			return base{path: folderOf(u.Path) + "x"}
		}
		if at := path.Join(path.Dir(p.path), value+"x"); strings.HasPrefix(at, "../") {
			return base{path: at, away: true} // above the tree, where nothing is known
		}
		return base{path: strings.TrimPrefix(folderOf(u.Path), "/") + "x"}
	}
	if rest, ok := strings.CutPrefix(value, w.PublicPath); ok && w.PublicPath != "" {
		return base{path: strings.TrimPrefix(folderOf("/"+rest), "/") + "x"}
	}
	return base{path: folderOf("/"+strings.TrimPrefix(u.Path, "/")) + "x", away: true}
}

// folderOf is a path up to its last slash.
func folderOf(p string) string { return p[:strings.LastIndexByte(p, '/')+1] }

// below returns the path in the tree for a path from the site's root: the tree may be
// served in a folder, whose name then comes first.
func (t *tree) below(p string) string {
	if !strings.HasPrefix(p, "/") {
		return p
	}
	folder := strings.Trim(folderOf(p), "/")
	for folder != "" && !t.isDir[folder] {
		_, folder, _ = strings.Cut(folder, "/")
	}
	if folder == "" {
		return "x"
	}
	return folder + "/x"
}

// runtimePlace returns where the runtime's script element goes, and its URL: before
// the first script, and before a base that leads away if no script of the page shows
// how to find the tree from there. In a shadow root, where a script cannot tell its own element, the
// runtime would stay: it comes before the root.
func (w *work) runtimePlace(p *pageFile, first *htmlscan.Script) (int, string) {
	at := first.Before
	if w.PublicPath == "" && p.firstNamed() == nil && w.baseOf(p, at).away {
		at = p.seen.BaseAt
	}
	return at, w.urlFrom(p, at, Folder+"/runtime.js")
}
