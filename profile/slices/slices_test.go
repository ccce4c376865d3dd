package slices_test

import (
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/slices"
)

const ms = time.Millisecond

// recorded is a profile of ten samples from 110 ms on, with marks.
func recorded(start time.Time, marks ...profile.Mark) *profile.Profile {
	var b profile.Builder
	b.Meta.Interval, b.Meta.Start, b.Meta.Duration = 10*ms, start, time.Second
	stack := b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "f", File: "f.js", Line: 2, Column: 1}), 0, 0))
	for i := range 10 {
		b.Sample(profile.Sample{Time: int64(time.Duration(110+10*i) * ms), Stack: stack, Weight: 1})
	}
	for _, m := range marks {
		b.Mark(m)
	}
	return b.Profile()
}

func TestOf(t *testing.T) {
	p := recorded(time.Time{},
		profile.Mark{What: profile.Interaction, Name: "short", Time: 100 * ms, Duration: 199 * ms},
		profile.Mark{What: profile.Interaction, Name: "slow", Time: 100 * ms, Duration: 200 * ms},
		profile.Mark{What: profile.LongTask, Name: "slower", Time: 50 * ms, Duration: 300 * ms},
		profile.Mark{What: profile.Load, Name: "load", Time: 0, Duration: 900 * ms},
		profile.Mark{What: profile.Measure, Name: "measure", Time: 0, Duration: 900 * ms},
		profile.Mark{What: profile.UserMark, Name: "moment", Time: 100 * ms})
	names := func(o slices.Options) (names []string) {
		for _, s := range slices.Of(p, o) {
			names = append(names, s.Mark.Name)
		}
		return names
	}
	must.Equal(t, names(slices.Options{}), []string{"slower", "slow"})
	must.Equal(t, names(slices.Options{Over: map[profile.What]time.Duration{profile.Measure: 0, profile.UserMark: 0}}), []string{"measure"})
	slow := slices.Of(p, slices.Options{})[1]
	part := slow.Profile()
	must.Do(t, part.CheckValid())
	must.Equal(t, []any{part.Len(), part.Meta.Duration, slow.Of() == p}, []any{10, 200 * ms, true})
}

// A profile with very many marks has the longest as slices.
func TestManyMarks(t *testing.T) {
	var marks []profile.Mark
	for i := range 5000 {
		marks = append(marks, profile.Mark{What: profile.Interaction, Time: 100 * ms, Duration: 200*ms + time.Duration(i)})
	}
	found := slices.Of(recorded(time.Time{}, marks...), slices.Options{})
	must.Equal(t, []any{len(found), found[0].Mark.Duration}, []any{1000, 200*ms + 4999})
}

// A hostile profile with very deep stacks, and marks that all span it, is
// bounded; a deep recursion is not cut.
func TestHostileStacks(t *testing.T) {
	var b profile.Builder
	b.Meta.Interval = 10 * ms
	stack := profile.NoStack
	for i := range 20_000 {
		stack = b.Stack(stack, b.Frame(b.Function(profile.Function{Name: "f", Line: int32(1 + i)}), 0, 0))
		b.Sample(profile.Sample{Time: int64(i) * int64(ms), Stack: stack, Weight: 1})
	}
	for i := range 1000 {
		b.Mark(profile.Mark{What: profile.LongTask, Time: time.Duration(i), Duration: 20 * time.Second})
	}
	if found := slices.Of(b.Profile(), slices.Options{}); len(found) == 0 || len(found) > 100 {
		t.Errorf("%d slices", len(found))
	}

	var deep profile.Builder
	stack = profile.NoStack
	for range 5000 {
		stack = deep.Stack(stack, deep.Frame(deep.Function(profile.Function{Name: "recurse", Line: 3}), 0, 0))
	}
	stack = deep.Stack(stack, deep.Frame(deep.Function(profile.Function{Name: "leaf", Line: 1}), 0, 0))
	for i := range 30 {
		deep.Sample(profile.Sample{Time: int64(i) * int64(10*ms), Stack: stack, Weight: 1})
	}
	deep.Mark(profile.Mark{What: profile.LongTask, Duration: 290 * ms})
	s := slices.Of(deep.Profile(), slices.Options{})[0]
	must.Equal(t, s.Explain(), "290 ms of 290: leaf ← recurse")
}

// The page's origin decides what is a third party, unless the deployer knows better.
func TestOptions(t *testing.T) {
	var b profile.Builder
	b.Meta.Interval, b.Meta.Program = 10*ms, "https://a.example/"
	stack := b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "f", File: "https://b.example/f.js", Line: 2}), 0, 0))
	b.Sample(profile.Sample{Time: int64(100 * ms), Stack: stack, Weight: 10})
	b.Mark(profile.Mark{What: profile.LongTask, Duration: 200 * ms})
	p := b.Profile()
	group := func(o slices.Options) slices.Group { return slices.Of(p, o)[0].Blame.Functions[0].Group }
	must.Equal(t, group(slices.Options{}), slices.ThirdParty)
	must.Equal(t, group(slices.Options{Page: "https://b.example/x"}), slices.Own)
	must.Equal(t, group(slices.Options{FirstParty: func(url string) bool { return url == "https://b.example/f.js" }}), slices.Own)
	must.Equal(t, group(slices.Options{Framework: func(f profile.Function) bool { return f.Name == "f" }}), slices.Framework)
}

func TestDistinct(t *testing.T) {
	origin := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	click := profile.Mark{What: profile.Interaction, Name: "click", Time: 100 * ms, Duration: 300 * ms}
	task := profile.Mark{What: profile.LongTask, Name: "task", Time: 120 * ms, Duration: 290 * ms}
	late := profile.Mark{What: profile.LongFrame, Name: "frame", Time: 380 * ms, Duration: 250 * ms}
	names := func(parts bool, profiles ...*profile.Profile) (names []string) {
		var all []slices.Slice
		for _, p := range profiles {
			all = append(all, slices.Of(p, slices.Options{})...)
		}
		for _, s := range slices.Distinct(all, parts) {
			names = append(names, s.Mark.Name)
		}
		return names
	}
	a, again, other, unknown := recorded(origin, click, task, late), recorded(origin, click), recorded(origin.Add(time.Hour), click), recorded(time.Time{}, click)
	must.Equal(t, names(false, a), []string{"click", "frame"}, "the task is the click's")
	must.Equal(t, names(true, a), []string{"click", "task", "frame"}, "with parts")
	must.Equal(t, names(false, a, again), []string{"click", "frame"}, "one click in two files")
	must.Equal(t, names(false, a, other), []string{"click", "click", "frame"}, "another view of the page")
	must.Equal(t, names(false, unknown, unknown), []string{"click"}, "one profile")
	must.Equal(t, names(false, unknown, recorded(time.Time{}, click)), []string{"click", "click"}, "without an origin")

	// Of two that are the same, that with samples stays.
	empty := recorded(origin, click)
	empty.Samples = profile.Samples{}
	for _, order := range [][]*profile.Profile{{empty, again}, {again, empty}} {
		kept := slices.Distinct(append(slices.Of(order[0], slices.Options{}), slices.Of(order[1], slices.Options{})...), false)
		must.Equal(t, len(kept), 1)
		must.Equal(t, kept[0].Blame.Groups[slices.Own], 110*ms)
	}
}

func TestSummarize(t *testing.T) {
	var marks []profile.Mark
	for i := range 4 {
		marks = append(marks, profile.Mark{What: profile.Interaction, Name: "click", Target: "a", Time: 100 * ms, Duration: time.Duration(200+100*i) * ms})
	}
	marks = append(marks, profile.Mark{What: profile.LongTask, Name: "task", Time: 500 * ms, Duration: 250 * ms})
	got := slices.Summarize(slices.Of(recorded(time.Time{}, marks...), slices.Options{}))
	must.Equal(t, got, []slices.Summary{
		{Subject: slices.Subject{What: profile.Interaction, Name: "click", Target: "a"}, Count: 4, P50: 300 * ms, P75: 400 * ms, Max: 500 * ms, Explained: 4, Mostly: "f (f.js:2)"},
		{Subject: slices.Subject{What: profile.LongTask, Name: "task"}, Count: 1, P50: 250 * ms, P75: 250 * ms, Max: 250 * ms},
	})
}
