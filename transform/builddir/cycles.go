package builddir

import (
	"bytes"
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// A module usually runs after the modules that it imports. In a cycle one of them runs
// first, and may call functions of a module whose own body has not begun. These functions may
// call others of modules that it imports, in the cycle or not. Checks in all of them need
// bindings before the bodies run. All other modules bind by const, which V8 folds into the code.
//
// So it must be known that neither a module nor any that imports it, directly or not, is in a
// cycle. An import that cannot be followed may lead back: a URL elsewhere, a file that is not
// there, a name that an import map or the build's own package could give to any file.

// imports are the modules that a module imports when it is loaded, as it names them.
// There may be some that only look so, in a string or comment: a parser of JavaScript is full of
// them. Where it matters (readDoubtful), the module is scanned.
type imports struct {
	named []string
	later []string // what it imports when it runs, by import()
	odd   bool     // one is spelled with an escape
}

func importsIn(src []byte) imports {
	var found imports
	commented := 0 // keywords with a comment after them
	for _, keyword := range []string{"from", "import"} {
		for at := range occurrencesOf(src, keyword) {
			after := src[at+len(keyword):]
			if hasComment(after[:min(len(after), longestImport)]) {
				if commented++; commented > mostCommented {
					found.odd = true // that each of them has to be looked at would take minutes
					continue
				}
			}
			if call := leadingParen.Find(after[:min(len(after), longestImport)]); call != nil {
				if name, ok := stringAfter(after[len(call):]); ok && keyword == "import" {
					found.later = append(found.later, name)
				}
				continue
			}
			if name, ok := stringAfter(after); ok && !endsInName(src[:at]) {
				found.add(name)
			}
		}
	}
	return found
}

// hasComment reports whether the text after a keyword begins with a comment, maybe after a parenthesis.
func hasComment(after []byte) bool {
	const blanks = " \t\r\n"
	rest := bytes.TrimLeft(after, blanks)
	if len(rest) > 0 && rest[0] == '(' {
		rest = bytes.TrimLeft(rest[1:], blanks)
	}
	return bytes.HasPrefix(rest, []byte("//")) || bytes.HasPrefix(rest, []byte("/*"))
}

// add notes an import by the name between the quotes.
func (i *imports) add(name string) {
	if strings.Contains(name, `\`) {
		i.odd = true
	} else {
		i.named = append(i.named, name)
	}
}

func occurrencesOf(src []byte, text string) func(yield func(at int) bool) {
	return func(yield func(at int) bool) {
		for at := 0; ; {
			i := bytes.Index(src[at:], []byte(text))
			if at += i; i < 0 || !yield(at) {
				return
			}
			at += len(text)
		}
	}
}

// endsInName reports whether a word that follows a text is the rest of a name.
func endsInName(text []byte) bool {
	switch last, size := utf8.DecodeLastRune(text); {
	case size == 0:
		return false
	case last >= utf8.RuneSelf:
		return last != '\ufeff' && !unicode.IsSpace(last)
	default:
		return last == '_' || last == '$' || '0' <= last && last <= '9' || 'a' <= last && last <= 'z' || 'A' <= last && last <= 'Z'
	}
}

// stringAfter reads the string that a text begins with, after blanks and comments.
func stringAfter(text []byte) (string, bool) {
	found := leadingString.FindSubmatch(text[:min(len(text), longestImport)])
	if found == nil {
		return `\`, len(text) > longestImport && leadingBlank.Match(text[:longestImport]) // a long comment
	}
	return strings.Trim(string(found[1]), "\"'`"), true
}

// mostCommented is how many keywords of a script may have a comment after them: programs have hardly any.
const mostCommented = 1000

// longestImport bounds the text between a keyword and the end of its string.
const longestImport = 4096

var (
	leadingString = regexp.MustCompile(`^(?:[\s\x{feff}\x{a0}\x{2028}\x{2029}]|/\*(?s:.*?)\*/|//[^\n\r\x{2028}\x{2029}]*)*("[^"\n\r]*"|'[^'\n\r]*'|\x60[^\x60$\n\r]*\x60)`)
	leadingParen  = regexp.MustCompile(`^(?:\s|/\*(?s:.*?)\*/|//[^\n\r]*)*\(`)
	leadingBlank  = regexp.MustCompile(`^(?:\s|/\*(?s:.*?)\*/|//[^\n\r]*)*(?:/[/*](?s:.*))?$`)
)

// walk finds the cycles of a graph of modules by Tarjan's algorithm: a module is
// numbered when it is reached, and ends a group of modules that reach each other if it
// reaches none that has a lower number.
type walk struct {
	*work
	mapped bool            // a page has an import map
	vague  bool            // some import has a name that could stand for any module
	own    map[string]bool // packages that are in the tree
	number map[*scriptFile]int
	path   []*scriptFile // reached, and in no group yet
	onPath map[*scriptFile]bool
	closed map[*scriptFile]bool // all that it imports is known
}

// findCycles notes which modules are in no import cycle and imported by none. Pages have
// been read.
func (w *work) findCycles() error {
	v := &walk{work: w, own: w.ownPackages(), number: map[*scriptFile]int{}, onPath: map[*scriptFile]bool{}, closed: map[*scriptFile]bool{}}
	for _, p := range w.pages {
		v.mapped = v.mapped || p.odd != "" || p.first(func(_ int, s *htmlscan.Script) bool { return s.Kind == htmlscan.ImportMap }) != nil
	}
	if err := v.readDoubtful(); err != nil {
		return err
	}
	for _, s := range w.scripts {
		if v.number[s] == 0 {
			v.visit(s)
		}
	}
	v.findBelow()
	return nil
}

// readDoubtful scans the modules that seem to import what cannot be followed, or themselves, for what
// they import. One that cannot be scanned is left as it seems.
func (v *walk) readDoubtful() error {
	var doubtful []*scriptFile
	for _, s := range v.scripts {
		leads := func(name string) bool {
			next, known := v.imported(s, name)
			return !known || next == s
		}
		if s.imports.odd || slices.ContainsFunc(s.imports.named, leads) {
			doubtful = append(doubtful, s)
		}
	}
	return v.each(len(doubtful), func(i int) error {
		s := doubtful[i]
		src, err := v.in.ReadFile(s.path)
		if err != nil {
			return located(s.path, err)
		}
		if names, err := jsscan.Imports(src); err == nil {
			exact := *s.facts // others may be as the cache keeps them
			exact.imports = namedBy(names, s.imports.later)
			s.facts = &exact
		}
		return nil
	})
}

// namedBy are the imports of a module that names others by these strings.
func namedBy(names, later []string) imports {
	found := imports{later: later}
	for _, name := range names {
		found.add(name[1 : len(name)-1])
	}
	return found
}

// findBelow notes the modules that modules in cycles import, directly or not. If an imported
// name could stand for any module, every module may be one of them.
func (v *walk) findBelow() {
	queue := slices.DeleteFunc(slices.Clone(v.scripts), func(s *scriptFile) bool { return s.acyclic })
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		for _, name := range s.imports.named {
			if next, _ := v.imported(s, name); next != nil && next.acyclic {
				next.acyclic = false
				queue = append(queue, next)
			}
		}
	}
	for _, s := range v.scripts {
		s.acyclic = s.acyclic && !v.vague
	}
}

// findImported notes which modules something of the tree loads as modules. In their realms
// the runtime is there before them: a page loads it first, and the first module of a worker
// imports it. A module that nothing loads may be a worker's, by a name that is put together
// when the page runs.
func (w *work) findImported() {
	mapped := w.importMaps()
	mark := func(from, url string) {
		if at, ok := w.locate(from, url); ok {
			if s := w.scriptAt[w.tree.resolve(at)]; s != nil {
				s.imported = true
			}
		}
	}
	loads := func(from string, i imports) {
		for _, name := range slices.Concat(i.named, i.later) {
			if isURL(name) {
				mark(from, name)
				continue
			}
			for _, m := range mapped {
				if strings.HasSuffix(m.name, "/") && strings.HasPrefix(name, m.name) {
					mark(m.from, m.url+strings.TrimPrefix(name, m.name))
				}
			}
		}
	}
	for _, m := range mapped { // workers have no import maps
		mark(m.from, m.url)
	}
	for _, s := range w.scripts {
		loads(s.path, s.imports)
	}
	for _, p := range w.pages {
		if p.seen == nil {
			continue // it could not be read
		}
		for i := range p.seen.Scripts {
			s := &p.seen.Scripts[i]
			switch {
			case runs(s) && s.Src == nil: // classic scripts import, too, when they run
				loads(w.baseOf(p, s.Start).path, importsIn(p.src[s.ContentStart:s.ContentEnd]))
			case s.Kind == htmlscan.Module && p.named[i] != nil:
				p.named[i].imported = true
			}
		}
	}
}

// mapping is what an import map makes of a name, or of all names that begin with one that
// ends with a slash: a URL in the page at a path.
type mapping struct{ from, name, url string }

// importMaps reads the import maps of all pages. Which part of a page or of the tree a mapping
// is for does not matter here.
func (w *work) importMaps() []mapping {
	found := map[mapping]bool{}
	for _, p := range w.pages {
		if p.seen == nil {
			continue
		}
		for i := range p.seen.Scripts {
			s := &p.seen.Scripts[i]
			var read struct {
				Imports map[string]any
				Scopes  map[string]map[string]any
			}
			if s.Kind != htmlscan.ImportMap || json.Unmarshal(p.src[s.ContentStart:s.ContentEnd], &read) != nil {
				continue
			}
			from := w.baseOf(p, s.Start).path
			for _, part := range slices.Concat([]map[string]any{read.Imports}, slices.Collect(maps.Values(read.Scopes))) {
				for name, url := range part {
					if url, ok := url.(string); ok { // null forbids the name
						found[mapping{from, name, url}] = true
					}
				}
			}
		}
	}
	return slices.Collect(maps.Keys(found))
}

// visit returns the lowest number that a module reaches.
func (v *walk) visit(s *scriptFile) (lowest int) {
	number := len(v.number) + 1
	v.number[s], lowest = number, number
	v.path, v.onPath[s] = append(v.path, s), true
	closed, itself := !s.imports.odd, false
	for _, name := range s.imports.named {
		next, known := v.imported(s, name)
		closed = closed && known
		v.vague = v.vague || !known && !isURL(name)
		switch {
		case next == nil:
		case v.number[next] == 0:
			lowest = min(lowest, v.visit(next))
			closed = closed && (v.onPath[next] || v.closed[next])
		case v.onPath[next]:
			itself = itself || next == s
			lowest = min(lowest, v.number[next])
		default:
			closed = closed && v.closed[next]
		}
	}
	v.closed[s] = closed
	if lowest == number {
		v.endGroup(s, itself)
	}
	return lowest
}

// endGroup takes a group of modules that reach each other off the path. Its first module
// is the one that was reached first.
func (v *walk) endGroup(first *scriptFile, itself bool) {
	at := slices.Index(v.path, first)
	group := v.path[at:]
	v.path = v.path[:at]
	closed := true
	for _, s := range group {
		closed = closed && v.closed[s]
	}
	for _, s := range group {
		v.onPath[s], v.closed[s] = false, closed
		s.acyclic = closed && len(group) == 1 && !itself
	}
}

// imported returns the script of the tree that a module imports by a name, or nil, and
// whether it is known what the name stands for.
func (v *walk) imported(s *scriptFile, name string) (*scriptFile, bool) {
	if isURL(name) {
		return v.at(s, name)
	}
	// A package does not import its users, unless it is the build's own.
	return nil, strings.HasPrefix(name, "node:") || !v.mapped && !strings.HasPrefix(name, "#") && !v.own[packageOf(name)]
}

// isURL tells the URL of a module from a name that something else resolves.
func isURL(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "/") || strings.Contains(name, "://")
}

// at returns the script of the tree that a URL in a script means, or nil, and whether the
// tree has the file.
func (w *work) at(s *scriptFile, url string) (*scriptFile, bool) {
	at, ok := w.locate(s.path, url)
	if !ok {
		return nil, false
	}
	at = w.tree.resolve(at)
	return w.scriptAt[at], w.tree.byPath[at] != nil
}

// packageOf is the package in the name of a module: a of a/b, @a/b of @a/b/c.
func packageOf(name string) string {
	parts := strings.SplitN(name, "/", 3)
	if strings.HasPrefix(name, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// ownPackages are the names in the package.json of the tree.
func (w *work) ownPackages() map[string]bool {
	own := map[string]bool{}
	for _, f := range w.tree.files {
		if path.Base(f.path) != "package.json" {
			continue
		}
		var read struct{ Name string }
		if src, err := w.in.ReadFile(f.path); err == nil && json.Unmarshal(src, &read) == nil {
			own[read.Name] = true
		}
	}
	return own
}
