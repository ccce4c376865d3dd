package answer

import (
	"context"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile/budget"
)

// Budgets holds a selection to budgets. Milliseconds are those of a page view on average or, if no
// views are known, of a chunk.
func (s *Service) Budgets(ctx context.Context, of store.Selection, f *budget.File) (*budget.Result, error) {
	r, err := s.profile(ctx, of, ProfileOptions{}, fair)
	if err != nil {
		return nil, err
	}
	if record.BusyTicks(r.Profile) == 0 {
		return nil, ErrNothing
	}
	result, err := budget.Check(f, r.Profile)
	if err != nil {
		return nil, err
	}
	totals, err := s.store.Totals(ctx, of, store.Grouping{})
	if err != nil {
		return nil, err
	}
	weights := weightsOfTotals(totals)
	var views, chunks float64
	for i := range totals {
		if !samples(&totals[i]) {
			continue
		}
		views += weights.of(totals[i].Rate) * float64(totals[i].Views)
		chunks += weights.of(totals[i].Rate) * float64(totals[i].Chunks)
	}
	if views == 0 {
		views = chunks
	}
	result.Broken, result.BusyMs = 0, result.BusyMs*r.Scale
	for i := range result.Budgets {
		line := &result.Budgets[i]
		if line.Unit == "ms" && views > 0 {
			line.Value, line.Margin = line.Value*r.Scale/views, line.Margin*r.Scale/views
			line.Over = max(line.Value-line.Max, 0)
		}
		if line.Over > 0 {
			result.Broken++
		}
	}
	return result, nil
}
