package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
)

// Write adds the chunks that are not known yet, in one transaction.
func (s *Store) Write(ctx context.Context, _ record.ID, chunks []*record.Chunk) (w store.Written, _ error) {
	err := s.transact(ctx, func() error {
		fresh, err := s.unseen(ctx, chunks)
		if err != nil {
			return err
		}
		w = store.Written{New: len(fresh), Known: len(chunks) - len(fresh)}
		b := batch{Store: s, ctx: ctx, cells: cells{}, views: map[viewKey]*viewChange{}, releases: map[releaseKey]int64{}}
		for _, c := range fresh {
			if err := b.add(c); err != nil {
				return err
			}
		}
		return b.write()
	})
	if err != nil {
		return store.Written{}, err
	}
	return w, nil
}

// unseen are the chunks that the store has not been given yet. From now on it knows them.
func (s *Store) unseen(ctx context.Context, chunks []*record.Chunk) (fresh []*record.Chunk, _ error) {
	known := map[record.ID]bool{}
	const query = "SELECT 1 FROM seen WHERE generation IN (SELECT id FROM generation) AND id = ?"
	for _, c := range chunks {
		if !known[c.ID] {
			var one int
			found, err := s.w.one(query, []any{c.ID[:]}, &one)
			if err != nil {
				return nil, err
			}
			if !found {
				fresh = append(fresh, c)
			}
		}
		known[c.ID] = true
	}
	inOrder := slices.Clone(fresh) // of the table, which is cheaper
	slices.SortFunc(inOrder, func(a, b *record.Chunk) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	for _, c := range inOrder {
		if err := s.w.run(ctx, "INSERT INTO seen (generation, id) VALUES (?, ?)", s.generation, c.ID[:]); err != nil {
			return nil, err
		}
	}
	return fresh, nil
}

// batch is what the chunks of a batch change.
type batch struct {
	*Store
	ctx      context.Context
	cells    cells
	views    map[viewKey]*viewChange
	releases map[releaseKey]int64 // when each was last used
}

type releaseKey struct {
	app  int64
	name string
}

// mainSeries is the series of the labels that most questions are about.
func mainSeries(s *record.Series) *record.Series {
	main := *s
	main.Labels = record.Labels{record.Release: s.Labels[record.Release], record.Route: s.Labels[record.Route]}
	return &main
}

func isMain(name string) bool { return name == record.Release || name == record.Route }

// home is where a chunk counts: its series in each tier.
type home struct {
	tier, all, main int64
	single          []int64
}

func (h *home) each(do func(tier, series int64)) {
	do(h.tier, h.all)
	do(h.tier+mainLabels, h.main)
	for _, series := range h.single {
		do(h.tier+oneLabel, series)
	}
}

// homeOf is where a series counts.
func (b *batch) homeOf(s *record.Series, app, now int64) (h home, err error) {
	if s.Slow {
		h.tier = allLabelsSlow
	}
	of := func(s *record.Series) int64 {
		id := uint32(0)
		if err == nil {
			id, err = b.internSeries(b.ctx, app, s, now)
		}
		return int64(id)
	}
	h.all, h.main = of(s), of(mainSeries(s))
	for _, name := range slices.Sorted(maps.Keys(s.Labels)) {
		if s.Labels[name] != "" {
			single := *s
			single.Labels = record.Labels{name: s.Labels[name]}
			h.single = append(h.single, of(&single))
		}
	}
	return h, err
}

func (b *batch) add(c *record.Chunk) error {
	app, err := b.app(b.ctx, c.App)
	if err != nil {
		return err
	}
	now, minute := periodOf(c.At), floor(c.At.Unix(), 60)
	at, err := b.homeOf(&c.Series, app, now)
	if err != nil {
		return err
	}
	add := sums{chunks: 1, observed: int64(c.Observed)}
	var pairs []pair
	if c.Profile != nil {
		add.ticks, add.busy = c.Profile.Samples.Ticks(), record.BusyTicks(c.Profile)
		ids, err := b.internSites(b.ctx, app, c.Profile, now)
		if err != nil {
			return err
		}
		for i, id := range ids {
			pairs = append(pairs, pair{id, int64(c.Profile.Samples.Weight[i])})
		}
	}
	at.each(func(tier, series int64) {
		cell := b.cells.at(app, tier, series, minute)
		cell.add(&add, 1)
		if tier < oneLabel {
			cell.pairs = append(cell.pairs, pairs...)
		}
	})
	if err := b.addView(c, app, at, minute); err != nil {
		return err
	}
	release := releaseKey{app, c.Labels[record.Release]}
	b.releases[release] = max(b.releases[release], c.At.Unix())
	for i := range c.Slices {
		if err := b.addSlice(&c.Slices[i], app, now); err != nil {
			return err
		}
	}
	if c.Example == nil {
		return nil
	}
	return b.w.run(b.ctx, "INSERT INTO example (app, at, id, series, slow, ticks, busy, profile) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		app, nanoseconds(c.At), c.ID[:], at.all, c.Slow, add.ticks, add.busy, c.Example)
}

func (b *batch) write() error {
	if err := b.writeViews(); err != nil {
		return err
	}
	if err := b.cells.spread(&b.levels).write(b.ctx, b.w); err != nil {
		return err
	}
	for of, last := range b.releases {
		// To the hour: it need not be written with each batch.
		last = floor(last, int64(time.Hour/time.Second)) * int64(time.Hour/time.Second)
		if err := b.w.run(b.ctx, "INSERT INTO release (app, name, last) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET last = excluded.last WHERE last < excluded.last", of.app, of.name, last); err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) addSlice(s *record.Slice, app, now int64) error {
	if s.App != "" {
		var err error
		if app, err = b.app(b.ctx, s.App); err != nil {
			return err
		}
	}
	series, err := b.internSeries(b.ctx, app, &s.Series, now)
	if err != nil {
		return err
	}
	return b.w.run(b.ctx, `INSERT INTO slice (app, day, at, id, series, view, what, name, target, detail, time, duration, input_delay, processing, presentation,
		cause, cause_file, cause_line, cause_col, cause_flags, cause_group, cause_time, trace) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		app, floor(s.At.Unix(), 24*3600), nanoseconds(s.At), s.ID[:], series, s.View[:], string(s.Mark.What), s.Mark.Name, s.Mark.Target, s.Mark.Detail,
		int64(s.Mark.Time), int64(s.Mark.Duration), int64(s.Mark.InputDelay), int64(s.Mark.Processing), int64(s.Mark.Presentation),
		s.Cause.Name, s.Cause.File, s.Cause.Line, s.Cause.Column, int64(s.Cause.Flags), s.CauseGroup, int64(s.CauseTime), s.Trace)
}

// compareKeys orders keys of views.
func (k viewKey) compare(o viewKey) int {
	return cmp.Or(cmp.Compare(k.app, o.app), bytes.Compare(k.id[:], o.id[:]))
}
