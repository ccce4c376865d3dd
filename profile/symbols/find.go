package symbols

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/fieldprof/fieldprof/internal/pathglob"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/sourcemap"
)

// Found is the way from a profile to its sources.
type Found struct {
	// Scripts by the names that the profile has for them.
	Scripts map[string]profile.Script
	// Ignored are the sources that maps say are not the user's own.
	Ignored map[string]bool
	// Mapped are the files of the profile that are already sources of the maps; they
	// stay as they are.
	Mapped []string
	// Warnings list what was found and could not be used.
	Warnings []string

	indexing sync.Once
	texts    map[string]*string // of sources
}

// finder looks for one profile's scripts in the directories.
type finder struct {
	maps, tables []*tree
	debugIDs     map[string]string       // the profile's, by script
	byDebugID    map[string]location     // nil until asked for
	read         map[location]*sourceMap // what was parsed already; nil: without success
	decoded      map[location]*sourceTable
	found        *Found
	memory       *Memory // may be nil

	listed  map[*sourceMap]bool // whose sources are among sources
	sources map[string]bool
}

type location struct {
	tree *tree
	path string
}

// Find looks for source maps in maps, and for function tables in tables and maps,
// each a file or a directory. A path that cannot be read is an error; so are files
// none of which fits a script of the profile, and then there is a Found, too.
func Find(p *profile.Profile, maps, tables []string) (*Found, error) {
	f := newFinder(p, nil)
	for _, list := range []struct {
		names []string
		trees *[]*tree
	}{{maps, &f.maps}, {tables, &f.tables}} {
		for _, name := range list.names {
			t, err := openTree(name)
			if err != nil {
				return nil, err
			}
			defer t.root.Close()
			*list.trees = append(*list.trees, t)
		}
	}
	f.tables = append(f.tables, f.maps...)
	scripts := scriptsOf(p)
	f.find(scripts)
	return f.found, f.unused(scripts)
}

func newFinder(p *profile.Profile, memory *Memory) *finder {
	return &finder{debugIDs: p.Meta.DebugIDs, memory: memory, read: map[location]*sourceMap{}, decoded: map[location]*sourceTable{},
		found: &Found{Scripts: map[string]profile.Script{}, Ignored: map[string]bool{}}}
}

// find looks for the map and the table of each script.
func (f *finder) find(scripts []string) {
	for _, script := range scripts {
		m, t := f.mapOf(script, len(scripts) == 1), f.tableOf(script)
		if f.isSource(script) {
			f.found.Mapped = append(f.found.Mapped, script)
			continue
		}
		if m == nil && t == nil {
			continue
		}
		var s profile.Script
		if m != nil {
			s.Map = m.Map
		}
		if t != nil {
			s.Table = t.namedBy(m)
		}
		f.found.ignore(m)
		f.found.Scripts[script] = s
	}
}

// scriptsOf are the files of a profile's functions, in order.
func scriptsOf(p *profile.Profile) []string {
	seen := map[profile.StringID]bool{}
	var list []string
	for f, file := range p.Functions.File {
		if p.Functions.Flags[f]&(profile.Pseudo|profile.NativeCode) == 0 && file != 0 && !seen[file] {
			seen[file] = true
			if name := p.Strings[file]; !strings.HasPrefix(name, "node:") {
				list = append(list, name)
			}
		}
	}
	slices.Sort(list)
	return list
}

// best is the file ending in suffix whose path shares the longest end with a script's.
// If two share equally much, neither is chosen.
func (f *finder) best(trees []*tree, script, suffix string) (location, bool) {
	wanted := pathglob.Deployed(script)
	for _, t := range trees {
		var found []string
		most := 0
		for _, p := range t.bases[path.Base(wanted)+suffix] {
			switch n := commonEnd(strings.TrimSuffix(p, suffix), wanted); {
			case n > most:
				most, found = n, []string{p}
			case n == most && n > 0:
				found = append(found, p)
			}
		}
		if len(found) == 1 {
			return location{t, found[0]}, true
		}
		if len(found) > 1 {
			slices.Sort(found)
			f.warn("%s: both %s and %s could be of %s", t.name, found[0], found[1], script)
		}
	}
	return location{}, false
}

// commonEnd measures how far two paths agree from their ends, in folders; one that
// agrees as a whole counts slightly more.
func commonEnd(file, script string) int {
	n := pathglob.CommonEnd(file, script)
	if n == 1+strings.Count(file, "/") {
		return 2*n + 1
	}
	return 2 * n
}

// mapOf finds a script's map; nil if there is none. A debug id is better evidence than a
// name: a map of the right name with another id is of another build.
func (f *finder) mapOf(script string, only bool) *sourceMap {
	if m := f.mapOfDebugID(f.debugIDs[script]); m != nil {
		return m
	}
	if at, ok := f.best(f.maps, script, ""); ok && !strings.HasSuffix(at.path, mapSuffix) && !strings.HasSuffix(at.path, tableSuffix) {
		if m := f.mapOfScript(at); m != nil && f.fits(script, at, m.DebugID) {
			return m
		}
	}
	if at, ok := f.best(f.maps, script, mapSuffix); ok {
		if m := f.parseMap(at); m != nil && f.fits(script, at, m.DebugID) {
			return m
		}
		return nil
	}
	for _, t := range f.maps { // a map that the user named, of another name
		if !t.named {
			continue
		}
		at := location{t, firstOf(t.files)}
		m := f.parseMap(at)
		if m != nil && (only || m.File != "" && commonEnd(pathglob.Plain(m.File), pathglob.Deployed(script)) > 0) && f.fits(script, at, m.DebugID) {
			return m
		}
	}
	return nil
}

// fits reports whether a map or table with a debug id, or with the id of a script that is there, may belong to
// the profile's script. It may if one of the two has none.
func (f *finder) fits(script string, at location, id string) bool {
	wanted := f.debugIDs[script]
	if wanted == "" || id == "" || sameID(wanted) == sameID(id) {
		return true
	}
	f.warn("%s is of another build than %s: its debug id is %s, not %s", at.tree.at(at.path), script, id, wanted)
	return false
}

// sameID is equal for ids that are the same: case and dashes do not count.
func sameID(id string) string { return strings.ToLower(strings.ReplaceAll(id, "-", "")) }

func firstOf(files map[string]bool) string {
	for p := range files {
		return p
	}
	return ""
}

// mapOfScript finds the map of a script that is there: inline, by the URL in its
// comment, or by its debug id.
func (f *finder) mapOfScript(at location) *sourceMap {
	return load(f, f.read, at, func(code []byte) (*sourceMap, error) { return f.mapOfCode(at, code) })
}

func (f *finder) mapOfCode(at location, code []byte) (*sourceMap, error) {
	if data, err := sourcemap.Inline(code); err != nil {
		f.warn("%s: its inline map: %v", at.tree.at(at.path), err)
	} else if data != nil {
		return parse(data)
	}
	if u, err := url.Parse(sourcemap.URL(code)); err == nil && u.Scheme == "" && u.Host == "" && u.Path != "" {
		beside := strings.TrimPrefix(u.Path, "/")
		if !strings.HasPrefix(u.Path, "/") {
			beside = path.Join(path.Dir(at.path), u.Path)
		}
		if at.tree.files[beside] {
			return f.parseMap(location{at.tree, beside}), nil
		}
	}
	return f.mapOfDebugID(sourcemap.DebugID(code)), nil
}

// mapOfDebugID finds the one map with a debug id; nil if there is none, or several.
func (f *finder) mapOfDebugID(id string) *sourceMap {
	if id == "" {
		return nil
	}
	if at := f.mapsByDebugID()[sameID(id)]; at.tree != nil {
		return f.parseMap(at)
	}
	return nil
}

// mapsByDebugID reads what id each map has, once. An id of several maps has no location.
func (f *finder) mapsByDebugID() map[string]location {
	if f.byDebugID != nil {
		return f.byDebugID
	}
	f.byDebugID = map[string]location{}
	for _, t := range f.maps {
		for p := range t.files {
			if !strings.HasSuffix(p, mapSuffix) {
				continue
			}
			id := sameID(t.debugID(p))
			if _, twice := f.byDebugID[id]; twice {
				f.byDebugID[id] = location{}
			} else {
				f.byDebugID[id] = location{t, p}
			}
		}
	}
	return f.byDebugID
}

// debugID is the debug id that a map says it has, "" if it says nothing or cannot be read:
// the code that needs the map says what is wrong with it.
func (t *tree) debugID(p string) string {
	if t.ids != nil {
		return t.ids[p]
	}
	var m struct {
		ID  string `json:"debugId"`
		Old string `json:"debug_id"`
	}
	if data, err := t.read(p); err != nil || json.Unmarshal(data, &m) != nil {
		return ""
	}
	return cmp.Or(m.ID, m.Old)
}

// load reads and decodes a file, once; nil, with a warning, if that fails.
func load[T any](f *finder, known map[location]*T, at location, decode func([]byte) (*T, error)) *T {
	if loaded, done := known[at]; done {
		return loaded
	}
	known[at] = nil
	if kept, ok := f.memory.get(at).(*T); ok {
		known[at] = kept
		return kept
	}
	data, err := at.tree.read(at.path)
	if err == nil {
		known[at], err = decode(data)
	}
	if err != nil {
		f.warn("%s: %v", at.tree.at(at.path), err)
		return nil
	}
	f.memory.put(at, known[at])
	return known[at]
}

func (f *finder) parseMap(at location) *sourceMap { return load(f, f.read, at, parse) }

// tableOf finds a script's function table; nil if there is none.
func (f *finder) tableOf(script string) *sourceTable {
	at, ok := f.best(f.tables, script, tableSuffix)
	if !ok {
		return nil
	}
	t := load(f, f.decoded, at, decode)
	if t == nil || !f.fits(script, at, t.DebugID) {
		return nil
	}
	return t
}

// maxWarnings is how many are worth reading.
const maxWarnings = 20

func (f *finder) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); len(f.found.Warnings) < maxWarnings && !slices.Contains(f.found.Warnings, text) {
		f.found.Warnings = append(f.found.Warnings, text)
	}
}

// unused is an error when maps and tables lead nowhere: then the wrong ones were
// named, which is better said than shown.
func (f *finder) unused(scripts []string) error {
	if len(f.found.Scripts) > 0 || len(f.tables) == 0 {
		return nil
	}
	if f.findMapped(scripts); len(f.found.Mapped) > 0 {
		return nil
	}
	var names []string
	for _, t := range f.tables {
		names = append(names, t.name)
	}
	where := strings.Join(names, ", ")
	switch {
	case len(f.found.Warnings) > 0:
		return fmt.Errorf("%s: nothing fits a script of the profile: %s", where, f.found.Warnings[0])
	case len(scripts) == 0:
		return fmt.Errorf("%s: the profile names no scripts", where)
	}
	return fmt.Errorf("%s: no map and no function table fits a script of the profile, such as %s: name the directory as it was deployed", where, scripts[0])
}
