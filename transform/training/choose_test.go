package training

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
)

// random makes counts by chance: sizes and executions over many magnitudes, ties among them.
func random(r *rand.Rand) *Counts {
	c := &Counts{Format: Format, Version: Version, Build: "b", Preset: "precise", Sessions: 1, Milliseconds: math.Exp(r.Float64() * 12)}
	executions := func() int64 { return int64(math.Exp(r.Float64()*22)) - 1 }
	for i := range 1 + r.IntN(4) {
		file := File{File: fmt.Sprintf("%d.js", i), Hash: "h"}
		for k := range 1 + r.IntN(30) {
			f := Function{Index: int32(k), Line: 1, Column: 1, Statements: int32(r.IntN(20)), Iterates: r.IntN(9) == 0}
			n := executions()
			if r.IntN(8) > 0 {
				f.Entry, f.Exit = &n, &n
			}
			for range r.IntN(3) {
				f.Loops = append(f.Loops, executions())
			}
			if f.Sites() != 0 {
				file.Functions = append(file.Functions, f)
			}
		}
		c.Files = append(c.Files, file)
	}
	return c
}

// sitesOf is the whole choice, for comparison.
func sitesOf(c *Choice) map[string]functable.Sites {
	all := map[string]functable.Sites{}
	for script, unit := range c.units {
		for index, chosen := range unit.Functions {
			if chosen.Sites != 0 {
				all[fmt.Sprint(script, index)] = chosen.Sites
			}
		}
	}
	return all
}

// recost adds up what a choice costs.
func recost(c *Choice, costs Costs) float64 {
	total := 0.0
	for _, unit := range c.units {
		for _, chosen := range unit.Functions {
			total += costs.of(chosen.Function, chosen.Sites)
		}
	}
	return total
}

func TestChoicesKeepToTheBudget(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	exceeded, filled := 0, 0
	for range 3000 {
		counts := random(r)
		costs := []Costs{Inline, Compact, Goja, {Entry: 1}}[r.IntN(4)]
		percent := math.Exp(r.Float64()*12 - 8)
		choice := counts.Choose(costs, percent, nil)
		cost := recost(choice, costs)
		if math.Abs(cost-choice.Cost) > 1e-9*cost+1e-9 {
			t.Fatalf("it costs %v, not %v", cost, choice.Cost)
		}
		if choice.Exceeds {
			exceeded++
			checkLargest(t, choice)
		} else if cost > choice.Nanoseconds*percent/100*(1+1e-9) {
			t.Fatalf("it costs %v%%, more than %v%%", choice.Overhead(), percent)
		} else if cost > 0 {
			filled++
		}
		for _, unit := range choice.units {
			for _, chosen := range unit.Functions {
				if all := chosen.Function.Sites(); chosen.Sites&^all != 0 || chosen.Sites == functable.Loop && all != functable.Loop {
					t.Fatalf("%v of the sites %v", chosen.Sites, all)
				}
			}
		}
		shuffled := *counts
		shuffled.Files = slices.Clone(counts.Files)
		r.Shuffle(len(shuffled.Files), func(i, k int) { shuffled.Files[i], shuffled.Files[k] = shuffled.Files[k], shuffled.Files[i] })
		if again := shuffled.Choose(costs, percent, nil); !maps.Equal(sitesOf(choice), sitesOf(again)) {
			t.Fatal("another order of files, another choice")
		}
	}
	if exceeded == 0 || filled < 1000 {
		t.Errorf("%d budgets that nothing fits, %d with something in them", exceeded, filled)
	}
}

// checkLargest: only entries, of no more than ten functions, and none larger is left out.
func checkLargest(t *testing.T, c *Choice) {
	t.Helper()
	smallest, largestOut, n := int32(math.MaxInt32), int32(-1), 0
	for _, unit := range c.units {
		for _, chosen := range unit.Functions {
			switch {
			case chosen.Sites == functable.Entry && chosen.Largest:
				smallest = min(smallest, chosen.Statements)
				n++
			case chosen.Sites != 0:
				t.Fatalf("sites %v are left", chosen.Sites)
			case chosen.Entry != nil:
				largestOut = max(largestOut, chosen.Statements)
			}
		}
	}
	if n > largest || n < largest && largestOut >= 0 || largestOut > smallest {
		t.Fatalf("%d entries are left, the smallest of %d statements; one of %d is not", n, smallest, largestOut)
	}
}

// A larger budget keeps everything before the first part that did not fit the smaller one.
func TestChoicesGrowWithTheBudget(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 2000 {
		counts := random(r)
		percent := math.Exp(r.Float64()*10 - 6)
		small, large := counts.Choose(Inline, percent, nil), counts.Choose(Inline, percent*(1+3*r.Float64()), nil)
		if small.Exceeds || large.Exceeds {
			continue
		}
		parts := counts.parts(Inline, nil)
		slices.SortFunc(parts, compareParts)
		for i := range parts {
			p := &parts[i]
			if small.chosen(p).Sites&p.sites != p.sites {
				break
			}
			if large.chosen(p).Sites&p.sites != p.sites {
				t.Fatalf("%v%% keeps %s, and %v%% does not", small.Percent, p.function, large.Percent)
			}
		}
	}
	counts := random(r)
	if all := counts.Choose(Inline, 1e12, nil); len(sitesOf(all)) == 0 || all.Exceeds || slices.ContainsFunc(counts.Files, func(f File) bool {
		return slices.ContainsFunc(f.Functions, func(function Function) bool {
			return all.Of(Script{f.File, f.Hash}).Functions[function.Index].Sites != function.Sites()
		})
	}) {
		t.Error("a budget for everything does not choose everything")
	}
}

// The estimate prefers large functions; a profile says otherwise.
func TestProfilesDecide(t *testing.T) {
	n := int64(1e6)
	counts := &Counts{Milliseconds: 1000, Files: []File{{"a.js", "h", []Function{
		{Index: 1, Statements: 20, Entry: &n, Exit: &n, Name: "large"}, {Index: 2, Statements: 2, Entry: &n, Exit: &n, Name: "small"},
	}}}}
	budget := 100 * Inline.of(&counts.Files[0].Functions[0], 5) / counts.duration() * 1.5 // one of them
	chosen := func(times Times) (indices []int32) {
		for index, c := range counts.Choose(Inline, budget, times).Of(Script{"a.js", "h"}).Functions {
			if c.Sites != 0 {
				indices = append(indices, index)
			}
		}
		return indices
	}
	if got := chosen(nil); !slices.Equal(got, []int32{1}) {
		t.Errorf("%v are chosen", got)
	}
	if got := chosen(func(_ string, f *Function) float64 { return map[string]float64{"small": 1e9}[f.Name] }); !slices.Equal(got, []int32{2}) {
		t.Errorf("with a profile, %v are chosen", got)
	}
}

// Counts that are written can be read, and merging adds up.
func TestCountsAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		c := random(r)
		text := must.Get(c.Encode())(t)
		if !Is(text) {
			t.Fatalf("%.100s", text)
		}
		read, err := Read("c.json", text)
		if err != nil {
			continue // nothing was executed
		}
		if again := must.Get(read.Encode())(t); string(again) != string(text) {
			t.Fatalf("%s\nbecame\n%s", text, again)
		}
		merged := must.Get(Merge(read, read, read))(t)
		if merged.Sessions != 3 || merged.Milliseconds != read.Milliseconds+read.Milliseconds+read.Milliseconds {
			t.Fatalf("%d sessions, %v ms", merged.Sessions, merged.Milliseconds)
		}
		for i, f := range merged.Files {
			for k := range f.Functions {
				if got, want := f.Functions[k].Executions(), 3*read.Files[i].Functions[k].Executions(); got != want {
					t.Fatalf("%v executions, want %v", got, want)
				}
			}
		}
		if again := must.Get(read.Encode())(t); string(again) != string(text) {
			t.Fatal("merging changed what was merged")
		}
	}
}

// session is a run of the build that the counts are of: other executions, of some of the
// functions, in files of any order.
func session(r *rand.Rand, build *Counts) *Counts {
	c := *build
	c.Milliseconds = float64(1 + r.IntN(1<<20)) // sums of whole numbers are exact
	c.Files = nil
	executions := func() *int64 {
		n := int64(math.Exp(r.Float64() * 22))
		return &n
	}
	for _, i := range r.Perm(len(build.Files)) {
		file := File{File: build.Files[i].File, Hash: build.Files[i].Hash}
		for k := range build.Files[i].Functions {
			if r.IntN(3) == 0 {
				continue
			}
			f := build.Files[i].Functions[k].clone()
			if f.Entry != nil {
				f.Entry, f.Exit = executions(), executions()
			}
			for l := range f.Loops {
				f.Loops[l] = *executions()
			}
			file.Functions = append(file.Functions, f)
		}
		if len(file.Functions) > 0 {
			c.Files = append(c.Files, file)
		}
	}
	return &c
}

// However sessions are merged, the counts are the same.
func TestMergingHasNoOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	merged := 0
	for range 300 {
		build := random(r)
		a, b, c := session(r, build), session(r, build), session(r, build)
		if a.check() != nil || b.check() != nil || c.check() != nil {
			continue // nothing was executed
		}
		merged++
		text := func(all ...*Counts) string {
			return string(must.Get(must.Get(Merge(all...))(t).Encode())(t))
		}
		want := text(a, b, c)
		for name, got := range map[string]string{
			"c, b, a":   text(c, b, a),
			"b, c, a":   text(b, c, a),
			"(a, b), c": text(must.Get(Merge(a, b))(t), c),
			"a, (b, c)": text(a, must.Get(Merge(b, c))(t)),
		} {
			if got != want {
				t.Fatalf("a, b, c give\n%s\nbut %s\n%s", want, name, got)
			}
		}
	}
	if merged < 100 {
		t.Errorf("only %d were merged", merged)
	}
}

// Sums that counts may not say are refused, also where they would have wrapped around to some that
// they may.
func TestSumsDoNotWrapAround(t *testing.T) {
	most := int64(mostExecutions)
	c := &Counts{Format: Format, Version: Version, Build: "b", Preset: "precise", Sessions: 1, Milliseconds: 1, Files: []File{
		{File: "a.js", Hash: "h", Functions: []Function{{Line: 1, Column: 1, Entry: &most, Exit: &most, Loops: []int64{1}}}},
	}}
	for n := 2; n <= 4096; n *= 2 {
		if _, err := Merge(slices.Repeat([]*Counts{c}, n)...); err == nil {
			t.Errorf("%d files add up", n)
		}
	}
	must.Get(Merge(c))(t)
}
