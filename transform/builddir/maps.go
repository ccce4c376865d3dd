package builddir

import (
	"bytes"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/transform/internal/disk"
)

// mapPlace is where a script's source map is and where the new one goes.
type mapPlace struct {
	inline  bool   // it is in the script
	from    string // else: the file it is read from; "": there is none
	to      string // the file it is written to; with inline maybe none
	url     string // what the script's comment is to say; "": what it says now
	warning string // why the script's own map is not used
}

// placeMaps decides that for every script, in order of path: a map that two scripts
// share follows the first, and the other gets its own. A map is never looked for
// outside the tree, and never written over anything else.
func (w *work) placeMaps() {
	taken := map[string]bool{}
	for _, s := range w.scripts {
		if tooLong(s.path) {
			continue // it is left out
		}
		s.source = w.placeMap(s, taken)
		taken[s.source.to] = true
	}
}

func (w *work) placeMap(s *scriptFile, taken map[string]bool) mapPlace {
	if strings.HasPrefix(s.mapURL, "data:") {
		return w.inlineMap(s, taken)
	}
	at, ok := s.path+".map", true
	if s.mapURL != "" {
		at, ok = w.locate(s.path, s.mapURL)
	}
	f := w.tree.byPath[at]
	isMap := f != nil && (f.kind == sourceMap || f.kind == other && w.holdsMap(f))
	switch {
	case isMap && !taken[at]:
		return mapPlace{from: at, to: at}
	case isMap:
		own := w.ownMap(s, taken)
		own.from = at
		return own
	case s.mapURL == "":
		return w.ownMap(s, taken)
	}
	own := w.ownMap(s, taken)
	what := at
	switch {
	case !ok:
		what = quoted(s.mapURL) + ", is not in the directory"
	case f == nil:
		what += ", is missing"
		if w.free(at, taken) {
			own = mapPlace{to: at}
		}
	default:
		what += ", is no map"
	}
	own.warning = "its source map, " + what + "; the new map leads to the clean script"
	return own
}

// holdsMap reports whether a file that is not named as one is a source map. If it is not,
// the comment is wrong, and the new map must not replace it.
func (w *work) holdsMap(f *file) bool {
	data, err := w.in.ReadFile(f.path)
	if err != nil {
		return false
	}
	_, err = sourcemap.Parse(data)
	return err == nil
}

// inlineMap is for a map in the script. Bundlers may also write the same map next to
// it, which then follows.
func (w *work) inlineMap(s *scriptFile, taken map[string]bool) mapPlace {
	beside := s.path + ".map"
	if f := w.tree.byPath[beside]; f == nil || f.kind != sourceMap || taken[beside] {
		return mapPlace{inline: true}
	}
	src, err := w.in.ReadFile(s.path)
	if err != nil {
		return mapPlace{inline: true} // it is read again
	}
	inScript, _ := sourcemap.Inline(src)
	if inFile, err := w.in.ReadFile(beside); err != nil || inScript == nil || !bytes.Equal(inScript, inFile) {
		return mapPlace{inline: true}
	}
	return mapPlace{inline: true, to: beside}
}

// ownMap is a place next to the script, with a URL in the script.
func (w *work) ownMap(s *scriptFile, taken map[string]bool) mapPlace {
	at := s.path + ".map"
	for i := 1; !w.free(at, taken); i++ {
		at = fmt.Sprintf("%s.%d.map", s.path, i)
	}
	name := url.URL{Path: path.Base(at)}
	return mapPlace{to: at, url: name.String()}
}

// free reports whether a file can be added at a path of the output.
func (w *work) free(p string, taken map[string]bool) bool {
	if taken[p] || p == Folder || strings.HasPrefix(p, Folder+"/") || strings.HasSuffix(p, tableSuffix) || strings.ContainsRune(p, 0) {
		return false
	}
	if w.tree.has(p) || slices.ContainsFunc(strings.Split(p, "/"), func(name string) bool { return len(name) > maxName }) {
		return false
	}
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if w.tree.byPath[dir] != nil || taken[dir] {
			return false
		}
	}
	return true
}

// maxName is the longest name that file systems take, in bytes.
const maxName = 255

// tooLong reports whether a script's name leaves no room for the suffixes of its map
// and table.
func tooLong(p string) bool { return len(path.Base(p)+tableSuffix) > maxName }

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
		return nil, fmt.Sprintf("its source map, %s: %v; the new map leads to the clean script", s.source.from, disk.Reason(err))
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
