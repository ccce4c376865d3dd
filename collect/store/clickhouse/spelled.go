package clickhouse

import (
	"context"
	"time"

	"github.com/fieldprof/fieldprof/collect/store"
)

// mostSpelled is how many frames are spelled out at a time, and those of one site. A frame takes a hundred
// bytes until it is sent.
const mostSpelled = 1 << 19

// spelledSite is a row of the table of sites.
type spelledSite struct {
	siteKey
	store.Site
}

// portions spells sites out, in portions of so many frames.
func portions(sites map[siteKey]site, most int, do func([]spelledSite) error) error {
	var portion []spelledSite
	frames := 0
	keys := sorted(sites, siteKey.compare)
	for i, k := range keys {
		in := sites[k]
		portion = append(portion, spelledSite{k, store.SiteOf(in.profile, in.sample, k.site)})
		if frames += len(portion[len(portion)-1].Frames); frames < most && i < len(keys)-1 {
			continue
		}
		if err := do(portion); err != nil {
			return err
		}
		portion, frames = nil, 0
	}
	return nil
}

// addSites adds sites. It may add some and fail: equal rows of the table become one.
func (s *Store) addSites(ctx context.Context, sites map[siteKey]site) error {
	return portions(sites, mostSpelled, func(some []spelledSite) error {
		return s.insert(ctx, "sites",
			of("app", some, func(s spelledSite) string { return s.app }),
			of("site", some, func(s spelledSite) uint64 { return uint64(s.Hash) }),
			of("kind", some, func(s spelledSite) uint8 { return uint8(s.Kind) }),
			of("marker", some, func(s spelledSite) uint8 { return uint8(s.Marker) }),
			frames("names", some, func(f store.Frame) string { return f.Function.Name }),
			frames("files", some, func(f store.Frame) string { return f.Function.File }),
			frames("def_lines", some, func(f store.Frame) int32 { return f.Function.Line }),
			frames("def_columns", some, func(f store.Frame) int32 { return f.Function.Column }),
			frames("flags", some, func(f store.Frame) uint8 { return uint8(f.Function.Flags) }),
			frames("lines", some, func(f store.Frame) int32 { return f.Line }),
			frames("columns", some, func(f store.Frame) int32 { return f.Column }),
			of("seen", some, func(s spelledSite) time.Time { return time.Unix(s.month, 0).UTC() }))
	})
}

// frames makes a column with an array of something that frames have.
func frames[V any](name string, sites []spelledSite, value func(store.Frame) V) column {
	return of(name, sites, func(s spelledSite) []V {
		values := make([]V, len(s.Frames))
		for i, f := range s.Frames {
			values[i] = value(f)
		}
		return values
	})
}
