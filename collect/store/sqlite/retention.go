package sqlite

import (
	"context"
	"time"

	"github.com/fieldprof/fieldprof/collect/store"
)

// Maintain rolls up, and removes what is old, in many small transactions.
func (s *Store) Maintain(ctx context.Context, now time.Time) error {
	s.maintaining.Lock()
	defer s.maintaining.Unlock()
	for _, do := range []func(context.Context, time.Time) error{s.rollUp, s.removeCells, s.removeGenerations, s.removeKept, s.removeFiles, s.removeWords} {
		if err := do(ctx, now); err != nil {
			return err
		}
	}
	return nil
}

// stepRows is how many rows a transaction removes.
const stepRows = 2000

// steps calls a function in a transaction each, until it has nothing more to do.
func (s *Store) steps(ctx context.Context, step func() (more bool, _ error)) error {
	for more := true; more; {
		err := s.transact(ctx, func() (err error) {
			more, err = step()
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// removeWhere removes rows of a table in steps. key names columns that tell rows apart.
func (s *Store) removeWhere(ctx context.Context, table, key, where string, args ...any) error {
	query := "DELETE FROM " + table + " WHERE (" + key + ") IN (SELECT " + key + " FROM " + table + " WHERE " + where + " LIMIT ?)"
	return s.steps(ctx, func() (bool, error) { return s.removes(ctx, query, append(args, stepRows)...) })
}

// removes says whether a statement has removed anything.
func (s *Store) removes(ctx context.Context, query string, args ...any) (bool, error) {
	if err := s.w.run(ctx, query, args...); err != nil {
		return false, err
	}
	var n int64
	_, err := s.w.one("SELECT changes()", nil, &n)
	return n > 0, err
}

// removeCells removes cells that are old and rolled up. That they are no longer kept is written
// first: from then on neither questions nor writes use them.
//
// A clock that was ahead for a moment has removed too much, and the cells that it left were no
// longer to be kept until their time would come. When the clock is right again, the next period is kept
// as it should be; chunks written before are in coarser cells only.
func (s *Store) removeCells(ctx context.Context, now time.Time) error {
	for grain, keep := range [grains]time.Duration{s.retain.Minutes, s.retain.Hours, s.retain.Days} {
		err := s.transact(ctx, func() error {
			l := s.levels[grain]
			kept := floor(floor(now.Add(-keep).Unix(), 60), periodLength[grain])
			if grain < days {
				kept = min(kept, s.levels[grain+1].rolled)
			}
			next := floor(floor(now.Unix(), 60), periodLength[grain]) + 1
			if kept = min(max(kept, l.kept), next); kept == l.kept {
				return nil
			}
			l.kept = kept
			return s.setLevel(ctx, grain, l)
		})
		if err != nil {
			return err
		}
		if err := s.steps(ctx, func() (bool, error) { return s.removeSomeCells(ctx, grain) }); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) removeSomeCells(ctx context.Context, grain int) (bool, error) {
	apps, err := s.appIDs()
	if err != nil {
		return false, err
	}
	for _, app := range apps {
		for tier := range tiers {
			const some = "FROM cell WHERE app = ?1 AND tier = ?2 AND grain = ?3 AND period < ?4 ORDER BY period, series, start LIMIT ?5"
			args := []any{app, tier, grain, s.levels[grain].kept, stepRows}
			if err := s.w.run(ctx, "DELETE FROM part WHERE id IN (SELECT part "+some+")", args...); err != nil {
				return false, err
			}
			removed, err := s.removes(ctx, `DELETE FROM cell WHERE app = ?1 AND tier = ?2 AND grain = ?3 AND (period, series, start) IN (SELECT period, series, start `+some+")", args...)
			if removed || err != nil {
				return removed, err
			}
		}
	}
	return false, nil
}

// generationLength is how long a generation of IDs lasts.
const generationLength = 24 * time.Hour

// removeGenerations begins a new generation if the current one is old, and removes those that
// ended before what must be remembered. One that a clock which was ahead has begun begins now: else it would
// last until then.
func (s *Store) removeGenerations(ctx context.Context, now time.Time) error {
	err := s.transact(ctx, func() error {
		current := s.generation
		if err := s.w.run(ctx, "UPDATE generation SET began = ?1 WHERE id = ?2 AND (began IS NULL OR began > ?1)", now.Unix(), current); err != nil {
			return err
		}
		var began int64
		if _, err := s.w.one("SELECT began FROM generation WHERE id = ?", []any{current}, &began); err != nil {
			return err
		}
		if now.Sub(time.Unix(began, 0)) < generationLength {
			return nil
		}
		if err := s.w.run(ctx, "INSERT INTO generation (id, began) VALUES (?, ?)", current+1, now.Unix()); err != nil {
			return err
		}
		s.generation = current + 1
		return nil
	})
	if err != nil {
		return err
	}
	for {
		var old int64
		s.writing.Lock()
		found, err := s.w.one("SELECT a.id FROM generation a JOIN generation b ON b.id = a.id + 1 WHERE b.began < ? ORDER BY a.id LIMIT 1", []any{now.Add(-store.Remembered).Unix()}, &old)
		s.writing.Unlock()
		if err != nil || !found {
			return explain(s.path, err)
		}
		if err := s.removeWhere(ctx, "seen", "generation, id", "generation = ?", old); err != nil {
			return err
		}
		if err := s.removeWhere(ctx, "view", "generation, app, id", "generation = ?", old); err != nil {
			return err
		}
		if err := s.transact(ctx, func() error { return s.w.run(ctx, "DELETE FROM generation WHERE id = ?", old) }); err != nil {
			return err
		}
	}
}

// removeKept removes old slices and examples.
func (s *Store) removeKept(ctx context.Context, now time.Time) error {
	old := now.Add(-s.retain.Slices)
	apps, err := s.allApps()
	if err != nil {
		return err
	}
	for _, app := range apps {
		if err := s.removeWhere(ctx, "slice", "n", "app = ? AND day <= ? AND at < ?", app, floor(old.Unix(), 24*3600), old.UnixNano()); err != nil {
			return err
		}
		if err := s.removeWhere(ctx, "example", "n", "app = ? AND at < ?", app, old.UnixNano()); err != nil {
			return err
		}
	}
	return nil
}

// removeFiles removes the files of releases that have had no chunks for long.
func (s *Store) removeFiles(ctx context.Context, now time.Time) error {
	old := now.Add(-s.retain.Releases).Unix()
	err := s.steps(ctx, func() (bool, error) {
		var id int64
		found, err := s.w.one(`SELECT id FROM file WHERE uploaded < ?1 AND NOT EXISTS (SELECT 1 FROM release WHERE release.app = file.app AND release.name = file.release AND last >= ?1) LIMIT 1`, []any{old}, &id)
		if err != nil || !found {
			return false, err
		}
		return true, s.removeFile(ctx, id)
	})
	if err != nil {
		return err
	}
	return s.removeWhere(ctx, "release", "app, name", "last < ?", old)
}

// removeWords removes words that no cell can name any more.
func (s *Store) removeWords(ctx context.Context, now time.Time) error {
	// A word of a period is in cells until the last day of that period is no longer kept.
	old := periodOf(now.Add(-max(s.retain.Days, s.retain.Slices)-24*time.Hour)) - 1
	if old == s.cleaned { // a later one is of a clock that was ahead
		return nil
	}
	apps, err := s.allApps()
	if err != nil {
		return err
	}
	for _, t := range []table{siteTable, frameTable, functionTable, seriesTable, labelTable} {
		for _, app := range apps {
			query := "DELETE FROM " + t.name + " WHERE app = ?1 AND id IN (SELECT id FROM " + t.name + " WHERE app = ?1 AND id > ?2 AND id <= ?3 AND seen <= ?4)"
			var last int64
			s.writing.Lock()
			_, err := s.w.one("SELECT ifnull(max(id), 0) FROM "+t.name+" WHERE app = ?", []any{app}, &last)
			s.writing.Unlock()
			if err != nil {
				return explain(s.path, err)
			}
			for from := int64(0); from < last; from += stepRows {
				err := s.transact(ctx, func() error {
					removed, err := s.removes(ctx, query, app, from, from+stepRows, old)
					if removed { // the caches have them
						s.dictionary = newDictionary()
					}
					return err
				})
				if err != nil {
					return err
				}
			}
		}
	}
	s.cleaned = old
	return nil
}
