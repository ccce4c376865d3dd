package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

func testSlices(t *testing.T, s store.Store) {
	p, g := pairOf(s), newGenerator("slices", 7)
	p.write(t, g.chunks(150, start, 3*time.Hour)...)
	for _, q := range []store.SliceQuery{
		{Limit: all, Traces: all},
		{Limit: 5},
		{Limit: 0},
		{Limit: all, What: profile.Interaction},
		{Limit: 7, What: profile.Interaction, Name: "click"},
		{Limit: all, Name: "\x00'\"", Target: "a.\u202etxt"},
		{Limit: all, What: "none such"},
		{Limit: 20, Longest: 240 * time.Millisecond},
	} {
		p.sameSlices(t, day(g.app), q)
	}
	// Traces are read as long as they have not more bytes than asked for.
	whole, _ := p.model.Slices(t.Context(), day(g.app), store.SliceQuery{Limit: all, Traces: all})
	bytes := int64(len(whole[0].Trace) + len(whole[1].Trace) + len(whole[2].Trace))
	for _, n := range []int64{1, bytes - 1, bytes} {
		p.sameSlices(t, day(g.app), store.SliceQuery{Limit: all, Traces: n})
	}
	for range 4 {
		selection := g.selection(start, 3*time.Hour, time.Second)
		p.sameSlices(t, selection, store.SliceQuery{Limit: 10})
	}
	found, _ := p.model.Slices(t.Context(), day(g.app), store.SliceQuery{Limit: 1, Traces: all})
	one, err := s.Slice(t.Context(), g.app, found[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "Slice", slice(*one), slice(found[0]))
	if _, err := s.Slice(t.Context(), "another app", found[0].ID); !errors.Is(err, store.ErrUnknown) {
		t.Errorf("another app has this slice, too: %v", err)
	}
	if _, err := s.Slice(t.Context(), g.app, record.IDOf("none")); !errors.Is(err, store.ErrUnknown) {
		t.Errorf("a slice that there is not: %v", err)
	}
}

func slice(s record.Slice) map[string]string {
	at := s.At.UnixNano()
	s.At = time.Time{}
	return map[string]string{"slice": fmt.Sprintf("%d %+v", at, s)}
}

func (p *pair) sameSlices(t *testing.T, s store.Selection, q store.SliceQuery) {
	t.Helper()
	want, _ := p.model.Slices(t.Context(), s, q)
	got, err := p.Slices(t.Context(), s, q)
	if err != nil {
		t.Fatal(err)
	}
	what := fmt.Sprintf("Slices of %+v, %+v", s, q)
	if len(got) != len(want) {
		t.Errorf("%s: there are %d, want %d", what, len(got), len(want))
		return
	}
	for i := range want {
		compare(t, fmt.Sprintf("%s: number %d", what, i), slice(got[i]), slice(want[i]))
	}
}

func testExamples(t *testing.T, s store.Store) {
	p, g := pairOf(s), newGenerator("examples", 8)
	p.write(t, g.chunks(120, start, 3*time.Hour)...)
	text := func(e store.Example) string {
		at := e.At.UnixNano()
		e.At = time.Time{}
		return fmt.Sprintf("%d %+v", at, e)
	}
	for i := range 6 {
		selection := day(g.app)
		if i > 1 {
			selection = g.selection(start, 3*time.Hour, time.Minute)
		}
		limit := oneOf(g, 0, 1, 5, all)
		want, _ := p.model.Examples(t.Context(), selection, limit)
		got, err := s.Examples(t.Context(), selection, limit)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Errorf("Examples of %+v: there are %d, want %d", selection, len(got), len(want))
			continue
		}
		for i := range want {
			if text(got[i]) != text(want[i]) {
				t.Errorf("Examples of %+v: number %d is\n%s, want\n%s", selection, i, text(got[i]), text(want[i]))
				break
			}
		}
	}
	found, _ := p.model.Examples(t.Context(), day(g.app), 1)
	want, _ := p.model.Example(t.Context(), g.app, found[0].ID)
	got, err := s.Example(t.Context(), g.app, found[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if text(*got) != text(*want) {
		t.Errorf("the example is\n%s, want\n%s", text(*got), text(*want))
	}
	if _, err := s.Example(t.Context(), "another app", found[0].ID); !errors.Is(err, store.ErrUnknown) {
		t.Errorf("another app has this example, too: %v", err)
	}
}

func testFiles(t *testing.T, s store.Store) {
	p := pairOf(s)
	random := rand.NewChaCha8([32]byte{18})
	large := make([]byte, 5<<20+1)
	_, _ = random.Read(large)
	file := func(app, release, name, debugID string, content []byte) {
		f := store.File{App: app, Release: release, Name: name, Kind: store.FileMap, DebugID: debugID, Size: int64(len(content)), Uploaded: start}
		for _, to := range []store.Store{p.model, s} {
			if err := to.PutFile(t.Context(), f, content); err != nil {
				t.Fatalf("PutFile %q: %v", name, err)
			}
		}
	}
	file("files", "1.0", "assets/app.js.map", "", []byte("first"))
	file("files", "1.0", "assets/app.js.map", "85314830-023f-4cf1-a267-535f4e37bb17", []byte("replaced"))
	file("files", "1.1", "assets/app.js.map", "", bytes.Repeat([]byte("mappings"), 100_000))
	file("files", "1.1", "empty", "", []byte{})
	file("files", "1.1", "it's \"日本\".map", "", large)
	file("other files", "1.0", "assets/app.js.map", "", []byte("of another app"))
	for _, release := range []string{"", "1.0", "1.1", "'"} {
		want, _ := p.model.Files(t.Context(), "files", release)
		got, err := s.Files(t.Context(), "files", release)
		if err != nil || len(got) != len(want) {
			t.Fatalf("Files of %q: %v, %v, want %v", release, got, err, want)
		}
		for i := range want {
			if !got[i].Uploaded.Equal(want[i].Uploaded) {
				t.Errorf("a file was uploaded at %v, want %v", got[i].Uploaded, want[i].Uploaded)
			}
			got[i].Uploaded = want[i].Uploaded
			if got[i] != want[i] {
				t.Errorf("Files of %q: %+v, want %+v", release, got[i], want[i])
			}
			is, err := s.FileContent(t.Context(), "files", got[i].Release, got[i].Name)
			should, _ := p.model.FileContent(t.Context(), "files", got[i].Release, got[i].Name)
			if err != nil || !bytes.Equal(is, should) {
				t.Errorf("%s of %s has %d bytes, %v; want %d, or they differ", got[i].Name, got[i].Release, len(is), err, len(should))
			}
		}
	}
	if _, err := s.FileContent(t.Context(), "files", "1.0", "empty"); !errors.Is(err, store.ErrUnknown) {
		t.Errorf("a file of another release: %v", err)
	}
}
