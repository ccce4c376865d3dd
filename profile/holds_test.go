package profile

import (
	"testing"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
)

func holders(p *Profile) map[string]bool {
	names := map[string]bool{}
	for i := range p.Functions.Name {
		if f := p.Function(FunctionID(i)); f.Flags&HoldsOthers != 0 {
			names[f.Name] = true
		}
	}
	return names
}

// A checked function above which stacks have functions without checks holds their
// time; one that only calls checked ones, or the host's, does not.
func TestAttributeMarksHolders(t *testing.T) {
	var b Builder
	frame := func(name string, flags Flags) FrameID {
		return b.Frame(b.Function(Function{Name: name, Flags: flags}), 0, 0)
	}
	main := b.Stack(NoStack, frame("main", Checked))
	outer := b.Stack(main, frame("outer", Checked))
	helper := b.Stack(outer, frame("helper", 0))
	native := b.Stack(main, frame("native", NativeCode))
	b.Sample(Sample{Stack: b.Stack(helper, frame("inner", Checked)), Weight: 1, Kind: Entry})
	b.Sample(Sample{Stack: b.Stack(native, frame("callback", Checked)), Weight: 1, Kind: Loop})
	p := b.Profile()
	attributed := Attribute(p, BySite)
	must.Equal(t, holders(attributed), map[string]bool{"outer": true}, "hold others' time")
	if len(holders(p)) > 0 {
		t.Error("the captured profile changed")
	}
	if got := holders(Fold(attributed, func(f Function) bool { return f.Name == "main" })); !got["outer"] {
		t.Error("folding takes the mark away")
	}
}

// The table has functions inside others: the time of an argument without checks belongs to the
// function that contains it, the time of one with a name may belong to any function.
func TestSymbolizeMarksHolders(t *testing.T) {
	at := func(line, column int32) functable.Position { return functable.Position{Line: line, Column: column} }
	function := func(name string, line, parent int32, sites functable.Sites, kind functable.Kind) functable.Function {
		return functable.Function{Name: name, Kind: kind, Parent: parent, Sites: sites, Start: at(line, 1), End: at(line, 90), Definition: at(line, 1)}
	}
	inside := func(f functable.Function) functable.Function {
		f.Start, f.End, f.Definition = at(f.Start.Line, 20), at(f.Start.Line, 40), at(f.Start.Line, 20)
		return f
	}
	table := &functable.Table{File: "a.js", Functions: []functable.Function{
		{Kind: functable.Script, Parent: -1, Start: at(1, 1), End: at(9, 1), Definition: at(1, 1)},
		function("maps", 2, 0, functable.Entry, functable.Declaration), inside(function("", 2, 1, 0, functable.Arrow)),
		function("declares", 3, 0, functable.Entry, functable.Declaration), inside(function("helper", 3, 3, 0, functable.Declaration)),
		function("checks", 4, 0, functable.Entry, functable.Declaration), inside(function("", 4, 5, functable.Entry, functable.Arrow)),
		function("bare", 5, 0, 0, functable.Declaration), inside(function("", 5, 7, 0, functable.Arrow)),
	}}
	var b Builder
	for line := int32(1); line <= 5; line++ {
		b.Sample(Sample{Stack: b.Stack(NoStack, b.Frame(b.Function(Function{File: "a.js", Line: line, Column: 1}), line, 5)), Weight: 1, Kind: Loop})
	}
	must.Equal(t, holders(Symbolize(b.Profile(), map[string]Script{"a.js": {Table: table}})), map[string]bool{"maps": true}, "hold others' time")
}
