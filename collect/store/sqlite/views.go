package sqlite

import (
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/profile"
)

// A page view counts in one cell of each tier. When its next chunk changes what is known of it,
// the old counts leave their cell, and the new ones enter theirs.

type viewKey struct {
	app int64
	id  record.ID
}

// viewState is what is known of a view.
type viewState struct {
	first   int64    // minute
	home             // of the latest chunk
	number  int64    // of the latest chunk
	counted int64    // the number of the latest chunk that has counts; -1: none has
	counts  [5]int64 // interactions, slow ones, long tasks, INP, P75
}

type viewChange struct {
	generation    int64 // in which it is stored; 0: it is new
	before, after viewState
}

func (v *viewState) numbers() []*int64 {
	return []*int64{&v.first, &v.tier, &v.all, &v.main, &v.number, &v.counted, &v.counts[0], &v.counts[1], &v.counts[2], &v.counts[3], &v.counts[4]}
}

func (v *viewState) encode() (b []byte) {
	for _, n := range v.numbers() {
		b = binary.AppendVarint(b, *n)
	}
	for _, series := range v.single {
		b = binary.AppendVarint(b, series)
	}
	return b
}

func decodeView(b []byte) (v viewState, _ error) {
	numbers := v.numbers()
	for i := 0; i < len(numbers) || len(b) > 0; i++ {
		value, n := binary.Varint(b)
		if n <= 0 {
			return v, errDamaged
		}
		if b = b[n:]; i < len(numbers) {
			*numbers[i] = value
		} else {
			v.single = append(v.single, value)
		}
	}
	return v, nil
}

// sums are what a view adds to its cells.
func (v *viewState) sums() *sums {
	s := &sums{views: 1}
	if v.counted < 0 {
		return s
	}
	s.counted, s.interactions, s.slow, s.longTasks = 1, v.counts[0], v.counts[1], v.counts[2]
	for i, h := range []*record.Histogram{&s.inp, &s.p75} {
		if d := time.Duration(v.counts[3+i]); d > 0 {
			*h = record.Histogram{}
			h.Add(d, 1)
		}
	}
	return s
}

func (b *batch) addView(c *record.Chunk, app int64, at home, minute int64) error {
	if c.View.IsZero() {
		return nil
	}
	key := viewKey{app, c.View}
	v := b.views[key]
	if v == nil {
		v = &viewChange{after: viewState{first: minute, counted: -1}}
		var state []byte
		found, err := b.w.one("SELECT generation, state FROM view WHERE generation IN (SELECT id FROM generation) AND app = ? AND id = ?", []any{app, c.View[:]}, &v.generation, &state)
		if err != nil {
			return err
		}
		if found {
			if v.before, err = decodeView(state); err != nil {
				return err
			}
			v.after = v.before
		}
		b.views[key] = v
	}
	number := max(0, int64(c.Number))
	v.after.first = min(v.after.first, minute)
	if number >= v.after.number {
		v.after.number, v.after.home = number, at
	}
	if n := c.Counts; n != nil && number >= v.after.counted {
		v.after.counted = number
		v.after.counts = [...]int64{n.Interactions, n.Slow[profile.Interaction], n.LongTasks, int64(n.INP), int64(n.P75)}
	}
	return nil
}

// writeViews stores what is known of views, and counts the difference.
func (b *batch) writeViews() error {
	for _, key := range slices.SortedFunc(maps.Keys(b.views), viewKey.compare) {
		v := b.views[key]
		count := func(of *viewState, sign int64) {
			of.each(func(tier, series int64) { b.cells.at(key.app, tier, series, of.first).add(of.sums(), sign) })
		}
		count(&v.after, 1)
		if v.generation != 0 {
			count(&v.before, -1)
			if v.generation != b.generation {
				if err := b.w.run(b.ctx, "DELETE FROM view WHERE generation = ? AND app = ? AND id = ?", v.generation, key.app, key.id[:]); err != nil {
					return err
				}
			}
		}
		if err := b.w.run(b.ctx, "INSERT OR REPLACE INTO view (generation, app, id, state) VALUES (?, ?, ?, ?)", b.generation, key.app, key.id[:], v.after.encode()); err != nil {
			return err
		}
	}
	return nil
}
