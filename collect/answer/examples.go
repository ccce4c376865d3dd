package answer

import (
	"context"
	"maps"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
)

// Examples are chunks that are kept whole.
func (s *Service) Examples(ctx context.Context, of store.Selection, limit int) (*Examples, error) {
	list, err := s.store.Examples(ctx, of, limit)
	if err != nil {
		return nil, err
	}
	out := &Examples{Examples: []ExampleRow{}}
	for i := range list {
		e := &list[i]
		row := ExampleRow{ID: e.ID.String(), At: e.At, Labels: map[string]string{}, BusyMs: float64(e.Busy) * ms(e.Interval)}
		maps.Copy(row.Labels, e.Labels)
		out.Examples = append(out.Examples, row)
	}
	return out, nil
}

// Example is the profile of one, with its times.
func (s *Service) Example(ctx context.Context, app string, id record.ID) (*Result, error) {
	e, err := s.store.Example(ctx, app, id)
	if err != nil {
		return nil, err
	}
	t, err := s.tracer(ctx, app)
	if err != nil {
		return nil, err
	}
	whole, err := t.trace(&e.Series, e.Profile)
	if err != nil {
		return nil, err
	}
	return t.result(whole, whole.p), nil
}
