package sqlite

import (
	"context"
	"database/sql"
	"math"
	"time"
)

// Rolling up adds the cells of a period to the next grain, in steps that are a transaction each: a
// write waits for a step at most, and a crash between two loses nothing and counts nothing
// twice, because each step also writes how far it has come. From then on writes add to the coarser
// cells themselves (levels.holds). Questions use the cells of a period when it is complete.

// stepCells is about how many cells a step reads.
const stepCells = 2000

// delay is how long after its end a period is rolled up, so that few writes come later.
const delay = 10 * time.Minute

// rollUp rolls up all periods that are over.
func (s *Store) rollUp(ctx context.Context, now time.Time) error {
	for grain := hours; grain < grains; grain++ {
		for {
			if err := ctx.Err(); err != nil {
				return err
			}
			more := false
			err := s.transact(ctx, func() (err error) {
				until := floor(now.Add(-delay).Unix()/60, periodLength[grain-1])
				if grain == days { // whose hours must be complete
					until = min(until, floor(s.levels[hours].rolled, 24))
				}
				more, err = s.rollStep(ctx, grain, until)
				return err
			})
			if err != nil {
				return err
			}
			if !more {
				break
			}
		}
	}
	return nil
}

// rollStep rolls up some series of the first period that is not complete, if it is before another.
func (s *Store) rollStep(ctx context.Context, grain int, until int64) (more bool, _ error) {
	l := s.levels[grain]
	if l.rolled >= until {
		return false, nil
	}
	if l.place == (place{}) { // Nothing is done of this period: skip those without any cells.
		first, err := s.firstPeriod(grain-1, l.rolled)
		if err != nil {
			return false, err
		}
		if l.rolled = min(first, until); l.rolled >= until {
			return false, s.setLevel(ctx, grain, l)
		}
	}
	at, coarse, err := s.cellsAfter(grain, l)
	if err != nil {
		return false, err
	}
	if err := coarse.write(ctx, s.w); err != nil {
		return false, err
	}
	if l.place = at; len(coarse) == 0 {
		l.rolled, l.place = l.rolled+1, place{}
	}
	return true, s.setLevel(ctx, grain, l)
}

// cellsAfter makes coarse cells of the series of a period that come after a place, until enough are
// read, and returns the place of the last.
func (s *Store) cellsAfter(grain int, l level) (at place, _ cells, _ error) {
	coarse, read := cells{}, 0
	at = l.place
	apps, err := s.appIDs()
	if err != nil {
		return at, nil, err
	}
	for _, app := range apps {
		for tier := range int64(tiers) {
			from := place{app, tier, math.MinInt64}
			if at.compare(from) > 0 {
				if at.app != app || at.tier != tier {
					continue // done
				}
				from.series = at.series
			}
			if read >= stepCells {
				return at, coarse, nil
			}
			n, last, err := s.cellsOfPeriod(grain, l.rolled, from, stepCells-read, coarse)
			if err != nil {
				return at, nil, err
			}
			if read += n; n > 0 {
				at = last
			}
		}
	}
	return at, coarse, nil
}

// cellsOfPeriod adds the cells of a tier after a series to coarse ones: about limit of them, and
// all those of each series.
func (s *Store) cellsOfPeriod(grain int, period int64, after place, limit int, coarse cells) (read int, last place, _ error) {
	last = after
	const query = `SELECT series, start, sums, data FROM cell LEFT JOIN part ON part.id = cell.part
		WHERE app = ? AND tier = ? AND grain = ? AND period = ? AND series > ? ORDER BY series, start`
	var enough errEnough
	err := s.w.each(query, []any{after.app, after.tier, grain - 1, period, after.series}, func(rows *sql.Rows) error {
		var series, start int64
		var encoded, data sql.RawBytes
		if err := rows.Scan(&series, &start, &encoded, &data); err != nil {
			return err
		}
		if series != last.series && read >= limit {
			return enough
		}
		read, last.series = read+1, series
		of, err := decodeSums(encoded)
		if err != nil {
			return err
		}
		pairs, err := decodePairs(data)
		if err != nil {
			return err
		}
		coarse.add(cellKey{after.app, after.tier, grain, floor(start, periodLength[grain]), series, floor(start, length[grain]) * length[grain]}, &addition{of, pairs})
		return nil
	})
	if err == enough {
		err = nil
	}
	return read, last, err
}

// errEnough ends the reading of rows.
type errEnough struct{}

func (errEnough) Error() string { return "enough" }

// firstPeriod is the first period of a grain that has cells, from one on.
func (s *Store) firstPeriod(grain int, from int64) (int64, error) {
	first := int64(math.MaxInt64)
	apps, err := s.appIDs()
	if err != nil {
		return 0, err
	}
	for _, app := range apps {
		for tier := range tiers {
			var of sql.NullInt64
			if _, err := s.w.one("SELECT min(period) FROM cell WHERE app = ? AND tier = ? AND grain = ? AND period >= ?", []any{app, tier, grain, from}, &of); err != nil {
				return 0, err
			}
			if of.Valid {
				first = min(first, of.Int64)
			}
		}
	}
	return first, nil
}
