package sqlite

import (
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/collect/store"
)

// labelCache keeps series and labels for questions.
type labelCache struct {
	sync.Mutex
	series cache[idKey, seriesRow]
	labels cache[idKey, labelRow]
}

type idKey struct {
	app int64
	id  uint32
}

type seriesRow struct {
	slow     bool
	rate     float64
	interval time.Duration
	labels   []uint32
}

type labelRow struct{ name, value string }

// series reads rows of series, and their labels.
func (q *question) series(ids []uint32) (map[uint32]seriesRow, map[uint32]labelRow, error) {
	c := &q.store.labels
	c.Lock()
	defer c.Unlock()
	c.series.limit, c.labels.limit = 1<<15, 1<<14
	series, labels := make(map[uint32]seriesRow, len(ids)), map[uint32]labelRow{}
	err := q.words(ids, "slow, rate, interval, labels", seriesTable, func(id uint32) bool {
		row, known := c.series.get(idKey{q.app, id})
		series[id] = row
		return known
	}, func(id uint32, rows *sql.Rows) error {
		var row seriesRow
		var encoded []byte
		if err := rows.Scan(&id, &row.slow, &row.rate, &row.interval, &encoded); err != nil {
			return err
		}
		var err error
		if row.labels, err = decodeIDs(encoded); err != nil {
			return err
		}
		series[id] = row
		c.series.put(idKey{q.app, id}, row)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	var used []uint32
	for _, row := range series {
		for _, id := range row.labels {
			if _, known := labels[id]; !known {
				labels[id] = labelRow{}
				used = append(used, id)
			}
		}
	}
	return series, labels, q.words(used, "name, value", labelTable, func(id uint32) bool {
		row, known := c.labels.get(idKey{q.app, id})
		labels[id] = row
		return known
	}, func(id uint32, rows *sql.Rows) error {
		var row labelRow
		if err := rows.Scan(&id, &row.name, &row.value); err != nil {
			return err
		}
		labels[id] = row
		c.labels.put(idKey{q.app, id}, row)
		return nil
	})
}

func decodeIDs(b []byte) (ids []uint32, _ error) {
	for len(b) > 0 {
		id, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, errDamaged
		}
		ids, b = append(ids, uint32(id)), b[n:]
	}
	return ids, nil
}

// words reads the rows of a table that are not known.
func (q *question) words(ids []uint32, columns string, t table, known func(uint32) bool, scan func(uint32, *sql.Rows) error) error {
	missing := slices.DeleteFunc(slices.Clone(ids), known)
	slices.Sort(missing)
	for some := range slices.Chunk(missing, 5000) {
		first, last := some[0], some[len(some)-1]
		which := "id IN (SELECT value FROM json_each(?))"
		if int(last-first) < 4*len(some) { // To read all of them in order is faster: + keeps SQLite from seeking each.
			which = "+" + which
		}
		rows, err := q.conn.QueryContext(q.ctx, "SELECT id, "+columns+" FROM "+t.name+" WHERE app = ? AND "+which+" AND id BETWEEN ? AND ?", q.app, idList(some), first, last)
		if err := each(rows, err)(func(rows *sql.Rows) error { return scan(0, rows) }); err != nil {
			return err
		}
	}
	return nil
}

func idList[T uint32 | int64](ids []T) string {
	b, err := json.Marshal(ids)
	if err != nil {
		panic(err) // these are numbers
	}
	return string(b)
}

// grouping finds the group of a cell.
type grouping struct {
	by     store.Grouping
	series map[uint32]int // the kind of each series; -1: it is not selected
	kinds  []store.Group  // groups without their time
	index  map[groupKey]int
	groups []store.Group
}

type groupKey struct {
	kind int
	at   int64
}

// groups finds out which series are selected, and what is their group.
func (q *question) groups(by store.Grouping) (*grouping, error) {
	ids, err := q.usedSeries()
	if err != nil {
		return nil, err
	}
	g := &grouping{by: by, series: make(map[uint32]int, len(ids)), index: map[groupKey]int{}}
	sorter := newSorter(q, g)
	for some := range slices.Chunk(ids, 5000) {
		rows, labels, err := q.series(some)
		if err != nil {
			return nil, err
		}
		for id, row := range rows {
			g.series[id] = sorter.kind(row, labels)
		}
	}
	return g, nil
}

// of is the index of the group of a cell, or -1.
func (g *grouping) of(series uint32, start int64) int {
	kind, known := g.series[series]
	if !known || kind < 0 {
		return -1
	}
	key := groupKey{kind: kind}
	group := g.kinds[kind]
	if g.by.Step > 0 {
		group.At = time.Unix(start*60, 0).UTC().Truncate(g.by.Step)
		key.at = group.At.Unix()
	}
	i, known := g.index[key]
	if !known {
		i = len(g.groups)
		g.index[key] = i
		g.groups = append(g.groups, group)
	}
	return i
}

// selected are the series that are selected, as a list for SQL; all says that it is all of them.
func (g *grouping) selected() (ids string, all bool) {
	var selected []uint32
	for id, kind := range g.series {
		if kind >= 0 {
			selected = append(selected, id)
		}
	}
	return idList(selected), len(selected) == len(g.series)
}

const inSpan = "app = ? AND tier = ? AND grain = ? AND period BETWEEN ? AND ? AND start >= ? AND start < ?"

func (q *question) span(s span) []any {
	return []any{q.app, q.tier, s.grain, floor(s.from, periodLength[s.grain]), floor(s.to-1, periodLength[s.grain]), s.from, s.to}
}

// usedSeries are the series that have cells in the question's time.
func (q *question) usedSeries() (ids []uint32, _ error) {
	known := map[uint32]bool{}
	for _, s := range q.spans {
		rows, err := q.conn.QueryContext(q.ctx, "SELECT DISTINCT series FROM cell WHERE "+inSpan, q.span(s)...)
		err = each(rows, err)(func(rows *sql.Rows) error {
			var id uint32
			if err := rows.Scan(&id); err != nil {
				return err
			}
			if !known[id] {
				known[id] = true
				ids = append(ids, id)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// cellsOf reads columns of the cells of the selected series.
func (q *question) cellsOf(g *grouping, columns, join string, scan func(*sql.Rows) error) error {
	ids, all := g.selected()
	for _, s := range q.spans {
		query, args := "SELECT "+columns+" FROM cell "+join+" WHERE "+inSpan, q.span(s)
		if !all {
			query, args = query+" AND series IN (SELECT value FROM json_each(?))", append(args, ids)
		}
		rows, err := q.conn.QueryContext(q.ctx, query, args...)
		if err := each(rows, err)(scan); err != nil {
			return err
		}
	}
	return nil
}
