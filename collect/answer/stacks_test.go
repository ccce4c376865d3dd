package answer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// inRelease makes a chunk of functions on lines of a script of their own, which a table names.
func inRelease(w *world, release string, names []string, ticksOf ...int) {
	w.t.Helper()
	name := fmt.Sprintf("app-%sa1b2c3d.js", release)
	at := func(line, column int32) functable.Position { return functable.Position{Line: line, Column: column} }
	table := functable.Table{File: name, Functions: []functable.Function{{Kind: functable.Script, Start: at(1, 1), End: at(1000, 1), Parent: -1}}}
	var b profile.Builder
	b.Meta.Interval = 10 * time.Millisecond
	for i, original := range names {
		line := int32(i + 1)
		table.Functions = append(table.Functions, functable.Function{Kind: functable.Declaration, Name: "x", Start: at(line, 1), End: at(line, 90), Definition: at(line, 11),
			Sites: functable.Entry, Original: &functable.Original{Source: "src/app.ts", Name: original, Position: at(10*line+int32(len(release)), 1)}})
		f := b.Function(profile.Function{Name: "x", File: "https://shop.example/" + name, Line: line, Column: 11})
		b.Add(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(f, line, 20))}, int64(ticksOf[i]))
	}
	w.chunk(record.Labels{"release": release}, noon, b.Profile())
	w.upload(release, name+".functions.json", store.FileTable, string(must.Get(table.Encode())(w.t)))
}

// A function is one row although each release has it in another file and line.
func TestFunctionsOfSeveralReleasesAreOne(t *testing.T) {
	w := newWorld(t)
	inRelease(w, "1", []string{"parse", "get", "get", ""}, 10, 20, 30, 40)
	inRelease(w, "22", []string{"new", "parse", "get", "get", ""}, 1, 100, 200, 300, 400)
	inRelease(w, "333", []string{"parse", "get"}, 1000, 2000) // which get that is, is unknown
	got := map[string]float64{}
	for _, f := range must.Get(w.Functions(context.Background(), day("shop"), ProfileOptions{}, 0))(t).Functions {
		got[fmt.Sprintf("%s:%d", f.Name, f.Line)] = f.SelfMs / 10
	}
	// The release with the most time names them. It has one get, the others have two.
	must.Equal(t, got, map[string]float64{"parse:13": 1110, "get:23": 2000, "get:32": 200, "get:42": 300, "get:21": 20, "get:31": 30,
		"new:12": 1, "x:41": 40, "x:52": 400}) // the minifier's names say nothing
}

func TestFrameworksAreFolded(t *testing.T) {
	w, ctx := newWorld(t), context.Background()
	w.chunk(record.Labels{"release": "1"}, noon, ticks(script, "a", 30, profile.NameIdle, 10))
	w.upload("1", "app.js.map", store.FileMap, strings.Replace(mapTo("render", "node_modules/ui/index.js"), `"version":3`, `"version":3,"ignoreList":[0]`, 1))
	folded := must.Get(w.Functions(ctx, day("shop"), ProfileOptions{}, 0))(t)
	must.Equal(t, []any{len(folded.Functions), folded.Functions[0].Name}, []any{1, profile.NameProgram})
	kept := must.Get(w.Functions(ctx, day("shop"), ProfileOptions{KeepIgnored: true}, 0))(t)
	must.Equal(t, []any{len(kept.Functions), kept.Functions[0].Name, kept.Functions[0].Ignored}, []any{1, "render", true})
}

// Whatever is stored, the functions have all of the busy time, and nothing else.
func TestFunctionsHaveAllBusyTicks(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 3))
	for range 50 {
		w := newWorld(t)
		for range 1 + random.IntN(4) {
			var b profile.Builder
			stack := profile.NoStack
			for range 20 {
				f := b.Function(profile.Function{Name: fmt.Sprint("f", random.IntN(5)), File: script, Line: int32(random.IntN(3)), Column: int32(random.IntN(3)), Flags: profile.Flags(random.IntN(4))})
				if stack = b.Stack(stack, b.Frame(f, int32(random.IntN(3)), 1)); random.IntN(3) == 0 {
					stack = profile.NoStack
				}
				kind := profile.Kind(random.IntN(int(profile.Lost) + 1))
				s := profile.Sample{Stack: stack, Kind: kind, Weight: 1 + random.Int32N(50), Marker: profile.Marker(random.IntN(3))}
				if stack == profile.NoStack || kind == profile.Idle || kind == profile.Lost {
					s.Stack, s.Kind = b.Pseudo(profile.NoStack, profile.NameIdle), profile.Idle
				}
				b.Sample(s)
			}
			w.chunk(record.Labels{"release": fmt.Sprint(random.IntN(2))}, noon, b.Profile())
		}
		w.upload("0", "app.js.map", store.FileMap, mapTo("parse", "src/app.ts"))
		ctx := context.Background()
		for _, o := range []ProfileOptions{{}, {KeepIgnored: true}, {Deployed: true}} {
			f := must.Get(w.Functions(ctx, day("shop"), o, 0))(t)
			sum := 0.0
			for _, row := range f.Functions {
				sum += row.SelfMs
			}
			if sum != f.BusyMs {
				t.Errorf("%+v: the functions have %v ms of %v", o, sum, f.BusyMs)
			}
			r := must.Get(w.Profile(ctx, day("shop"), o))(t)
			must.Do(t, r.Profile.CheckValid())
			must.Equal(t, r.Profile.Samples.Ticks(), f.Ticks)
		}
	}
}

// Hostile files and names change nothing for others, and lead nowhere.
func TestHostileFiles(t *testing.T) {
	w, ctx := newWorld(t), context.Background()
	const evil = "https://shop.example/../../etc/passwd\x00<script>alert(1)</script>.js"
	w.chunk(record.Labels{"release": "1"}, noon, ticks(script, "a", 30))
	w.chunk(record.Labels{"release": "1"}, noon, ticks(evil, "<img src=x onerror=alert(1)>", 30))
	w.chunk(record.Labels{"release": "../../2"}, noon, ticks(script, "a", 30))
	for _, name := range []string{"app.js.map", "../app.js.map", "/etc/passwd", "assets/app.js.functions.json", "assets/app.js", ""} {
		for i, content := range []string{"", "{", "null", `{"version":3,"mappings":"` + strings.Repeat(";", 1e6) + `"}`, `{"version":3,"sources":[],"mappings":"AAAAA"}`,
			`{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":` + strings.Repeat(`{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":`, 500)} {
			w.upload("1", fmt.Sprint(i, "/", name), store.FileMap, content)
			f := must.Get(w.Functions(ctx, day("shop"), ProfileOptions{}, 0))(t)
			must.Equal(t, f.BusyMs, 900)
		}
	}
	w.upload("1", "assets/app.js.map", store.FileMap, mapTo("\u202eparse", "../../../../etc/passwd"))
	f := must.Get(w.Functions(ctx, day("shop"), ProfileOptions{}, 0))(t)
	found := false
	for _, row := range f.Functions {
		found = found || row.Name == "\u202eparse" && row.File == "etc/passwd"
	}
	must.Equal(t, found, true, f.Functions)
	for _, note := range f.Notes {
		if strings.ContainsAny(note, "\x00\n") {
			t.Errorf("note %q", note)
		}
	}
	must.Do(t, w.store.PutFile(ctx, store.File{App: "shop", Release: "1", Name: "assets/app.js.map", Kind: store.FileMap, Size: 1 << 40, Uploaded: noon}, []byte("{")))
	f = must.Get(w.Functions(ctx, day("shop"), ProfileOptions{}, 0))(t)
	if notes := strings.Join(f.Notes, "\n"); !strings.Contains(notes, "larger than") {
		t.Errorf("notes %q", notes)
	}
}

// Very many deep stacks are cut, and memory is bounded; the stacks kept add up.
func TestStacksAreBounded(t *testing.T) {
	d := newDeployed()
	site := store.Site{Frames: make([]store.Frame, 1000)}
	for i := range 3000 {
		site.Hash = store.Hash(i)
		for f := range site.Frames {
			site.Frames[f] = store.Frame{Function: profile.Function{Name: "f", File: script, Line: int32(i), Column: 1}, Line: int32(f), Column: 1}
		}
		d.add(&site)
	}
	if n := d.b.Stacks(); n > mostStacks+1000+3000*cutDepth || !d.cut || !isFull(d.stacks.Load(), 0) {
		t.Errorf("%d stacks are kept; cut: %t", n, d.cut)
	}
}

// Several people ask at once, while sessions arrive and maps are uploaded.
func TestQuestionsAtOnce(t *testing.T) {
	w, ctx := newWorld(t), context.Background()
	w.options.Remember = time.Minute
	inRelease(w, "1", []string{"parse", "get"}, 10, 20)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 20 {
				of := day([]string{"shop", "other"}[i%2])
				of.From = of.From.Add(-time.Duration(i/2) * time.Minute)
				if _, err := w.Functions(ctx, of, ProfileOptions{KeepIgnored: i%3 == 0}, 0); err != nil {
					t.Error(err)
				}
				if _, err := w.Trend(ctx, of, Function{Name: "parse"}, time.Hour); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for release := range 5 {
		inRelease(w, fmt.Sprint("2.", release), []string{"parse", "get"}, 10, 20)
	}
	all.Wait()
	w.options.Remember = 0
	f := must.Get(w.Functions(ctx, day("shop"), ProfileOptions{}, 0))(t)
	must.Equal(t, f.Ticks, 180)
	must.Equal(t, len(f.Functions), 2)
}
