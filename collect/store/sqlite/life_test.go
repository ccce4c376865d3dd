package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
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

// TestDiskFull lets writes fail for lack of room. A batch that failed can be written again.
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

// TestMigration opens a file with a version that has a later format. A migration that fails changes
// nothing.
func TestMigration(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	reopen := func(added ...string) (version int, _ error) {
		before := migrations
		defer func() { migrations = before }()
		migrations = append(migrations[:1:1], added...)
		s, err := Open(t.Context(), path, store.DefaultRetention())
		if err != nil {
			return 0, err
		}
		defer s.Close()
		if _, err := s.Write(t.Context(), record.ID{}, []*record.Chunk{testChunk(1, time.Unix(1e9, 0))}); err != nil {
			t.Error(err)
		}
		if chunks, ticks, _ := sumsOf(t, s); chunks != 1 || ticks != 10 {
			t.Errorf("there are %d chunks and %d ticks", chunks, ticks)
		}
		_, err = s.w.one("SELECT user_version FROM pragma_user_version", nil, &version)
		return version, err
	}
	const good, bad = "CREATE TABLE more (x)", "CREATE TABLE more (x); CREATE TABLE more (x)"
	for _, step := range []struct {
		added   []string
		version int
		fails   string
	}{{nil, 1, ""}, {[]string{bad}, 0, "already exists"}, {nil, 1, ""}, {[]string{good}, 2, ""}, {[]string{good, "DROP TABLE more"}, 3, ""}, {nil, 0, "newer version"}} {
		version, err := reopen(step.added...)
		if version != step.version || (err != nil) != (step.fails != "") || err != nil && !strings.Contains(err.Error(), step.fails) {
			t.Errorf("with %d later formats the version is %d, %v; want %d, %s", len(step.added), version, err, step.version, step.fails)
		}
	}
}

// TestNothingRemains lets all data become too old. Nothing may be left of it, not even by a clock that was far ahead
// for a moment before.
func TestNothingRemains(t *testing.T) {
	for _, ahead := range []time.Duration{0, 10 * 365 * 24 * time.Hour} {
		t.Run(ahead.String(), func(t *testing.T) { nothingRemains(t, ahead) })
	}
}

func nothingRemains(t *testing.T, ahead time.Duration) {
	s := openForTest(t)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := s.Maintain(t.Context(), at.Add(ahead)); err != nil {
		t.Fatal(err)
	}
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
	// The next chunk gets numbers of its own, and is found by them.
	if _, err := s.Write(t.Context(), record.ID{}, []*record.Chunk{testChunk(1, at.Add(700*24*time.Hour))}); err != nil {
		t.Fatal(err)
	}
	if chunks, ticks, views := sumsOf(t, s); chunks != 1 || ticks != 10 || views != 1 {
		t.Errorf("there are %d chunks, %d ticks, %d views", chunks, ticks, views)
	}
}
