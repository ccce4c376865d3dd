package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
)

// Values counts the chunks of each value.
func (s *Store) Values(ctx context.Context, of store.Selection) (map[string][]store.Value, error) {
	q, err := s.ask(ctx, of)
	if q == nil || err != nil {
		return nil, err
	}
	defer q.close()
	counts, err := q.values()
	if err != nil {
		return nil, explain(s.path, err)
	}
	values := map[string][]store.Value{}
	for label, n := range counts {
		values[label.name] = append(values[label.name], store.Value{Text: label.value, Chunks: n})
	}
	for _, of := range values {
		slices.SortFunc(of, func(a, b store.Value) int {
			return cmp.Or(cmp.Compare(b.Chunks, a.Chunks), cmp.Compare(a.Text, b.Text))
		})
	}
	return values, nil
}

func (q *question) values() (map[labelRow]int64, error) {
	tier := int64(oneLabel)
	if len(q.of.Where) > 0 {
		tier = allLabels
	}
	if err := q.use(tier, 0); err != nil {
		return nil, err
	}
	g, err := q.groups(store.Grouping{})
	if err != nil {
		return nil, err
	}
	chunks := map[uint32]int64{}
	err = q.cellsOf(g, "series, sums", "", func(rows *sql.Rows) error {
		var id uint32
		var encoded sql.RawBytes
		if err := rows.Scan(&id, &encoded); err != nil {
			return err
		}
		of, err := decodeSums(encoded)
		if of.chunks != 0 {
			chunks[id] += of.chunks
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	counts := map[labelRow]int64{}
	for some := range slices.Chunk(slices.Collect(maps.Keys(chunks)), 5000) {
		series, labels, err := q.series(some)
		if err != nil {
			return nil, err
		}
		for id, row := range series {
			for _, label := range row.labels {
				counts[labels[label]] += chunks[id]
			}
		}
	}
	return counts, nil
}

// Totals adds up everything but the ticks.
func (s *Store) Totals(ctx context.Context, of store.Selection, by store.Grouping) ([]store.Total, error) {
	q, err := s.ask(ctx, of)
	if q == nil || err != nil {
		return nil, err
	}
	defer q.close()
	var found []groupSums
	if name := q.onlyLabel(by); name != "" {
		found, err = q.totalsOf(name, by)
	} else if err = q.useFor(by); err == nil {
		found, err = q.totals(by)
	}
	if err != nil {
		return nil, explain(s.path, err)
	}
	totals := make([]store.Total, len(found))
	for i, of := range found {
		totals[i] = store.Total{Group: of.Group, Chunks: of.chunks, Ticks: of.ticks, Busy: of.busy, Observed: time.Duration(of.observed),
			Views: of.views, Counted: of.counted, Interactions: of.interactions, Slow: of.slow, LongTasks: of.longTasks, INP: of.inp, P75: of.p75}
		for _, h := range []*record.Histogram{&totals[i].INP, &totals[i].P75} {
			if *h == nil {
				*h = record.Histogram{}
			}
		}
	}
	return totals, nil
}

// groupSums are the sums of a group.
type groupSums struct {
	store.Group
	sums
}

// totals adds up the chosen cells.
func (q *question) totals(by store.Grouping) ([]groupSums, error) {
	g, err := q.groups(by)
	if err != nil {
		return nil, err
	}
	var all []groupSums
	return all, q.cellsOf(g, "series, start, sums", "", func(rows *sql.Rows) error {
		var id uint32
		var start int64
		var encoded sql.RawBytes
		if err := rows.Scan(&id, &start, &encoded); err != nil {
			return err
		}
		of, err := decodeSums(encoded)
		if i := g.of(id, start); i >= 0 && err == nil {
			if i == len(all) {
				all = append(all, groupSums{Group: g.groups[i]})
			}
			all[i].add(&of, 1)
		}
		return err
	})
}

// onlyLabel is the label that a question is about, if there is one and it is not a main label.
func (q *question) onlyLabel(by store.Grouping) string {
	names := q.names(by)
	for name := range names {
		if len(names) == 1 && !isMain(name) {
			return name
		}
	}
	return ""
}

// totalsOf answers from cells of single labels. Series without such a label are the rest of all.
func (q *question) totalsOf(name string, by store.Grouping) ([]groupSums, error) {
	where := q.of.Where[name]
	_, filtered := q.of.Where[name]
	q.of.Where = nil
	if err := q.use(mainLabels, by.Step); err != nil {
		return nil, err
	}
	rest, err := q.totals(store.Grouping{Step: by.Step})
	if err != nil {
		return nil, err
	}
	if err := q.use(oneLabel, by.Step); err != nil {
		return nil, err
	}
	q.single = name
	labelled, err := q.totals(store.Grouping{By: []string{name}, Step: by.Step})
	if err != nil {
		return nil, err
	}
	type kind struct {
		value    string
		at       int64
		rate     float64
		interval time.Duration
	}
	kindOf := func(g store.Group, value string) kind { return kind{value, g.At.Unix(), g.Rate, g.Interval} }
	of := map[kind]int{}
	for i, r := range rest {
		of[kindOf(r.Group, "")] = i
		rest[i].Values = []string{""}
	}
	for _, l := range labelled {
		i, known := of[kindOf(l.Group, "")]
		if !known {
			return nil, errDamaged
		}
		rest[i].add(&l.sums, -1)
	}
	var found []groupSums
	at := map[kind]int{}
	for _, r := range append(labelled, rest...) {
		value := r.Values[0]
		if filtered && !slices.Contains(where, value) || r.isZero() {
			continue
		}
		r.Values = slices.Repeat([]string{value}, len(by.By))
		k := kindOf(r.Group, "")
		if len(by.By) > 0 {
			k.value = value
		}
		if i, known := at[k]; known {
			found[i].add(&r.sums, 1)
			continue
		}
		at[k] = len(found)
		found = append(found, r)
	}
	return found, nil
}
