package bundle

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
)

// To assign to a constant or an import is an error when a program comes to it, which it may catch. esbuild refuses it in a bundle,
// where constants at the top of modules become variables. So the target of such an assignment becomes another constant, of which
// esbuild knows nothing:
//
//	x = f()    becomes   fieldprof$constant = f()
//	x ??= f()  becomes   fieldprof$readable(() => x).$ ??= f()
//	({x} = o)  becomes   ({x: fieldprof$constant} = o)
//
// The source map leads back to the text before that.

// assignments are those to constants, by the paths of their files.
type assignments map[string]*assigned

// assigned is a file with such assignments.
type assigned struct {
	source []byte
	text   *textpos.Text
	edits  []edit // in order
	said   []api.Message
}

// edit replaces a name.
type edit struct {
	at, line, column int // column: in UTF-16 units
	name, text       string
}

// refused are esbuild's words for one.
var refused = regexp.MustCompile(`^Cannot assign to (import )?("(?:[^"\\]|\\.)*")(?: because it is a constant)?$`)

// learn notes the assignments that errors are about. It reports whether they are all that is wrong.
func (a *assignments) learn(errors []api.Message, directory string) bool {
	learned := false
	for _, m := range errors {
		if strings.HasPrefix(m.Text, topLevelAwait) {
			continue
		}
		said := refused.FindStringSubmatch(m.Text)
		if said == nil || m.Location == nil || m.Location.Namespace != "file" && m.Location.Namespace != "" {
			return false
		}
		name, err := strconv.Unquote(said[2])
		if err != nil || !a.note(filepath.Join(directory, m.Location.File), name, m.Location) {
			return false
		}
		kind := "a constant"
		if said[1] != "" {
			kind = "an import"
		}
		m.Text = "This assignment will throw because " + said[2] + " is " + kind
		file := (*a)[filepath.Join(directory, m.Location.File)]
		file.said = append(file.said, m)
		learned = true
	}
	return learned
}

// note adds an assignment, if it is a new one to this name.
func (a *assignments) note(path, name string, place *api.Location) bool {
	if *a == nil {
		*a = assignments{}
	}
	file := (*a)[path]
	if file == nil {
		source, err := os.ReadFile(path)
		if err != nil {
			return false
		}
		file = &assigned{source: source, text: textpos.Of(source)}
		(*a)[path] = file
	}
	if place.Line > file.text.Lines() {
		return false
	}
	e := edit{at: file.text.LineStart(place.Line-1) + place.Column, name: name}
	if e.at > len(file.source) || !bytes.HasPrefix(file.source[e.at:], []byte(name)) {
		return false // it is written in another way, or a property
	}
	e.line, e.column = file.text.Position(e.at)
	i, found := slices.BinarySearchFunc(file.edits, e.at, func(other edit, at int) int { return other.at - at })
	if found {
		return false
	}
	e.text = target(file.source, &e, loaderOf(path))
	file.edits = slices.Insert(file.edits, i, e)
	return true
}

// Operators that read the value first.
var (
	readBefore = regexp.MustCompile(`(?:\+\+|--)[\s(]*$`)
	readAfter  = regexp.MustCompile(`^[\s)]*(?:\+\+|--|(?:[-+/%^]|\*\*?|<<|>>>?|&&?|\|\|?|\?\?)=)`)
)

// target is what an edit writes. It begins with a word, as the name does, so that a line which no semicolon ends still ends.
func target(source []byte, e *edit, loader api.Loader) string {
	before, after := source[:e.at], source[e.at+len(e.name):]
	text := constantName
	if readBefore.Match(before[max(0, len(before)-16):]) || readAfter.Match(after[:min(16, len(after))]) {
		text = readableName + "(() => " + e.name + ").$"
	}
	// A shorthand property, unlike any other target, cannot become a member expression.
	probe := slices.Concat(before, []byte(e.name+".x"), after)
	if len(api.Transform(string(probe), api.TransformOptions{Loader: loader, LogLevel: api.LogLevelSilent}).Errors) > 0 {
		return e.name + ": " + text
	}
	return text
}

func loaderOf(path string) api.Loader {
	switch filepath.Ext(path) {
	case ".ts", ".mts", ".cts":
		return api.LoaderTS
	case ".tsx":
		return api.LoaderTSX
	case ".jsx":
		return api.LoaderJSX
	}
	return api.LoaderJS
}

// edited is the source with the edits; text is the source, or has the length of it.
func (f *assigned) edited(text []byte) []byte {
	if f == nil {
		return text
	}
	var b bytes.Buffer
	at := 0
	for i := range f.edits {
		e := &f.edits[i]
		b.Write(text[at:e.at])
		b.WriteString(e.text)
		at = e.at + len(e.name)
	}
	b.Write(text[at:])
	return b.Bytes()
}

// column is where in a line of the source a column of the edited text comes from.
func (f *assigned) column(line, column int) int {
	for i := range f.edits {
		e := &f.edits[i]
		if e.line != line || column <= e.column {
			continue
		}
		grown := textpos.Units([]byte(e.text)) - textpos.Units([]byte(e.name))
		column = max(e.column, column-grown)
	}
	return column
}

// warnings tell of the assignments in the program itself.
func (a assignments) warnings() []api.Message {
	var all []api.Message
	for _, path := range slices.Sorted(maps.Keys(a)) {
		if !strings.Contains(filepath.ToSlash(path), "/node_modules/") {
			all = append(all, a[path].said...)
		}
	}
	return all
}

// toSources leads a source map back from what esbuild read to the files, and to none from the scripts that were made.
func (m *maker) toSources(sourceMap []byte) ([]byte, error) {
	if m.constants == nil && !bytes.Contains(sourceMap, []byte(`"`+absent+":")) {
		return sourceMap, nil
	}
	parsed, err := sourcemap.Parse(sourceMap)
	if err != nil {
		return nil, err
	}
	files := map[int32]*assigned{}
	for i, source := range parsed.Sources {
		if file := m.constants[filepath.Join(m.directory, filepath.FromSlash(source))]; file != nil {
			files[int32(i)] = file
			content := string(file.source)
			parsed.SourcesContent[i] = &content
		}
	}
	for line := range parsed.Lines() {
		segments := parsed.Line(line)
		for i := range segments {
			s := &segments[i]
			if file := files[s.Source]; file != nil {
				s.SourceColumn = int32(file.column(int(s.SourceLine), int(s.SourceColumn)))
			} else if s.Source >= 0 && strings.HasPrefix(parsed.Sources[s.Source], absent+":") {
				s.Source = -1
			}
		}
	}
	return parsed.Encode()
}
