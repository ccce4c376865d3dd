package record

import (
	"encoding/json"
	"maps"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// EncodeProfile writes a valid profile, with its times and marks, compressed. Rows of its tables that
// no sample needs are left out.
func EncodeProfile(p *profile.Profile) []byte {
	var w writer
	w.profile(p)
	return pack(w.b, small)
}

// DecodeProfile is the inverse of EncodeProfile. The profile is valid.
func DecodeProfile(data []byte) (*profile.Profile, error) {
	raw, err := unpack(data)
	if err != nil {
		return nil, err
	}
	r := reader{b: raw}
	p := r.profile()
	return p, r.end()
}

// kept says which rows of a table are written: 0 is left out, others have their new index + 1.
type kept []int32

// number gives new indices to the rows that are marked, in their order.
func (k kept) number() (rows int) {
	for i := range k {
		if k[i] != 0 {
			rows++
			k[i] = int32(rows)
		}
	}
	return rows
}

// tables are the rows that samples need.
type tables struct{ strings, functions, frames, stacks kept }

func needed(p *profile.Profile) tables {
	t := tables{make(kept, len(p.Strings)), make(kept, len(p.Functions.Name)), make(kept, len(p.Frames.Function)), make(kept, len(p.Stacks.Parent))}
	t.strings[0] = 1 // always ""
	for _, s := range p.Samples.Stack {
		for ; s != profile.NoStack && t.stacks[s] == 0; s = p.Stacks.Parent[s] {
			t.stacks[s] = 1
			t.frames[p.Stacks.Frame[s]] = 1
		}
	}
	for i, marked := range t.frames {
		if marked != 0 {
			t.functions[p.Frames.Function[i]] = 1
		}
	}
	for i, marked := range t.functions {
		if marked != 0 {
			t.strings[p.Functions.Name[i]], t.strings[p.Functions.File[i]] = 1, 1
		}
	}
	return t
}

// column writes the rows of a column that are kept.
func column[T ~int32 | ~uint8](w *writer, values []T, rows kept) {
	for i, v := range values {
		if rows[i] != 0 {
			w.uint(uint64(v))
		}
	}
}

// references writes the rows of a column that are kept and refer to another table.
func references[T ~int32](w *writer, values []T, rows, to kept) {
	for i, v := range values {
		if rows[i] != 0 {
			w.uint(uint64(to[v] - 1))
		}
	}
}

func (w *writer) profile(p *profile.Profile) {
	t := needed(p)
	w.meta(p, t)
	w.uint(uint64(t.strings.number()))
	for i, s := range p.Strings {
		if t.strings[i] != 0 {
			w.text(s)
		}
	}
	w.uint(uint64(t.functions.number()))
	f := &p.Functions
	references(w, f.Name, t.functions, t.strings)
	references(w, f.File, t.functions, t.strings)
	column(w, f.Line, t.functions)
	column(w, f.Column, t.functions)
	column(w, f.Flags, t.functions)
	w.uint(uint64(t.frames.number()))
	references(w, p.Frames.Function, t.frames, t.functions)
	column(w, p.Frames.Line, t.frames)
	column(w, p.Frames.Column, t.frames)
	w.uint(uint64(t.stacks.number()))
	for i, parent := range p.Stacks.Parent {
		if t.stacks[i] != 0 { // the distance to the parent, which is short; a root has its own index
			distance := t.stacks[i] - 1
			if parent != profile.NoStack {
				distance = t.stacks[i] - t.stacks[parent] - 1
			}
			w.uint(uint64(distance))
		}
	}
	references(w, p.Stacks.Frame, t.stacks, t.frames)
	w.samples(&p.Samples, t.stacks)
	w.marks(p.Marks)
}

// meta writes the metadata. Debug ids of files that no function is in are left out.
func (w *writer) meta(p *profile.Profile, t tables) {
	m := p.Meta
	w.time(m.Start)
	m.Start = time.Time{} // which JSON cannot write in every year
	if m.DebugIDs != nil {
		files := map[string]bool{}
		for i, file := range p.Functions.File {
			if t.functions[i] != 0 {
				files[p.Strings[file]] = true
			}
		}
		m.DebugIDs = maps.Clone(m.DebugIDs)
		maps.DeleteFunc(m.DebugIDs, func(file, _ string) bool { return !files[file] })
	}
	text, err := json.Marshal(m)
	if err != nil {
		panic(err) // it has numbers and texts only
	}
	w.bytes(text)
}

// Columns of samples that are often empty.
const (
	withTimes = 1 << iota
	withSkids
	withMarkers
)

func (w *writer) samples(s *profile.Samples, stacks kept) {
	var with byte
	for i := range s.Time {
		if s.Time[i] != 0 {
			with |= withTimes
		}
		if s.Skid[i] != 0 {
			with |= withSkids
		}
		if s.Marker != nil && s.Marker[i] != profile.NoMarker {
			with |= withMarkers
		}
	}
	w.uint(uint64(len(s.Stack)))
	w.byte(with)
	for _, stack := range s.Stack {
		if stack == profile.NoStack {
			w.uint(0)
		} else {
			w.uint(uint64(stacks[stack]))
		}
	}
	last := int64(0)
	for i := range s.Stack {
		w.uint(uint64(s.Weight[i]))
		w.byte(byte(s.Kind[i]))
		if with&withTimes != 0 {
			w.uint(uint64(s.Time[i] - last))
			last = s.Time[i]
		}
		if with&withSkids != 0 {
			w.uint(uint64(s.Skid[i]))
		}
		if with&withMarkers != 0 {
			w.byte(byte(s.Marker[i]))
		}
	}
}

func (w *writer) marks(marks []profile.Mark) {
	w.uint(uint64(len(marks)))
	for i := range marks {
		w.mark(&marks[i])
	}
}

func (w *writer) mark(m *profile.Mark) {
	w.text(string(m.What))
	w.text(m.Name)
	w.text(m.Target)
	w.text(m.Detail)
	for _, d := range []time.Duration{m.Time, m.Duration, m.InputDelay, m.Processing, m.Presentation} {
		w.duration(d)
	}
}
