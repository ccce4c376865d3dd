package answer

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
)

// Overview has a row for each group of labels; a single one without labels.
//
// Sessions send either all their time, or what was slow and the counts of their views. The figures about
// the processor are of the first kind, those about interactions mostly of the second. Both kinds may sample the
// same views, so the number of all views is not their sum but the larger of the two, release by
// release.
func (s *Service) Overview(ctx context.Context, of store.Selection, by []string) (*Overview, error) {
	out := &Overview{From: of.From, To: of.To, By: slices.Clone(by), Rows: []OverviewRow{}}
	if out.By == nil {
		out.By = []string{}
	}
	grouping := store.Grouping{By: by, Step: stepOf(of.From, of.To, mostBlocks)}
	if !slices.Contains(by, record.Release) {
		grouping.By = append(slices.Clone(by), record.Release)
	}
	rows := map[string]*summary{}
	if len(by) == 0 {
		rows[""] = newSummary(nil)
	}
	of.Slow = false // counts are there, too; of slices their own time only
	totals, err := s.store.Totals(ctx, of, grouping)
	if err != nil {
		return nil, err
	}
	weights := weightsOfTotals(totals)
	for i := range totals {
		t := &totals[i]
		key := keyOfValues(t.Values[:len(by)])
		if rows[key] == nil {
			rows[key] = newSummary(t.Values[:len(by)])
		}
		rows[key].add(t, t.Values[slices.Index(grouping.By, record.Release)], weights.of(t.Rate))
	}
	for _, r := range rows {
		out.Rows = append(out.Rows, r.row(by))
	}
	slices.SortFunc(out.Rows, func(a, b OverviewRow) int {
		return cmp.Or(cmp.Compare(b.AllViews, a.AllViews), cmp.Compare(b.Chunks, a.Chunks), slices.CompareFunc(by, by, func(x, _ string) int {
			return cmp.Compare(a.Labels[x], b.Labels[x])
		}))
	})
	return out, nil
}

func weightsOfTotals(totals []store.Total) weights {
	var rates []weighted
	for i := range totals {
		rates = append(rates, weighted{totals[i].Rate, float64(totals[i].Chunks)})
	}
	return weightsOf(rates)
}

// keyOfValues is equal for equal lists of values.
func keyOfValues(values []string) string {
	var key strings.Builder
	for _, v := range values {
		key.WriteString(strconv.Quote(v))
	}
	return key.String()
}

// summary adds up the totals of a row.
type summary struct {
	values        []string
	chunks, views int64
	all           map[string]*[2]float64 // views by release, of sessions that send all their time and of others
	inp           durations
	slow          map[time.Time]block // of interactions
	cpu           map[time.Time]block // busy ms of views
	busy          map[time.Time]block // of the time observed, ms
	longTasks     block               // of views
}

func newSummary(values []string) *summary {
	return &summary{values: slices.Clone(values), all: map[string]*[2]float64{}, slow: map[time.Time]block{}, cpu: map[time.Time]block{}, busy: map[time.Time]block{}}
}

func (r *summary) add(t *store.Total, release string, weight float64) {
	r.chunks, r.views = r.chunks+t.Chunks, r.views+t.Views
	if r.all[release] == nil {
		r.all[release] = &[2]float64{}
	}
	kind := 0
	if !samples(t) {
		kind = 1
	}
	r.all[release][kind] += weight * float64(t.Views)
	for class, n := range t.INP {
		r.inp.add(class, n, weight)
	}
	addTo(r.slow, t.At, weight*float64(t.Slow), weight*float64(t.Interactions))
	r.longTasks.part += weight * float64(t.LongTasks)
	r.longTasks.whole += weight * float64(t.Counted)
	if samples(t) {
		busy := weight * float64(t.Busy) * float64(t.Interval) / 1e6
		addTo(r.cpu, t.At, busy, weight*float64(t.Views))
		addTo(r.busy, t.At, busy, weight*float64(t.Observed)/1e6)
	}
}

// samples reports whether a group is of sessions that send all their time: others have no interval.
func samples(t *store.Total) bool { return t.Interval > 0 }

func addTo(blocks map[time.Time]block, at time.Time, part, whole float64) {
	b := blocks[at]
	blocks[at] = block{b.part + part, b.whole + whole}
}

func (r *summary) row(by []string) OverviewRow {
	row := OverviewRow{Labels: map[string]string{}, Chunks: r.chunks, Views: r.views, INPViews: r.inp.n,
		INP: r.inp.quantile(0.75, record.Edge), SlowShare: ratio(r.slow, 1), CPU: ratio(r.cpu, unbounded), BusyShare: ratio(r.busy, 1)}
	for i, name := range by {
		row.Labels[name] = r.values[i]
	}
	for _, release := range slices.Sorted(maps.Keys(r.all)) {
		row.AllViews += max(r.all[release][0], r.all[release][1])
	}
	if r.longTasks.whole > 0 {
		mean := r.longTasks.part / r.longTasks.whole
		row.LongTasks = &mean
	}
	return row
}

// unbounded is the limit of what has none.
const unbounded = 1e300
