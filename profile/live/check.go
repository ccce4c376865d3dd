package live

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/fieldprof/fieldprof/profile"
)

// Times and numbers are exact in JavaScript up to this.
const greatest = 1<<53 - 1

// The longest and the shortest gap between ticks, in milliseconds.
const (
	shortestInterval = 0.05
	longestInterval  = 60_000
)

// The kinds of sources and clocks, and the states that sources are in.
var (
	whats  = []string{"page", "worker", "node", "goja"}
	states = []string{"connected", "recording", "lost", "gone"}
	clocks = []string{"", "shared", "poll"}
)

// The kinds of records and marks.
var (
	recordKinds = []string{"", "native", "idle", "collector", "program", "lost"}
	markKinds   = []string{"interaction", "long-task", "mark", "measure", "frame", "note"}
)

// texts checks the lengths of texts, given as pairs of a field's name and its value.
func (l *Limits) texts(pairs ...string) error {
	for i := 0; i < len(pairs); i += 2 {
		if len(pairs[i+1]) > l.Text {
			return fmt.Errorf("%s has %d bytes, of at most %d", pairs[i], len(pairs[i+1]), l.Text)
		}
	}
	return nil
}

// list checks the lengths of a list and its texts.
func (l *Limits) list(field string, list []string) error {
	if len(list) > l.Sources {
		return fmt.Errorf("%d %s, of at most %d", len(list), field, l.Sources)
	}
	for _, text := range list {
		if err := l.texts(field, text); err != nil {
			return err
		}
	}
	return nil
}

// oneOf checks a text of which the protocol says what it may be.
func oneOf(field, text string, known []string) error {
	if !slices.Contains(known, text) {
		return fmt.Errorf("%s is %.40q, none of %q", field, text, known)
	}
	return nil
}

// numbers checks whole numbers that are not negative.
func numbers(field string, values ...int64) error {
	for _, v := range values {
		if v < 0 || v > greatest {
			return fmt.Errorf("%s is %d", field, v)
		}
	}
	return nil
}

// time checks milliseconds since 1970.
func checkTime(field string, ms float64) error {
	if !(ms >= 0 && ms <= 8.64e15) {
		return fmt.Errorf("%s is %v", field, ms)
	}
	return nil
}

func checkInterval(ms float64) error {
	if !(ms >= shortestInterval && ms <= longestInterval) {
		return fmt.Errorf("interval is %v, not within %v and %d ms", ms, shortestInterval, longestInterval)
	}
	return nil
}

// checkID checks the ID of a source: 16 bytes or more, in hex or base64url.
func checkID(field, id string) error {
	if len(id) < 16 || len(id) > 128 {
		return fmt.Errorf("%s has %d characters, not 16 to 128", field, len(id))
	}
	for _, c := range []byte(id) {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '-' || c == '_') {
			return fmt.Errorf("%s has the character %s", field, strconv.QuoteRune(rune(c)))
		}
	}
	return nil
}

func (h *Hello) check(l *Limits) error {
	if h.Version != Version {
		return fmt.Errorf("no version; this program knows %d", Version)
	}
	err := errors.Join(
		l.texts("token", h.Token, "build", h.Build, "name", h.Name, "url", h.URL, "engine", h.Engine), checkID("id", h.ID),
		oneOf("what", h.What, whats), l.list("clocks", h.Clocks), checkTime("origin", h.Origin),
		numbers("recording", int64(h.Recording)), numbers("acked", h.Acked), oneOf("clock", h.Clock, clocks))
	if err == nil && h.Recording != 0 {
		err = checkInterval(h.Interval)
	}
	if err == nil && h.After != "" {
		err = checkID("after", h.After)
	}
	return err
}

func (w *Welcome) check(l *Limits) error {
	err := errors.Join(l.texts("server", w.Server), numbers("acked", w.Acked), numbers("profile", int64(w.Profile)), oneOf("clock", w.Clock, clocks))
	if err == nil && w.Profile != 0 {
		err = checkInterval(w.Interval)
	}
	return err
}

func (s *Start) check(l *Limits) error {
	return errors.Join(numbers("profile", int64(s.Profile)), checkInterval(s.Interval), oneOf("clock", s.Clock, clocks), l.list("sources", s.Sources))
}

func (s *Stop) check(l *Limits) error { return l.list("sources", s.Sources) }

func (a *Ack) check(*Limits) error { return numbers("seq", a.Seq) }

func (r *Refused) check(l *Limits) error { return l.texts("why", r.Why) }

func (w *Watch) check(l *Limits) error {
	if w.Version != Version {
		return fmt.Errorf("no version; this program knows %d", Version)
	}
	return l.texts("token", w.Token)
}

func (s *Sources) check(l *Limits) error {
	if len(s.List) > l.Sources {
		return fmt.Errorf("%d sources, of at most %d", len(s.List), l.Sources)
	}
	for i := range s.List {
		source := &s.List[i]
		if err := errors.Join(l.texts("name", source.Name, "url", source.URL, "engine", source.Engine, "why", source.Why),
			checkID("id", source.ID), oneOf("what", source.What, whats), oneOf("state", source.State, states),
			l.list("clocks", source.Clocks), l.list("notes", source.Notes)); err != nil {
			return fmt.Errorf("source %d: %w", i, err)
		}
	}
	return nil
}

func (b *Batch) check(l *Limits) error {
	if b.Profile < 1 || b.Seq < 1 {
		return fmt.Errorf("profile %d, seq %d: both begin with 1", b.Profile, b.Seq)
	}
	a := &b.Account
	err := errors.Join(l.texts("source", b.Source), l.list("notes", b.Notes), numbers("seq", b.Seq),
		numbers("account", a.Raised, a.Missed, a.Taken, a.Idle, a.Program, a.GC, a.Lost),
		numbers("dropped", b.Dropped.Batches, b.Dropped.Ticks), b.Samples.check())
	if err == nil && b.Began != nil {
		err = errors.Join(checkTime("began", b.Began.Time), checkInterval(b.Began.Interval), l.texts("clock", b.Began.Clock))
	}
	if err != nil {
		return err
	}
	return errors.Join(b.checkRecords(l), b.checkMarks(l))
}

func (b *Batch) checkRecords(l *Limits) error {
	if len(b.Records) > l.Records {
		return fmt.Errorf("%d records, of at most %d", len(b.Records), l.Records)
	}
	if len(b.Stacks)%4 != 0 {
		return fmt.Errorf("%d numbers in stacks, which have four each", len(b.Stacks))
	}
	for i := range b.Records {
		r := &b.Records[i]
		if r.ID < FirstID || r.Line < 0 || r.Column < 0 {
			return fmt.Errorf("record %d: id %d, defined at %d:%d", i, r.ID, r.Line, r.Column)
		}
		if err := errors.Join(l.texts("name", r.Name, "file", r.File), oneOf("kind", r.Kind, recordKinds)); err != nil {
			return fmt.Errorf("record %d: %w", i, err)
		}
	}
	return nil
}

func (b *Batch) checkMarks(l *Limits) error {
	if len(b.Marks) > l.Marks {
		return fmt.Errorf("%d marks, of at most %d", len(b.Marks), l.Marks)
	}
	for i := range b.Marks {
		m := &b.Marks[i]
		if err := errors.Join(oneOf("what", m.What, markKinds), l.texts("name", m.Name, "detail", m.Detail),
			numbers("time", m.Time), numbers("duration", m.Duration)); err != nil {
			return fmt.Errorf("mark %d: %w", i, err)
		}
	}
	return nil
}

func (s *Samples) check() error {
	n := len(s.Stack)
	if len(s.Delta) != n || len(s.Weight) != n || len(s.Kind) != 0 && len(s.Kind) != n || len(s.Skid) != 0 && len(s.Skid) != n {
		return fmt.Errorf("samples: columns of %d stacks, %d deltas, %d weights, %d kinds and %d skids", n, len(s.Delta), len(s.Weight), len(s.Kind), len(s.Skid))
	}
	for i := range n {
		switch {
		case s.Delta[i] < 0 || s.Delta[i] > greatest:
			return fmt.Errorf("sample %d: delta %d", i, s.Delta[i])
		case s.Stack[i] < -1:
			return fmt.Errorf("sample %d: stack %d", i, s.Stack[i])
		case s.Weight[i] < 1:
			return fmt.Errorf("sample %d: weight %d", i, s.Weight[i])
		case len(s.Kind) > 0 && (s.Kind[i] < 0 || int(s.Kind[i]) >= len(profile.RuntimeKinds)):
			return fmt.Errorf("sample %d: kind %d", i, s.Kind[i])
		case len(s.Skid) > 0 && (s.Skid[i] < 0 || s.Skid[i] > greatest):
			return fmt.Errorf("sample %d: skid %d", i, s.Skid[i])
		}
	}
	return nil
}
