package builddir

import (
	"net/url"
	"regexp"
	"strings"
)

// fromHere is the relative URL from one file of the tree to another.
func fromHere(from, to string) string {
	if folders := strings.Count(from, "/"); folders > 0 {
		return strings.Repeat("../", folders) + to
	}
	return "./" + to
}

// asRead returns a URL as browsers read it, without its fragment: without blanks around it or line
// breaks in it, and in its path with / for \, and with an escape for a % that begins none.
func asRead(reference string) string {
	reference, _, _ = strings.Cut(strings.TrimFunc(reference, func(r rune) bool { return r <= ' ' }), "#")
	if !strings.ContainsAny(reference, "\t\n\r\\%") {
		return reference
	}
	path, query, isQuery := strings.Cut(lineBreaks.Replace(reference), "?")
	path = percent.ReplaceAllStringFunc(strings.ReplaceAll(path, `\`, "/"), func(found string) string {
		if found == "%" {
			return "%25"
		}
		return found
	})
	if isQuery {
		path += "?" + query
	}
	return path
}

var (
	lineBreaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")
	percent    = regexp.MustCompile("%(?:[0-9A-Fa-f]{2})?")
)

// beside rewrites a URL that leads to one file of the tree so that it leads to
// another, in the same style: their common end is cut off, and ../ climbs the remaining
// folders of the path.
//
//	/app/assets/x.js  assets/x.js  →  /app/ + to
//	../x.js           x.js         →  ../ + to
//	x.js              sub/x.js     →  ../ + to
func beside(reference, p, to string) string {
	reference, _, _ = strings.Cut(asRead(reference), "?")
	rest, folders := strings.Split(reference, "/"), strings.Split(p, "/")
	for len(rest) > 0 && len(folders) > 0 {
		name, err := url.PathUnescape(rest[len(rest)-1])
		if err != nil || name != folders[len(folders)-1] {
			break
		}
		rest, folders = rest[:len(rest)-1], folders[:len(folders)-1]
	}
	u := strings.Repeat("../", len(folders)) + escapePath(to)
	if len(rest) > 0 {
		u = strings.Join(rest, "/") + "/" + u
	}
	if u[0] != '/' && u[0] != '.' && !strings.Contains(u, "://") {
		u = "./" + u // a module's specifier must not look like a package
	}
	return u
}

func escapePath(p string) string { return (&url.URL{Path: p}).EscapedPath() }

// urlFrom returns the URL of a file of the output for an element at an offset of a page,
// in the style in which the page names its scripts.
func (w *work) urlFrom(p *pageFile, at int, to string) string {
	for i := range p.seen.Scripts {
		s := &p.seen.Scripts[i]
		named := p.named[i]
		if named == nil {
			continue
		}
		if src := asRead(s.Src.Value); p.underBase(s.Start) == p.underBase(at) || strings.HasPrefix(src, "/") || strings.Contains(src, "://") {
			return beside(src, named.at, to)
		}
	}
	if w.PublicPath != "" {
		return strings.TrimSuffix(w.PublicPath, "/") + "/" + to
	}
	return fromHere(w.tree.below(w.baseOf(p, at).path), to)
}
