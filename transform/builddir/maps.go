package builddir

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/fieldprof/fieldprof/sourcemap"
)

// mapPlace says where a script's source map is and where the new one goes.
type mapPlace struct {
	inline  bool   // it stands in the script
	from    string // else: the file it is read from; "": there is none
	to      string // the file it is written to
	url     string // what the script's comment is to say; "": what it says now
	warning string // why the script's own map is not used
}

// placeMaps decides it for every script, in order of path, since a map that two
// scripts share follows the first; the other gets its own. A map is never
// looked for outside the tree.
func (w *work) placeMaps() {
	claimed := map[string]bool{}
	for _, s := range w.scripts {
		s.source = w.placeMap(s, claimed)
		if s.source.from != "" {
			claimed[s.source.from] = true
		}
	}
}

func (w *work) placeMap(s *scriptFile, claimed map[string]bool) mapPlace {
	beside := s.path + ".map"
	own := mapPlace{to: beside, url: path.Base(beside)}
	if strings.HasPrefix(s.mapURL, "data:") {
		return mapPlace{inline: true}
	}
	at, ok := beside, true
	if s.mapURL != "" {
		at, ok = w.locate(s.path, s.mapURL)
	}
	f := w.tree.byPath[at]
	switch {
	case !ok:
		own.warning = fmt.Sprintf("its source map, %s, is not in the directory; the new map leads to the clean script", quoted(s.mapURL))
		return own
	case f == nil && s.mapURL == "":
		return own
	case f == nil:
		return mapPlace{to: at, warning: fmt.Sprintf("its source map, %s, is missing; the new map leads to the clean script", at)}
	case f.kind != sourceMap && f.kind != other:
		own.warning = fmt.Sprintf("its source map, %s, is no map; the new map leads to the clean script", at)
		return own
	case claimed[at]:
		own.from = at
		return own
	}
	return mapPlace{from: at, to: at}
}

// locate finds the path in the tree that a URL in a file of it means, if it
// means one.
func (w *work) locate(from, reference string) (string, bool) {
	u, err := url.Parse(reference)
	if err != nil || u.Opaque != "" {
		return "", false
	}
	if u.Scheme != "" || u.Host != "" {
		rest, ok := strings.CutPrefix(reference, w.PublicPath)
		if !ok || w.PublicPath == "" {
			return "", false
		}
		if u, err = url.Parse("/" + strings.TrimPrefix(rest, "/")); err != nil {
			return "", false
		}
	}
	if !strings.HasPrefix(u.Path, "/") {
		at := path.Join(path.Dir(from), u.Path)
		if !strings.HasPrefix(at, "/") {
			return at, at != "." && at != ".." && !strings.HasPrefix(at, "../")
		}
		u.Path = at // from is a page's base, such as Angular's "/"
	}
	// A path from the site's root: the tree may be served below it.
	at := strings.TrimPrefix(path.Clean(u.Path), "/")
	for rest := at; rest != ""; {
		if w.tree.byPath[rest] != nil {
			return rest, true
		}
		_, rest, _ = strings.Cut(rest, "/")
	}
	return at, at != ""
}

// readMap reads what placeMap found. The string is a warning.
func (w *work) readMap(s *scriptFile, src []byte) ([]byte, string) {
	if s.source.inline {
		data, err := sourcemap.Inline(src)
		if err != nil {
			return nil, fmt.Sprintf("%v; the new map leads to the clean script", err)
		}
		return data, ""
	}
	if s.source.from == "" {
		return nil, s.source.warning
	}
	data, err := w.in.ReadFile(s.source.from)
	if err != nil {
		return nil, fmt.Sprintf("its source map, %s: %v; the new map leads to the clean script", s.source.from, reason(err))
	}
	return data, ""
}

// quoted shortens what a file says for a message.
func quoted(s string) string {
	if len(s) > 80 {
		s = s[:77] + "..."
	}
	return fmt.Sprintf("%q", s)
}
