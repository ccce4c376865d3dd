package clickhouse

import (
	"context"
	"fmt"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
)

// Totals are the sums of each group.
func (s *Store) Totals(ctx context.Context, of store.Selection, by store.Grouping) ([]store.Total, error) {
	q, err := s.selectionOf(ctx, of, by)
	if err != nil || q.when() == "" {
		return nil, err
	}
	sums := &sums{selection: q, index: map[string]int{}}
	if err := s.ask(ctx, fmt.Sprintf("SELECT sum(chunks), sum(ticks), sum(busy), sum(observed), %s AS at, %s FROM totals GLOBAL ALL INNER JOIN %s AS of USING (series) WHERE %s GROUP BY %s",
		q.at("bucket"), q.keys()[len("at, "):], q.groups(), q.when(), q.keys()), sums.readChunks); err != nil {
		return nil, err
	}
	return sums.totals, s.ask(ctx, q.views(), sums.readViews)
}

// views is the query for page views. One is in the series of its latest request, and in the step
// in which its first began. Later requests say where a view belongs, and earlier ones when it began, so
// those of longest before and after are looked at, too.
func (s *selection) views() string {
	from, to := s.whole()
	each := fmt.Sprintf("SELECT view, min(at) AS first, argMax(s0, number) AS series, max(counted) AS is_counted, "+
		"argMax(interactions, rank) AS i, argMax(slow, rank) AS s, argMax(long_tasks, rank) AS l, argMax(inp, rank) AS inp_class, argMax(p75, rank) AS p75_class "+
		"FROM (SELECT view, at, series AS s0, number, counted, interactions, slow, long_tasks, inp, p75, if(counted, number, -1) AS rank FROM views WHERE app = %s AND at >= %s AND at < %s) "+
		"GROUP BY view HAVING first >= %s AND first < %s", text(s.App), moment(from.Add(-longest)), moment(to.Add(longest)), moment(later(from, s.kept.days)), moment(to))
	return fmt.Sprintf("SELECT count(), sum(toInt64(is_counted)), sum(i), sum(s), sum(l), tupleElement(sumMap([inp_class], [toInt64(is_counted)]) AS inps, 1), tupleElement(inps, 2), "+
		"tupleElement(sumMap([p75_class], [toInt64(is_counted)]) AS p75s, 1), tupleElement(p75s, 2), %s AS at, %s FROM (%s) AS each ALL INNER JOIN %s AS of USING (series) GROUP BY %s",
		s.at("first"), s.keys()[len("at, "):], each, s.groups(), s.keys())
}

// longest is how far apart the requests of one view may be: much longer than pages live.
const longest = 90 * 24 * time.Hour

// sums collects totals by their groups.
type sums struct {
	*selection
	index  map[string]int
	totals []store.Total
}

func (s *sums) of(g *grouped) *store.Total {
	i, known := s.index[g.key()]
	if !known {
		i = len(s.totals)
		s.index[g.key()] = i
		s.totals = append(s.totals, store.Total{Group: g.group(), INP: record.Histogram{}, P75: record.Histogram{}})
	}
	return &s.totals[i]
}

func (s *sums) readChunks(scan func(...any) error) error {
	g := s.newGrouped()
	var chunks, ticks, busy, observed int64
	if err := scan(append([]any{&chunks, &ticks, &busy, &observed}, g.into()...)...); err != nil {
		return err
	}
	t := s.of(g)
	t.Chunks, t.Ticks, t.Busy, t.Observed = chunks, ticks, busy, time.Duration(observed)
	return nil
}

func (s *sums) readViews(scan func(...any) error) error {
	g := s.newGrouped()
	var views uint64
	var t store.Total
	var inps, p75s []int16
	var ofINP, ofP75 []int64
	into := []any{&views, &t.Counted, &t.Interactions, &t.Slow, &t.LongTasks, &inps, &ofINP, &p75s, &ofP75}
	if err := scan(append(into, g.into()...)...); err != nil {
		return err
	}
	all := s.of(g)
	all.Views, all.Counted, all.Interactions, all.Slow, all.LongTasks = int64(views), t.Counted, t.Interactions, t.Slow, t.LongTasks
	join(all.INP, inps, ofINP)
	join(all.P75, p75s, ofP75)
	return nil
}

func join(h record.Histogram, classes []int16, n []int64) {
	for i, class := range classes {
		if class != unknownClass && n[i] > 0 {
			h[class] += n[i]
		}
	}
}
