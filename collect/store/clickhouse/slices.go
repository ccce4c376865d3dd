package clickhouse

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

func (s *Store) addSlices(ctx context.Context, list []*record.Slice) error {
	if len(list) == 0 {
		return nil
	}
	return s.insert(ctx, "slices",
		of("app", list, func(s *record.Slice) string { return s.App }),
		of("id", list, func(s *record.Slice) string { return string(s.ID[:]) }),
		of("at", list, func(s *record.Slice) time.Time { return bounded(s.At) }),
		of("ns", list, func(s *record.Slice) uint32 { return uint32(bounded(s.At).Nanosecond()) }),
		of("series", list, func(s *record.Slice) uint64 { return seriesOf(&s.Series) }),
		of("view", list, func(s *record.Slice) string { return string(s.View[:]) }),
		of("what", list, func(s *record.Slice) string { return string(s.Mark.What) }),
		of("name", list, func(s *record.Slice) string { return s.Mark.Name }),
		of("target", list, func(s *record.Slice) string { return s.Mark.Target }),
		of("detail", list, func(s *record.Slice) string { return s.Mark.Detail }),
		of("time", list, func(s *record.Slice) int64 { return int64(s.Mark.Time) }),
		of("duration", list, func(s *record.Slice) int64 { return int64(s.Mark.Duration) }),
		of("input_delay", list, func(s *record.Slice) int64 { return int64(s.Mark.InputDelay) }),
		of("processing", list, func(s *record.Slice) int64 { return int64(s.Mark.Processing) }),
		of("presentation", list, func(s *record.Slice) int64 { return int64(s.Mark.Presentation) }),
		of("cause_name", list, func(s *record.Slice) string { return s.Cause.Name }),
		of("cause_file", list, func(s *record.Slice) string { return s.Cause.File }),
		of("cause_line", list, func(s *record.Slice) int32 { return s.Cause.Line }),
		of("cause_column", list, func(s *record.Slice) int32 { return s.Cause.Column }),
		of("cause_flags", list, func(s *record.Slice) uint8 { return uint8(s.Cause.Flags) }),
		of("cause_group", list, func(s *record.Slice) string { return s.CauseGroup }),
		of("cause_time", list, func(s *record.Slice) int64 { return int64(s.CauseTime) }),
		of("trace", list, func(s *record.Slice) string { return string(s.Trace) }))
}

const sliceColumns = "id, at, ns, series, view, what, name, target, detail, time, duration, input_delay, processing, presentation, " +
	"cause_name, cause_file, cause_line, cause_column, cause_flags, cause_group, cause_time"

// Slices are what was slow.
func (s *Store) Slices(ctx context.Context, of store.Selection, q store.SliceQuery) ([]record.Slice, error) {
	sel, err := s.selectionOf(ctx, of, store.Grouping{})
	if err != nil || q.Limit <= 0 {
		return nil, err
	}
	where := sel.moments(sel.kept.slices) + sel.labelled()
	for _, c := range []struct{ column, value string }{{"what", string(q.What)}, {"name", q.Name}, {"target", q.Target}} {
		if c.value != "" {
			where += " AND " + c.column + " = " + text(c.value)
		}
	}
	if q.Longest > 0 {
		where += fmt.Sprintf(" AND duration <= %d", int64(q.Longest))
	}
	found, err := s.readSlices(ctx, fmt.Sprintf("SELECT %s, '' AS trace FROM slices WHERE %s ORDER BY duration DESC, id LIMIT 1 BY id LIMIT %d",
		sliceColumns, where, q.Limit), of.App)
	if err != nil || q.Traces == 0 || len(found) == 0 {
		return found, err
	}
	return s.addTraces(ctx, of.App, found, q.Traces)
}

// moments selects rows that have a moment each.
func (s *selection) moments(since time.Time) string {
	within := func(op string, t time.Time) string {
		t = bounded(t)
		return fmt.Sprintf("(at %s %s OR at = %s AND ns %s %d)", op[:1], moment(t), moment(t), op, t.Nanosecond())
	}
	from := later(s.From, since)
	return "app = " + text(s.App) + " AND at >= " + moment(from) + " AND at <= " + moment(s.To) +
		" AND " + within(">=", from) + " AND " + within("<", s.To)
}

// labelled selects rows of series that have the labels.
func (s *selection) labelled() string {
	if len(s.Where) == 0 {
		return ""
	}
	return " AND series GLOBAL IN (SELECT series FROM series WHERE " + s.where() + ")"
}

// addTraces reads the traces of slices, and leaves out those from which on they have more than so many
// bytes. They are not read before it is known which, since they are long.
func (s *Store) addTraces(ctx context.Context, app string, found []record.Slice, most int64) ([]record.Slice, error) {
	sizes, err := ofSlices[uint64](ctx, s, "length(trace)", app, found)
	if err != nil {
		return nil, err
	}
	fit := 0
	for left := most; fit < len(found); fit++ {
		if left -= int64(sizes[found[fit].ID]); left < 0 {
			break
		}
	}
	found = found[:fit]
	traces, err := ofSlices[string](ctx, s, "trace", app, found)
	for i := range found {
		if trace := traces[found[i].ID]; trace != "" {
			found[i].Trace = []byte(trace)
		}
	}
	return found, err
}

// ofSlices reads a column of slices, by their IDs.
func ofSlices[T any](ctx context.Context, s *Store, column, app string, of []record.Slice) (map[record.ID]T, error) {
	values := map[record.ID]T{}
	for part := range slices.Chunk(of, 1000) {
		ids := make([]record.ID, len(part))
		earliest, latest := part[0].At, part[0].At
		for i := range part {
			ids[i], earliest, latest = part[i].ID, earlier(earliest, part[i].At), later(latest, part[i].At)
		}
		if err := s.ask(ctx, fmt.Sprintf("SELECT id, %s FROM slices WHERE app = %s AND at >= %s AND at <= %s AND id IN %s LIMIT 1 BY id",
			column, text(app), moment(earliest), moment(latest), listOf(ids, idText)),
			func(scan func(...any) error) error {
				var id string
				var value T
				err := scan(&id, &value)
				if err == nil {
					values[record.ID([]byte(id))] = value
				}
				return err
			}); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// Slice is one slice.
func (s *Store) Slice(ctx context.Context, app string, id record.ID) (*record.Slice, error) {
	k, err := s.kept(ctx)
	if err != nil {
		return nil, err
	}
	found, err := s.readSlices(ctx, fmt.Sprintf("SELECT %s, trace FROM slices WHERE app = %s AND at >= %s AND id = %s LIMIT 1",
		sliceColumns, text(app), moment(k.slices), idText(id)), app)
	if err == nil && len(found) == 0 {
		return nil, store.ErrUnknown
	}
	if err != nil {
		return nil, err
	}
	return &found[0], nil
}

func (s *Store) readSlices(ctx context.Context, query, app string) (found []record.Slice, _ error) {
	var series []uint64
	err := s.ask(ctx, query, func(scan func(...any) error) error {
		var r record.Slice
		var id, view, what, trace string
		var ns uint32
		var of uint64
		var flags uint8
		err := scan(&id, &r.At, &ns, &of, &view, &what, &r.Mark.Name, &r.Mark.Target, &r.Mark.Detail, duration{&r.Mark.Time}, duration{&r.Mark.Duration},
			duration{&r.Mark.InputDelay}, duration{&r.Mark.Processing}, duration{&r.Mark.Presentation}, &r.Cause.Name, &r.Cause.File, &r.Cause.Line, &r.Cause.Column,
			&flags, &r.CauseGroup, duration{&r.CauseTime}, &trace)
		if err != nil {
			return err
		}
		r.ID, r.View, r.At = record.ID([]byte(id)), record.ID([]byte(view)), r.At.UTC().Add(time.Duration(ns))
		r.Mark.What, r.Cause.Flags = profile.What(what), profile.Flags(flags)
		if trace != "" {
			r.Trace = []byte(trace)
		}
		found, series = append(found, r), append(series, of)
		return nil
	})
	if err != nil {
		return nil, err
	}
	of, err := s.seriesOf(ctx, app, series)
	for i := range found {
		found[i].Series = of[series[i]]
	}
	return found, err
}

// duration reads a duration.
type duration struct{ into *time.Duration }

// Scan implements sql.Scanner.
func (d duration) Scan(value any) error {
	n, is := value.(int64)
	if !is {
		return fmt.Errorf("a duration is %T", value)
	}
	*d.into = time.Duration(n)
	return nil
}

// seriesOf are series by their hashes.
func (s *Store) seriesOf(ctx context.Context, app string, hashes []uint64) (map[uint64]record.Series, error) {
	found := map[uint64]record.Series{}
	unique := slices.Compact(slices.Sorted(slices.Values(hashes)))
	for part := range slices.Chunk(unique, 5000) {
		if err := s.ask(ctx, "SELECT series, slow, rate, every, label_names, label_values FROM series WHERE app = "+text(app)+" AND series IN "+listOf(part, number)+" LIMIT 1 BY series",
			func(scan func(...any) error) error {
				var hash uint64
				var slow uint8
				var every int64
				var names, values []string
				of := record.Series{App: app, Labels: record.Labels{}}
				if err := scan(&hash, &slow, &of.Rate, &every, &names, &values); err != nil {
					return err
				}
				of.Slow, of.Interval = slow != 0, time.Duration(every)
				for i, name := range names {
					of.Labels[name] = values[i]
				}
				found[hash] = of
				return nil
			}); err != nil {
			return nil, err
		}
	}
	return found, nil
}
