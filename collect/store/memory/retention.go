package memory

import (
	"context"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
)

// Maintain removes what store.DefaultRetention says.
func (m *Store) Maintain(_ context.Context, now time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	keep := store.DefaultRetention()
	type release struct{ app, name string }
	last := map[release]time.Time{}
	for _, c := range m.chunks {
		if of := (release{c.App, c.Labels[record.Release]}); last[of].Before(c.At) {
			last[of] = c.At
		}
	}
	m.chunks = slices.DeleteFunc(m.chunks, func(c *record.Chunk) bool { return c.At.Before(now.Add(-keep.Days)) })
	old := now.Add(-keep.Slices)
	for i, c := range m.chunks {
		kept := *c // chunks belong to the caller
		kept.Slices = slices.DeleteFunc(slices.Clone(c.Slices), func(s record.Slice) bool { return s.At.Before(old) })
		if c.At.Before(old) {
			kept.Example = nil
		}
		m.chunks[i] = &kept
	}
	for key, f := range m.about {
		used := f.Uploaded
		if at := last[release{f.App, f.Release}]; at.After(used) {
			used = at
		}
		if used.Before(now.Add(-keep.Releases)) {
			delete(m.about, key)
			delete(m.files, key)
		}
	}
	return nil
}
