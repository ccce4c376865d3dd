package answer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/memory"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// large is a store that costs nothing, with as many sites as a question is about: some 100,000 different stacks
// of 20 frames on average, in 5,000 functions and two releases.
type large struct {
	*memory.Store
	sites map[store.Hash]store.Site
	ticks store.Ticks
}

func newLarge(b *testing.B) *large {
	b.Helper()
	random := rand.New(rand.NewPCG(18, 4))
	s := &large{memory.New(), map[store.Hash]store.Site{}, store.Ticks{}}
	const functions = 5000
	at := func(line, column int32) functable.Position { return functable.Position{Line: line, Column: column} }
	table := functable.Table{File: "app.js", Functions: []functable.Function{{Kind: functable.Script, Start: at(1, 1), End: at(2, 1), Parent: -1}}}
	for i := range int32(functions) {
		table.Functions = append(table.Functions, functable.Function{Kind: functable.Declaration, Name: fmt.Sprint("f", i), Start: at(1, 100*i+1), End: at(1, 100*i+99), Definition: at(1, 100*i+11),
			Sites: functable.Entry, Original: &functable.Original{Source: fmt.Sprintf("src/%d.ts", i/20), Name: fmt.Sprint("function", i), Position: at(i%20*10+1, 1)}})
	}
	content := must.Get(table.Encode())(b)
	for _, release := range []string{"1", "2"} {
		must.Do(b, s.PutFile(context.Background(), store.File{App: "shop", Release: release, Name: "assets/app.js.functions.json", Kind: store.FileTable, Size: int64(len(content)), Uploaded: noon}, content))
		s.ticks.Groups = append(s.ticks.Groups, store.Group{Values: []string{release}, Rate: 0.01, Interval: 10 * time.Millisecond})
		s.ticks.Rest = append(s.ticks.Rest, 1000)
	}
	var stack []store.Frame
	for h := range store.Hash(mostSites) {
		stack = append([]store.Frame{}, stack[min(len(stack), random.IntN(12)):]...)
		for len(stack) < 10 || random.IntN(16) > 0 && len(stack) < 200 {
			i := int32(random.IntN(functions))
			f := profile.Function{Name: fmt.Sprint("f", i), File: script, Line: 1, Column: 100*i + 11, Flags: profile.Checked}
			stack = append([]store.Frame{{Function: f, Line: 1, Column: 100*i + 20 + random.Int32N(3)}}, stack...)
		}
		s.sites[h] = store.Site{Hash: h, Frames: stack}
		for release := range 2 {
			s.ticks.Sums = append(s.ticks.Sums, store.Sum{Group: release, Site: h, Ticks: 1 + random.Int64N(1000)})
		}
	}
	return s
}

func (s *large) Sites(_ context.Context, _ string, hashes []store.Hash) (sites []store.Site, _ error) {
	for _, h := range hashes {
		sites = append(sites, s.sites[h])
	}
	return sites, nil
}

func (s *large) Ticks(_ context.Context, of store.Selection, by store.Grouping, limit int) (*store.Ticks, error) {
	if by.Step == 0 {
		return &s.ticks, nil
	}
	stepped := &store.Ticks{}
	only := of.Where[record.Release]
	for at := of.From; at.Before(of.To); at = at.Add(by.Step) {
		for i, group := range s.ticks.Groups {
			if only != nil && group.Values[0] != only[0] {
				continue
			}
			group.At = at
			stepped.Groups = append(stepped.Groups, group)
			stepped.Rest = append(stepped.Rest, 0)
			for _, sum := range s.ticks.Sums {
				if sum.Group == i && int(sum.Site) < limit {
					stepped.Sums = append(stepped.Sums, store.Sum{Group: len(stepped.Groups) - 1, Site: sum.Site, Ticks: sum.Ticks})
				}
			}
		}
	}
	return stepped, nil
}

// The time that an answer adds to the time of the store.
func BenchmarkAnswers(b *testing.B) {
	s, ctx := newLarge(b), context.Background()
	b.Run("first profile", func(b *testing.B) {
		for b.Loop() {
			must.Get(New(s, Options{}).Profile(ctx, day("shop"), ProfileOptions{}))(b)
		}
	})
	before, after := day("shop"), day("shop")
	before.Where, after.Where = map[string][]string{record.Release: {"1"}}, map[string][]string{record.Release: {"2"}}
	service := New(s, Options{})
	for name, ask := range map[string]func() error{
		"profile":   func() error { _, err := service.Profile(ctx, day("shop"), ProfileOptions{}); return err },
		"functions": func() error { _, err := service.Functions(ctx, day("shop"), ProfileOptions{}, 100); return err },
		"diff":      func() error { _, err := service.Diff(ctx, before, after, ProfileOptions{}, 100); return err },
		"trend": func() error {
			_, err := service.Trend(ctx, day("shop"), Function{"function7", "src/0.ts", 0}, time.Hour)
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			must.Do(b, ask())
			for b.Loop() {
				must.Do(b, ask())
			}
			b.ReportMetric(float64(service.deployed("shop").b.Stacks()), "stacks")
		})
	}
}

// Five hundred slices with their traces, as many as a question reads.
func BenchmarkSlices(b *testing.B) {
	w, ctx := newWorld(b), context.Background()
	for range mostTraces {
		click(w, "1", "button#save", 0.1, func(b *profile.Builder) {
			for at := 400; at < 1000; at++ {
				f := b.Function(profile.Function{Name: fmt.Sprint("f", at%100), File: script, Line: 1, Column: int32(100 * (at % 100)), Flags: profile.Checked})
				b.Sample(profile.Sample{Time: int64(at) * 1e6, Stack: b.Stack(b.Stack(profile.NoStack, 0), b.Frame(f, 1, int32(at))), Weight: 1})
			}
		})
	}
	w.upload("1", "app.js.map", store.FileMap, mapTo("parse", "src/app.ts"))
	for b.Loop() {
		must.Get(w.Slices(ctx, day("shop"), store.SliceQuery{Limit: 50}))(b)
	}
}
