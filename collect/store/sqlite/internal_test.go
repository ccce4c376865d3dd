package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

func openForTest(t *testing.T) *Store {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "store.db"), store.DefaultRetention())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// testChunk has its own function, and 10 ticks.
func testChunk(i int, at time.Time) *record.Chunk {
	b := &profile.Builder{}
	f := b.Function(profile.Function{Name: fmt.Sprint("f", i), File: strings.Repeat("long", 1000)})
	b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(f, 1, 1)), Weight: 10})
	return &record.Chunk{ID: record.IDOf(fmt.Sprint(i)), At: at, View: record.IDOf("view", fmt.Sprint(i/3)), Number: i % 3, Profile: record.Sum(b.Profile()),
		Series: record.Series{App: "shop", Rate: 1, Interval: time.Millisecond, Labels: record.Labels{record.Route: fmt.Sprint(i % 5), "x-n": fmt.Sprint(i)}}}
}

func sumsOf(t *testing.T, s *Store) (chunks, ticks, views int64) {
	t.Helper()
	all := store.Selection{App: "shop", To: time.Unix(1e11, 0)}
	totals, err := s.Totals(t.Context(), all, store.Grouping{})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := s.Ticks(t.Context(), all, store.Grouping{}, 1e9)
	if err != nil {
		t.Fatal(err)
	}
	for _, total := range totals {
		chunks, views = chunks+total.Chunks, views+total.Views
	}
	for _, sum := range answer.Sums {
		ticks += sum.Ticks
	}
	return chunks, ticks, views
}

// TestDiskFull lets writes fail for want of room. What failed can be written again.
func TestDiskFull(t *testing.T) {
	s := openForTest(t)
	ctx := context.Background()
	room := func(pages int) {
		var n int
		if _, err := s.w.one(fmt.Sprint("PRAGMA max_page_count = ", pages), nil, &n); err != nil {
			t.Fatal(err)
		}
	}
	at := time.Unix(1e9, 0)
	full := 0
	pages := 60
	for n := 0; n < 600; n += 60 {
		var batch []*record.Chunk
		for i := range 60 {
			batch = append(batch, testChunk(n+i, at))
		}
		room(pages)
		for {
			_, err := s.Write(ctx, record.ID{}, batch)
			if err == nil {
				break
			}
			full++
			if !strings.Contains(err.Error(), "the disk is full; make room") {
				t.Fatalf("a full disk: %v", err)
			}
			if chunks, ticks, _ := sumsOf(t, s); chunks != int64(n) || ticks != int64(10*n) {
				t.Fatalf("after a batch that failed there are %d chunks and %d ticks, want those of %d", chunks, ticks, n)
			}
			pages += 40
			room(pages)
		}
	}
	if full == 0 {
		t.Fatal("the disk was never full")
	}
	if chunks, ticks, views := sumsOf(t, s); chunks != 600 || ticks != 6000 || views != 200 {
		t.Errorf("there are %d chunks, %d ticks, %d views", chunks, ticks, views)
	}
}

// TestTooLong writes what SQLite cannot hold, which is refused for good.
func TestTooLong(t *testing.T) {
	s := openForTest(t)
	if _, err := driver.Limit(s.w.conn, lib.SQLITE_LIMIT_LENGTH, 100_000); err != nil {
		t.Fatal(err)
	}
	c := testChunk(1, time.Unix(1e9, 0))
	c.Example = make([]byte, 200_000)
	if _, err := s.Write(t.Context(), record.ID{}, []*record.Chunk{c}); !errors.Is(err, store.ErrRefused) {
		t.Errorf("an example that is too long: %v", err)
	}
	c.Example = nil
	if _, err := s.Write(t.Context(), record.ID{}, []*record.Chunk{c}); err != nil {
		t.Error(err)
	}
}

// TestNothingRemains lets all data become too old. Nothing may be left of it.
func TestNothingRemains(t *testing.T) {
	s := openForTest(t)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var batch []*record.Chunk
	for i := range 50 {
		c := testChunk(i, at)
		c.Slices = []record.Slice{{ID: record.IDOf("slice", fmt.Sprint(i)), Series: c.Series, At: at, Trace: []byte("trace")}}
		c.Example = []byte("example")
		batch = append(batch, c)
	}
	if _, err := s.Write(t.Context(), record.ID{}, batch); err != nil {
		t.Fatal(err)
	}
	if err := s.PutFile(t.Context(), store.File{App: "shop", Release: "1", Name: "a.map", Uploaded: at}, bytes.Repeat([]byte("a"), 1<<21)); err != nil {
		t.Fatal(err)
	}
	for _, later := range []time.Duration{0, 30, 80, 130, 600, 601, 604} {
		if err := s.Maintain(t.Context(), at.Add(later*24*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	for _, table := range []string{"label", "series", "function", "frame", "site", "cell", "part", "seen", "view", "slice", "example", "release", "file", "piece"} {
		var n int
		if _, err := s.w.one("SELECT count(*) FROM "+table, nil, &n); err != nil || n != 0 {
			t.Errorf("%d rows are left in %s, %v", n, table, err)
		}
	}
	// What comes next gets numbers of its own, and is found by them.
	if _, err := s.Write(t.Context(), record.ID{}, []*record.Chunk{testChunk(1, at.Add(700*24*time.Hour))}); err != nil {
		t.Fatal(err)
	}
	if chunks, ticks, views := sumsOf(t, s); chunks != 1 || ticks != 10 || views != 1 {
		t.Errorf("there are %d chunks, %d ticks, %d views", chunks, ticks, views)
	}
}

// TestPlan checks that a plan covers each minute of a selection once, and no other unless it must.
func TestPlan(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 18))
	for range 2000 {
		day := int64(random.IntN(40) - 20)
		var l levels
		l[days].rolled = day + int64(random.IntN(8))
		l[hours].rolled = l[days].rolled*24 + int64(random.IntN(60))
		l[days].kept = l[days].rolled - int64(random.IntN(10))
		l[hours].kept = l[days].rolled - int64(random.IntN(5))
		l[minutes].kept = min(l[hours].rolled, l[hours].kept*24+int64(random.IntN(70)))
		from := day*1440 + random.Int64N(8000) - 2000
		to := from + random.Int64N(8000)
		step := []time.Duration{0, time.Minute, time.Hour, 24 * time.Hour}[random.IntN(4)]
		spans := plan(&l, from, to, step)
		next, covered := int64(-1<<60), int64(0)
		for _, s := range spans {
			if s.from < next || s.from >= s.to || s.from%length[s.grain] != 0 || s.to%length[s.grain] != 0 {
				t.Fatalf("%+v of %d to %d with %+v: out of order or uneven", spans, from, to, l)
			}
			next = s.to
			for at := s.from; at < s.to; at += length[s.grain] {
				covered += min(at+length[s.grain], to) - max(at, from)
				if fault := faultOf(&l, s.grain, at, from, to, step); fault != "" {
					t.Fatalf("%+v of %d to %d by %v with %+v: %d %s", spans, from, to, step, l, at, fault)
				}
			}
		}
		if want := to - max(from, l[days].kept*1440); covered != max(0, want) {
			t.Fatalf("%+v of %d to %d with %+v: %d minutes, want %d", spans, from, to, l, covered, want)
		}
	}
}

// faultOf says why a cell may not answer a question.
func faultOf(l *levels, grain int, at, from, to int64, step time.Duration) string {
	if floor(at, periodLength[grain]) < l[grain].kept {
		return "is not kept"
	}
	if grain == minutes {
		return ""
	}
	finer := grain - 1
	if floor(at, periodLength[finer]) >= l[grain].rolled {
		return "is not complete"
	}
	if floor(at, periodLength[finer]) >= l[finer].kept {
		switch {
		case at < from || at+length[grain] > to:
			return "is too much"
		case step > 0 && time.Duration(length[grain])*time.Minute > step:
			return "is too coarse"
		}
	}
	return ""
}

// FuzzBlobs reads damaged blobs, and what is read it writes again.
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
