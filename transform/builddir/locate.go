package builddir

import (
	"cmp"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
)

// A path from the site's root begins with the folders that the tree is served in, which
// nothing tells: /app/x.js is x.js of a tree in /app/, or a file of another tree, as
// /_vercel/insights/script.js is where the tree has a script.js, too. A script's URL is taken
// for one of the tree if its end is. In pages, where such a mistake would cost them the
// runtime, all URLs must agree on the folders; and no page names a file in two ways.

// maxURL is the longest URL, joined with its base, that is followed: servers accept
// none of this length, and file systems no such path.
const maxURL = 16 << 10

// place is what a URL in a file of the tree leads to.
type place struct {
	path     string // in the tree
	fromRoot bool   // the URL is a path from the site's root
	folders  string // how that path begins if the tree is served below the root
}

// locate finds the path in the tree that a URL in one of its files refers to, if any.
func (w *work) locate(from, reference string) (string, bool) {
	found, ok := w.placeOf(from, reference)
	return found.path, ok
}

func (w *work) placeOf(from, reference string) (place, bool) {
	if len(from)+len(reference) > maxURL {
		return place{}, false
	}
	reference = asRead(reference)
	u, err := url.Parse(reference)
	if err != nil || u.Opaque != "" {
		return place{}, false
	}
	isPublic := false
	if u.Scheme != "" || u.Host != "" {
		rest, ok := strings.CutPrefix(reference, w.PublicPath)
		if !ok || w.PublicPath == "" {
			return place{}, false
		}
		if u, err = url.Parse("/" + strings.TrimPrefix(rest, "/")); err != nil {
			return place{}, false
		}
		isPublic = true
	}
	if !strings.HasPrefix(u.Path, "/") {
		at := path.Join(path.Dir(from), u.Path)
		if !strings.HasPrefix(at, "/") {
			return place{path: at}, at != "." && at != ".." && !strings.HasPrefix(at, "../")
		}
		u.Path = at // from is a page's base, such as Angular's "/"
	}
	at := strings.TrimPrefix(path.Clean(u.Path), "/")
	for rest := at; rest != ""; {
		if w.tree.leads(rest) {
			if isPublic {
				return place{path: rest}, true
			}
			return place{rest, true, strings.TrimSuffix(at, rest)}, true
		}
		_, rest, _ = strings.Cut(rest, "/")
	}
	return place{path: at}, at != ""
}

// isElsewhere reports whether a URL names another host, and no file of the tree by the end of its path: the tree may be
// served from that host.
func (w *work) isElsewhere(reference string) bool {
	u, err := url.Parse(reference)
	if err != nil || u.Host == "" || len(reference) > maxURL {
		return false
	}
	for rest := strings.TrimPrefix(path.Clean(u.Path), "/"); rest != ""; _, rest, _ = strings.Cut(rest, "/") {
		if w.tree.leads(rest) {
			return false
		}
	}
	return true
}

// placeScripts finds what the pages' URLs of scripts lead to.
func (w *work) placeScripts() {
	votes := map[string]int{}
	for _, p := range w.pages {
		if p.seen == nil {
			continue
		}
		p.places = w.placesIn(p)
		for _, found := range p.places {
			if found.fromRoot {
				votes[found.folders]++
			}
		}
	}
	if len(votes) == 0 {
		return
	}
	folders := ""
	if votes[""] == 0 { // else some URL is that of a file as it is
		folders = slices.MaxFunc(slices.Sorted(maps.Keys(votes)), func(x, y string) int {
			return cmp.Or(cmp.Compare(votes[x], votes[y]), cmp.Compare(len(y), len(x)))
		})
	}
	for _, p := range w.pages {
		maps.DeleteFunc(p.places, func(_ int, found place) bool { return found.fromRoot && found.folders != folders })
	}
}

// placesIn returns the places of a page's scripts, by index. One whose folders are a guess is
// left out if another URL leads to the same file.
func (w *work) placesIn(p *pageFile) map[int]place {
	places, sure := map[int]place{}, map[string]bool{}
	for i := range p.seen.Scripts {
		s := &p.seen.Scripts[i]
		if s.Src == nil || !runs(s) {
			continue
		}
		if found, ok := w.placeOf(w.baseOf(p, s.Start).path, s.Src.Value); ok && w.scriptAt[w.tree.resolve(found.path)] != nil {
			places[i] = found
			sure[found.path] = sure[found.path] || found.folders == ""
		}
	}
	maps.DeleteFunc(places, func(_ int, found place) bool { return found.folders != "" && sure[found.path] })
	return places
}
