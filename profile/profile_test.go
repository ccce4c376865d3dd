package profile

import (
	"math"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
)

// sampleProfile has two functions, a recursion, an idle and a weighted sample.
func sampleProfile() *Profile {
	var b Builder
	b.Meta = Meta{Start: time.Unix(100, 0), Duration: time.Second, Interval: time.Millisecond, Program: "a.js",
		Ticks: Ticks{Raised: 10, Taken: 9, Idle: 1}, Skid: Spread{4, 10, 20, 30}, Coverage: Coverage{2, 1, 20, 10}}
	f := b.Function(Function{Name: "f", File: "a.js", Line: 1, Column: 11, Flags: Checked})
	g := b.Function(Function{File: "a.js", Line: 9, Column: 1})
	outer := b.Stack(NoStack, b.Frame(f, 2, 3))
	inner := b.Stack(b.Stack(outer, b.Frame(g, 10, 1)), b.Frame(f, 2, 3))
	b.Sample(Sample{Time: 30, Stack: inner, Weight: 4, Kind: Exit, Skid: 5})
	b.Sample(Sample{Time: 10, Stack: outer, Weight: 1, Kind: Loop, Skid: 1})
	b.Sample(Sample{Time: 20, Stack: b.Pseudo(NoStack, NameIdle), Weight: 1, Kind: Idle})
	return b.Profile()
}

func TestBuilderInterns(t *testing.T) {
	p := sampleProfile()
	must.Do(t, p.CheckValid())
	if f, fr, st := len(p.Functions.Name), len(p.Frames.Function), len(p.Stacks.Parent); f != 3 || fr != 3 || st != 4 {
		t.Errorf("%d functions, %d frames, %d stacks", f, fr, st)
	}
	if got := p.Samples.Time; got[0] != 10 || got[1] != 20 || got[2] != 30 || p.Samples.Weight[2] != 4 {
		t.Errorf("samples are not in order of time: %+v", p.Samples)
	}
}

func TestBuilderKeepsWhatItGave(t *testing.T) {
	var b Builder
	f := Function{Name: "f"}
	b.Sample(Sample{Stack: b.Stack(NoStack, b.Frame(b.Function(f), 1, 1)), Weight: 1})
	p := b.Profile()
	f.Flags = Checked
	if b.Function(f) != 0 || p.Functions.Flags[0] != 0 || b.Profile().Functions.Flags[0] != Checked {
		t.Error("flags add up in the builder, not in profiles it gave before")
	}
	f.Flags = Pseudo
	if b.Function(f) == 0 {
		t.Error("a program's function and a pseudo-function of one name are one")
	}
	b.Add(Sample{Time: 1, Stack: NoStack, Kind: Lost}, math.MaxInt32+5)
	if q := b.Profile(); q.Len() != 3 || q.Samples.Weight[1] != math.MaxInt32 || q.Samples.Weight[2] != 5 || p.Len() != 1 {
		t.Errorf("%+v", q.Samples)
	}
}

func TestCheckValid(t *testing.T) {
	must.Do(t, new(Builder).Profile().CheckValid(), "empty")
	for _, c := range []struct {
		change func(*Profile)
		want   string
	}{
		{func(p *Profile) { p.Strings = nil }, "strings: entry 0"},
		{func(p *Profile) { p.Strings[0] = "x" }, "strings: entry 0"},
		{func(p *Profile) { p.Functions.File = nil }, "functions: 0 in column File, 3 in column Name"},
		{func(p *Profile) { p.Functions.Name[1] = 40 }, "function 1: name 40 of"},
		{func(p *Profile) { p.Functions.File[1] = -1 }, "function 1: file -1 of"},
		{func(p *Profile) { p.Functions.Line[1] = -7 }, "function 1: defined at -7:1"},
		{func(p *Profile) { p.Frames.Function[2] = 3 }, "frame 2: function 3 of 3"},
		{func(p *Profile) { p.Frames.Column[0] = -1 }, "frame 0: position 2:-1"},
		{func(p *Profile) { p.Stacks.Frame[3] = 9 }, "stack 3: frame 9 of 3"},
		{func(p *Profile) { p.Stacks.Parent[1] = 1 }, "stack 1: parent 1 does not come before it"},
		{func(p *Profile) { p.Stacks.Parent[1] = -2 }, "stack 1: parent -2"},
		{func(p *Profile) { p.Samples.Stack[2] = 93 }, "sample 2: stack 93 of 4"},
		{func(p *Profile) { p.Samples.Weight[0] = 0 }, "sample 0: weight 0"},
		{func(p *Profile) { p.Samples.Kind[0] = 50 }, "sample 0: unknown kind 50"},
		{func(p *Profile) { p.Samples.Skid[0] = -1 }, "sample 0: skid -1"},
		{func(p *Profile) { p.Samples.Time[0] = -1 }, "sample 0: time -1"},
		{func(p *Profile) { p.Samples.Time[1] = 9 }, "sample 1: time 9 is before its predecessor's 10"},
		{func(p *Profile) { p.Samples.Kind = nil }, "samples: 0 in column Kind"},
		{func(p *Profile) { p.Meta.Interval = -1 }, "interval -1ns"},
		{func(p *Profile) { p.Meta.Ticks.Lost = -3 }, "-3 lost ticks"},
	} {
		p := sampleProfile()
		c.change(p)
		must.Fail(t, p.CheckValid(), c.want)
	}
}

func TestMerge(t *testing.T) {
	a, b := sampleProfile(), sampleProfile()
	b.Meta.Start = a.Meta.Start.Add(-time.Second)
	b.Meta.Skid = Spread{12, 30, 40, 90}
	m := must.Get(Merge(a, b))(t)
	must.Do(t, m.CheckValid())
	must.Equal(t, m.Len(), 6)
	must.Equal(t, len(m.Stacks.Parent), 4)
	must.Equal(t, m.Samples.Time[0], 10)
	must.Equal(t, m.Samples.Time[3], int64(time.Second)+10)
	if m.Meta.Duration != 2*time.Second || !m.Meta.Start.Equal(b.Meta.Start) || m.Meta.Ticks.Raised != 20 ||
		m.Meta.Coverage != a.Meta.Coverage || m.Meta.Skid != (Spread{16, 25, 35, 90}) {
		t.Errorf("meta %+v", m.Meta)
	}
	must.Equal(t, stackText(m, m.Samples.Stack[2]), "f@2 > (anonymous)@10 > f@2", "stack")
}

// A program's coverage counts once, in whatever order its runs come; runs of unknown programs are of several.
func TestMergeCountsProgramsOnce(t *testing.T) {
	of := func(program string, checked int64) *Profile {
		p := sampleProfile()
		p.Meta.Program, p.Meta.Coverage = program, Coverage{Functions: 100, CheckedFunctions: checked}
		return p
	}
	a, b, unknown := of("a.js", 100), of("b.js", 0), of("", 50)
	for _, c := range []struct {
		ps   []*Profile
		want Coverage
	}{
		{[]*Profile{a, b, b}, Coverage{Functions: 200, CheckedFunctions: 100}},
		{[]*Profile{b, b, a}, Coverage{Functions: 200, CheckedFunctions: 100}},
		{[]*Profile{b, a, b, a}, Coverage{Functions: 200, CheckedFunctions: 100}},
		{[]*Profile{a, a}, Coverage{Functions: 100, CheckedFunctions: 100}},
		{[]*Profile{unknown, a, unknown}, Coverage{Functions: 300, CheckedFunctions: 200}},
	} {
		must.Equal(t, must.Get(Merge(c.ps...))(t).Meta.Coverage, c.want)
	}
	must.Equal(t, must.Get(Merge(a, b, a))(t).Meta.Program, "")
}

// Intervals that were measured are never the same; the times of a merged profile are the times of its parts.
func TestMergeMeasuredIntervals(t *testing.T) {
	of := func(interval time.Duration, samples int) *Profile {
		b := Builder{Meta: Meta{Interval: interval, Duration: time.Duration(samples) * interval}}
		stack := b.Stack(NoStack, b.Frame(b.Function(Function{Name: "f"}), 1, 1))
		for i := range samples {
			b.Sample(Sample{Time: int64(i) * int64(interval), Stack: stack, Weight: 1})
		}
		return b.Profile()
	}
	a, b := of(1253*time.Microsecond, 100), of(1249*time.Microsecond, 300)
	m := must.Get(Merge(a, b))(t)
	must.Equal(t, m.Meta.Interval, 1250*time.Microsecond)
	must.Equal(t, m.TickTime().Of(m.Samples.Ticks()), a.Meta.Duration+b.Meta.Duration)
	must.Refuse(Merge(a, of(2*time.Millisecond, 10)))(t, "their ticks do not add up")
	b.Meta.Ticks.Raised = 300 // the interval was chosen
	must.Refuse(Merge(a, b))(t, "their ticks do not add up")
}

// A column of tags may be there without any.
func TestMergeWithoutTags(t *testing.T) {
	p := sampleProfile()
	p.Samples.Tags = make([]TagsID, p.Len())
	must.Equal(t, must.Get(Merge(p, sampleProfile()))(t).Len(), 2*p.Len())
}

// Idle time is known of all or of none, whichever profile is the first.
func TestMergeKnowsIdleTimeOfAll(t *testing.T) {
	for _, known := range [][2]bool{{true, true}, {true, false}, {false, true}, {false, false}} {
		a, b := sampleProfile(), sampleProfile()
		a.Meta.IdleKnown, b.Meta.IdleKnown = known[0], known[1]
		must.Equal(t, must.Get(Merge(a, b))(t).Meta.IdleKnown, known[0] && known[1], known)
	}
}

// Scripts keep the debug ids on which all profiles agree that have them.
func TestMergeDebugIDs(t *testing.T) {
	of := func(ids map[string]string, scripts ...string) *Profile {
		b := Builder{Meta: Meta{DebugIDs: ids}}
		for _, file := range scripts {
			b.Sample(Sample{Stack: b.Stack(NoStack, b.Frame(b.Function(Function{Name: "f", File: file}), 1, 1)), Weight: 1})
		}
		return b.Profile()
	}
	a := of(map[string]string{"both.js": "1", "two.js": "2", "a.js": "3"}, "both.js", "two.js", "a.js")
	b := of(map[string]string{"both.js": "1", "two.js": "4", "b.js": "5"}, "both.js", "two.js", "b.js")
	unknown := of(nil, "a.js", "c.js")
	for _, c := range []struct {
		ps   []*Profile
		want map[string]string
	}{
		{[]*Profile{a, b}, map[string]string{"both.js": "1", "a.js": "3", "b.js": "5"}},
		{[]*Profile{b, a, b, a}, map[string]string{"both.js": "1", "a.js": "3", "b.js": "5"}},
		{[]*Profile{unknown, b, a}, map[string]string{"both.js": "1", "b.js": "5"}}, // that a.js may be another one
		{[]*Profile{unknown, unknown}, nil},
	} {
		must.Equal(t, must.Get(Merge(c.ps...))(t).Meta.DebugIDs, c.want)
	}
	if len(a.Meta.DebugIDs) != 3 || len(b.Meta.DebugIDs) != 3 {
		t.Error("merging changed the ids of its arguments")
	}
}

func TestMergeRefuses(t *testing.T) {
	bad, slow := sampleProfile(), sampleProfile()
	bad.Samples.Weight[1] = 0
	slow.Meta.Interval = time.Second
	for _, c := range []struct {
		ps   []*Profile
		want string
	}{
		{nil, "nothing to merge"},
		{[]*Profile{sampleProfile(), nil}, "profile 1 is nil"},
		{[]*Profile{sampleProfile(), bad}, "profile 1: profile: sample 1: weight 0"},
		{[]*Profile{sampleProfile(), slow}, "profile 1 has interval 1s, profile 0 has 1ms"},
	} {
		must.Refuse(Merge(c.ps...))(t, c.want)
	}
}

func TestDisplayName(t *testing.T) {
	var b Builder
	for _, c := range []struct {
		f    Function
		want string
	}{
		{Function{Name: "f"}, "f"}, {Function{File: "a.js"}, "(anonymous)"}, {Function{File: "a.js", Flags: TopLevel}, "(top level)"},
	} {
		id := b.Function(c.f)
		must.Equal(t, b.Profile().DisplayName(id), c.want, c.f)
	}
}
