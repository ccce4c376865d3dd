package bundle

import (
	"bytes"
	"regexp"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
)

// In a bundle esbuild makes a variable of each class at a module's top level, and gives the class another name if its body
// mentions it:
//
//	class Vec { plus() { return new Vec } }   becomes   var Vec = class _Vec { plus() { return new _Vec } };
//
// Programs print the names of their classes, and look for them. So a class gets its own name back, in the same length:
//
//	var Vec = class  Vec { plus() { return new  Vec } };
//
// That means the same, since no such body can mean the variable, whose name is the class's in the source. Where the variable has
// another name, because two modules have a class of this one, the class keeps what it was given.

// renamedClass is such a variable.
var renamedClass = regexp.MustCompile(`(?m)^ *var ([A-Za-z_$][\w$]*) = class _([A-Za-z_$][\w$]*)`)

// restoreClassNames gives classes the names that they have in the sources.
func restoreClassNames(code, sourceMap []byte) ([]byte, error) {
	heads := renamedClass.FindAllSubmatchIndex(code, -1)
	if heads == nil {
		return code, nil
	}
	m, err := sourcemap.Parse(sourceMap)
	if err != nil {
		return nil, err
	}
	r := &restorer{code: code, text: textpos.Of(code), m: m, sources: map[int32]*textpos.Text{}, places: map[string][]int{}}
	for i, head := range heads {
		name := string(code[head[4]:head[5]])
		if string(code[head[2]:head[3]]) == name {
			r.find(name, head[4]-1, endOf(code, heads[i+1:], name))
		}
	}
	return r.restored(), nil
}

// endOf is where the text ends in which a class may be mentioned by the name that it was given: the next class of that name begins.
func endOf(code []byte, heads [][]int, name string) int {
	for _, head := range heads {
		if string(code[head[4]:head[5]]) == name {
			return head[0]
		}
	}
	return len(code)
}

// restorer changes a bundle.
type restorer struct {
	code    []byte
	text    *textpos.Text
	m       *sourcemap.Map
	sources map[int32]*textpos.Text // of the map, by number
	places  map[string][]int        // of given names, by the own one
}

// find finds the places in a stretch where a class has its given name and, in the source, its own.
func (r *restorer) find(name string, start, end int) {
	given := []byte("_" + name)
	for at := start; ; at += len(given) {
		i := bytes.Index(r.code[at:end], given)
		if i < 0 {
			return
		}
		at += i
		after := at + len(given)
		inShorthand := max(0, at-len(name)-len(": ")) // {Vec} becomes { Vec: _Vec }
		if !isWordPart(r.code[at-1]) && (after == len(r.code) || !isWordPart(r.code[after])) &&
			(r.comesFrom(at, name) || bytes.Equal(r.code[inShorthand:at], []byte(name+": ")) && r.comesFrom(inShorthand, name)) {
			r.places[name] = append(r.places[name], at)
		}
	}
}

// restored is the bundle with own names, except for classes of which a mention was not found: nothing would have the name then.
func (r *restorer) restored() []byte {
	code := bytes.Clone(r.code)
	unbound := map[string]string{}
	for name, places := range r.places {
		for _, at := range places {
			code[at] = ' '
			copy(code[at+1:], name)
		}
		unbound["_"+name] = `"` + missed + name + `"`
	}
	result := api.Transform(string(code), api.TransformOptions{Define: unbound, Charset: api.CharsetASCII, LogLevel: api.LogLevelSilent})
	for name, places := range r.places {
		if len(result.Errors) == 0 && !bytes.Contains(result.Code, []byte(`"`+missed+name+`"`)) {
			continue
		}
		for _, at := range places {
			copy(code[at:], "_"+name)
		}
	}
	return code
}

// missed marks names that nothing has.
const missed = "fieldprof: nothing is called _"

func isWordPart(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c == '\\' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// comesFrom reports whether what is at an offset of the bundle is a word of a source.
func (r *restorer) comesFrom(at int, word string) bool {
	line, column := r.text.Position(at)
	segment, ok := r.segmentAt(line, column)
	if !ok {
		return false
	}
	source := r.source(segment.Source)
	if source == nil || int(segment.SourceLine) >= source.Lines() {
		return false
	}
	text := source.Line(int(segment.SourceLine))
	text = text[min(len(text), textpos.Bytes(text, int(segment.SourceColumn))):]
	return bytes.HasPrefix(text, []byte(word)) && (len(text) == len(word) || !isWordPart(text[len(word)]))
}

// segmentAt is the segment that begins exactly there.
func (r *restorer) segmentAt(line, column int) (sourcemap.Segment, bool) {
	for _, s := range r.m.Line(line) {
		if int(s.Column) == column && s.Source >= 0 {
			return s, true
		}
	}
	return sourcemap.Segment{}, false
}

// source is the text of a source, nil if the map does not have it.
func (r *restorer) source(number int32) *textpos.Text {
	if text, known := r.sources[number]; known {
		return text
	}
	var text *textpos.Text
	if int(number) < len(r.m.SourcesContent) && r.m.SourcesContent[number] != nil {
		text = textpos.Of([]byte(*r.m.SourcesContent[number]))
	}
	r.sources[number] = text
	return text
}
