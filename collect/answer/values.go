package answer

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
)

// Values are the labels and their values, of all time and of slices.
func (s *Service) Values(ctx context.Context, of store.Selection) (*Values, error) {
	counts := map[string]map[string]int64{}
	for _, of.Slow = range []bool{false, true} {
		values, err := s.store.Values(ctx, of)
		if err != nil {
			return nil, err
		}
		for name, list := range values {
			if counts[name] == nil {
				counts[name] = map[string]int64{}
			}
			for _, v := range list {
				counts[name][v.Text] += v.Chunks
			}
		}
	}
	rank := func(name string) int {
		if i := slices.Index(record.Known, name); i >= 0 {
			return i
		}
		return len(record.Known)
	}
	out := &Values{Labels: []LabelValues{}}
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
	for _, name := range names {
		values := []LabelValue{}
		for text, n := range counts[name] {
			values = append(values, LabelValue{text, n})
		}
		slices.SortFunc(values, func(a, b LabelValue) int {
			return cmp.Or(cmp.Compare(b.Chunks, a.Chunks), cmp.Compare(a.Value, b.Value))
		})
		out.Labels = append(out.Labels, LabelValues{name, values})
	}
	return out, nil
}
