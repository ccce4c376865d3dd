package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
)

// sliceRow is a row of slices.
type sliceRow struct {
	record.Slice
	series uint32
}

const sliceColumns = `at, id, series, view, what, name, target, detail, time, duration, input_delay, processing, presentation,
	cause, cause_file, cause_line, cause_col, cause_flags, cause_group, cause_time, `

func scanSlice(rows *sql.Rows) (r sliceRow, _ error) {
	var at int64
	var id, view []byte
	m, c := &r.Mark, &r.Cause
	err := rows.Scan(&at, &id, &r.series, &view, &m.What, &m.Name, &m.Target, &m.Detail, &m.Time, &m.Duration, &m.InputDelay, &m.Processing, &m.Presentation,
		&c.Name, &c.File, &c.Line, &c.Column, &c.Flags, &r.CauseGroup, &r.CauseTime, &r.Trace)
	if err == nil && (len(id) != len(r.ID) || len(view) != len(r.View)) {
		err = errDamaged
	}
	if err == nil {
		r.ID, r.View, r.At = record.ID(id), record.ID(view), time.Unix(0, at).UTC()
	}
	return r, err
}

// Slices reads each day's longest, day by day.
func (s *Store) Slices(ctx context.Context, of store.Selection, asked store.SliceQuery) ([]record.Slice, error) {
	q, err := s.read(ctx, of.App)
	if q == nil || err != nil {
		return nil, err
	}
	defer q.close()
	q.of = of
	found, err := q.slices(asked)
	return found, explain(s.path, err)
}

func (q *question) slices(asked store.SliceQuery) ([]record.Slice, error) {
	if asked.Limit <= 0 || !q.of.From.Before(q.of.To) {
		return nil, nil
	}
	var found []sliceRow
	longest := int64(math.MaxInt64)
	if asked.Longest > 0 {
		longest = int64(asked.Longest)
	}
	query := "SELECT " + sliceColumns + "NULL FROM slice WHERE app = ? AND day = ? AND duration <= ? AND duration >= ? AND at >= ? AND at < ?"
	from, to := nanoseconds(q.of.From), nanoseconds(q.of.To)
	var args []any
	for column, value := range map[string]string{"what": string(asked.What), "name": asked.Name, "target": asked.Target} {
		if value != "" {
			query, args = query+" AND "+column+" = ?", append(args, value)
		}
	}
	days, err := q.sliceDays(from, to)
	if err != nil {
		return nil, err
	}
	shortest := int64(math.MinInt64) // that can still be among the longest
	for _, day := range days {
		rows, err := q.conn.QueryContext(q.ctx, query+" ORDER BY duration DESC, id", append([]any{q.app, day, longest, shortest, from, to}, args...)...)
		taken, err := q.take(rows, err, asked.Limit)
		if err != nil {
			return nil, err
		}
		found = append(found, taken...)
		slices.SortFunc(found, func(a, b sliceRow) int {
			return cmp.Or(cmp.Compare(b.Mark.Duration, a.Mark.Duration), bytes.Compare(a.ID[:], b.ID[:]))
		})
		if len(found) >= asked.Limit {
			found = found[:asked.Limit]
			shortest = int64(found[asked.Limit-1].Mark.Duration)
		}
	}
	if asked.Traces > 0 {
		if found, err = q.traced(found, asked.Traces); err != nil {
			return nil, err
		}
	}
	return q.spell(found)
}

// traced adds traces, and leaves out the slices from which on they have more than so many bytes.
func (q *question) traced(found []sliceRow, most int64) ([]sliceRow, error) {
	for i := range found {
		r := &found[i]
		err := q.conn.QueryRowContext(q.ctx, "SELECT trace FROM slice WHERE app = ? AND id = ? LIMIT 1", q.app, r.ID[:]).Scan(&r.Trace)
		if err != nil {
			return nil, err
		}
		if most -= int64(len(r.Trace)); most < 0 {
			return found[:i], nil
		}
	}
	return found, nil
}

// nanoseconds is a moment as the tables have it, or the nearest that they can.
func nanoseconds(t time.Time) int64 {
	switch seconds := t.Unix(); {
	case seconds <= math.MinInt64/int64(time.Second):
		return math.MinInt64
	case seconds >= math.MaxInt64/int64(time.Second):
		return math.MaxInt64
	}
	return t.UnixNano()
}

// sliceDays are the days that have slices, within a stretch of time.
func (q *question) sliceDays(from, to int64) (days []int64, _ error) {
	const day = int64(24 * time.Hour)
	for next := floor(from, day); ; next = days[len(days)-1] + 1 {
		var first sql.NullInt64
		err := q.conn.QueryRowContext(q.ctx, "SELECT min(day) FROM slice WHERE app = ? AND day >= ? AND day <= ?", q.app, next, floor(to-1, day)).Scan(&first)
		if err != nil || !first.Valid {
			return days, err
		}
		days = append(days, first.Int64)
	}
}

// take reads the first rows whose labels are selected.
func (q *question) take(rows *sql.Rows, err error, limit int) (found []sliceRow, _ error) {
	var batch []sliceRow
	sift := func() error {
		var ids []uint32
		for _, r := range batch {
			ids = append(ids, r.series)
		}
		selected, err := q.selectedSeries(ids)
		for _, r := range batch {
			if selected[r.series] && len(found) < limit {
				found = append(found, r)
			}
		}
		batch = batch[:0]
		return err
	}
	if len(q.of.Where) == 0 {
		sift = func() error {
			found, batch = append(found, batch...), batch[:0]
			found = found[:min(len(found), limit)]
			return nil
		}
	}
	err = each(rows, err)(func(rows *sql.Rows) error {
		r, err := scanSlice(rows)
		if err != nil {
			return err
		}
		if batch = append(batch, r); len(batch) >= 200 || len(found)+len(batch) >= limit {
			if err := sift(); err != nil {
				return err
			}
		}
		if len(found) >= limit {
			return errEnough{}
		}
		return nil
	})
	if err == (errEnough{}) {
		err = nil
	}
	if err == nil {
		err = sift()
	}
	return found, err
}

// selectedSeries says which series have the labels that are asked for.
func (q *question) selectedSeries(ids []uint32) (map[uint32]bool, error) {
	all, err := q.labelled(ids)
	selected := make(map[uint32]bool, len(all))
	for id, series := range all {
		selected[id] = q.selects(series.Labels)
	}
	return selected, err
}

// labelled are series, spelled out.
func (q *question) labelled(ids []uint32) (map[uint32]record.Series, error) {
	rows, labels, err := q.series(ids)
	found := make(map[uint32]record.Series, len(rows))
	for id, row := range rows {
		series := record.Series{App: q.of.App, Slow: row.slow, Rate: row.rate, Interval: row.interval, Labels: record.Labels{}}
		for _, label := range row.labels {
			series.Labels[labels[label].name] = labels[label].value
		}
		found[id] = series
	}
	return found, err
}

// spell gives slices their labels.
func (q *question) spell(rows []sliceRow) (found []record.Slice, _ error) {
	var ids []uint32
	for _, r := range rows {
		ids = append(ids, r.series)
	}
	series, err := q.labelled(ids)
	for _, r := range rows {
		r.Series = series[r.series]
		found = append(found, r.Slice)
	}
	return found, err
}

// Slice is one slice.
func (s *Store) Slice(ctx context.Context, app string, id record.ID) (*record.Slice, error) {
	q, err := s.read(ctx, app)
	if err != nil {
		return nil, err
	}
	if q == nil {
		return nil, fmt.Errorf("slice %v: %w", id, store.ErrUnknown)
	}
	defer q.close()
	q.of.App = app
	rows, err := q.conn.QueryContext(ctx, "SELECT "+sliceColumns+"trace FROM slice WHERE app = ? AND id = ? LIMIT 1", q.app, id[:])
	found, err := q.take(rows, err, 1)
	if err != nil {
		return nil, explain(s.path, err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("slice %v: %w", id, store.ErrUnknown)
	}
	slices, err := q.spell(found)
	if err != nil {
		return nil, explain(s.path, err)
	}
	return &slices[0], nil
}

// Examples are the latest first.
func (s *Store) Examples(ctx context.Context, of store.Selection, limit int) ([]store.Example, error) {
	q, err := s.read(ctx, of.App)
	if q == nil || err != nil {
		return nil, err
	}
	defer q.close()
	q.of = of
	from, to := wholeMinutes(of)
	found, err := q.examples("at >= ? AND at < ? AND slow = ? ORDER BY at DESC, id", limit, nanoseconds(time.Unix(from*60, 0)), nanoseconds(time.Unix(to*60, 0)), of.Slow)
	return found, explain(s.path, err)
}

// examples reads examples, without their profiles, whose labels are selected.
func (q *question) examples(where string, limit int, args ...any) (found []store.Example, _ error) {
	if limit <= 0 {
		return nil, nil
	}
	type row struct {
		store.Example
		series uint32
	}
	var all []row
	rows, err := q.conn.QueryContext(q.ctx, "SELECT at, id, series, ticks, busy FROM example WHERE app = ? AND "+where, append([]any{q.app}, args...)...)
	err = each(rows, err)(func(rows *sql.Rows) error {
		var e row
		var at int64
		var id []byte
		if err := rows.Scan(&at, &id, &e.series, &e.Ticks, &e.Busy); err != nil {
			return err
		}
		if len(id) != len(e.ID) {
			return errDamaged
		}
		e.At, e.ID = time.Unix(0, at).UTC(), record.ID(id)
		if all = append(all, e); len(q.of.Where) == 0 && len(all) == limit {
			return errEnough{}
		}
		return nil
	})
	if err != nil && err != (errEnough{}) {
		return nil, err
	}
	var ids []uint32
	for _, e := range all {
		ids = append(ids, e.series)
	}
	series, err := q.labelled(ids)
	for _, e := range all {
		if e.Series = series[e.series]; len(found) < limit && q.selects(e.Labels) {
			found = append(found, e.Example)
		}
	}
	return found, err
}

// Example is one example.
func (s *Store) Example(ctx context.Context, app string, id record.ID) (*store.Example, error) {
	q, err := s.read(ctx, app)
	if err != nil {
		return nil, err
	}
	if q == nil {
		return nil, fmt.Errorf("example %v: %w", id, store.ErrUnknown)
	}
	defer q.close()
	q.of.App = app
	found, err := q.examples("id = ?", 1, id[:])
	if err != nil {
		return nil, explain(s.path, err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("example %v: %w", id, store.ErrUnknown)
	}
	err = q.conn.QueryRowContext(ctx, "SELECT profile FROM example WHERE app = ? AND id = ?", q.app, id[:]).Scan(&found[0].Profile)
	return &found[0], explain(s.path, err)
}
