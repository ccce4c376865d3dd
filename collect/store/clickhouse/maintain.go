package clickhouse

import (
	"context"
	"fmt"
	"slices"
	"strings"
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
	remembered := dayStart(now.Add(-store.Remembered))
	sums := []old{{60, "bucket", k.minutes}, {3600, "bucket", k.hours}, {86400, "bucket", monthStart(k.days)}}
	var drops []string
	for _, t := range []struct {
		table string
		old   []old
	}{
		{"ticks", sums}, {"totals", sums},
		{"views", []old{{0, "at", k.days}}},
		{"slices", []old{{0, "at", k.slices}}}, {"examples", []old{{0, "at", k.slices}}},
		{"seen", []old{{0, "at", remembered}}}, {"batches", []old{{0, "at", remembered}}},
		{"sites", []old{{0, "seen", monthStart(k.days)}}}, {"series", []old{{0, "seen", monthStart(k.days)}}},
	} {
		partitions, err := s.oldPartitions(ctx, t.table, t.old)
		if err != nil {
			return err
		}
		if len(partitions) > 0 {
			drops = append(drops, "ALTER TABLE "+s.stored(t.table)+onCluster(s.cluster)+" "+strings.Join(partitions, ", "))
		}
	}
	if len(drops) > 0 {
		s.known.forget()
	}
	if err := s.execAll(ctx, drops); err != nil {
		return err
	}
	return s.removeFiles(ctx, now)
}

// old says what is old in a table: rows of a resolution, if it has several, whose moment lies
// before another one. That is where a partition begins.
type old struct {
	step   uint32
	moment string // a column
	before time.Time
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

// oldPartitions are the commands that drop the partitions of a table in which everything is old.
func (s *Store) oldPartitions(ctx context.Context, table string, all []old) (drops []string, _ error) {
	for _, o := range all {
		where, partition := fmt.Sprintf("%s < toDateTime(%d, 'UTC')", o.moment, o.before.Unix()), "toYYYYMMDD("+o.moment+")"
		if o.moment == "seen" {
			where = "toDateTime(seen, 'UTC') < " + moment(o.before)
		}
		if o.moment == "seen" || o.step == 86400 {
			partition = "toYYYYMM(" + o.moment + ")"
		}
		if o.step > 0 {
			where += fmt.Sprintf(" AND step = %d", o.step)
		}
		if err := s.ask(ctx, fmt.Sprintf("SELECT DISTINCT %s AS p FROM %s WHERE %s", partition, table, where), func(scan func(...any) error) error {
			var p uint32
			err := scan(&p)
			if o.step > 0 {
				drops = append(drops, fmt.Sprintf("DROP PARTITION (%d, %d)", o.step, p))
			} else {
				drops = append(drops, fmt.Sprintf("DROP PARTITION %d", p))
			}
			return err
		}); err != nil {
			return nil, err
		}
	}
	return drops, nil
}

// removeFiles removes the files of releases whose last chunk is long ago.
func (s *Store) removeFiles(ctx context.Context, now time.Time) error {
	before := now.Add(-s.retention.Releases)
	all, err := s.files(ctx, "1")
	unused := slices.DeleteFunc(all, func(f store.File) bool { return !f.Uploaded.Before(before) })
	if err != nil || len(unused) == 0 {
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
	for _, f := range unused {
		if recent[[2]string{f.App, f.Release}] {
			continue
		}
		if err := s.putFile(ctx, f, nil, true); err != nil {
			return err
		}
	}
	return nil
}
