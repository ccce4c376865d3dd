package sqlite

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/fieldprof/fieldprof/collect/store"
)

func (q *question) selects(labels map[string]string) bool {
	for name, values := range q.of.Where {
		if !slices.Contains(values, labels[name]) {
			return false
		}
	}
	return true
}

// sorter sorts series into kinds of groups. There may be a million of them, so it looks at each label once,
// and then compares numbers.
type sorter struct {
	q       *question
	g       *grouping
	names   []string // that are asked for; the last is the single label, if there is one
	uses    map[uint32]use
	kinds   map[string]int
	values  []uint32 // of the series at hand: the label of each of By, 0 if unknown
	present []bool   // whether it has a label of each of names
	key     []byte
}

// use is what a label matters for.
type use struct {
	by    []int // in Grouping.By
	name  int   // in names; -1: nothing is asked of it
	fails bool
}

func newSorter(q *question, g *grouping) *sorter {
	s := &sorter{q: q, g: g, uses: map[uint32]use{}, kinds: map[string]int{}, values: make([]uint32, len(g.by.By))}
	for name := range q.of.Where {
		s.names = append(s.names, name)
	}
	if q.single != "" {
		s.names = append(s.names, q.single)
	}
	s.present = make([]bool, len(s.names))
	return s
}

// useOf says what a label matters for.
func (s *sorter) useOf(id uint32, labels map[uint32]labelRow) use {
	u, known := s.uses[id]
	if known {
		return u
	}
	label := labels[id]
	u.name = slices.Index(s.names, label.name)
	if values, asked := s.q.of.Where[label.name]; asked {
		u.fails = !slices.Contains(values, label.value)
	}
	for i, name := range s.g.by.By {
		if name == label.name {
			u.by = append(u.by, i)
		}
	}
	s.uses[id] = u
	return u
}

// kind is the kind of a series, or -1.
func (s *sorter) kind(row seriesRow, labels map[uint32]labelRow) int {
	clear(s.values)
	clear(s.present)
	for _, id := range row.labels {
		u := s.useOf(id, labels)
		if u.fails {
			return -1
		}
		for _, i := range u.by {
			s.values[i] = id
		}
		if u.name >= 0 {
			s.present[u.name] = true
		}
	}
	for i, name := range s.names {
		if !s.present[i] && (name == s.q.single || !slices.Contains(s.q.of.Where[name], "")) {
			return -1
		}
	}
	s.key = binary.LittleEndian.AppendUint64(s.key[:0], math.Float64bits(row.rate))
	s.key = binary.LittleEndian.AppendUint64(s.key, uint64(row.interval))
	for _, id := range s.values {
		s.key = binary.LittleEndian.AppendUint32(s.key, id)
	}
	kind, known := s.kinds[string(s.key)]
	if !known {
		kind = len(s.g.kinds)
		s.kinds[string(s.key)] = kind
		group := store.Group{Rate: row.rate, Interval: row.interval}
		for _, id := range s.values {
			group.Values = append(group.Values, labels[id].value)
		}
		s.g.kinds = append(s.g.kinds, group)
	}
	return kind
}
