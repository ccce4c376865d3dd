package answer

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/budget"
)

// click is a slice of 300 ms, in 240 of which function a of the script ran.
func click(w *world, release, target string, rate float64, change ...func(*profile.Builder)) record.ID {
	w.t.Helper()
	mark := profile.Mark{What: profile.Interaction, Name: "click", Target: target, Time: 100 * time.Millisecond, Duration: 300 * time.Millisecond,
		InputDelay: 10 * time.Millisecond, Processing: 270 * time.Millisecond, Presentation: 20 * time.Millisecond}
	var b profile.Builder
	b.Meta.Interval, b.Meta.IdleKnown, b.Meta.Program = 10*time.Millisecond, true, "https://shop.example/cart"
	f := b.Function(profile.Function{Name: "a", File: script, Line: 1, Column: 11, Flags: profile.Checked})
	for at := 110; at <= 350; at += 10 {
		b.Sample(profile.Sample{Time: int64(at) * 1e6, Stack: b.Stack(profile.NoStack, b.Frame(f, 1, 12)), Weight: 1})
	}
	b.Mark(mark)
	for _, f := range change {
		f(&b)
	}
	p := b.Profile()
	series := record.Series{App: "shop", Labels: record.Labels{"release": release, "page": "https://shop.example"}, Rate: rate, Interval: 10 * time.Millisecond, Slow: true}
	w.chunks++
	id := record.IDOf("slice", target, release, string(rune(w.chunks)))
	c := &record.Chunk{ID: record.IDOf("slow", string(rune(w.chunks))), Series: series, At: noon, Profile: record.Sum(p), Slices: []record.Slice{{
		ID: id, Series: series, At: noon, Mark: mark, Cause: profile.Function{Name: "a", File: script, Line: 1, Column: 11}, CauseGroup: "own",
		CauseTime: 240 * time.Millisecond, Trace: record.EncodeProfile(p)}}}
	must.Get(w.store.Write(context.Background(), c.ID, []*record.Chunk{c}))(w.t)
	return id
}

func TestSlicesTellTheirCauseByItsOriginalName(t *testing.T) {
	w, ctx := newWorld(t), context.Background()
	for range 3 {
		click(w, "1", "button#save", 1)
	}
	id := click(w, "1", "button#find", 0.1)
	click(w, "2", "button#find", 0.1)
	w.upload("1", "app.js.map", store.FileMap, mapTo("parse", "src/app.ts"))
	got := must.Get(w.Slices(ctx, day("shop"), store.SliceQuery{Limit: 2}))(t)
	must.Equal(t, len(got.Slices), 2)
	must.Equal(t, len(got.Subjects), 2)
	must.Equal(t, len(got.Notes), 0, got.Notes)
	find := got.Subjects[0] // 20 times 300 ms
	must.Equal(t, []any{find.Target, find.Count, find.All, find.P75Ms, find.MaxMs}, []any{"button#find", int64(2), 20., 300., 300.})
	must.Equal(t, find.Causes, []CauseRow{
		{Function{"a", script, 1}, "own", 0.5},
		{Function{"parse", "src/app.ts", 4}, "own", 0.5},
	})
	must.Equal(t, got.Subjects[1].Count, 3)

	one, r, err := w.Slice(ctx, "shop", id)
	must.Do(t, err)
	must.Equal(t, one.Cause.Function, Function{"parse", "src/app.ts", 4})
	must.Equal(t, one.Functions[0].Name, "parse")
	if !strings.Contains(one.Why, "parse (app.ts:4)") || one.Groups["own"] < 240 {
		t.Errorf("%s; %v", one.Why, one.Groups)
	}
	sum := 0.0
	for _, ms := range one.Groups {
		sum += ms
	}
	must.Equal(t, sum, 300.)
	must.Equal(t, []any{one.InputDelayMs, one.ProcessingMs, one.PresentationMs, one.Weight}, []any{10., 270., 20., 10.})
	must.Equal(t, r.Profile.Extent() <= 300*time.Millisecond, true)
	text, ok := r.Source("src/app.ts")
	must.Equal(t, []any{text, ok}, []any{"text of src/app.ts", true})
	_, _, err = w.Slice(ctx, "shop", record.IDOf("other"))
	must.Equal(t, errors.Is(err, store.ErrUnknown), true)
	_, _, err = w.Slice(ctx, "another", id)
	must.Equal(t, errors.Is(err, store.ErrUnknown), true)

	slow := day("shop")
	slow.Slow = true
	f := must.Get(w.Functions(ctx, slow, ProfileOptions{}, 0))(t)
	must.Equal(t, []any{f.Functions[0].Name, f.Functions[0].SelfMs}, []any{"parse", 13 * 250.}) // of release 1; release 2 has no map
	must.Equal(t, []any{f.Functions[1].Name, f.Functions[1].SelfMs}, []any{"a", 10 * 250.})
}

// A map is found by the debug id that the trace has, even if it was uploaded for another release.
func TestDebugIDsFindMapsOfOtherReleases(t *testing.T) {
	w, ctx := newWorld(t), context.Background()
	id := click(w, "", "button#save", 1, func(b *profile.Builder) { b.Meta.DebugIDs = map[string]string{script: "AB-12"} })
	must.Do(t, w.store.PutFile(ctx, store.File{App: "shop", Release: "7", Name: "maps/1.map", Kind: store.FileMap, DebugID: "ab-12", Size: 9, Uploaded: noon}, []byte(mapTo("parse", "src/app.ts"))))
	one, _, err := w.Slice(ctx, "shop", id)
	must.Do(t, err)
	must.Equal(t, one.Cause.Function, Function{"parse", "src/app.ts", 4})
	other := click(w, "8", "button#save", 1, func(b *profile.Builder) { b.Meta.DebugIDs = map[string]string{script: "AB-12"} })
	one, _, err = w.Slice(ctx, "shop", other)
	must.Do(t, err)
	must.Equal(t, one.Cause.Function, Function{"parse", "src/app.ts", 4})
}

// A trace that cannot be read leaves the cause as it arrived.
func TestSlicesWithoutTraces(t *testing.T) {
	w, ctx := newWorld(t), context.Background()
	series := record.Series{App: "shop", Labels: record.Labels{"release": "1"}, Rate: 1, Slow: true}
	id := record.IDOf("bad")
	for i, trace := range [][]byte{nil, []byte("no profile")} {
		s := record.Slice{ID: id, Series: series, At: noon, Mark: profile.Mark{What: profile.LongTask, Name: "task", Duration: time.Second},
			Cause: profile.Function{Name: "a", File: script, Line: 1, Column: 11}, CauseGroup: "own", CauseTime: 700 * time.Millisecond, Trace: trace}
		c := &record.Chunk{ID: record.IDOf("c", string(rune(i))), Series: series, At: noon, Slices: []record.Slice{s}}
		must.Get(w.store.Write(ctx, c.ID, []*record.Chunk{c}))(t)
	}
	w.upload("1", "app.js.map", store.FileMap, mapTo("parse", "src/app.ts"))
	got := must.Get(w.Slices(ctx, day("shop"), store.SliceQuery{}))(t)
	must.Equal(t, *got.Slices[1].Cause, CauseRow{Function{"parse", "src/app.ts", 4}, "own", 0.7})
	must.Equal(t, len(got.Notes), 1)
	one, r, err := w.Slice(ctx, "shop", id)
	must.Do(t, err)
	must.Equal(t, one.Cause.Name, "parse")
	must.Equal(t, r.Profile.Len(), 0)
}

// Slices beyond those whose traces are read have the cause that was found when they arrived.
func TestSlicesBeyondTheTraces(t *testing.T) {
	w, ctx := newWorld(t), context.Background()
	for range mostTraces + 3 {
		click(w, "1", "button#save", 1)
	}
	got := must.Get(w.Slices(ctx, day("shop"), store.SliceQuery{Limit: mostTraces + 2}))(t)
	must.Equal(t, len(got.Slices), mostTraces+2)
	must.Equal(t, got.Slices[mostTraces+1].Cause.Name, "a")
}

// tracing is a store that adds up the traces that it has given away.
type tracing struct {
	store.Store
	bytes int
}

func (s *tracing) Slices(ctx context.Context, of store.Selection, q store.SliceQuery) ([]record.Slice, error) {
	found, err := s.Store.Slices(ctx, of, q)
	for i := range found {
		s.bytes += len(found[i].Trace)
	}
	return found, err
}

// Whatever was sent, a question has bounded memory. The slices whose traces are not read have the cause as it arrived.
func TestSlicesOfLargeTraces(t *testing.T) {
	must.NotForRaces(t)
	r := rand.New(rand.NewPCG(1, 5))
	random := func(int) string {
		text := make([]byte, 300)
		for i := range text {
			text[i] = byte(' ' + r.IntN(95))
		}
		return string(text)
	}
	for name, frames := range map[string]struct {
		of   int // a slice
		name func(int) string
	}{
		"bytes":   {3000, random},
		"content": {4000, func(i int) string { return fmt.Sprintf("%0300d", i) }},
		"frames":  {10_000, func(int) string { return "f" }},
	} {
		t.Run(name, func(t *testing.T) {
			w, ctx := newWorld(t), context.Background()
			s := &tracing{Store: w.store}
			w.Service = New(s, Options{})
			const slices = 30
			for range slices {
				click(w, "1", "button#save", 1, func(b *profile.Builder) {
					for i := range frames.of {
						f := b.Function(profile.Function{Name: frames.name(i), File: script})
						b.Sample(profile.Sample{Time: 1e9, Stack: b.Stack(profile.NoStack, b.Frame(f, int32(w.chunks), int32(i))), Weight: 1})
					}
				})
			}
			got := must.Get(w.Slices(ctx, day("shop"), store.SliceQuery{}))(t)
			must.Equal(t, len(got.Slices), slices)
			must.Equal(t, got.Subjects[0].Causes, []CauseRow{{Function{"a", script, 1}, "own", 1}})
			if s.bytes > mostTraceBytes || w.deployed("shop").frames.Load() > mostUnits/4+int64(frames.of) {
				t.Errorf("%d bytes, %d frames", s.bytes, w.deployed("shop").frames.Load())
			}
			if len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "as they arrived") {
				t.Error(got.Notes)
			}
		})
	}
}

func TestExamplesAreWholeProfiles(t *testing.T) {
	w, ctx := newWorld(t), context.Background()
	p := ticks(script, "a", 5, profile.NameIdle, 5)
	w.chunk(record.Labels{"release": "1"}, noon, p, func(c *record.Chunk) { c.Example = record.EncodeProfile(p) })
	w.chunk(record.Labels{"release": "1"}, noon, p)
	w.upload("1", "app.js.map", store.FileMap, mapTo("parse", "src/app.ts"))
	list := must.Get(w.Examples(ctx, day("shop"), 10))(t)
	must.Equal(t, len(list.Examples), 1)
	must.Equal(t, list.Examples[0].BusyMs, 50.)
	r := must.Get(w.Example(ctx, "shop", must.Get(record.ParseID(list.Examples[0].ID))(t)))(t)
	must.Equal(t, r.Profile.Function(0).Name, "parse")
	_, err := w.Example(ctx, "shop", record.IDOf("other"))
	must.Equal(t, errors.Is(err, store.ErrUnknown), true)
}

func TestBudgetsAreOfAView(t *testing.T) {
	w, ctx := newWorld(t), context.Background()
	f := must.Get(budget.Read([]byte("budgets:\n- functions: [parse]\n  max: 30%\n- functions: [parse]\n  max: 500ms\n")))(t)
	if _, err := w.Budgets(ctx, day("shop"), f); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
	for range 10 {
		w.chunk(record.Labels{"release": "1"}, noon, ticks(script, "a", 40, profile.NameIdle, 60), rated(0.01, 10*time.Millisecond))
	}
	w.upload("1", "app.js.map", store.FileMap, mapTo("parse", "src/app.ts"))
	got := must.Get(w.Budgets(ctx, day("shop"), f))(t)
	must.Equal(t, []any{got.Broken, got.BusyMs}, []any{1, 400e3})
	must.Equal(t, []any{got.Budgets[0].Value, got.Budgets[1].Value, got.Budgets[1].Over}, []any{100., 400., 0.})
}

// Profiles that are forwarded have the names that are known by then, and the others' positions.
func TestSymbolize(t *testing.T) {
	w, ctx := newWorld(t), context.Background()
	w.upload("1", "app.js.map", store.FileMap, mapTo("parse", "src/app.ts"))
	for release, want := range map[string]string{"1": "parse", "2": "a"} {
		p := w.Symbolize(ctx, &record.Series{App: "shop", Labels: record.Labels{"release": release}}, ticks(script, "a", 5))
		must.Equal(t, []any{p.Function(0).Name, p.Samples.Ticks()}, []any{want, int64(5)})
	}
}
