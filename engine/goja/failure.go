package goja

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/sourcemap"
)

// deployed is the script as it runs, with what leads back to the sources.
type deployed struct {
	file  string
	code  []byte
	lines []int // offset of each line's first byte
	table *functable.Table
	to    *sourcemap.Map
}

func newDeployed(file string, code []byte, table *functable.Table, to *sourcemap.Map) *deployed {
	d := &deployed{file: file, code: code, lines: []int{0}, table: table, to: to}
	for i, c := range code {
		if c == '\n' {
			d.lines = append(d.lines, i+1)
		}
	}
	return d
}

// place is a position in a source.
type place struct {
	function string
	file     string
	line     int // 1-based
	column   int // 1-based
	text     string
	offset   int // of the column in text, in bytes
}

func (p place) String() string {
	if p.function == "" {
		return fmt.Sprintf("%s:%d:%d", p.file, p.line, p.column)
	}
	return fmt.Sprintf("%s (%s:%d:%d)", p.function, p.file, p.line, p.column)
}

// original follows a position of goja's (1-based line and column, in bytes) to
// the sources. Positions the map does not know stay those of the bundle.
func (d *deployed) original(line, column int) place {
	p := place{file: d.file, line: line, column: column}
	if line < 1 || line > len(d.lines) {
		return p
	}
	start := d.lines[line-1]
	text, _, _ := bytes.Cut(d.code[start:], []byte("\n"))
	p.text, p.offset = string(text), min(max(column-1, 0), len(text))
	units := utf16Len(p.text[:p.offset])
	i := d.table.Find(functable.Position{Line: int32(line), Column: int32(units) + 1})
	p.function = functionName(&d.table.Functions[i])
	if d.to == nil {
		return p
	}
	if found, ok := d.to.Find(line-1, units); ok {
		p.file, p.line, p.column = found.Source, found.Line+1, found.Column+1
		p.text, p.offset = d.sourceLine(found)
	}
	return p
}

// functionName is what a stack shows: nothing for a script's top level, nor for
// the functions that bundlers wrap modules in, which are in no source.
func functionName(f *functable.Function) string {
	switch {
	case f.Kind == functable.Script || f.Original == nil:
		return ""
	case f.Original.Name != "":
		return f.Original.Name
	case f.Inferred != "":
		return f.Inferred
	}
	return profile.DisplayAnonymous
}

// sourceLine finds a line of a source in the map's sourcesContent and the byte
// its UTF-16 column stands at.
func (d *deployed) sourceLine(o sourcemap.Original) (string, int) {
	content, ok := d.to.Content(o.Source)
	if !ok {
		return "", 0
	}
	for range o.Line {
		_, rest, more := strings.Cut(content, "\n")
		if !more {
			return "", 0
		}
		content = rest
	}
	line, _, _ := strings.Cut(content, "\n")
	line = strings.TrimSuffix(line, "\r")
	units, offset := 0, 0
	for _, r := range line {
		if units >= o.Column {
			break
		}
		if units++; r > 0xffff {
			units++
		}
		offset += utf8.RuneLen(r)
	}
	return line, offset
}

func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

// Failure is an error the program did not catch.
type Failure struct {
	what   string // "Uncaught TypeError: x is not a function"
	places []place
}

// Error gives where it was thrown, what, the line with a caret, and the stack.
func (f *Failure) Error() string {
	if len(f.places) == 0 {
		return f.what
	}
	var b strings.Builder
	first := f.places[0]
	fmt.Fprintf(&b, "%s:%d:%d: %s", first.file, first.line, first.column, f.what)
	if first.text != "" {
		b.WriteString("\n" + caret(first.text, first.offset))
	}
	for i, p := range f.places {
		if i == maxStack {
			fmt.Fprintf(&b, "\n    … %d more", len(f.places)-i)
			break
		}
		b.WriteString("\n    at " + p.String())
	}
	return b.String()
}

// maxStack bounds the frames of a failure that are shown.
const maxStack = 20

// failure explains an error that left a task. Of an Error object it tells the
// stack it was made with, of anything else the stack it was thrown from.
func (d *deployed) failure(err error) error {
	var overflow *goja.StackOverflowError
	if errors.As(err, &overflow) {
		return &Failure{what: "Uncaught RangeError: Maximum call stack size exceeded", places: d.places(overflow.Stack())}
	}
	exception, ok := err.(*goja.Exception)
	if !ok {
		return err
	}
	f := d.describe("Uncaught ", exception.Value())
	if len(f.places) == 0 {
		f.places = d.places(exception.Stack())
	}
	return f
}

// places follows the frames of our script to the sources.
func (d *deployed) places(frames []goja.StackFrame) []place {
	var places []place
	for i := range frames {
		if frames[i].SrcName() == d.file {
			p := frames[i].Position()
			places = append(places, d.original(p.Line, p.Column))
		}
	}
	return d.inSources(places)
}

// rejection explains the reason of a promise that nobody handled.
func (d *deployed) rejection(reason goja.Value) error {
	return d.describe("Uncaught (in promise) ", reason)
}

func (d *deployed) describe(prefix string, value goja.Value) *Failure {
	if value == nil {
		value = goja.Undefined()
	}
	f := &Failure{what: prefix + safeString(value)}
	object, ok := value.(*goja.Object)
	if !ok {
		return f
	}
	var stack string
	if s := safeGet(object, "stack"); s != nil {
		stack = safeString(s)
	}
	for _, line := range strings.Split(stack, "\n") {
		m := stackLine.FindStringSubmatch(line)
		if m == nil || m[2] != d.file {
			continue
		}
		row, _ := strconv.Atoi(m[3])
		column, _ := strconv.Atoi(m[4])
		f.places = append(f.places, d.original(row, column))
	}
	f.places = d.inSources(f.places)
	return f
}

// inSources leaves out what only bundling put there.
func (d *deployed) inSources(places []place) []place {
	return slices.DeleteFunc(places, func(p place) bool { return p.file == d.file })
}

// stackLine is a frame in goja's Error.stack: "\tat f (app.js:3:9(42))".
var stackLine = regexp.MustCompile(`^\s*at (?:(.*) \()?(.*?):(\d+):(\d+)\(\d+\)\)?$`)

// safeString is a value's text. The program may have given it a toString that
// throws.
func safeString(v goja.Value) (text string) {
	defer func() {
		if recover() != nil {
			text = "(a value that cannot be shown)"
		}
	}()
	return v.String()
}

func safeGet(o *goja.Object, name string) (value goja.Value) {
	defer func() {
		if recover() != nil {
			value = nil
		}
	}()
	return o.Get(name)
}
