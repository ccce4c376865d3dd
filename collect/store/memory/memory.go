// Package memory is the simplest store: it keeps every chunk and adds up when it is asked.
// It is the model that the tests of the other stores compare with, and serves the tests
// of the packages that use a store.
package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
)

// Store is a store in memory.
type Store struct {
	mu     sync.Mutex
	known  map[record.ID]bool
	chunks []*record.Chunk
	files  map[store.File][]byte // by App, Release and Name
	about  map[store.File]store.File
}

var _ store.Store = (*Store)(nil)

// New makes an empty store.
func New() *Store {
	return &Store{known: map[record.ID]bool{}, files: map[store.File][]byte{}, about: map[store.File]store.File{}}
}

// Write adds chunks.
func (m *Store) Write(_ context.Context, _ record.ID, chunks []*record.Chunk) (w store.Written, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range chunks {
		if m.known[c.ID] {
			w.Known++
			continue
		}
		m.known[c.ID] = true
		m.chunks = append(m.chunks, c)
		w.New++
	}
	return w, nil
}

// selected are the chunks of a selection, the series of whose ticks fits.
func (m *Store) selected(s store.Selection) (found []*record.Chunk) {
	from, to := s.From.Truncate(time.Minute), s.To.Truncate(time.Minute)
	if to.Before(s.To) {
		to = to.Add(time.Minute)
	}
	for _, c := range m.chunks {
		if c.App == s.App && c.Slow == s.Slow && !c.At.Before(from) && c.At.Before(to) && fits(&c.Series, s) {
			found = append(found, c)
		}
	}
	return found
}

func fits(of *record.Series, s store.Selection) bool {
	for name, values := range s.Where {
		if !slices.Contains(values, of.Labels[name]) {
			return false
		}
	}
	return true
}

// Values are the values of labels.
func (m *Store) Values(_ context.Context, s store.Selection) (map[string][]store.Value, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	counts := map[string]map[string]int64{}
	for _, c := range m.selected(s) {
		for name, value := range c.Labels {
			if value == "" {
				continue
			}
			if counts[name] == nil {
				counts[name] = map[string]int64{}
			}
			counts[name][value]++
		}
	}
	values := map[string][]store.Value{}
	for name, of := range counts {
		for text, n := range of {
			values[name] = append(values[name], store.Value{Text: text, Chunks: n})
		}
		slices.SortFunc(values[name], func(a, b store.Value) int {
			return cmp.Or(cmp.Compare(b.Chunks, a.Chunks), cmp.Compare(a.Text, b.Text))
		})
	}
	return values, nil
}

// groups finds the index of a group.
type groups struct {
	by    store.Grouping
	index map[string]int
	all   []store.Group
}

func (g *groups) of(at time.Time, s *record.Series) int {
	group := store.Group{Rate: s.Rate, Interval: s.Interval}
	key := record.Series{Rate: s.Rate, Interval: s.Interval, Labels: record.Labels{}}
	for _, name := range g.by.By {
		group.Values = append(group.Values, s.Labels[name])
		key.Labels[name] = s.Labels[name]
	}
	if g.by.Step > 0 {
		group.At = at.UTC().Truncate(g.by.Step)
		key.App = group.At.String()
	}
	i, known := g.index[key.Key()]
	if !known {
		if g.index == nil {
			g.index = map[string]int{}
		}
		i = len(g.all)
		g.index[key.Key()] = i
		g.all = append(g.all, group)
	}
	return i
}

// Ticks are the ticks of sites.
func (m *Store) Ticks(_ context.Context, s store.Selection, by store.Grouping, limit int) (*store.Ticks, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	type cell struct {
		group int
		site  store.Hash
	}
	cells, all := map[cell]int64{}, map[store.Hash]int64{}
	g := groups{by: by}
	for _, c := range m.selected(s) {
		if c.Profile == nil {
			continue
		}
		group := g.of(c.At, &c.Series)
		for i, site := range store.SitesOf(c.Profile) {
			ticks := int64(c.Profile.Samples.Weight[i])
			cells[cell{group, site}] += ticks
			all[site] += ticks
		}
	}
	kept := slices.SortedFunc(maps.Keys(all), func(a, b store.Hash) int {
		return cmp.Or(cmp.Compare(all[b], all[a]), cmp.Compare(a, b))
	})
	kept = kept[:min(limit, len(kept))]
	ticks := &store.Ticks{Groups: g.all, Rest: make([]int64, len(g.all))}
	within := map[store.Hash]bool{}
	for _, site := range kept {
		within[site] = true
	}
	for at, n := range cells {
		if within[at.site] {
			ticks.Sums = append(ticks.Sums, store.Sum{Group: at.group, Site: at.site, Ticks: n})
		} else {
			ticks.Rest[at.group] += n
		}
	}
	return ticks, nil
}

// Sites are sites by their hashes.
func (m *Store) Sites(_ context.Context, app string, hashes []store.Hash) (found []store.Site, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	wanted := map[store.Hash]bool{}
	for _, h := range hashes {
		wanted[h] = true
	}
	for _, c := range m.chunks {
		if c.App != app || c.Profile == nil {
			continue
		}
		for i, h := range store.SitesOf(c.Profile) {
			if wanted[h] {
				delete(wanted, h)
				found = append(found, store.SiteOf(c.Profile, i, h))
			}
		}
	}
	return found, nil
}

// Ready and Close do nothing.
func (m *Store) Ready(context.Context) error { return nil }
func (m *Store) Close() error                { return nil }
