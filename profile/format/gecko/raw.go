package gecko

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// WriteRaw writes an attributed profile as Gecko itself does, in its current
// version.
func WriteRaw(out io.Writer, p *profile.Profile) error { return writeRaw(out, p, versionRaw) }

// WriteVersion5 writes it in the version of the reference document, of 2016.
func WriteVersion5(out io.Writer, p *profile.Profile) error { return writeRaw(out, p, versionFirst) }

func writeRaw(out io.Writer, p *profile.Profile, version int) error {
	w, err := newWritten(p)
	if err == nil {
		err = w.AtMost(MaxTicks)
	}
	if err != nil {
		return err
	}
	meta := w.meta()
	meta["version"], meta["presymbolicated"] = version, true
	if version == versionFirst {
		delete(meta, "categories")
		delete(meta, "markerSchema")
	}
	frames := w.rawFrames(version)
	markers := w.rawMarkers(version)
	extension := w.extension()
	extension.Frames = make([]int32, len(w.Frames.Function))
	for i, f := range w.Frames.Function {
		extension.Frames[i] = int32(f)
	}
	thread := object{
		"name": threadName, "processType": "default", "processName": w.product(), "pid": 0, "tid": 0, "registerTime": 0, "unregisterTime": nil,
		"frameTable": frames, "markers": markers, "stackTable": w.rawStacks(version), "stringTable": w.strings.Names,
		"samples": samplesJSON{w, version},
	}
	return codec.Encode("gecko", out, rawFile{Meta: meta, Libs: []object{}, Pages: []object{}, Sources: table{sourceColumns, [][]any{}}, Threads: []object{thread},
		PausedRanges: []object{}, Processes: []object{}, Fieldprof: extension})
}

// rawFile is the raw form: how a file begins tells what it is.
type rawFile struct {
	Meta         object     `json:"meta"`
	Libs         []object   `json:"libs"`
	Pages        []object   `json:"pages"`
	Sources      table      `json:"sources"`
	Threads      []object   `json:"threads"`
	PausedRanges []object   `json:"pausedRanges"`
	Processes    []object   `json:"processes"`
	Fieldprof    *extension `json:"fieldprof"`
}

var sourceColumns = []string{"id", "filename", "startLine", "startColumn", "sourceMapURL"}

// table is a table of rows. In JSON its schema says the index of each column.
type table struct {
	columns []string
	data    [][]any
}

func (t table) MarshalJSON() ([]byte, error) {
	return json.Marshal(object{"schema": schema(t.columns), "data": t.data})
}

func schema(columns []string) map[string]int {
	s := make(map[string]int, len(columns))
	for i, name := range columns {
		s[name] = i
	}
	return s
}

// The bit masks that version 5 has for categories.
var masks = [...]int{other: 16, idle: 16, javaScript: 64, gc: bitGC, native: 16, layout: 16, graphics: 16}

func (w *written) rawFrames(version int) table {
	t := table{[]string{"location", "relevantForJS", "innerWindowID", "implementation", "line", "column", "category", "subcategory"}, [][]any{}}
	if version == versionFirst {
		t.columns = []string{"location", "relevantForJS", "implementation", "optimizations", "line", "column", "category"}
	}
	for i, id := range w.Frames.Function {
		f := w.Profile.Function(id)
		at := w.strings.Of(location(f))
		line, column := orNull(w.Frames.Line[i]), orNull(w.Frames.Column[i])
		if version == versionFirst {
			t.data = append(t.data, []any{at, false, nil, nil, line, column, masks[categoryOf(f)]})
			continue
		}
		t.data = append(t.data, []any{at, false, 0, nil, line, column, categoryOf(f), 0})
	}
	return t
}

func orNull(v int32) any {
	if v == 0 {
		return nil
	}
	return v
}

func (w *written) rawStacks(version int) table {
	t := table{[]string{"prefix", "frame"}, [][]any{}}
	if version == versionFirst {
		t.columns = []string{"frame", "prefix"}
	}
	for i, up := range w.Stacks.Parent {
		var prefix any
		if up != profile.NoStack {
			prefix = up
		}
		if version == versionFirst {
			t.data = append(t.data, []any{w.Stacks.Frame[i], prefix})
			continue
		}
		t.data = append(t.data, []any{prefix, w.Stacks.Frame[i]})
	}
	return t
}

func (w *written) rawMarkers(version int) table {
	t := table{[]string{"name", "startTime", "endTime", "phase", "category", "data"}, [][]any{}}
	if version == versionFirst {
		t.columns = []string{"name", "time", "data"}
	}
	for _, m := range w.markers() {
		name := w.strings.Of(m.name)
		if version == versionFirst { // whose payloads say when they start and end
			if !m.moment {
				m.data["startTime"], m.data["endTime"] = m.start, m.end
			}
			t.data = append(t.data, []any{name, m.start, m.data})
			continue
		}
		t.data = append(t.data, []any{name, m.start, m.endOrNull(), m.phase(), m.category, m.data})
	}
	return t
}

// samplesJSON is the table of samples in JSON: a row for each tick, the last one
// when the sample was taken and the others before it, an interval apart.
type samplesJSON struct {
	w       *written
	version int
}

func (s samplesJSON) MarshalJSON() ([]byte, error) {
	delay := "eventDelay"
	if s.version == versionFirst {
		delay = "responsiveness"
	}
	text := []byte(`{"schema":{"stack":0,"time":1,"` + delay + `":2},"data":[`)
	last := int64(0)
	for i, stack := range s.w.Samples.Stack {
		end, n := s.w.Samples.Time[i], int64(s.w.Samples.Weight[i])
		for k := int64(1); k <= n; k++ {
			last = max(last, end-(n-k)*int64(s.w.Interval))
			if text[len(text)-1] != '[' {
				text = append(text, ',')
			}
			text = append(text, '[')
			text = strconv.AppendInt(text, int64(stack), 10)
			text = append(text, ',')
			text = strconv.AppendFloat(text, milliseconds(last), 'f', -1, 64)
			text = append(text, ",0]"...)
		}
	}
	return append(text, "]}"...), nil
}
