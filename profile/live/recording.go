package live

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
)

// Recording is what is kept of one source: its records and stacks, and the samples of the
// profile that it last began. One goroutine at a time may use it.
type Recording struct {
	// Limits may be set before the first Add.
	Limits Limits

	hello   Hello
	began   Began
	profile int
	seq     int64
	ended   bool

	tables
	samples columns
	marks   []Mark
	texts   int   // bytes of marks
	at      int64 // of the last sample, in microseconds since the profile began
	last    int64 // time that is known to have passed
	account Account
	notes   []string
	dropped Dropped
	trimmed int64 // samples
}

// columns are samples with their time since the profile began.
type columns struct {
	time, skid    []int64
	stack, weight []int32
	kind          []profile.Kind
}

// NewRecording makes the memory of a source. Until the source says how its first profile
// began, the Start that it was sent (s, which may be nil) is taken for that.
func NewRecording(h *Hello, s *Start) *Recording {
	r := &Recording{hello: *h, began: Began{Time: h.Origin}, tables: newTables()}
	if s != nil {
		r.profile, r.began.Interval, r.began.Clock = s.Profile, s.Interval, s.Clock
	}
	return r
}

// Add adds a batch that Decode has checked. Batches come in order; one that was added
// before is ignored. After an error, the recording is as it was.
//
// A batch of a later profile begins that: the one before is forgotten. The first batch
// may have any number, and so go on where another server stopped, if its profile is new.
func (r *Recording) Add(b *Batch) error {
	l := r.Limits.orDefaults()
	if err := b.check(&l); err != nil {
		return fmt.Errorf("live: batch %d: %w", b.Seq, err)
	}
	if b.Seq <= r.seq {
		return nil
	}
	if err := r.inOrder(b); err != nil {
		return fmt.Errorf("live: batch %d: %w", b.Seq, err)
	}
	tables := &r.tables
	if b.Profile != r.profile {
		fresh := newTables()
		tables = &fresh
	}
	if err := tables.add(b, r.hello.Attributed, &l); err != nil {
		return fmt.Errorf("live: batch %d: %w", b.Seq, err)
	}
	if b.Profile != r.profile {
		r.begin(b.Profile, *tables)
	}
	if b.Began != nil {
		r.began = *b.Began
	}
	r.seq, r.ended, r.account = b.Seq, b.Ended, b.Account
	r.notes = profile.Notes(r.notes, b.Notes)
	r.dropped.Batches += b.Dropped.Batches
	r.dropped.Ticks += b.Dropped.Ticks
	r.addSamples(&b.Samples, l.Samples)
	r.addMarks(b.Marks, &l)
	return nil
}

// inOrder checks a batch against what came before it.
func (r *Recording) inOrder(b *Batch) error {
	before := r.at
	switch {
	case r.seq != 0 && b.Seq != r.seq+1:
		return fmt.Errorf("it follows batch %d, and those between them are missing", r.seq)
	case b.Profile < r.profile:
		return fmt.Errorf("profile %d after profile %d", b.Profile, r.profile)
	case b.Profile > r.profile:
		before = 0
	case r.ended && len(b.Samples.Stack) > 0:
		return fmt.Errorf("samples after the end of profile %d", r.profile)
	}
	at := int64(0)
	for i, d := range b.Samples.Delta {
		if at += d; at > longest || i == 0 && at < before {
			return fmt.Errorf("a sample at %d µs, after one at %d µs", at, before)
		}
	}
	return nil
}

// longest is a time of which the nanoseconds have room in 63 bits, in microseconds.
const longest = math.MaxInt64 / 1000

// begin forgets the profile before.
func (r *Recording) begin(number int, t tables) {
	r.Clear()
	r.tables, r.profile, r.at, r.last = t, number, 0, 0
	r.account, r.notes, r.dropped = Account{}, nil, Dropped{}
}

// Clear forgets all samples and marks so far.
func (r *Recording) Clear() {
	r.samples, r.marks, r.texts, r.trimmed = columns{}, nil, 0, 0
}

func (r *Recording) addSamples(s *Samples, most int) {
	c := &r.samples
	for i := range s.Stack {
		if i == 0 {
			r.at = 0
		}
		r.at += s.Delta[i]
		kind, stack := s.kind(i, r.hello.Attributed)
		c.time, c.stack, c.weight = append(c.time, r.at), append(c.stack, stack), append(c.weight, s.Weight[i])
		skid := int64(0)
		if len(s.Skid) > 0 {
			skid = min(s.Skid[i], longest)
		}
		c.kind, c.skid = append(c.kind, kind), append(c.skid, skid)
	}
	r.last = max(r.last, r.at)
	// Not at each batch, because the rest moves to the front.
	if n := len(c.time); n > most+most/8 {
		r.trimmed += int64(n - most)
		c.time, c.skid = slices.Delete(c.time, 0, n-most), slices.Delete(c.skid, 0, n-most)
		c.stack, c.weight = slices.Delete(c.stack, 0, n-most), slices.Delete(c.weight, 0, n-most)
		c.kind = slices.Delete(c.kind, 0, n-most)
	}
}

func (r *Recording) addMarks(marks []Mark, l *Limits) {
	text := func(m *Mark) int { return len(m.Name) + len(m.Detail) }
	for i := range marks {
		r.last = max(r.last, min(marks[i].Time+marks[i].Duration, longest))
		r.texts += text(&marks[i])
	}
	r.marks = append(r.marks, marks...)
	oldest := 0
	for ; len(r.marks)-oldest > l.Marks || r.texts > l.Texts; oldest++ {
		r.texts -= text(&r.marks[oldest])
	}
	r.marks = slices.Delete(r.marks, 0, oldest)
}

// State is what is known of a source's last profile: of Source, the fields from Profile
// on. Samples are those that came, Trimmed how many of them were forgotten.
type State struct {
	Seq     int64 // of the last batch
	Profile int
	Ended   bool
	Began   Began
	Samples int64
	Trimmed int64
	Account Account
	Dropped Dropped
	Notes   []string
}

// State returns what is known now.
func (r *Recording) State() State {
	return State{r.seq, r.profile, r.ended, r.began, int64(len(r.samples.time)) + r.trimmed, r.trimmed, r.account, r.dropped, r.notes}
}

// Profile makes a profile of the samples and marks that are kept: symbolized by what is known of
// scripts, and attributed, unless the source did both.
func (r *Recording) Profile(scripts func(url string) (profile.Script, bool)) *profile.Profile {
	b := &profile.Builder{Meta: r.meta()}
	symbols := profile.NewSymbolizer(scripts)
	stacks := make([]profile.StackID, len(r.nodes))
	at := func(i int32) profile.StackID {
		if i < 0 {
			return profile.NoStack
		}
		return stacks[i]
	}
	for i, n := range r.nodes {
		stacks[i] = b.Stack(at(n.parent), frame(b, symbols, r.records[n.record], n, r.hello.Attributed))
	}
	s := &r.samples
	b.Grow(len(s.time))
	for i := range s.time {
		stack := at(s.stack[i])
		b.Sample(profile.Sample{Time: 1000 * s.time[i], Stack: stack, Weight: s.weight[i], Kind: ofNative(b, stack, s.kind[i]), Skid: 1000 * s.skid[i]})
	}
	for _, m := range r.marks {
		start := min(m.Time, longest)
		b.Mark(profile.Mark{What: profile.What(m.What), Name: m.Name, Detail: m.Detail,
			Time: time.Duration(1000 * start), Duration: time.Duration(1000 * min(m.Duration, longest-start))})
	}
	return profile.Attribute(b.Profile(), profile.BySite)
}

// frame is the original one of a stack's top.
func frame(b *profile.Builder, symbols *profile.Symbolizer, r Record, n node, attributed bool) profile.FrameID {
	f, position := r.function(attributed, n.line), functable.Position{Line: n.line, Column: n.column}
	if !attributed {
		f, position = symbols.Frame(f, position)
	}
	return b.Frame(b.Function(f), position.Line, position.Column)
}

// ofNative is the kind of a sample, given what is on top: a native function has its own
// time.
func ofNative(b *profile.Builder, top profile.StackID, kind profile.Kind) profile.Kind {
	switch kind {
	case profile.Entry, profile.Loop, profile.Exit:
		if top == profile.NoStack {
			break
		}
		if _, f, _, _ := b.Top(top); b.Named(f).Flags&profile.NativeCode != 0 {
			return profile.Native
		}
	}
	return kind
}

func (r *Recording) meta() profile.Meta {
	m := profile.Meta{
		Start:     time.UnixMicro(int64(1000 * r.began.Time)).UTC(),
		Duration:  time.Duration(1000 * r.last),
		Interval:  time.Duration(1e6 * r.began.Interval),
		Program:   cmp.Or(r.hello.Name, r.hello.URL),
		Engine:    r.hello.Engine,
		Clock:     profile.ClockName(r.began.Clock),
		IdleKnown: true,
		Notes:     r.notes,
	}
	a := &r.account
	m.Ticks = profile.Ticks{Raised: a.Raised, Missed: a.Missed, Taken: a.Taken + a.Program, Idle: a.Idle, GC: a.GC, Lost: a.Lost}
	var skids []time.Duration
	for i, kind := range r.samples.kind {
		skid := time.Duration(1000 * r.samples.skid[i])
		switch kind {
		case profile.Entry, profile.Loop, profile.Exit:
			skids = append(skids, skid)
		case profile.Own: // or a tick that no check took
			if skid > 0 {
				skids = append(skids, skid)
			}
		}
	}
	m.Skid = profile.SpreadOf(skids)
	if r.trimmed > 0 {
		m.Notes = profile.Notes(m.Notes, []string{fmt.Sprintf("the oldest %d samples were forgotten, to bound memory", r.trimmed)})
	}
	if r.dropped != (Dropped{}) {
		m.Notes = profile.Notes(m.Notes, []string{fmt.Sprintf("%d ticks could not be sent in time", r.dropped.Ticks)})
	}
	return m
}
