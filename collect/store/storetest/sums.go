package storetest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

// day is the selection of the day that begins at start.
func day(app string) store.Selection {
	return store.Selection{App: app, From: start, To: start.Add(24 * time.Hour)}
}

func testMinutes(t *testing.T, s store.Store) {
	p, g := pairOf(s), newGenerator("minutes", 1)
	series := record.Series{App: g.app, Rate: 1, Interval: 10 * time.Millisecond, Labels: record.Labels{record.Route: "/"}}
	var chunks []*record.Chunk
	for _, at := range []time.Duration{-1, 0, 1, 30 * time.Second, time.Minute - 1, time.Minute, time.Hour - 1, time.Hour, 24*time.Hour - 1, 24 * time.Hour} {
		c := g.chunk(series, start.Add(at))
		c.Profile = g.profile(5)
		chunks = append(chunks, c)
	}
	p.write(t, chunks...)
	for _, from := range []time.Duration{-time.Minute, -1, 0, 1, 59 * time.Second, time.Minute, time.Hour} {
		for _, length := range []time.Duration{0, 1, time.Minute, time.Hour} {
			s := day(g.app)
			s.From, s.To = start.Add(from), start.Add(from+length)
			p.sameTotals(t, s, store.Grouping{})
		}
	}
	for _, step := range []time.Duration{time.Minute, time.Hour, 24 * time.Hour, 7 * 24 * time.Hour} {
		p.sameAnswers(t, day(g.app), store.Grouping{Step: step}, all)
	}
}

func testDuplicates(t *testing.T, s store.Store) {
	p, g := pairOf(s), newGenerator("duplicates", 2)
	chunks := g.chunks(60, start, time.Hour)
	p.write(t, append(chunks[:40:40], chunks[:20]...)...) // within a batch
	p.write(t, chunks...)                                 // across batches
	batch := record.IDOf("one batch", "twice")
	if w, err := s.Write(t.Context(), batch, chunks); err != nil || w.New != 0 {
		t.Errorf("a batch of known chunks: %+v, %v", w, err)
	}
	more := g.chunks(20, start, time.Hour)
	p.model.Write(t.Context(), batch, more)
	for range 2 {
		if _, err := s.Write(t.Context(), record.IDOf("another", "twice"), more); err != nil {
			t.Fatal(err)
		}
	}
	p.sameAnswers(t, day(g.app), store.Grouping{By: []string{record.Route}}, all)
	p.sameValues(t, day(g.app))

	// Only the ID decides.
	same := *chunks[0]
	same.At, same.Labels = same.At.Add(3*time.Hour), record.Labels{record.Route: "/elsewhere"}
	p.write(t, &same)
	p.sameTotals(t, day(g.app), store.Grouping{By: []string{record.Route}})
}

func testViews(t *testing.T, s store.Store) {
	p := pairOf(s)
	chunk := func(view string, number int, minute int, route string, counts *record.Counts) *record.Chunk {
		return &record.Chunk{ID: record.IDOf("views", view, fmt.Sprint(number)), View: record.IDOf(view), Number: number,
			Series: record.Series{App: "views", Rate: 0.1, Labels: record.Labels{record.Route: route}},
			At:     start.Add(time.Duration(minute) * time.Minute), Counts: counts}
	}
	counts := func(interactions int64, inp time.Duration) *record.Counts {
		return &record.Counts{Interactions: interactions, Slow: map[profile.What]int64{profile.Interaction: interactions / 2, profile.LongTask: 9},
			LongTasks: interactions * 2, INP: inp, P75: inp / 2}
	}
	routes := store.Grouping{By: []string{record.Route}, Step: time.Hour}
	for _, batch := range [][]*record.Chunk{
		{chunk("a", 1, 10, "/a", counts(4, 300*time.Millisecond))}, // the second chunk comes first,
		{chunk("a", 0, 5, "/", counts(2, 100*time.Millisecond))},   // then the first,
		{chunk("a", 2, 70, "/b", nil)},                             // then one without counts, on another route,
		{chunk("b", 0, 50, "/", nil), chunk("b", 2, 65, "/b", nil)},
		{chunk("b", 1, 30, "/a", counts(10, 0))}, // whose counts are the only ones
		{chunk("c", 7, 20, "/", counts(1, time.Microsecond)), chunk("c", 6, 21, "/a", counts(100, time.Hour))},
		{chunk("d", 0, 2, "/", &record.Counts{})},
		{chunk("d", 1, -2000, "/", counts(3, 5*time.Millisecond))}, // by a clock that was wrong
	} {
		p.write(t, batch...)
		p.sameTotals(t, day("views"), routes)
		early := day("views")
		early.To = start.Add(time.Hour)
		p.sameTotals(t, early, store.Grouping{})
	}
	other := chunk("a", 9, 30, "/a", counts(1000, time.Second))
	other.ID, other.App = record.IDOf("elsewhere"), "views of another app"
	p.write(t, other)
	p.sameTotals(t, day("views"), routes)
	p.sameTotals(t, day(other.App), routes)
}

func testLabels(t *testing.T, s store.Store) {
	p, g := pairOf(s), newGenerator("labels ' \" \x00 -- ; \\ % 日本", 3)
	texts := []string{"plain", "'", "\"; DROP TABLE series; --", "a\x00b", "a", "\x00", "\n\t\\n", "100%_", "日本語 \u202e🙂", "A", "a ", "NULL", "0", "{}", "[\"x\"]",
		strings.Repeat("long", 1<<14)}
	var chunks []*record.Chunk
	for i, text := range texts {
		series := record.Series{App: g.app, Rate: 1, Interval: time.Millisecond,
			Labels: record.Labels{record.Route: text, "x-" + text: "v", "x-n": fmt.Sprint(i % 3), "x-empty": ""}}
		c := g.chunk(series, start)
		c.Profile = g.profile(4)
		chunks = append(chunks, c)
	}
	p.write(t, chunks...)
	p.sameAnswers(t, day(g.app), store.Grouping{By: []string{record.Route, "x-n"}}, all)
	p.sameTotals(t, day(g.app), store.Grouping{By: []string{"x-'", "x-a\x00b", "x-a", "x-empty"}})
	for _, text := range []string{"'", "a\x00b", "a", "", texts[len(texts)-1]} {
		s := day(g.app)
		s.Where = map[string][]string{record.Route: {text, "plain"}}
		p.sameTotals(t, s, store.Grouping{})
	}
	values, err := s.Values(t.Context(), day(g.app))
	if err != nil {
		t.Fatal(err)
	}
	if got := len(values[record.Route]); got != len(texts) {
		t.Errorf("%d values of the route, want %d", got, len(texts))
	}
	if _, known := values["x-empty"]; known {
		t.Error("a label without a value has values")
	}
}

func testSelections(t *testing.T, s store.Store) {
	p, g := pairOf(s), newGenerator("selections", 4)
	p.write(t, g.chunks(50, start, time.Hour)...)
	for _, change := range []func(*store.Selection){
		func(s *store.Selection) { s.App = "no such app" },
		func(s *store.Selection) { s.App = "Selections" },
		func(s *store.Selection) { s.From, s.To = s.To, s.From },
		func(s *store.Selection) { s.From, s.To = s.From.Add(-48*time.Hour), s.From },
		func(s *store.Selection) { s.From, s.To = time.Time{}, time.Unix(1, 0) },
		func(s *store.Selection) { s.Where = map[string][]string{record.Route: {}} },
		func(s *store.Selection) { s.Where = map[string][]string{record.Route: {"/nowhere"}} },
		func(s *store.Selection) { s.Where = map[string][]string{"x-unknown": {"a"}} },
		func(s *store.Selection) {
			s.Where = map[string][]string{"x-unknown": {""}, record.Release: {"", "1.0"}}
		},
		func(s *store.Selection) { s.From, s.To = start.Add(-300*24*time.Hour), start.Add(24*time.Hour) },
	} {
		s := day(g.app)
		change(&s)
		p.sameAnswers(t, s, store.Grouping{By: []string{record.Release}}, all)
	}
	nothing := day("no such app")
	p.sameValues(t, nothing)
	if found, err := s.Slices(t.Context(), nothing, store.SliceQuery{Limit: 10}); err != nil || len(found) != 0 {
		t.Errorf("Slices of nothing: %v, %v", found, err)
	}
	if found, err := s.Examples(t.Context(), nothing, 10); err != nil || len(found) != 0 {
		t.Errorf("Examples of nothing: %v, %v", found, err)
	}
}

func testLimits(t *testing.T, s store.Store) {
	p, g := pairOf(s), newGenerator("limits", 5)
	p.write(t, g.chunks(80, start, 2*time.Hour)...)
	for _, limit := range []int{0, 1, 2, 17, 10_000} {
		p.sameTicks(t, day(g.app), store.Grouping{By: []string{record.Route}, Step: time.Hour}, limit)
		p.sameTicks(t, day(g.app), store.Grouping{}, limit)
	}
}

func testSites(t *testing.T, s store.Store) {
	p, g := pairOf(s), newGenerator("sites", 6)
	p.write(t, g.chunks(40, start, time.Hour)...)
	answer, err := p.Ticks(t.Context(), day(g.app), store.Grouping{}, all)
	if err != nil {
		t.Fatal(err)
	}
	asked := []store.Hash{1, 1 << 63, 0}
	for _, sum := range answer.Sums {
		asked = append(asked, sum.Site)
	}
	texts := func(sites []store.Site, err error) map[string]string {
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]string{}
		for _, site := range sites {
			found[fmt.Sprintf("%x", uint64(site.Hash))] = fmt.Sprintf("%d %d %+v", site.Kind, site.Marker, site.Frames)
		}
		return found
	}
	compare(t, "Sites", texts(s.Sites(t.Context(), g.app, asked)), texts(p.model.Sites(t.Context(), g.app, asked)))
	if found, err := s.Sites(t.Context(), "no such app", asked); err != nil || len(found) != 0 {
		t.Errorf("another app has these sites, too: %v, %v", found, err)
	}
	if found, err := s.Sites(t.Context(), g.app, nil); err != nil || len(found) != 0 {
		t.Errorf("no hashes, but sites: %v, %v", found, err)
	}
}
