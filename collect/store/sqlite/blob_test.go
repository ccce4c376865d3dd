package sqlite

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/fieldprof/fieldprof/collect/record"
)

// FuzzBlobs reads damaged blobs, and writes again what it has read.
func FuzzBlobs(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{1, 2, 0x80})
	f.Add(encodePairs([]pair{{0, 1}, {3, 500}, {1<<32 - 1, 1 << 62}}))
	f.Add((&sums{chunks: 1, views: -3, inp: record.Histogram{-5: 2, 700: 1}}).encode())
	f.Add((&viewState{first: 7, home: home{tier: 1, all: 2, main: 3, single: []int64{4, 5}}}).encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		if pairs, err := decodePairs(b); err == nil {
			again, err := decodePairs(encodePairs(pairs))
			if err != nil || !reflect.DeepEqual(again, pairs) {
				t.Errorf("pairs %v are read as %v, %v", pairs, again, err)
			}
		}
		if s, err := decodeSums(b); err == nil {
			again, err := decodeSums(s.encode())
			if err != nil || again.isZero() != s.isZero() || !bytes.Equal(again.encode(), s.encode()) {
				t.Errorf("sums %+v are read as %+v, %v", s, again, err)
			}
		}
		if v, err := decodeView(b); err == nil {
			again, err := decodeView(v.encode())
			if err != nil || !reflect.DeepEqual(again, v) {
				t.Errorf("a view %+v is read as %+v, %v", v, again, err)
			}
		}
		_, _ = decodeIDs(b)
	})
}
