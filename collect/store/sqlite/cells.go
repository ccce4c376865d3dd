package sqlite

import (
	"cmp"
	"context"
	"maps"
	"slices"
)

// cellKey is the key of a cell.
type cellKey struct {
	app    int64
	tier   int64
	grain  int
	period int64
	series int64
	start  int64 // minute
}

func (k cellKey) compare(o cellKey) int {
	return cmp.Or(cmp.Compare(k.app, o.app), cmp.Compare(k.tier, o.tier), cmp.Compare(k.grain, o.grain),
		cmp.Compare(k.period, o.period), cmp.Compare(k.series, o.series), cmp.Compare(k.start, o.start))
}

func (k cellKey) args() []any { return []any{k.app, k.tier, k.grain, k.period, k.series, k.start} }

// addition is what is to be added to a cell.
type addition struct {
	sums
	pairs []pair
}

// cells collects additions.
type cells map[cellKey]*addition

// at is the addition to a cell of a minute.
func (c cells) at(app, tier, series, minute int64) *addition {
	key := cellKey{app, tier, minutes, floor(minute, periodLength[minutes]), series, minute}
	if c[key] == nil {
		c[key] = &addition{}
	}
	return c[key]
}

// spread returns additions to minutes as additions to all cells that hold these minutes.
func (c cells) spread(l *levels) cells {
	all := make(cells, len(c))
	for _, a := range c {
		a.pairs = tidy(a.pairs)
	}
	for key, a := range c {
		for grain := range grains {
			if !l.holds(grain, key.start, place{key.app, key.tier, key.series}) {
				continue
			}
			to := key
			to.grain, to.period = grain, floor(key.start, periodLength[grain])
			to.start = floor(key.start, length[grain]) * length[grain]
			all.add(to, a)
		}
	}
	return all
}

func (c cells) add(key cellKey, a *addition) {
	if sum := c[key]; sum != nil {
		sum.add(&a.sums, 1)
		sum.pairs = merge(sum.pairs, a.pairs)
		return
	}
	sum := &addition{pairs: a.pairs}
	sum.add(&a.sums, 1)
	c[key] = sum
}

// write adds to the cells of the file, in order of their keys.
func (c cells) write(ctx context.Context, w *statements) error {
	for _, key := range slices.SortedFunc(maps.Keys(c), cellKey.compare) {
		if err := c[key].write(ctx, w, key); err != nil {
			return err
		}
	}
	return nil
}

func (a *addition) write(ctx context.Context, w *statements, key cellKey) error {
	var encoded []byte
	var part *int64
	const which = " WHERE app = ? AND tier = ? AND grain = ? AND period = ? AND series = ? AND start = ?"
	known, err := w.one("SELECT sums, part FROM cell"+which, key.args(), &encoded, &part)
	if err != nil {
		return err
	}
	before, err := decodeSums(encoded)
	if err != nil {
		return err
	}
	a.add(&before, 1)
	if a.pairs, part, err = writePart(ctx, w, a.pairs, part); err != nil {
		return err
	}
	switch {
	case known && a.isZero() && part == nil: // a view has gone elsewhere
		return w.run(ctx, "DELETE FROM cell"+which, key.args()...)
	case known:
		return w.run(ctx, "UPDATE cell SET sums = ?, part = ?"+which, append([]any{a.encode(), part}, key.args()...)...)
	case a.isZero() && part == nil:
		return nil
	}
	return w.run(ctx, "INSERT INTO cell (app, tier, grain, period, series, start, sums, part) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", append(key.args(), a.encode(), part)...)
}

// writePart adds pairs to a part, which it makes if there is none.
func writePart(ctx context.Context, w *statements, pairs []pair, part *int64) ([]pair, *int64, error) {
	if len(pairs) == 0 {
		return pairs, part, nil
	}
	if part == nil {
		var id int64
		_, err := w.one("INSERT INTO part (data) VALUES (?) RETURNING id", []any{encodePairs(pairs)}, &id)
		return pairs, &id, err
	}
	var data []byte
	if known, err := w.one("SELECT data FROM part WHERE id = ?", []any{*part}, &data); err != nil || !known {
		return nil, nil, cmp.Or(err, errDamaged)
	}
	before, err := decodePairs(data)
	if err != nil {
		return nil, nil, err
	}
	pairs = merge(before, pairs)
	return pairs, part, w.run(ctx, "UPDATE part SET data = ? WHERE id = ?", encodePairs(pairs), *part)
}
