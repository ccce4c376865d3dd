package hub

import (
	"cmp"
	"slices"

	"github.com/fieldprof/fieldprof/profile/live"
)

// Bounds of what is kept for panels.
const (
	maxSamples = 1 << 20 // of a source,
	maxHeld    = 1 << 22 // of all of them
	minSamples = 1 << 14 // of a source, however many there are
	maxMarks   = 1 << 12 // of a source
	maxNotes   = 1 << 4  // of a source
	maxBatch   = 1 << 14 // samples in a batch to a panel
	maxBehind  = 1 << 16 // samples by which a panel may lag before it skips to the present
)

// history is a source's profile as panels see it, in columns. Samples that are dropped from
// the front are counted.
type history struct {
	profile int
	records []live.Record
	stacks  []int32
	time    []int64 // microseconds since the profile began
	stack   []int32
	weight  []int32
	skid    []int64
	gone    int64 // samples dropped from the front,
	ticks   int64 // with so many ticks
	marks   []live.Mark
	unmark  int64 // marks dropped from the front
	notes   []string
	began   *live.Began
	account live.Account
	dropped live.Dropped // by the source
	ended   bool
	version int64 // of all this
}

// add appends a batch as Stream returns it, and keeps the most recent samples.
func (h *history) add(b *live.Batch, most int) {
	h.records = append(h.records, b.Records...)
	h.stacks = append(h.stacks, b.Stacks...)
	now := int64(0)
	for i, delta := range b.Samples.Delta {
		now += delta
		h.time = append(h.time, now)
		skid := int64(0)
		if i < len(b.Samples.Skid) {
			skid = b.Samples.Skid[i]
		}
		h.skid = append(h.skid, skid)
	}
	h.stack = append(h.stack, b.Samples.Stack...)
	h.weight = append(h.weight, b.Samples.Weight...)
	h.marks = append(h.marks, b.Marks...)
	for _, note := range b.Notes {
		h.note(note)
	}
	h.began = cmp.Or(h.began, b.Began)
	h.account = b.Account
	h.dropped.Batches += b.Dropped.Batches
	h.dropped.Ticks += b.Dropped.Ticks
	h.ended = h.ended || b.Ended
	h.version++
	h.trim(most)
}

// note adds a remark, of the source or the server, once.
func (h *history) note(text string) {
	if len(h.notes) < maxNotes && !slices.Contains(h.notes, text) {
		h.notes = append(h.notes, text)
		h.version++
	}
}

// trim drops the oldest samples and marks, a sixteenth more than it must so that it
// rarely has to.
func (h *history) trim(most int) {
	if n := len(h.time); n > most {
		cut := n - most + most/16
		for _, weight := range h.weight[:cut] {
			h.ticks += int64(weight)
		}
		h.gone += int64(cut)
		h.time, h.skid = cutFront(h.time, cut), cutFront(h.skid, cut)
		h.stack, h.weight = cutFront(h.stack, cut), cutFront(h.weight, cut)
	}
	if n := len(h.marks); n > maxMarks {
		cut := n - maxMarks + maxMarks/16
		h.unmark += int64(cut)
		h.marks = cutFront(h.marks, cut)
	}
}

// cutFront removes the first n values without keeping the room they had.
func cutFront[T any](values []T, n int) []T {
	return append(make([]T, 0, len(values)), values[n:]...)
}

// cursor is how much of a history a panel has.
type cursor struct {
	of              *history
	records, stacks int
	samples, ticks  int64
	marks           int64
	notes           int
	begun           bool
	dropped         live.Dropped // by the source, as far as the panel knows
	version         int64
	seq             int64
	current         bool // has had everything at some time
}

// hasSome reports whether the panel has anything of the history, if not all of it yet.
func (c *cursor) hasSome() bool { return c.version > 0 || c.records > 0 || c.samples > 0 }

// next returns what a panel gets next, nil if it has everything.
func (h *history) next(c *cursor, source string) *live.Batch {
	if c.version == h.version {
		c.current = true
		return nil
	}
	c.seq++
	b := &live.Batch{Type: live.TypeBatch, Source: source, Profile: h.profile, Seq: c.seq, Records: h.records[c.records:], Stacks: h.stacks[c.stacks:], Account: h.account}
	c.records, c.stacks = len(h.records), len(h.stacks)
	b.Dropped = live.Dropped{Batches: h.dropped.Batches - c.dropped.Batches, Ticks: h.dropped.Ticks - c.dropped.Ticks}
	c.dropped = h.dropped
	b.Notes, c.notes = slices.Clone(h.notes[c.notes:]), len(h.notes)
	if !c.begun {
		b.Began, c.begun = h.began, h.began != nil
	}
	from := int(max(c.marks-h.unmark, 0))
	b.Marks, c.marks = h.marks[from:], h.unmark+int64(len(h.marks))
	h.skip(c, b)
	from = int(c.samples - h.gone)
	to := min(from+maxBatch, len(h.time))
	h.cut(b, from, to)
	for _, weight := range h.weight[from:to] {
		c.ticks += int64(weight)
	}
	c.samples = h.gone + int64(to)
	if to == len(h.time) {
		c.version = h.version
		b.Ended = h.ended
	}
	return b
}

// skip moves a cursor over what is gone, or too much to catch up with.
func (h *history) skip(c *cursor, b *live.Batch) {
	to := h.gone
	if end := h.gone + int64(len(h.time)); c.current && end-c.samples > maxBehind {
		to = end - maxBatch
	}
	if to <= c.samples {
		return
	}
	ticks := h.ticks
	for _, weight := range h.weight[:to-h.gone] {
		ticks += int64(weight)
	}
	b.Dropped.Batches++
	b.Dropped.Ticks += ticks - c.ticks
	c.samples, c.ticks = to, ticks
}

// cut gives a batch some of the samples.
func (h *history) cut(b *live.Batch, from, to int) {
	if from == to {
		return
	}
	s := &b.Samples
	s.Delta = make([]int64, to-from)
	before := int64(0)
	for i, at := range h.time[from:to] {
		s.Delta[i], before = at-before, at
	}
	s.Stack, s.Weight, s.Skid = h.stack[from:to], h.weight[from:to], h.skid[from:to]
}

// count is the number of all samples, those that were dropped included.
func (h *history) count() int64 { return h.gone + int64(len(h.time)) }
