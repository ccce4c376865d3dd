package sqlite_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

var benchChunks = flag.Int("chunks", 100_000, "chunks of BenchmarkDay")

// BenchmarkDay writes the chunks of a day, 60 s at 10 ms each, in batches of 800, with maintenance each
// hour of it, and asks about the day. One run is enough: -benchtime 1x.
func BenchmarkDay(b *testing.B) {
	for b.Loop() {
		day(b, *benchChunks)
	}
}

func day(b *testing.B, n int) {
	path := filepath.Join(b.TempDir(), "store.db")
	s, err := openStore(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	begin := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	shop := newShop(2000)
	var writing, maintaining time.Duration
	timed := func(sum *time.Duration, do func() error) {
		start := time.Now()
		if err := do(); err != nil {
			b.Fatal(err)
		}
		*sum += time.Since(start)
	}
	for i, hour := 0, 0; i < n; {
		var batch []*record.Chunk
		for ; len(batch) < 800 && i < n; i++ {
			batch = append(batch, shop.chunk(i, begin.Add(time.Duration(float64(i)/float64(n)*float64(24*time.Hour)))))
		}
		timed(&writing, func() error {
			_, err := s.Write(b.Context(), record.ID{}, batch)
			return err
		})
		if now := batch[len(batch)-1].At; int(now.Sub(begin).Hours()) > hour || i == n {
			hour = int(now.Sub(begin).Hours())
			timed(&maintaining, func() error { return s.Maintain(b.Context(), now) })
		}
	}
	b.ReportMetric(float64(n)/writing.Seconds(), "chunks/s")
	b.ReportMetric(maintaining.Seconds(), "s-maintenance")
	file, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(file.Size())/float64(n), "B/chunk")
	ask := func(name string, do func(store.Selection) error) {
		best := time.Hour
		for range 3 {
			took := time.Duration(0)
			timed(&took, func() error { return do(store.Selection{App: "shop", From: begin, To: begin.Add(24 * time.Hour)}) })
			best = min(best, took)
		}
		b.ReportMetric(float64(best.Milliseconds()), "ms-"+name)
	}
	ask("ticks", func(of store.Selection) error {
		_, err := s.Ticks(b.Context(), of, store.Grouping{}, 20_000)
		return err
	})
	ask("ticks-by-hour", func(of store.Selection) error {
		_, err := s.Ticks(b.Context(), of, store.Grouping{By: []string{record.Release}, Step: time.Hour}, 20_000)
		return err
	})
	ask("ticks-firefox", func(of store.Selection) error {
		of.Where = map[string][]string{record.Browser: {"Firefox"}}
		_, err := s.Ticks(b.Context(), of, store.Grouping{}, 20_000)
		return err
	})
	ask("overview", func(of store.Selection) error {
		_, err := s.Totals(b.Context(), of, store.Grouping{By: []string{record.Route, record.Release}})
		return err
	})
	ask("overview-browser", func(of store.Selection) error {
		_, err := s.Totals(b.Context(), of, store.Grouping{By: []string{record.Browser}})
		return err
	})
	ask("values", func(of store.Selection) error {
		_, err := s.Values(b.Context(), of)
		return err
	})
}

// shop makes chunks of a site with 40 routes and 20,000 stacks, each route with its own favourites.
type shop struct {
	*rand.Rand
	profiles []*profile.Profile
}

func newShop(made int) *shop {
	s := &shop{Rand: rand.New(rand.NewPCG(18, 18))}
	const stacks = 20_000
	parent := make([]int, stacks)
	depth := make([]int, stacks)
	for i := 1; i < stacks; i++ {
		for parent[i] = s.IntN(i); depth[parent[i]] > 25; {
			parent[i] = s.IntN(i)
		}
		depth[i] = depth[parent[i]] + 1
	}
	zipf := rand.NewZipf(s.Rand, 1.2, 20, stacks-1)
	for n := range made {
		build := &profile.Builder{Meta: profile.Meta{Interval: 10 * time.Millisecond}}
		var stack func(i int) profile.StackID
		stack = func(i int) profile.StackID {
			f := build.Function(profile.Function{Name: fmt.Sprint("f", i%3000), File: "https://shop.example/assets/app.3f2a1c.js", Line: 1, Column: int32(i % 3000 * 40)})
			frame := build.Frame(f, 1, int32(i%3000*40+i%7))
			if i == 0 {
				return build.Stack(profile.NoStack, frame)
			}
			return build.Stack(stack(parent[i]), frame)
		}
		for at := range 300 {
			i := (int(zipf.Uint64())*40 + n%40) % stacks
			of := stack(i)
			if at%50 == 0 { // that no other session has
				f := build.Function(profile.Function{Name: "rare", File: "https://shop.example/assets/app.3f2a1c.js", Line: 1, Column: int32(at)})
				of = build.Stack(of, build.Frame(f, 1, int32(n)))
			}
			build.Sample(profile.Sample{Time: int64(at), Stack: of, Weight: 1 + int32(s.ExpFloat64()*20)})
		}
		s.profiles = append(s.profiles, record.Sum(build.Profile()))
	}
	return s
}

func (s *shop) chunk(i int, at time.Time) *record.Chunk {
	one := func(name string, n int) string { return fmt.Sprint(name, int(float64(n)*s.Float64()*s.Float64())) }
	n := s.IntN(len(s.profiles))
	c := &record.Chunk{ID: record.IDOf("bench", fmt.Sprint(i)), View: record.IDOf("view", fmt.Sprint(i/2)), Number: i % 2, At: at, Observed: time.Minute,
		Counts: &record.Counts{Interactions: int64(i % 20), INP: time.Duration(s.ExpFloat64() * 1e8), P75: time.Duration(s.ExpFloat64() * 5e7)}, Profile: s.profiles[n]}
	c.Series = record.Series{App: "shop", Rate: 0.1, Interval: 10 * time.Millisecond, Labels: record.Labels{record.Release: one("2026-11-0", 3), record.Route: fmt.Sprint("/route/", n%40),
		record.Page: "https://shop.example", record.Browser: []string{"Chrome", "Firefox", "Safari", "Edge"}[s.IntN(4)], record.BrowserVersion: one("15", 6), record.OS: one("os", 5),
		record.Device: one("device", 3), record.Cores: one("", 4), record.Memory: one("", 4), record.Connection: one("", 4) + "g", record.Locale: one("l", 20)}}
	return c
}
