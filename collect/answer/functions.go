package answer

import (
	"context"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
)

// Functions are the hottest functions.
func (s *Service) Functions(ctx context.Context, of store.Selection, o ProfileOptions, limit int) (*Functions, error) {
	r, err := s.Profile(ctx, of, o)
	if err != nil {
		return nil, err
	}
	p := r.Profile
	out := &Functions{Ticks: r.Received, Notes: r.Notes, Functions: []FunctionRow{}}
	ms := r.Scale * float64(p.Meta.Interval) / 1e6
	busy := float64(record.BusyTicks(p))
	out.BusyMs = busy * ms
	if busy == 0 { // callers that waited have no share of it
		return out, nil
	}
	for _, row := range view.Flat(p) {
		f := p.Function(row.Function)
		if f.Flags&profile.Pseudo != 0 && (f.Name == profile.NameIdle || f.Name == profile.NameLost) {
			continue
		}
		if limit > 0 && len(out.Functions) == limit {
			break
		}
		out.Functions = append(out.Functions, FunctionRow{
			Function: Function{row.Name, row.File, row.Line},
			SelfMs:   float64(row.Self) * ms, TotalMs: float64(row.Total) * ms,
			SelfShare: float64(row.Self) / busy, TotalShare: float64(row.Total) / busy,
			Ignored: f.Flags&profile.Ignored != 0,
		})
	}
	return out, nil
}
