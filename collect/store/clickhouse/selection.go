package clickhouse

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/collect/store"
)

// selection is a question's selection as SQL.
type selection struct {
	store.Selection
	by   store.Grouping
	kept kept
}

// kept says since when there are sums of which resolution: Maintain moves these moments, by whole
// days. Before it first does everything is kept.
type kept struct{ minutes, hours, days, slices time.Time }

func (s *Store) selectionOf(ctx context.Context, of store.Selection, by store.Grouping) (*selection, error) {
	k, err := s.kept(ctx)
	of.From, of.To = bounded(of.From), bounded(of.To)
	return &selection{of, by, k}, err
}

func (s *Store) kept(ctx context.Context) (k kept, _ error) {
	return k, s.ask(ctx, "SELECT what, max(since) FROM kept GROUP BY what", func(scan func(...any) error) error {
		var what string
		var since time.Time
		err := scan(&what, &since)
		switch what {
		case "minutes":
			k.minutes = since
		case "hours":
			k.hours = since
		case "days":
			k.days = since
		case "slices":
			k.slices = since
		}
		return err
	})
}

// piece is a stretch of time and the resolution in which it is read.
type piece struct {
	step     time.Duration
	from, to time.Time
}

// pieces cover the selection, each in the coarsest resolution that fits into it and into the
// grouping's steps, and that is still kept.
func (s *selection) pieces() (all []piece) {
	from, to := s.whole()
	from = later(from, s.kept.days)
	add := func(step time.Duration, from, to time.Time, whole bool) {
		if whole { // nothing finer is kept
			from, to = from.Truncate(step), ceil(to, step)
		}
		if from.Before(to) {
			all = append(all, piece{step, from, to})
		}
	}
	hours, minutes := later(s.kept.hours, s.kept.days), later(s.kept.minutes, s.kept.days)
	add(24*time.Hour, from, earlier(to, hours), true)
	s.split(later(from, hours), earlier(to, minutes), 1, add)
	s.split(later(from, minutes), to, 0, add)
	return all
}

// split covers a stretch by sums of whole days, whole hours and minutes, or of coarser steps
// from finest on.
func (s *selection) split(from, to time.Time, finest int, add func(time.Duration, time.Time, time.Time, bool)) {
	if !from.Before(to) {
		return
	}
	from, to = from.Truncate(steps[finest]), ceil(to, steps[finest])
	var cover func(level int, from, to time.Time)
	cover = func(level int, from, to time.Time) {
		if level == finest || s.by.Step%steps[level] == 0 {
			first, last := ceil(from, steps[level]), to.Truncate(steps[level])
			if first.Before(last) {
				add(steps[level], first, last, false)
				if level > finest {
					cover(level-1, from, first)
					cover(level-1, last, to)
				}
				return
			}
		}
		if level > finest {
			cover(level-1, from, to)
		}
	}
	cover(len(steps)-1, from, to)
}

func ceil(t time.Time, step time.Duration) time.Time {
	if floor := t.Truncate(step); floor.Before(t) {
		return floor.Add(step)
	}
	return t
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// when selects the sums of the selection; "" if there cannot be any.
func (s *selection) when() string {
	var parts []string
	for _, p := range s.pieces() {
		parts = append(parts, fmt.Sprintf("step = %d AND bucket >= %s AND bucket < %s", seconds(p.step), moment(p.from), moment(p.to)))
	}
	if len(parts) == 0 {
		return ""
	}
	return "app = " + text(s.App) + " AND ((" + strings.Join(parts, ") OR (") + "))"
}

// whole are the selection's moments cut to whole minutes.
func (s *selection) whole() (from, to time.Time) {
	return s.From.Truncate(time.Minute), ceil(s.To, time.Minute)
}

// label is the value of a label in the table of series.
func label(name string) string {
	return "label_values[indexOf(label_names, " + text(name) + ")]"
}

// where selects series by their labels.
func (s *selection) where() string {
	all := "app = " + text(s.App)
	for _, name := range slices.Sorted(maps.Keys(s.Where)) {
		if len(s.Where[name]) == 0 {
			return all + " AND 0"
		}
		all += " AND " + label(name) + " IN " + texts(s.Where[name])
	}
	return all
}

// groups is a subquery: the series of the selection, with what they are grouped by, in columns
// rate, every, v0, v1, …
func (s *selection) groups() string {
	columns := ""
	for i, name := range s.by.By {
		columns += fmt.Sprintf(", any(%s) AS v%d", label(name), i)
	}
	return fmt.Sprintf("(SELECT series, any(rate) AS rate, any(every) AS every%s FROM series WHERE %s AND slow = %d GROUP BY series)",
		columns, s.where(), flag(s.Slow))
}

// keys are the columns that make a group, in a query that joins groups; at is when the step of
// a moment began.
func (s *selection) keys() string {
	keys := "at, rate, every"
	for i := range s.by.By {
		keys += fmt.Sprintf(", v%d", i)
	}
	return keys
}

// sinceZero are the seconds from the zero time, from which Go counts steps, to 1970.
const sinceZero = 62135596800

// at is when the step of a moment began, as seconds from the zero time; 0 without steps. It counts
// seconds even if steps are shorter.
func (s *selection) at(moment string) string {
	if s.by.Step == 0 {
		return "toUInt64(0)"
	}
	step := max(seconds(s.by.Step), 1)
	return fmt.Sprintf("intDiv(toUInt64(toUInt32(%s)) + %d, %d) * %d", moment, sinceZero, step, step)
}

// grouped are the columns of keys, as they are read.
type grouped struct {
	at     uint64
	rate   float64
	every  int64
	values []string
}

func (s *selection) newGrouped() *grouped { return &grouped{values: make([]string, len(s.by.By))} }

func (g *grouped) into() []any {
	into := []any{&g.at, &g.rate, &g.every}
	for i := range g.values {
		into = append(into, &g.values[i])
	}
	return into
}

func (g *grouped) group() store.Group {
	group := store.Group{Rate: g.rate, Interval: time.Duration(g.every)}
	if len(g.values) > 0 {
		group.Values = slices.Clone(g.values)
	}
	if g.at != 0 {
		group.At = time.Unix(int64(g.at)-sinceZero, 0).UTC()
	}
	return group
}

// key tells groups apart.
func (g *grouped) key() string {
	return fmt.Sprintf("%d %v %d %q", g.at, g.rate, g.every, g.values)
}
