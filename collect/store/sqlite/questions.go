package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

// Values counts the chunks of each value.
func (s *Store) Values(ctx context.Context, of store.Selection) (map[string][]store.Value, error) {
	q, err := s.ask(ctx, of, []string{""}, 0) // "": cells of all labels
	if q == nil || err != nil {
		return nil, err
	}
	defer q.close()
	g, err := q.groups(store.Grouping{})
	if err != nil {
		return nil, explain(s.path, err)
	}
	chunks := map[uint32]int64{}
	err = q.cellsOf(g, "series, sums", "", func(rows *sql.Rows) error {
		var id uint32
		var encoded sql.RawBytes
		if err := rows.Scan(&id, &encoded); err != nil {
			return err
		}
		of, err := decodeSums(encoded)
		chunks[id] += of.chunks
		return err
	})
	if err != nil {
		return nil, explain(s.path, err)
	}
	var ids []uint32
	for id, n := range chunks {
		if n > 0 {
			ids = append(ids, id)
		}
	}
	series, labels, err := q.series(ids)
	if err != nil {
		return nil, explain(s.path, err)
	}
	counts := map[uint32]int64{}
	for id, row := range series {
		for _, label := range row.labels {
			counts[label] += chunks[id]
		}
	}
	values := map[string][]store.Value{}
	for id, n := range counts {
		label := labels[id]
		values[label.name] = append(values[label.name], store.Value{Text: label.value, Chunks: n})
	}
	for _, of := range values {
		slices.SortFunc(of, func(a, b store.Value) int {
			return cmp.Or(cmp.Compare(b.Chunks, a.Chunks), cmp.Compare(a.Text, b.Text))
		})
	}
	return values, nil
}

// Totals adds up what is beside the ticks.
func (s *Store) Totals(ctx context.Context, of store.Selection, by store.Grouping) ([]store.Total, error) {
	q, err := s.ask(ctx, of, by.By, by.Step)
	if q == nil || err != nil {
		return nil, err
	}
	defer q.close()
	g, err := q.groups(by)
	if err != nil {
		return nil, explain(s.path, err)
	}
	var all []sums
	err = q.cellsOf(g, "series, start, sums", "", func(rows *sql.Rows) error {
		var id uint32
		var start int64
		var encoded sql.RawBytes
		if err := rows.Scan(&id, &start, &encoded); err != nil {
			return err
		}
		of, err := decodeSums(encoded)
		if i := g.of(id, start); i >= 0 && err == nil {
			if i == len(all) {
				all = append(all, sums{})
			}
			all[i].add(&of, 1)
		}
		return err
	})
	if err != nil {
		return nil, explain(s.path, err)
	}
	totals := make([]store.Total, len(all))
	for i, of := range all {
		totals[i] = store.Total{Group: g.groups[i], Chunks: of.chunks, Ticks: of.ticks, Busy: of.busy, Observed: time.Duration(of.observed),
			Views: of.views, Counted: of.counted, Interactions: of.interactions, Slow: of.slow, LongTasks: of.longTasks, INP: of.inp, P75: of.p75}
		for _, h := range []*record.Histogram{&totals[i].INP, &totals[i].P75} {
			if *h == nil {
				*h = record.Histogram{}
			}
		}
	}
	return totals, nil
}

// Sites looks sites up.
func (s *Store) Sites(ctx context.Context, app string, hashes []store.Hash) (found []store.Site, _ error) {
	q, err := s.read(ctx, app)
	if q == nil || err != nil {
		return nil, err
	}
	defer q.close()
	type row struct {
		store.Site
		frames []uint32
	}
	var sites []row
	frames := map[uint32]*frameRow{}
	for some := range slices.Chunk(hashes, 5000) {
		numbers := make([]int64, len(some))
		for i, h := range some {
			numbers[i] = int64(h)
		}
		rows, err := q.conn.QueryContext(ctx, "SELECT hash, kind, marker, frames FROM site WHERE app = ? AND hash IN (SELECT value FROM json_each(?))", q.app, idList(numbers))
		err = each(rows, err)(func(rows *sql.Rows) error {
			var r row
			var hash int64
			var encoded sql.RawBytes
			if err := rows.Scan(&hash, &r.Kind, &r.Marker, &encoded); err != nil {
				return err
			}
			r.Hash = store.Hash(hash)
			var err error
			r.frames, err = decodeIDs(encoded)
			for _, id := range r.frames {
				frames[id] = nil
			}
			sites = append(sites, r)
			return err
		})
		if err != nil {
			return nil, explain(s.path, err)
		}
	}
	if err := q.readFrames(frames); err != nil {
		return nil, explain(s.path, err)
	}
	for _, r := range sites {
		for _, id := range r.frames {
			if frames[id] == nil {
				return nil, explain(s.path, errDamaged)
			}
			r.Frames = append(r.Frames, frames[id].Frame)
		}
		found = append(found, r.Site)
	}
	return found, nil
}

// frameRow is a frame, and the number of its function.
type frameRow struct {
	store.Frame
	function uint32
}

func (q *question) readFrames(frames map[uint32]*frameRow) error {
	var ids []uint32
	for id := range frames {
		ids = append(ids, id)
	}
	none := func(uint32) bool { return false }
	functions := map[uint32]profile.Function{}
	err := q.words(ids, "function, line, col", frameTable, none, func(id uint32, rows *sql.Rows) error {
		var f frameRow
		err := rows.Scan(&id, &f.function, &f.Line, &f.Column)
		frames[id] = &f
		functions[f.function] = profile.Function{}
		return err
	})
	if err != nil {
		return err
	}
	ids = ids[:0]
	for id := range functions {
		ids = append(ids, id)
	}
	err = q.words(ids, "name, file, line, col, flags", functionTable, none, func(id uint32, rows *sql.Rows) error {
		var f profile.Function
		err := rows.Scan(&id, &f.Name, &f.File, &f.Line, &f.Column, &f.Flags)
		functions[id] = f
		return err
	})
	for _, f := range frames {
		if f != nil {
			f.Function = functions[f.function]
		}
	}
	return err
}
