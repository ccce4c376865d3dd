package sqlite

import (
	"context"
	"database/sql"
	"slices"

	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

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
