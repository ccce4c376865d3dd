package memory

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

// Slices are what was slow.
func (m *Store) Slices(_ context.Context, s store.Selection, q store.SliceQuery) (found []record.Slice, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.chunks {
		for _, slice := range c.Slices {
			if slice.App != s.App || slice.At.Before(s.From) || !slice.At.Before(s.To) || !fits(&slice.Series, s) || !asked(&slice.Mark, q) {
				continue
			}
			if q.Traces == 0 {
				slice.Trace = nil
			}
			found = append(found, slice)
		}
	}
	slices.SortFunc(found, func(a, b record.Slice) int {
		return cmp.Or(cmp.Compare(b.Mark.Duration, a.Mark.Duration), bytes.Compare(a.ID[:], b.ID[:]))
	})
	found = found[:min(q.Limit, len(found))]
	for i, left := 0, q.Traces; i < len(found); i++ {
		if left -= int64(len(found[i].Trace)); left < 0 {
			return found[:i], nil
		}
	}
	return found, nil
}

func asked(m *profile.Mark, q store.SliceQuery) bool {
	return (q.What == "" || m.What == q.What) && (q.Name == "" || m.Name == q.Name) && (q.Target == "" || m.Target == q.Target) &&
		(q.Longest == 0 || m.Duration <= q.Longest)
}

// Slice is one slice.
func (m *Store) Slice(_ context.Context, app string, id record.ID) (*record.Slice, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.chunks {
		for _, slice := range c.Slices {
			if slice.App == app && slice.ID == id {
				return &slice, nil
			}
		}
	}
	return nil, store.ErrUnknown
}

// Examples are chunks that are kept whole.
func (m *Store) Examples(_ context.Context, s store.Selection, limit int) (found []store.Example, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.selected(s) {
		if c.Example != nil {
			e := exampleOf(c)
			e.Profile = nil
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b store.Example) int {
		return cmp.Or(b.At.Compare(a.At), bytes.Compare(a.ID[:], b.ID[:]))
	})
	return found[:min(limit, len(found))], nil
}

func exampleOf(c *record.Chunk) store.Example {
	e := store.Example{ID: c.ID, Series: c.Series, At: c.At, Profile: c.Example}
	if c.Profile != nil {
		e.Ticks, e.Busy = c.Profile.Samples.Ticks(), record.BusyTicks(c.Profile)
	}
	return e
}

// Example is one example.
func (m *Store) Example(_ context.Context, app string, id record.ID) (*store.Example, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.chunks {
		if c.App == app && c.ID == id && c.Example != nil {
			e := exampleOf(c)
			return &e, nil
		}
	}
	return nil, store.ErrUnknown
}

// PutFile adds a file.
func (m *Store) PutFile(_ context.Context, f store.File, content []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := store.File{App: f.App, Release: f.Release, Name: f.Name}
	m.files[key], m.about[key] = slices.Clone(content), f
	return nil
}

// Files are the files of a release.
func (m *Store) Files(_ context.Context, app, release string) (found []store.File, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range m.about {
		if f.App == app && (release == "" || f.Release == release) {
			found = append(found, f)
		}
	}
	slices.SortFunc(found, func(a, b store.File) int {
		return cmp.Or(cmp.Compare(a.Release, b.Release), cmp.Compare(a.Name, b.Name))
	})
	return found, nil
}

// FileContent is the content of a file.
func (m *Store) FileContent(_ context.Context, app, release, name string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	content, known := m.files[store.File{App: app, Release: release, Name: name}]
	if !known {
		return nil, store.ErrUnknown
	}
	return content, nil
}
