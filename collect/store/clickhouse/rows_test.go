package clickhouse

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

// A batch that comes again must make the same blocks, or it counts twice.
func TestRowsHaveAnOrder(t *testing.T) {
	keys := func() []tickKey {
		r := newRows(kept{})
		for i := range 50 {
			for site := range 20 {
				r.ticks[tickKey{totalKey{"app", uint64(i % 7), 60, int64(i)}, store.Hash(1000 - 7*site)}]++
			}
		}
		return sorted(r.ticks, tickKey.compare)
	}
	first := keys()
	for range 5 {
		if !reflect.DeepEqual(keys(), first) {
			t.Fatal("equal rows have two orders")
		}
	}
}

// Sites are spelled out a few at a time: each of them once, and in order.
func TestPortions(t *testing.T) {
	var b profile.Builder
	stack := profile.NoStack
	for i := range 20 {
		stack = b.Stack(stack, b.Frame(b.Function(profile.Function{Name: fmt.Sprint("f", i)}), 1, 1))
		b.Sample(profile.Sample{Stack: stack, Weight: 1})
	}
	b.Sample(profile.Sample{Stack: profile.NoStack, Weight: 1, Kind: profile.Lost})
	r := newRows(kept{})
	r.add(&record.Chunk{Series: record.Series{App: "app"}, Profile: b.Profile()})
	var all []spelledSite
	portioned := 0
	if err := portions(r.sites, 30, func(some []spelledSite) error {
		portioned++
		frames := 0
		for _, s := range some[:len(some)-1] {
			frames += len(s.Frames)
		}
		if frames >= 30 {
			t.Errorf("%d frames at once, and more", frames)
		}
		all = append(all, some...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if portioned < 5 || len(all) != 21 || !slices.IsSortedFunc(all, func(a, b spelledSite) int { return a.siteKey.compare(b.siteKey) }) {
		t.Errorf("%d portions have %d sites", portioned, len(all))
	}
	depths := map[int]bool{}
	for _, s := range all {
		depths[len(s.Frames)] = true
		if s.Hash != s.site || len(s.Frames) > 0 && s.Frames[0].Function.Name != fmt.Sprint("f", len(s.Frames)-1) {
			t.Errorf("%+v", s)
		}
	}
	if len(depths) != 21 {
		t.Errorf("%d sites are different", len(depths))
	}
}

func TestClasses(t *testing.T) {
	for _, d := range []time.Duration{1, time.Microsecond, time.Millisecond, 200 * time.Millisecond, time.Hour} {
		h := record.Histogram{}
		h.Add(d, 1)
		if h[classOf(d)] != 1 {
			t.Errorf("%v is in class %d of %v", d, classOf(d), h)
		}
	}
	if classOf(0) != unknownClass {
		t.Error("an unknown duration has a class")
	}
}

func TestOddMoments(t *testing.T) {
	for _, at := range []time.Time{{}, time.Date(1901, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)} {
		r := newRows(kept{})
		r.add(&record.Chunk{At: at, Series: record.Series{App: "app"}})
		for key := range r.totals {
			if bucket := time.Unix(key.bucket, 0); bucket.Before(firstMoment) || bucket.After(lastMoment) {
				t.Errorf("a chunk of %v is in the bucket %v", at, bucket)
			}
		}
	}
}
