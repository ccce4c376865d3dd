package gecko

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/fieldprof/fieldprof/profile"
)

// The meanings of the categories of stacks, as far as they matter.
const (
	categoryOther = iota
	categoryIdle
	categoryGC
	categoryScript
	categoryLayout
	categoryGraphics
)

var categoryMarkers = [...]profile.Marker{categoryGC: profile.MarkerGC, categoryScript: profile.MarkerScript, categoryLayout: profile.MarkerLayout, categoryGraphics: profile.MarkerPaint}

// categoryNames are Firefox's; whether one is idle, isIdle says.
var categoryNames = map[string]int32{"GC / CC": categoryGC, "JavaScript": categoryScript, "Layout": categoryLayout, "Graphics": categoryGraphics}

// Whose scripts are on a stack.
const (
	nobody = iota
	browser
	program
)

// bitGC is the collector's bit in the mask that versions before 16 have for a category.
const bitGC = 128

// linked are the tables of a thread, checked: every index is within its table,
// −1 where there is none.
type linked struct {
	functions  []profile.Function
	isJS       []bool
	frameFunc  []int32
	frameLine  []int32
	frameCol   []int32
	stackFrame []int32
	stackUp    []int32
	order      []int32 // stacks, callers first
	category   []uint8 // of stacks: their frame's, or their caller's
	scripts    []uint8 // of stacks: whose scripts are on them
	strings    []string
}

type thread struct {
	linked
	shared  bool // the tables are those of all threads
	path    string
	start   float64  // of the process, milliseconds since 1970
	began   *float64 // the recording, milliseconds since then; nil if that is not known
	samples struct {
		stack      []int32
		time       []float64 // milliseconds
		weights    []float64 // nil: all 1
		weightType string
	}
	markers json.RawMessage
	running [3]int // samples by whose scripts are on the stack
}

// thread reads one. The shared tables are given once they are read.
func (f *file) thread(i int, path string, shared *linked) (*thread, error) {
	in := &f.Threads[i]
	t := &thread{path: path, start: f.Meta.StartTime, markers: in.Markers}
	if began := f.Meta.Began; began != nil && isTime(*began) {
		t.began = began
	}
	var err error
	switch {
	case f.Meta.Processed == nil:
		err = t.raw(in, &f.Meta)
	case shared != nil:
		t.linked, t.shared = *shared, true
	default:
		err = t.processed(in, f)
	}
	if err == nil {
		err = t.readSamples(in, f.Meta.Processed == nil)
	}
	return t, err
}

// unmarshal reads a table; one that is not there is empty.
func unmarshal(data json.RawMessage, path string, into any) error {
	if len(data) == 0 {
		return nil
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// raw makes functions of the locations of frames.
func (t *thread) raw(in *fileThread, m *fileMeta) error {
	var frames, stacks rows
	for _, err := range []error{
		unmarshal(in.StringTable, t.path+".stringTable", &t.strings),
		unmarshal(in.FrameTable, t.path+".frameTable", &frames),
		unmarshal(in.StackTable, t.path+".stackTable", &stacks),
	} {
		if err != nil {
			return err
		}
	}
	path := t.path + ".frameTable"
	locations := frames.column("location")
	if locations.fault != nil {
		return fmt.Errorf("%s.%w", path, locations.fault)
	}
	lines, columns, category := frames.column("line"), frames.column("column"), frames.column("category")
	known := make(map[int32]int32) // functions by location
	categories := make([]int32, len(locations.values))
	for i := range locations.values {
		l, err := locations.index(i, len(t.strings))
		if err != nil || l < 0 {
			return fmt.Errorf("%s.data[%d]: location %v is not one of %d strings", path, i, locations.values[i], len(t.strings))
		}
		f, ok := known[l]
		if !ok {
			f = int32(len(t.functions))
			known[l] = f
			function, js := parseLocation(t.strings[l])
			t.functions, t.isJS = append(t.functions, function), append(t.isJS, js)
		}
		t.frameFunc = append(t.frameFunc, f)
		t.frameLine, t.frameCol = append(t.frameLine, lines.position(i)), append(t.frameCol, columns.position(i))
		categories[i] = categoryAt(&category, i)
	}
	return t.link(t.path+".stackTable.data", stacks.column("frame"), stacks.column("prefix"), column{}, meanings(m, categories))
}

// processed reads the tables of a thread, or those of all.
func (t *thread) processed(in *fileThread, f *file) error {
	path, from := "shared", &f.Shared
	if len(from.StackTable) == 0 {
		path, from = t.path, &in.tables
	}
	t.shared = path == "shared"
	t.strings = from.StringArray
	if t.strings == nil {
		t.strings = in.StringArray
	}
	if t.strings == nil && f.Shared.StringArray != nil {
		t.strings = f.Shared.StringArray
	}
	if t.strings == nil {
		if err := unmarshal(in.StringTable, t.path+".stringTable", &t.strings); err != nil {
			return err
		}
	}
	sources := &from.Sources
	if !sources.Filename.known {
		sources = &f.Shared.Sources
	}
	if err := t.readFunctions(path, &from.FuncTable, sources); err != nil {
		return err
	}
	var frames frameTable
	var stacks stackTable
	if err := unmarshal(from.FrameTable, path+".frameTable", &frames); err != nil {
		return err
	}
	if err := unmarshal(from.StackTable, path+".stackTable", &stacks); err != nil {
		return err
	}
	if frames.Func.fault != nil {
		return fmt.Errorf("%s.frameTable.func: %w", path, frames.Func.fault)
	}
	categories := make([]int32, len(frames.Func.values))
	for i := range frames.Func.values {
		fn, err := frames.Func.index(i, len(t.functions))
		if err != nil || fn < 0 {
			return fmt.Errorf("%s.frameTable.func[%d]: %v is not one of %d functions", path, i, frames.Func.values[i], len(t.functions))
		}
		line, column := frames.Line.position(i), frames.Column.position(i)
		categories[i] = categoryAt(&frames.Category, i)
		if frames.Flags.known && int(orZero(frames.Flags.at(i)))&frameHasCategory == 0 {
			categories[i] = -1
		}
		t.frameFunc = append(t.frameFunc, fn)
		t.frameLine, t.frameCol = append(t.frameLine, line), append(t.frameCol, column)
	}
	return t.link(path+".stackTable", stacks.Frame, stacks.Prefix, stacks.PrefixOffset, meanings(&f.Meta, categories))
}

func (t *thread) readFunctions(path string, in *funcTable, sources *sourceTable) error {
	for i := range in.Name.values {
		at := func(what string, v float64) error {
			return fmt.Errorf("%s.funcTable.%s[%d]: %v is out of range", path, what, i, v)
		}
		name, err := in.Name.index(i, len(t.strings))
		if err != nil || name < 0 {
			return at("name", in.Name.values[i])
		}
		flags := int(orZero(in.Flags.at(i)))
		js := flags&funcIsJS != 0 || in.IsJS.at(i) == 1
		f := profile.Function{Name: t.strings[name], Line: in.LineNumber.position(i), Column: in.ColumnNumber.position(i)}
		file := int32(-1)
		if in.Source.known && !(in.Flags.known && flags&funcHasSource == 0) {
			source, err := in.Source.index(i, len(sources.Filename.values))
			if err == nil && source >= 0 {
				file, err = sources.Filename.index(int(source), len(t.strings))
			}
			if err != nil {
				return at("source", in.Source.values[i])
			}
		} else if in.FileName.known {
			if file, err = in.FileName.index(i, len(t.strings)); err != nil {
				return at("fileName", in.FileName.values[i])
			}
		}
		if file >= 0 {
			f.File = t.strings[file]
		}
		t.functions, t.isJS = append(t.functions, named(f, js)), append(t.isJS, js)
	}
	if in.Name.fault != nil {
		return fmt.Errorf("%s.funcTable.name: %w", path, in.Name.fault)
	}
	return nil
}

// named takes the names that the Firefox Profiler makes up back.
func named(f profile.Function, js bool) profile.Function {
	if !js {
		l := label(f.Name)
		f.Flags = l.Flags
		if l.Flags&profile.Pseudo != 0 {
			return l
		}
		return f
	}
	switch {
	case f.File != "" && f.Name == rootScope+f.File:
		f.Name, f.Flags = "", profile.TopLevel
	case f.Name == profile.DisplayAnonymous || f.Name == "anonymous":
		f.Name = ""
	}
	return f
}

func orZero(v float64) float64 {
	if math.IsNaN(v) || v < 0 || v > 1<<20 {
		return 0
	}
	return v
}

// categoryAt is −1 for one that is missing or nonsense.
func categoryAt(c *column, i int) int32 {
	if v := c.at(i); v >= 0 && v < 1<<20 {
		return int32(v)
	}
	return -1
}

// meanings turns the categories of frames into what they mean here, in place;
// −1, the caller's, stays.
func meanings(m *fileMeta, of []int32) []int32 {
	for i, c := range of {
		switch {
		case c < 0:
			continue
		case m.Categories == nil && c == bitGC:
			of[i] = categoryGC
		case int(c) >= len(m.Categories):
			of[i] = categoryOther
		case isIdle(m.Categories[c]):
			of[i] = categoryIdle
		default:
			of[i] = categoryNames[m.Categories[c].Name]
		}
	}
	return of
}
