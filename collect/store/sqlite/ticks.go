package sqlite

import (
	"context"
	"database/sql"
	"slices"

	"github.com/fieldprof/fieldprof/collect/store"
)

// A question about ticks reads parts in one goroutine and adds them up in another. It goes over
// them twice: once for the sums of sites, which choose the sites that are kept, and once for the
// sums of these in each group. So it needs memory for the sites and the answer, however many
// groups there are.

// pageSize is how many sites have their counters together. Sites that no answer touches cost
// nothing, and there may be gaps: old sites are removed.
const pageSize = 1 << 12

// counters are a number for each site, as if in an array.
type counters[T int32 | int64] [][]T

func (c *counters[T]) at(site uint32) *T {
	page := int(site / pageSize)
	if page >= len(*c) {
		*c = append(*c, make([][]T, page+1-len(*c))...)
	}
	if (*c)[page] == nil {
		(*c)[page] = make([]T, pageSize)
	}
	return &(*c)[page][site%pageSize]
}

// Ticks adds up the ticks of sites.
func (s *Store) Ticks(ctx context.Context, of store.Selection, by store.Grouping, limit int) (*store.Ticks, error) {
	q, err := s.ask(ctx, of)
	if err != nil {
		return nil, err
	}
	if q == nil {
		return &store.Ticks{}, nil
	}
	defer q.close()
	answer, err := q.ticks(by, limit)
	return answer, explain(s.path, err)
}

func (q *question) ticks(by store.Grouping, limit int) (*store.Ticks, error) {
	if err := q.useFor(by); err != nil {
		return nil, err
	}
	g, err := q.groups(by)
	if err != nil {
		return nil, err
	}
	var all counters[int64]
	sites := 0
	err = q.parts(g, func(_ int, data []byte) error {
		return eachPair(data, func(site uint32, ticks int64) bool {
			n := all.at(site)
			if *n == 0 {
				sites++
			}
			*n += ticks
			return true
		})
	})
	if err != nil {
		return nil, err
	}
	kept := most(all, sites, limit)
	hashes, err := q.hashes(kept)
	if err != nil {
		return nil, err
	}
	answer := &store.Ticks{Groups: g.groups, Rest: make([]int64, len(g.groups))}
	if len(g.groups) != 1 {
		return answer, q.ticksOfGroups(g, kept, hashes, answer)
	}
	for _, page := range all {
		for _, n := range page {
			answer.Rest[0] += n
		}
	}
	for _, site := range kept {
		ticks := *all.at(site)
		answer.Sums = append(answer.Sums, store.Sum{Site: hashes[site], Ticks: ticks})
		answer.Rest[0] -= ticks
	}
	return answer, nil
}

// ticksOfGroups adds up the ticks of the kept sites in each group, and the rest.
func (q *question) ticksOfGroups(g *grouping, kept []uint32, hashes map[uint32]store.Hash, answer *store.Ticks) error {
	var rank counters[int32] // from 1 on
	for i, site := range kept {
		*rank.at(site) = int32(i + 1)
	}
	type cell struct {
		group int
		rank  int32
	}
	sums := map[cell]int64{}
	rows := make([][]int64, len(g.groups))
	err := q.parts(g, func(group int, data []byte) error {
		row := rows[group]
		if row == nil && len(kept)*len(rows) <= maxDense {
			row = make([]int64, len(kept))
			rows[group] = row
		}
		return eachPair(data, func(site uint32, ticks int64) bool {
			switch r := *rank.at(site) - 1; {
			case r < 0:
				answer.Rest[group] += ticks
			case row != nil:
				row[r] += ticks
			default:
				sums[cell{group, r}] += ticks
			}
			return true
		})
	})
	for group, row := range rows {
		for r, ticks := range row {
			if ticks != 0 {
				answer.Sums = append(answer.Sums, store.Sum{Group: group, Site: hashes[kept[r]], Ticks: ticks})
			}
		}
	}
	for at, ticks := range sums {
		answer.Sums = append(answer.Sums, store.Sum{Group: at.group, Site: hashes[kept[at.rank]], Ticks: ticks})
	}
	return err
}

// maxDense is up to how many sums of groups are kept in arrays.
const maxDense = 4 << 20

// most are the sites with the most ticks.
func most(all counters[int64], sites, limit int) (kept []uint32) {
	found := make([]pair, 0, sites)
	for page, of := range all {
		for i, n := range of {
			if n != 0 {
				found = append(found, pair{uint32(page*pageSize + i), n})
			}
		}
	}
	if len(found) > limit {
		slices.SortFunc(found, func(a, b pair) int {
			if a.ticks != b.ticks {
				return int(min(max(b.ticks-a.ticks, -1), 1))
			}
			return int(a.site) - int(b.site)
		})
		found = found[:limit]
	}
	for _, p := range found {
		kept = append(kept, p.site)
	}
	return kept
}

// hashes are the names of sites.
func (q *question) hashes(sites []uint32) (map[uint32]store.Hash, error) {
	found := make(map[uint32]store.Hash, len(sites))
	err := q.words(sites, "hash", siteTable, func(uint32) bool { return false }, func(id uint32, rows *sql.Rows) error {
		var hash int64
		err := rows.Scan(&id, &hash)
		found[id] = store.Hash(hash)
		return err
	})
	if err == nil && len(found) != len(sites) {
		err = errDamaged
	}
	return found, err
}

// parts calls a function for each part of the selection, in another goroutine than the one that
// reads them.
func (q *question) parts(g *grouping, do func(group int, data []byte) error) error {
	type part struct {
		group int
		data  []byte
	}
	const batch = 64
	full, empty := make(chan []part, 4), make(chan []part, 4)
	failed := make(chan error, 1)
	go func() {
		var err error
		for parts := range full {
			for _, p := range parts {
				if err == nil {
					err = do(p.group, p.data)
				}
			}
			select {
			case empty <- parts:
			default:
			}
		}
		failed <- err
	}()
	var parts []part
	err := q.cellsOf(g, "series, start, data", "JOIN part ON part.id = cell.part", func(rows *sql.Rows) error {
		var id uint32
		var start int64
		var data sql.RawBytes
		if err := rows.Scan(&id, &start, &data); err != nil {
			return err
		}
		group := g.of(id, start)
		if group < 0 {
			return nil
		}
		if len(parts) < cap(parts) {
			parts = parts[:len(parts)+1]
		} else {
			parts = append(parts, part{})
		}
		p := &parts[len(parts)-1]
		p.group, p.data = group, append(p.data[:0], data...)
		if len(parts) == batch {
			full <- parts
			select {
			case parts = <-empty:
				parts = parts[:0]
			default:
				parts = nil
			}
		}
		return nil
	})
	full <- parts
	close(full)
	if of := <-failed; err == nil {
		err = of
	}
	return err
}
