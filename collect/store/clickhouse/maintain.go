package clickhouse

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/collect/store"
)

// Maintain removes what retention says. Sums of minutes, hours and days are written at once, so
// nothing is rolled up: the finer ones are removed. Several collectors may do so at once.
func (s *Store) Maintain(ctx context.Context, now time.Time) error {
	k, err := s.moveKept(ctx, now)
	if err != nil {
		return err
	}
	removed := false
	for _, r := range []struct {
		table, partition, where string
	}{
		{"ticks", "(60, %d)", "step = 60 AND bucket < " + moment(k.minutes)},
		{"totals", "(60, %d)", "step = 60 AND bucket < " + moment(k.minutes)},
		{"ticks", "(3600, %d)", "step = 3600 AND bucket < " + moment(k.hours)},
		{"totals", "(3600, %d)", "step = 3600 AND bucket < " + moment(k.hours)},
		{"ticks", "(86400, %d)", "step = 86400 AND bucket < " + moment(monthStart(k.days))},
		{"totals", "(86400, %d)", "step = 86400 AND bucket < " + moment(monthStart(k.days))},
		{"views", "%d", "at < " + moment(k.days)},
		{"slices", "%d", "at < " + moment(k.slices)},
		{"examples", "%d", "at < " + moment(k.slices)},
		{"seen", "%d", "at < " + moment(dayStart(now.Add(-store.Remembered)))},
		{"batches", "%d", "at < " + moment(dayStart(now.Add(-store.Remembered)))},
		{"sites", "%d", "seen < toDate(" + moment(monthStart(k.days)) + ")"},
		{"series", "%d", "seen < toDate(" + moment(monthStart(k.days)) + ")"},
	} {
		dropped, err := s.drop(ctx, r.table, r.partition, r.where)
		if err != nil {
			return err
		}
		removed = removed || dropped
	}
	if removed {
		s.known.forget()
	}
	return s.removeFiles(ctx, now)
}

func dayStart(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

func monthStart(t time.Time) time.Time { return time.Unix(monthOf(bounded(t)), 0).UTC() }

// moveKept moves the moments since which things are kept: first, so that no question asks for
// what is about to be removed.
func (s *Store) moveKept(ctx context.Context, now time.Time) (kept, error) {
	k, err := s.kept(ctx)
	if err != nil {
		return k, err
	}
	var what []string
	var since []time.Time
	for _, m := range []struct {
		what  string
		since *time.Time
		keep  time.Duration
	}{{"minutes", &k.minutes, s.retention.Minutes}, {"hours", &k.hours, s.retention.Hours}, {"days", &k.days, s.retention.Days}, {"slices", &k.slices, s.retention.Slices}} {
		if to := dayStart(now.Add(-m.keep)); to.After(*m.since) {
			*m.since = bounded(to)
			what, since = append(what, m.what), append(since, bounded(to))
		}
	}
	if len(what) == 0 {
		return k, nil
	}
	return k, s.insert(ctx, "kept", column{"what", what}, column{"since", since})
}

// partitions are how tables are partitioned, as numbers.
var partitions = map[string]string{
	"ticks": "if(step < 86400, toYYYYMMDD(bucket), toYYYYMM(bucket))", "totals": "if(step < 86400, toYYYYMMDD(bucket), toYYYYMM(bucket))",
	"views": "toYYYYMMDD(at)", "slices": "toYYYYMMDD(at)", "examples": "toYYYYMMDD(at)", "seen": "toYYYYMMDD(at)", "batches": "toYYYYMMDD(at)",
	"sites": "toYYYYMM(seen)", "series": "toYYYYMM(seen)",
}

// drop drops the partitions of a table in which there is something, all of which is old.
func (s *Store) drop(ctx context.Context, table, partition, where string) (dropped bool, _ error) {
	var old []uint32
	if err := s.ask(ctx, fmt.Sprintf("SELECT DISTINCT %s AS p FROM %s WHERE %s", partitions[table], table, where), func(scan func(...any) error) error {
		var p uint32
		err := scan(&p)
		old = append(old, p)
		return err
	}); err != nil {
		return false, err
	}
	if s.cluster != "" && table != "batches" && table != "series" {
		table = local(table)
	}
	for _, p := range old {
		if err := s.exec(ctx, fmt.Sprintf("ALTER TABLE %s%s DROP PARTITION "+partition, table, onCluster(s.cluster), p)); err != nil {
			return dropped, err
		}
		dropped = true
	}
	return dropped, nil
}

// removeFiles removes the files of releases whose last chunk is long ago.
func (s *Store) removeFiles(ctx context.Context, now time.Time) error {
	before := now.Add(-s.retention.Releases)
	all, err := s.files(ctx, "1")
	old := slices.DeleteFunc(all, func(f store.File) bool { return !f.Uploaded.Before(before) })
	if err != nil || len(old) == 0 {
		return err
	}
	recent := map[[2]string]bool{}
	query := fmt.Sprintf("SELECT app, release FROM (SELECT DISTINCT app, series FROM totals WHERE step = 86400 AND bucket >= %s) AS recent ALL INNER JOIN "+
		"(SELECT app, series, any(%s) AS release FROM series GROUP BY app, series) AS of USING (app, series) GROUP BY app, release", moment(dayStart(before)), label("release"))
	if err := s.ask(ctx, query, func(scan func(...any) error) error {
		var of [2]string
		err := scan(&of[0], &of[1])
		recent[of] = true
		return err
	}); err != nil {
		return err
	}
	for _, f := range old {
		if recent[[2]string{f.App, f.Release}] {
			continue
		}
		if err := s.putFile(ctx, f, nil, true); err != nil {
			return err
		}
	}
	return nil
}
