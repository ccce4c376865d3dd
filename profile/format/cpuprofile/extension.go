package cpuprofile

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/calltree"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/jsonstream"
)

// extension is the value of the key "fieldprof":
//
//	version
//	meta      profile.Meta
//	flags     profile.Flags of each node
//	kinds     what the numbers of samples.kind mean
//	long      an entry of the file's own list is a sample, not one of its ticks
//	samples   columns with an entry for each sample; one that is missing has zeros:
//	  weight        ticks; unless long, entries of the file's own list
//	  timeDeltasNs  from sample to sample, the first from meta.start
//	  kind, skidNs
//	  line, column  position of the top frame, from 1
//	  marker        profile.Marker
//	marks     see codec.Mark
type extension struct {
	version int64
	meta    profile.Meta
	flags   []profile.Flags
	kinds   []string
	long    bool

	weight       column[int32]
	time         column[int64]
	kind         column[uint8]
	skid         column[int64]
	line, column column[int32]
	marker       column[uint8]
	marks        []codec.Mark
}

const extensionVersion = 1

func readExtension(in *jsonstream.Reader) (*extension, error) {
	e := new(extension)
	return e, in.Members(jsonstream.Members{
		{"version", &e.version},
		{"meta", func() error { return in.Decode("fieldprof.meta", &e.meta) }},
		{"flags", func() error {
			return in.Ints(func(v int64) error { e.flags = append(e.flags, profile.Flags(v)); return nil })
		}},
		{"kinds", func() error {
			return in.Array(func(int) error {
				kind, err := in.String()
				e.kinds = append(e.kinds, kind)
				return err
			})
		}},
		{"long", &e.long},
		{"samples", func() error {
			return in.Members(jsonstream.Members{
				{"weight", func() error { return e.weight.read(in) }}, {"timeDeltasNs", func() error { return e.time.read(in) }},
				{"kind", func() error { return e.kind.read(in) }}, {"skidNs", func() error { return e.skid.read(in) }},
				{"line", func() error { return e.line.read(in) }}, {"column", func() error { return e.column.read(in) }},
				{"marker", func() error { return e.marker.read(in) }},
			})
		}},
		{"marks", func() error { return in.Decode("fieldprof.marks", &e.marks) }},
	})
}

// entries is how many of the file's own samples a sample of weight w is.
func (e *extension) entries(w int32) int {
	if e.long {
		return 1
	}
	return int(w)
}

// check compares an extension with the file around it.
func (e *extension) check(f *File) error {
	if e.version != extensionVersion {
		return fmt.Errorf("fieldprof: version %d is not supported, only %d", e.version, extensionVersion)
	}
	if len(e.flags) != len(f.Nodes) {
		return fmt.Errorf("fieldprof.flags: %d entries for %d nodes", len(e.flags), len(f.Nodes))
	}
	n := e.weight.n
	for name, got := range map[string]int{"timeDeltasNs": e.time.n, "kind": e.kind.n, "skidNs": e.skid.n,
		"line": e.line.n, "column": e.column.n, "marker": e.marker.n} {
		if got != n && got != 0 {
			return fmt.Errorf("fieldprof.samples.%s: %d entries for %d weights", name, got, n)
		}
	}
	for i, kind := range e.kinds {
		if _, ok := profile.ParseKind(kind); !ok {
			return fmt.Errorf("fieldprof.kinds[%d]: unknown kind %q", i, kind)
		}
	}
	at, time := 0, int64(0)
	for i := range n {
		w := e.weight.at(i)
		entries := e.entries(w)
		if w < 1 || entries > f.Samples()-at {
			return fmt.Errorf("fieldprof.samples.weight[%d]: %d, with %d of %d samples left", i, w, f.Samples()-at, f.Samples())
		}
		for j := at + 1; j < at+entries; j++ {
			if f.samples.at(j) != f.samples.at(at) {
				return fmt.Errorf("fieldprof.samples.weight[%d]: covers samples of nodes %d and %d", i, f.samples.at(at), f.samples.at(j))
			}
		}
		at += entries
		if k := int(e.kind.at(i)); k >= len(e.kinds) {
			return fmt.Errorf("fieldprof.samples.kind[%d]: %d of %d", i, k, len(e.kinds))
		}
		if d := e.time.at(i); d < 0 || time+d < 0 {
			return fmt.Errorf("fieldprof.samples.timeDeltasNs[%d]: %d", i, d)
		}
		time += e.time.at(i)
		if e.skid.at(i) < 0 || e.line.at(i) < 0 || e.column.at(i) < 0 {
			return fmt.Errorf("fieldprof.samples: sample %d has a skid, line or column below zero", i)
		}
	}
	if n > 0 && at != f.Samples()-1 || n == 0 && f.Samples() > 0 {
		return fmt.Errorf("fieldprof.samples.weight: they add up to %d, for %d samples and the closing one", at, f.Samples()-1)
	}
	return nil
}

// extension writes the value of the key "fieldprof".
func (w *writer) extension(p *profile.Profile, t *calltree.Tree) {
	kinds, _ := json.Marshal(profile.KindNames()) // strings always have a JSON form
	w.Text(`,"fieldprof":{"version":`).Int(extensionVersion).Text(`,"meta":`).JSON(w.Meta)
	w.Text(`,"flags":`).Ints(len(t.Nodes), func(i int) int64 { return int64(t.Function(int32(i)).Flags) })
	w.Text(`,"kinds":`).JSON(kinds)
	if w.Long {
		w.Text(`,"long":true`)
	}
	s := &p.Samples
	w.Text(`,"samples":{"weight":`).Ints(p.Len(), func(i int) int64 { return int64(s.Weight[i]) })
	last := int64(0)
	w.Text(`,"timeDeltasNs":`).Ints(p.Len(), func(i int) int64 {
		delta := s.Time[i] - last
		last = s.Time[i]
		return delta
	})
	w.unlessZero("kind", p.Len(), func(i int) int64 { return int64(s.Kind[i]) })
	w.unlessZero("skidNs", p.Len(), func(i int) int64 { return s.Skid[i] })
	position := func(column []int32) func(i int) int64 {
		return func(i int) int64 {
			if s.Stack[i] == profile.NoStack {
				return 0
			}
			return int64(column[p.Stacks.Frame[s.Stack[i]]])
		}
	}
	for _, c := range []struct {
		key    string
		column []int32
	}{{"line", p.Frames.Line}, {"column", p.Frames.Column}} {
		if slices.ContainsFunc(c.column, func(v int32) bool { return v != 0 }) {
			w.unlessZero(c.key, p.Len(), position(c.column))
		}
	}
	if s.Marker != nil {
		w.unlessZero("marker", p.Len(), func(i int) int64 { return int64(s.Marker[i]) })
	}
	w.Text("}")
	if len(p.Marks) > 0 {
		marks, _ := json.Marshal(codec.NewMarks(p.Marks)) // strings and times always have a JSON form
		w.Text(`,"marks":`).JSON(marks)
	}
	w.Text("}")
}

// unlessZero writes a column that has something else than zeros.
func (w *writer) unlessZero(key string, n int, at func(i int) int64) {
	for i := range n {
		if at(i) != 0 {
			w.Text(`,"`+key+`":`).Ints(n, at)
			return
		}
	}
}
