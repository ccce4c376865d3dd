package answer

import (
	"context"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
)

// CoursePoint is a step of time and the figures of all sessions in it.
type CoursePoint struct {
	At  time.Time
	Row *OverviewRow // nil if nothing is known of the step
}

// Course is the overview of each step of a range, which is widened to whole steps. The store is asked
// once for all of them: where it keeps sums of hours or days only, the step in which such a sum
// begins has all of it. With a question for each step, each of them would have it.
func (s *Service) Course(ctx context.Context, of store.Selection, step time.Duration) ([]CoursePoint, error) {
	of.From, of.Slow = of.From.UTC().Truncate(step), false // as in Overview
	if last := of.To.UTC().Truncate(step); last.Before(of.To) {
		of.To = last.Add(step)
	}
	totals, err := s.store.Totals(ctx, of, store.Grouping{By: []string{record.Release}, Step: blockOf(step)})
	if err != nil {
		return nil, err
	}
	byStep := map[time.Time][]store.Total{}
	for i := range totals {
		at := totals[i].At.Truncate(step)
		byStep[at] = append(byStep[at], totals[i])
	}
	var points []CoursePoint
	for at := of.From; at.Before(of.To); at = at.Add(step) {
		points = append(points, CoursePoint{at, rowOf(byStep[at])})
	}
	return points, nil
}

// rowOf is the row of totals that are grouped by release; nil if there are none.
func rowOf(totals []store.Total) *OverviewRow {
	if !slices.ContainsFunc(totals, func(t store.Total) bool { return t.Chunks > 0 || t.Views > 0 }) {
		return nil
	}
	sum, weights := newSummary(nil), weightsOfTotals(totals)
	for i := range totals {
		sum.add(&totals[i], totals[i].Values[0], weights.of(totals[i].Rate))
	}
	row := sum.row(nil)
	return &row
}

// blockOf is the length of the blocks of a step. They begin and end with it.
func blockOf(step time.Duration) time.Duration {
	if block := stepOf(time.Time{}, time.Time{}.Add(step), mostBlocks); step%block == 0 {
		return block
	}
	for n := time.Duration(mostBlocks); n > 1; n-- {
		if step%(n*time.Minute) == 0 {
			return step / n
		}
	}
	return step
}
