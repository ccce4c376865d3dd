package profile

import (
	"testing"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/sourcemap"
)

// The deployed text, one wrapper around one source:
//
//	(()=>{function a(b){return ()=>b}
//	a(1);})()
//
// from src/app.ts, where a was called apply and was on line 7.
func deployed(t *testing.T) (*functable.Table, *sourcemap.Map) {
	at := func(line, column int32) functable.Position { return functable.Position{Line: line, Column: column} }
	table := &functable.Table{File: "out.js", Functions: []functable.Function{
		{Kind: functable.Script, Start: at(1, 1), End: at(3, 1), Parent: -1},
		{Kind: functable.Arrow, Start: at(1, 2), End: at(2, 7), Definition: at(1, 2), Parent: 0, Sites: functable.Entry},
		{Kind: functable.Declaration, Name: "a", Start: at(1, 7), End: at(1, 34), Definition: at(1, 17), Parent: 1,
			Sites: functable.Entry, FilledFirst: true,
			Original: &functable.Original{Source: "src/app.ts", Name: "apply", Position: at(7, 15)}},
		{Kind: functable.Arrow, Inferred: "a.result", Start: at(1, 28), End: at(1, 33), Definition: at(1, 28), Parent: 2},
	}}
	must.Do(t, table.Check())
	// 1:7 → 7:1, 1:28 → 8:10, 2:1 → 10:1
	m := must.Get(sourcemap.Parse([]byte(`{"version":3,"sources":["src/app.ts"],"names":[],"mappings":"MAMA,qBACS;AAET"}`)))(t)
	return table, m
}

func TestSymbolize(t *testing.T) {
	table, m := deployed(t)
	both := Script{table, m}
	plainTable := &functable.Table{File: "out.js", Functions: append([]functable.Function(nil), table.Functions...)}
	plainTable.Functions[2].Original = nil
	const app, out = "src/app.ts", "out.js"
	for _, c := range []struct {
		name   string
		script Script
		was    Function
		line   int32
		column int32
		want   Function
		wantAt [2]int32
	}{
		{"original name and place", both, Function{Name: "x", File: out}, 1, 22,
			Function{"apply", app, 7, 15, Checked | FilledFirst}, [2]int32{7, 1}},
		{"inferred name, place by the map", both, Function{File: out}, 1, 32,
			Function{"a.result", app, 8, 10, 0}, [2]int32{8, 10}},
		{"code of the module in the bundler's wrapper", both, Function{File: out}, 2, 3,
			Function{"", app, 1, 1, Checked | TopLevel}, [2]int32{10, 1}},
		{"code of the bundler", both, Function{Name: "y", File: out}, 1, 3,
			Function{"", out, 1, 2, Checked}, [2]int32{1, 3}},
		{"the script", both, Function{File: out}, 1, 1,
			Function{"", out, 1, 1, Checked | TopLevel}, [2]int32{1, 1}},
		{"table alone", Script{Table: plainTable}, Function{Name: "x", File: out}, 1, 22,
			Function{"a", out, 1, 17, Checked | FilledFirst}, [2]int32{1, 22}},
		{"name by the table, place by the map", Script{plainTable, m}, Function{File: out}, 1, 22,
			Function{"a", app, 7, 1, Checked | FilledFirst}, [2]int32{7, 1}},
		{"map alone", Script{Map: m}, Function{Name: "a", File: out, Line: 1, Column: 17, Flags: Checked}, 1, 30,
			Function{"a", app, 7, 1, Checked}, [2]int32{8, 10}},
		{"map alone, unmapped", Script{Map: m}, Function{Name: "a", File: out}, 1, 2,
			Function{"a", out, 0, 0, 0}, [2]int32{1, 2}},
		{"by its definition, without a position", both, Function{Name: "x", File: out, Line: 1, Column: 17}, 0, 0,
			Function{"apply", app, 7, 15, Checked | FilledFirst}, [2]int32{0, 0}},
		{"by its definition, without a column", both, Function{Name: "x", File: out, Line: 1, Column: 17}, 2, 0,
			Function{"apply", app, 7, 15, Checked | FilledFirst}, [2]int32{0, 0}},
		{"map alone, defined, without a position", Script{Map: m}, Function{Name: "a", File: out, Line: 1, Column: 17}, 0, 0,
			Function{"a", app, 7, 1, 0}, [2]int32{0, 0}},
		{"neither", Script{}, Function{Name: "a", File: out}, 1, 22, Function{"a", out, 0, 0, 0}, [2]int32{1, 22}},
		{"no position", both, Function{Name: "a", File: out}, 0, 0, Function{"a", out, 0, 0, 0}, [2]int32{0, 0}},
		{"another file", both, Function{Name: "a", File: "b.js"}, 1, 22, Function{"a", "b.js", 0, 0, 0}, [2]int32{1, 22}},
		{"native code", both, Function{Name: "a", File: out, Flags: NativeCode}, 1, 22, Function{"a", out, 0, 0, NativeCode}, [2]int32{1, 22}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b Builder
			b.Sample(Sample{Stack: b.Stack(NoStack, b.Frame(b.Function(c.was), c.line, c.column)), Weight: 1, Kind: Loop})
			b.Sample(Sample{Stack: NoStack, Weight: 1, Kind: Idle})
			p := Symbolize(b.Profile(), map[string]Script{out: c.script})
			must.Do(t, p.CheckValid())
			f := p.Stacks.Frame[p.Samples.Stack[0]]
			must.Equal(t, p.Function(p.Frames.Function[f]), c.want, "function")
			must.Equal(t, [2]int32{p.Frames.Line[f], p.Frames.Column[f]}, c.wantAt, "position")
			must.Equal(t, p.Samples.Kind[0], Loop)
			must.Equal(t, p.Samples.Stack[1], NoStack)
		})
	}
}

// One function seen at two positions, and under two names by two engines, is
// one function.
func TestSymbolizeJoins(t *testing.T) {
	table, m := deployed(t)
	var b Builder
	for i, name := range []string{"a", "obj.a"} {
		f := b.Function(Function{Name: name, File: "out.js"})
		b.Sample(Sample{Stack: b.Stack(NoStack, b.Frame(f, 1, int32(20+i))), Weight: 1})
	}
	p := Symbolize(b.Profile(), map[string]Script{"out.js": {table, m}})
	must.Equal(t, len(p.Functions.Name), 1)
	must.Equal(t, len(p.Stacks.Parent), 1)
}

// The functions that are in a source, named as frames are; the script and the
// bundler's wrapper are in none.
func TestScriptFunctions(t *testing.T) {
	table, m := deployed(t)
	got := (&Script{table, m}).Functions()
	want := []Function{
		{"apply", "src/app.ts", 7, 15, Checked | FilledFirst},
		{"a.result", "src/app.ts", 8, 10, 0},
	}
	must.Equal(t, got, want)
	if got := (&Script{Map: m}).Functions(); got != nil {
		t.Errorf("without a table: %+v", got)
	}
}

// A map names what was minified where the name is declared, and nothing else.
func TestSymbolizeNamesByMap(t *testing.T) {
	// function a(b){}  1:1 → 4:1, 1:10 → 4:10 "parse", 1:12 → 4:16 "input"
	m := must.Get(sourcemap.Parse([]byte(`{"version":3,"sources":["app.ts"],"names":["parse","input"],"mappings":"AAGA,SAASA,EAAMC"}`)))(t)
	for was, want := range map[Function]string{
		{Name: "a", File: "out.js", Line: 1, Column: 11}:  "parse",
		{Name: "ab", File: "out.js", Line: 1, Column: 11}: "ab", // another name ends here
		{Name: "b", File: "out.js", Line: 1, Column: 12}:  "b",  // an arrow: its parameter is named here
		{Name: "a", File: "out.js", Line: 2, Column: 11}:  "a",
		{Name: "", File: "out.js", Line: 1, Column: 11}:   "",
	} {
		var b Builder
		b.Sample(Sample{Stack: b.Stack(NoStack, b.Frame(b.Function(was), 0, 0)), Weight: 1})
		p := Symbolize(b.Profile(), map[string]Script{"out.js": {Map: m}})
		must.Equal(t, p.Function(0).Name, want, was)
	}
}
