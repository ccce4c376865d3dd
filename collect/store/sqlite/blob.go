package sqlite

import (
	"cmp"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/fieldprof/fieldprof/collect/record"
)

var errDamaged = errors.New("the store is damaged: a row cannot be read; restore it from a backup")

// pair is the ticks of a site. Lists of pairs are in order of sites, each of them once.
type pair struct {
	site  uint32
	ticks int64
}

// tidy puts pairs in order, and adds up those of one site.
func tidy(pairs []pair) []pair {
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Compare(a.site, b.site) })
	kept := pairs[:0]
	for _, p := range pairs {
		if n := len(kept); n > 0 && kept[n-1].site == p.site {
			kept[n-1].ticks += p.ticks
		} else {
			kept = append(kept, p)
		}
	}
	return kept
}

// merge adds up two tidy lists.
func merge(a, b []pair) []pair {
	if len(a) == 0 {
		return b
	}
	sum := make([]pair, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].site < b[0].site:
			sum, a = append(sum, a[0]), a[1:]
		case a[0].site > b[0].site:
			sum, b = append(sum, b[0]), b[1:]
		default:
			sum, a, b = append(sum, pair{a[0].site, a[0].ticks + b[0].ticks}), a[1:], b[1:]
		}
	}
	return append(append(sum, a...), b...)
}

// encodePairs writes a tidy list: the distance from the site before, and the ticks.
func encodePairs(pairs []pair) []byte {
	b := make([]byte, 0, 3*len(pairs))
	last := uint32(0)
	for _, p := range pairs {
		b = binary.AppendUvarint(b, uint64(p.site-last))
		b = binary.AppendUvarint(b, uint64(p.ticks))
		last = p.site
	}
	return b
}

// eachPair reads what encodePairs wrote. Most numbers are below 128.
func eachPair(b []byte, do func(site uint32, ticks int64) bool) error {
	site := uint64(0)
	for i := 0; i < len(b); {
		step, n := uint64(b[i]), 1
		if step >= 0x80 {
			step, n = binary.Uvarint(b[i:])
		}
		if i += n; n <= 0 || i >= len(b) {
			return errDamaged
		}
		ticks, n := uint64(b[i]), 1
		if ticks >= 0x80 {
			ticks, n = binary.Uvarint(b[i:])
		}
		if i += n; n <= 0 || step > math.MaxUint32 || ticks > math.MaxInt64 {
			return errDamaged
		}
		if site += step; site > math.MaxUint32 || !do(uint32(site), int64(ticks)) {
			return errDamaged
		}
	}
	return nil
}

func decodePairs(b []byte) ([]pair, error) {
	pairs := make([]pair, 0, len(b)/2)
	err := eachPair(b, func(site uint32, ticks int64) bool {
		pairs = append(pairs, pair{site, ticks})
		return true
	})
	return pairs, err
}

// sums are what is added up, apart from ticks of sites.
type sums struct {
	chunks, ticks, busy, observed                 int64
	views, counted, interactions, slow, longTasks int64
	inp, p75                                      record.Histogram
}

func (s *sums) numbers() []*int64 {
	return []*int64{&s.chunks, &s.ticks, &s.busy, &s.observed, &s.views, &s.counted, &s.interactions, &s.slow, &s.longTasks}
}

// add adds other sums, sign times.
func (s *sums) add(other *sums, sign int64) {
	of := other.numbers()
	for i, n := range s.numbers() {
		*n += sign * *of[i]
	}
	join := func(into *record.Histogram, from record.Histogram) {
		for class, n := range from {
			if *into == nil {
				*into = record.Histogram{}
			}
			if (*into)[class] += sign * n; (*into)[class] == 0 {
				delete(*into, class)
			}
		}
	}
	join(&s.inp, other.inp)
	join(&s.p75, other.p75)
}

func (s *sums) isZero() bool {
	for _, n := range s.numbers() {
		if *n != 0 {
			return false
		}
	}
	return len(s.inp) == 0 && len(s.p75) == 0
}

// encode writes the numbers, without the zeros at the end.
func (s *sums) encode() []byte {
	var b []byte
	end := 0
	for _, n := range s.numbers() {
		if b = binary.AppendVarint(b, *n); *n != 0 {
			end = len(b)
		}
	}
	for _, h := range []record.Histogram{s.inp, s.p75} {
		if b = binary.AppendUvarint(b, uint64(len(h))); len(h) > 0 {
			for _, class := range slices.Sorted(maps.Keys(h)) {
				b = binary.AppendVarint(b, int64(class))
				b = binary.AppendVarint(b, h[class])
			}
			end = len(b)
		}
	}
	return b[:end]
}

func decodeSums(b []byte) (s sums, _ error) {
	failed := false
	next := func() int64 {
		if len(b) == 0 {
			return 0
		}
		v, n := binary.Varint(b)
		if n <= 0 {
			failed, b = true, nil
			return 0
		}
		b = b[n:]
		return v
	}
	for _, n := range s.numbers() {
		*n = next()
	}
	for _, h := range []*record.Histogram{&s.inp, &s.p75} {
		if len(b) == 0 {
			break
		}
		classes, n := binary.Uvarint(b)
		if n <= 0 || classes > uint64(len(b)) {
			return s, errDamaged
		}
		if b = b[n:]; classes > 0 {
			*h = make(record.Histogram, classes)
		}
		for range classes {
			class := next()
			(*h)[int16(class)] = next()
		}
	}
	if failed || len(b) > 0 {
		return s, errDamaged
	}
	return s, nil
}
