package record

import (
	"maps"
	"slices"

	"github.com/fieldprof/fieldprof/profile"
)

// Encode writes a chunk for the spool, Decode reads it. Equal chunks are equal when written.
func Encode(c *Chunk) []byte {
	var w writer
	w.chunk(c)
	return pack(w.b, quick)
}

// Decode is the inverse of Encode. The profile of the chunk is valid.
func Decode(data []byte) (*Chunk, error) {
	raw, err := unpack(data)
	if err != nil {
		return nil, err
	}
	r := reader{b: raw}
	c := r.chunk()
	return c, r.end()
}

func (w *writer) chunk(c *Chunk) {
	w.id(c.ID)
	w.series(&c.Series)
	w.text(c.Source)
	w.time(c.At)
	w.duration(c.Observed)
	w.id(c.View)
	w.int(int64(c.Number))
	if w.bool(c.Profile != nil); c.Profile != nil {
		w.profile(c.Profile)
	}
	w.uint(uint64(len(c.Slices)))
	for i := range c.Slices {
		w.slice(&c.Slices[i])
	}
	if w.bool(c.Counts != nil); c.Counts != nil {
		w.counts(c.Counts)
	}
	w.bytes(c.Example)
}

func (r *reader) chunk() *Chunk {
	c := &Chunk{ID: r.id(), Series: r.series(), Source: r.text(), At: r.time(), Observed: r.duration(), View: r.id(), Number: int(r.int())}
	if r.bool() {
		c.Profile = r.profile()
	}
	if n := r.count(60); n > 0 {
		c.Slices = make([]Slice, n)
		for i := range c.Slices {
			c.Slices[i] = r.slice()
		}
	}
	if r.bool() {
		c.Counts = r.counts()
	}
	c.Example = r.bytes()
	return c
}

func (w *writer) series(s *Series) {
	w.text(s.App)
	w.uint(uint64(len(s.Labels)))
	for _, name := range slices.Sorted(maps.Keys(s.Labels)) {
		w.text(name)
		w.text(s.Labels[name])
	}
	w.bool(s.Slow)
	w.float(s.Rate)
	w.duration(s.Interval)
}

func (r *reader) series() (s Series) {
	s.App = r.text()
	n := r.count(2)
	s.Labels = make(Labels, n)
	for range n {
		name := r.text()
		s.Labels[name] = r.text()
	}
	s.Slow, s.Rate, s.Interval = r.bool(), r.float(), r.duration()
	return s
}

// slice writes a slice, which has at least 60 bytes.
func (w *writer) slice(s *Slice) {
	w.id(s.ID)
	w.series(&s.Series)
	w.time(s.At)
	w.id(s.View)
	w.mark(&s.Mark)
	f := &s.Cause
	w.text(f.Name)
	w.text(f.File)
	w.int(int64(f.Line))
	w.int(int64(f.Column))
	w.byte(byte(f.Flags))
	w.text(s.CauseGroup)
	w.duration(s.CauseTime)
	w.bytes(s.Trace)
}

func (r *reader) slice() (s Slice) {
	s.ID, s.Series, s.At, s.View, s.Mark = r.id(), r.series(), r.time(), r.id(), r.mark()
	s.Cause = profile.Function{Name: r.text(), File: r.text(), Line: int32(r.int()), Column: int32(r.int()), Flags: profile.Flags(r.byte())}
	s.CauseGroup, s.CauseTime, s.Trace = r.text(), r.duration(), r.bytes()
	return s
}

func (w *writer) counts(c *Counts) {
	for _, n := range []int64{c.Interactions, c.LongTasks, c.Dropped, int64(c.INP), int64(c.P75)} {
		w.int(n)
	}
	w.uint(uint64(len(c.Slow)))
	for _, what := range slices.Sorted(maps.Keys(c.Slow)) {
		w.text(string(what))
		w.int(c.Slow[what])
	}
}

func (r *reader) counts() *Counts {
	c := &Counts{Interactions: r.int(), LongTasks: r.int(), Dropped: r.int(), INP: r.duration(), P75: r.duration()}
	if n := r.count(2); n > 0 {
		c.Slow = make(map[profile.What]int64, n)
		for range n {
			what := profile.What(r.text())
			c.Slow[what] = r.int()
		}
	}
	return c
}
