package functable

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// codecVersion is the version of the JSON form.
const codecVersion = 1

// wire is the JSON form; see the package documentation.
type wire struct {
	Version   int      `json:"version"`
	File      string   `json:"file"`
	DebugID   string   `json:"debugId"`
	Strings   []string `json:"strings"`
	Functions []int64  `json:"functions"`
}

// The bits of a function's head.
const (
	kindBits       = 0xf
	sitesShift     = 4 // three bits
	filledFirstBit = 1 << 7
	inferredBit    = 1 << 8
	originalBit    = 1 << 9
	ignoredBit     = 1 << 10
	headEnd        = 1 << 11
)

// Encode writes the table in its compact JSON form.
func (t *Table) Encode() ([]byte, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	e := encoder{numbers: make([]byte, 0, 48*len(t.Functions)), strings: []string{}, ids: make(map[string]int64, len(t.Functions)/2), sourceID: -1}
	var start, original Position
	for i := range t.Functions {
		f := &t.Functions[i]
		e.function(f, i, start, &original)
		start = f.Start
	}
	return e.json(t.File, t.DebugID)
}

// encoder writes each number at once, followed by a comma: numbers are most of a
// table.
type encoder struct {
	numbers []byte
	strings []string
	ids     map[string]int64
	// The last source: most functions come from the source of the function before.
	source   string
	sourceID int64
}

func (e *encoder) json(file, debugID string) ([]byte, error) {
	head, err := json.Marshal(struct {
		Version int    `json:"version"`
		File    string `json:"file"`
		DebugID string `json:"debugId,omitempty"`
	}{codecVersion, file, debugID})
	if err != nil {
		return nil, err
	}
	strings, err := json.Marshal(e.strings)
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, len(head)+len(strings)+len(e.numbers)+32)
	out = fmt.Appendf(out, `%s,"strings":%s,"functions":[`, bytes.TrimSuffix(head, []byte("}")), strings)
	out = append(out, bytes.TrimSuffix(e.numbers, []byte(","))...)
	return append(out, "]}"...), nil
}

func (e *encoder) function(f *Function, i int, previous Position, original *Position) {
	head := int64(f.Kind) | int64(f.Sites)<<sitesShift
	if f.FilledFirst {
		head |= filledFirstBit
	}
	if f.Inferred != "" {
		head |= inferredBit
	}
	if f.Original != nil {
		head |= originalBit
	}
	if f.Ignored {
		head |= ignoredBit
	}
	e.put(head)
	e.position(f.Start, previous)
	e.position(f.End, f.Start)
	e.position(f.Definition, f.Start)
	e.put(int64(i) - int64(f.Parent))
	name := e.string(f.Name)
	e.put(name)
	e.put(int64(f.Statements))
	if f.Inferred != "" {
		e.put(e.string(f.Inferred))
	}
	if o := f.Original; o != nil {
		if o.Source != e.source || e.sourceID < 0 {
			e.source, e.sourceID = o.Source, e.string(o.Source)
		}
		e.put(e.sourceID)
		if o.Name != f.Name {
			name = e.string(o.Name)
		}
		e.put(name)
		e.position(o.Position, *original)
		*original = o.Position
	}
}

func (e *encoder) put(v int64) { e.numbers = append(strconv.AppendInt(e.numbers, v, 10), ',') }

// position writes p relative to base: the difference of lines, then the column, which
// is relative too if both are on one line.
func (e *encoder) position(p, base Position) {
	line, column := int64(p.Line)-int64(base.Line), int64(p.Column)
	if line == 0 {
		column -= int64(base.Column)
	}
	e.put(line)
	e.put(column)
}

// string returns the index of a string.
func (e *encoder) string(s string) int64 {
	id, ok := e.ids[s]
	if !ok {
		id = int64(len(e.strings))
		e.ids[s], e.strings = id, append(e.strings, s)
	}
	return id
}

// Decode reads a table in its compact JSON form. The error for an invalid table names
// the entry at fault.
func Decode(data []byte) (*Table, error) {
	var d decoder
	if err := json.Unmarshal(data, &d.w); err != nil {
		return nil, fmt.Errorf("function table: %w", err)
	}
	if d.w.Version != codecVersion {
		return nil, fmt.Errorf("function table: version %d is not supported, only %d", d.w.Version, codecVersion)
	}
	t := &Table{File: d.w.File, DebugID: d.w.DebugID}
	var start, original Position
	for d.at < len(d.w.Functions) {
		f := d.function(len(t.Functions), start, &original)
		if d.err != nil {
			return nil, fmt.Errorf("function table of %q: function %d: %w", t.File, len(t.Functions), d.err)
		}
		start = f.Start
		t.Functions = append(t.Functions, f)
	}
	if err := t.Check(); err != nil {
		return nil, err
	}
	return t, nil
}

// decoder reads numbers up to the first fault, and zeros from then on.
type decoder struct {
	w   wire
	at  int
	err error
}

func (d *decoder) function(i int, previous Position, original *Position) (f Function) {
	head := d.number(0, headEnd-1, "head")
	f.Kind, f.Sites = Kind(head&kindBits), Sites(head>>sitesShift&7)
	f.FilledFirst, f.Ignored = head&filledFirstBit != 0, head&ignoredBit != 0
	f.Start = d.position(previous)
	f.End = d.position(f.Start)
	f.Definition = d.position(f.Start)
	f.Parent = int32(int64(i) - d.number(1, int64(i)+1, "parent"))
	f.Name = d.string()
	f.Statements = int32(d.number(0, math.MaxInt32, "statements"))
	if head&inferredBit != 0 {
		f.Inferred = d.string()
	}
	if head&originalBit != 0 {
		f.Original = &Original{Source: d.string(), Name: d.string()}
		f.Original.Position = d.position(*original)
		*original = f.Original.Position
	}
	return f
}

func (d *decoder) number(low, high int64, what string) int64 {
	if d.err != nil {
		return low
	}
	if d.at == len(d.w.Functions) {
		d.err = errors.New("numbers end inside the entry")
		return low
	}
	v := d.w.Functions[d.at]
	d.at++
	if v < low || v > high {
		d.err = fmt.Errorf("functions[%d]: %s %d is not within %d to %d", d.at-1, what, v, low, high)
		return low
	}
	return v
}

func (d *decoder) position(base Position) Position {
	line := d.number(-math.MaxInt32, math.MaxInt32, "line")
	column := d.number(-math.MaxInt32, math.MaxInt32, "column")
	if line == 0 {
		column += int64(base.Column)
	}
	line += int64(base.Line)
	if d.err == nil && (line < 0 || line > math.MaxInt32 || column < 0 || column > math.MaxInt32) {
		d.err = fmt.Errorf("functions[%d]: position %d:%d is out of range", d.at-1, line, column)
	}
	return Position{int32(line), int32(column)}
}

func (d *decoder) string() string {
	if len(d.w.Strings) == 0 && d.err == nil {
		d.err = fmt.Errorf("functions[%d]: a string index, but the table has no strings", d.at)
	}
	i := d.number(0, int64(len(d.w.Strings))-1, "string")
	if d.err != nil {
		return ""
	}
	return d.w.Strings[i]
}
