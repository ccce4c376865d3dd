package builddir

import (
	"bytes"
	"encoding/json"
	"regexp"

	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
)

// A service worker that keeps a site for offline use has a list of its files. The
// runtime must be on it: a module whose import fails does not run. And the revisions of
// changed files must change, or visitors of the clean site keep the old files under the
// new ones' names. Two tools write such lists: Workbox, into the worker itself, and
// Angular, into ngsw.json:
//
//	precacheAndRoute([{url:"index.html",revision:"f712dcca8a8aeb6b1e74fb49505b56c0"},…
//	{"assetGroups":[{"urls":["/main.js",…]}],"hashTable":{"/main.js":"…"}}
//
// The lists of others, such as Flutter's and sw-precache's, have only their revisions renewed: what
// they do not list comes from the network.

var (
	precacheEntry = regexp.MustCompile(`^\{\s*` + precacheField + `\s*,\s*` + precacheField + `\s*[,}]`)
	precacheHead  = regexp.MustCompile(`\[\s*$`)
	// hexDigest is a revision: a whole string, since a name with a digest in it stays what the file is called.
	hexDigest = regexp.MustCompile("[\"'`]([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})\\\\?[\"'`]")
	ngswURLs  = regexp.MustCompile(`"urls"\s*:\s*\[\s*("[^"\\]*")`)
	ngswHash  = regexp.MustCompile(`"hashTable"\s*:\s*\{`)
)

const precacheField = `["']?(?:url["']?\s*:\s*["']([^"'\\]*)["']|revision["']?\s*:\s*(?:null|["'][^"'\\]*["']))`

// kept lists the files of the runtime that pages load.
var kept = []string{"runtime.js", "checks.js", "module.js"}

// revision is what entries of a list have. It is looked for by itself: to match
// all of a large script takes longer than to instrument it.
const revision = "revision"

// rareRevision is a part of it with a letter that is rare in scripts: others are
// found at every turn.
const rareRevision = "vision"

// nextRevision finds where a revision is given in a text, or -1.
func nextRevision(src []byte, from int) int {
	for first := from; ; {
		at := bytes.Index(src[from:], []byte(rareRevision))
		if at < 0 {
			return -1
		}
		from += at + len(rareRevision)
		if at = from - len(revision); at < first || string(src[at:from]) != revision {
			continue
		}
		if behind := bytes.TrimLeft(src[from:min(len(src), from+64)], "\"' \t\r\n"); len(behind) > 0 && behind[0] == ':' {
			return at
		}
	}
}

// An entry begins near its revision, only a URL is between: so far away, and
// at one of so many braces.
const (
	precacheReach  = 4 << 10
	precacheBraces = 8
)

// precacheEntries finds the entries of lists, in the form of regexp's
// FindAllSubmatchIndex.
func precacheEntries(src []byte) (entries [][]int) {
	end := 0 // of the last entry
	for at := nextRevision(src, 0); at >= 0; at = nextRevision(src, max(end, at+len(revision))) {
		first := max(end, at-precacheReach)
		start := at
		for range precacheBraces {
			start = first + bytes.LastIndexByte(src[first:start], '{')
			if start < first {
				break
			}
			if entry := precacheEntry.FindSubmatchIndex(src[start:min(len(src), at+precacheReach)]); entry != nil {
				for i := range entry {
					if entry[i] >= 0 {
						entry[i] += start
					}
				}
				entries, end = append(entries, entry), entry[1]
				break
			}
		}
	}
	return entries
}

// precache finds the list of a Workbox service worker that keeps files of the tree. It
// returns where the first entry is, and what to insert before it.
func (w *work) precache(s *scriptFile, src []byte) (at int, text string) {
	if w.Sample > 0 || !s.hasEntries || !s.keepsFiles() {
		return 0, "" // sampled, the clean worker stays
	}
	first, from := -1, s.path
	if s.listOf != nil {
		from = s.listOf.path // entries are URLs from where the worker is
	}
	for _, entry := range precacheEntries(src) {
		if precacheHead.Match(src[max(0, entry[0]-64):entry[0]]) {
			first = entry[0]
		}
		start, end := entry[2], entry[3]
		if start < 0 {
			start, end = entry[4], entry[5]
		}
		if start < 0 || first < 0 {
			continue // no URL, or no list
		}
		url := string(src[start:end])
		if path, ok := w.keeps(from, url); ok {
			for _, name := range kept {
				text += `{url:` + quote(beside(url, path, Folder+"/"+name)) + `,revision:"` + md5Of(w.runtimeFile(name)) + `"},`
			}
			return first, text
		}
	}
	return 0, ""
}

// keeps finds the script or page of the tree that a list's URL refers to.
func (w *work) keeps(from, url string) (string, bool) {
	path, ok := w.locate(from, url)
	f := w.tree.byPath[path]
	return path, ok && f != nil && (f.kind == script || f.kind == page)
}

// withPrecache returns a service worker's source and map with text on its list. The map
// may be nil.
func withPrecache(src, sourceMap []byte, at int, text string) (newSrc, newMap []byte, err error) {
	if text == "" {
		return src, sourceMap, nil
	}
	if sourceMap != nil {
		line, column := textpos.Of(src).Decoded().Position(at)
		rewritten, err := sourcemap.Rewrite(sourceMap, []sourcemap.Insertion{{Line: int32(line), Column: int32(column), Width: int32(len(text))}}, nil)
		if err != nil {
			return nil, nil, err
		}
		sourceMap = rewritten.JSON
	}
	return bytes.Join([][]byte{src[:at], src[at:]}, []byte(text)), sourceMap, nil
}

// listOnly puts the runtime on the list of a service worker that gets no checks: the files
// on its list have some.
func (w *work) listOnly(s *scriptFile, src []byte) error {
	at, list := w.precache(s, src)
	if list == "" || w.DryRun {
		return nil
	}
	sourceMap, _ := w.readMap(s, src)
	code, sourceMap, err := withPrecache(src, sourceMap, at, list)
	if err != nil {
		s.done.warn(err.Error() + "; its map stays as it is")
		code, _, _ = withPrecache(src, nil, at, list)
	}
	if sourceMap != nil {
		code = s.source.name(code, sourceMap)
	}
	if to := s.source.to; to != "" && sourceMap != nil {
		if err := w.put(to, sourceMap, s.file); err != nil {
			return err
		}
	}
	return w.put(s.path, code, s.file)
}

// withRuntime returns an ngsw.json with the runtime on its list.
func (w *work) withRuntime(p string, text []byte) []byte {
	table := ngswHash.FindIndex(text)
	for _, list := range ngswURLs.FindAllSubmatchIndex(text, -1) {
		var first string
		if json.Unmarshal(text[list[2]:list[3]], &first) != nil || table == nil {
			continue
		}
		path, ok := w.keeps(p, first)
		if !ok {
			continue
		}
		urls, hashes := "", ""
		for _, name := range kept {
			url := quote(beside(first, path, Folder+"/"+name))
			urls += url + ","
			hashes += url + `:"` + sha1Of(w.runtimeFile(name)) + `",`
		}
		return edited(text, []pageEdit{{list[2], list[2], urls}, {table[1], table[1], hashes}})
	}
	return text
}

// quote writes a string for JavaScript and JSON.
func quote(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}
