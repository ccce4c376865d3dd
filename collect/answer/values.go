package answer

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
)

// Values are the labels and their values.
func (s *Service) Values(ctx context.Context, of store.Selection) (*Values, error) {
	values, err := s.store.Values(ctx, of)
	if err != nil {
		return nil, err
	}
	rank := func(name string) int {
		if i := slices.Index(record.Known, name); i >= 0 {
			return i
		}
		return len(record.Known)
	}
	out := &Values{Labels: []LabelValues{}}
	names := slices.SortedFunc(maps.Keys(values), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
	for _, name := range names {
		list := LabelValues{Name: name, Values: []LabelValue{}}
		for _, v := range values[name] { // the most frequent first
			list.Values = append(list.Values, LabelValue{v.Text, v.Chunks})
		}
		out.Labels = append(out.Labels, list)
	}
	return out, nil
}
