package functable

import (
	"math/rand/v2"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// small describes
//
//	let a = 1;
//	class C { [k()](x) { return () => x } get size() { return 1 } }
//	function f() {
//	  return x => y => x + y
//	}
func small() *Table {
	at := func(line, column int32) Position { return Position{line, column} }
	return &Table{File: "small.js", DebugID: "ab-1", Functions: []Function{
		{Kind: Script, Start: at(1, 1), End: at(6, 1), Parent: -1, Statements: 3},
		{Kind: Method, Start: at(2, 11), End: at(2, 38), Definition: at(2, 16), Parent: 0, Statements: 1, Sites: Entry | Exit},
		{Kind: Arrow, Start: at(2, 29), End: at(2, 36), Definition: at(2, 29), Parent: 1, Statements: 1, Inferred: "C.<computed>"},
		{Name: "get size", Kind: Getter, Start: at(2, 39), End: at(2, 62), Definition: at(2, 47), Parent: 0, Statements: 1, FilledFirst: true, Ignored: true},
		{Name: "f", Kind: Declaration, Start: at(3, 1), End: at(5, 2), Definition: at(3, 11), Parent: 0, Statements: 1, Sites: Loop,
			Original: &Original{Source: "src/a.ts", Name: "original", Position: at(30, 7)}},
		{Kind: Arrow, Start: at(4, 10), End: at(4, 25), Definition: at(4, 10), Parent: 4, Statements: 1,
			Original: &Original{Source: "src/a.ts", Position: at(30, 20)}},
		{Kind: Arrow, Start: at(4, 15), End: at(4, 25), Definition: at(4, 15), Parent: 5, Statements: 1},
	}}
}

func TestFind(t *testing.T) {
	table := small()
	must.Do(t, table.Check())
	for _, c := range []struct {
		line, column int32
		want         int
	}{
		{0, 0, 0}, {1, 1, 0}, {1, 99, 0},
		{2, 12, 0}, // the computed name of a method is not the method
		{2, 16, 1}, {2, 28, 1}, {2, 29, 2}, {2, 35, 2}, {2, 36, 1}, {2, 37, 1}, {2, 38, 0},
		{2, 41, 0}, {2, 50, 3},
		{2, 62, 0}, {3, 1, 4}, {4, 1, 4}, {4, 10, 5}, {4, 15, 6}, {4, 24, 6}, {4, 25, 4}, {5, 1, 4}, {5, 2, 0},
		{6, 1, 0}, {99, 1, 0}, {-1, -1, 0},
	} {
		must.Equal(t, table.Find(Position{c.line, c.column}), c.want, c.line, c.column)
	}
	must.Equal(t, new(Table).Find(Position{1, 1}), 0, "empty table")
}

func TestBeginning(t *testing.T) {
	table := small()
	for _, c := range []struct {
		line, column int32
		isNamed      bool
		want         int
	}{
		{1, 1, false, 0}, {1, 1, true, 0},
		{2, 11, true, 1}, {2, 13, true, 1}, {2, 16, true, 1}, // a method: where it begins, after `static`, at its parameters
		{2, 29, false, 2},
		{2, 39, true, 3}, {2, 43, true, 3}, {2, 47, true, 3},
		{3, 1, true, 4}, {3, 11, true, 4}, {4, 10, false, 5}, {4, 15, false, 6},
		{5, 2, true, 0},
	} {
		must.Equal(t, table.Beginning(Position{c.line, c.column}, c.isNamed), c.want, c.line, c.column)
	}
	table.Functions[1].Start = table.Functions[0].Start
	table.Functions[1].Kind = Declaration
	must.Equal(t, table.Beginning(Position{1, 1}, false), 0, "a script")
	must.Equal(t, table.Beginning(Position{1, 1}, true), 1, "its first function")
	must.Equal(t, new(Table).Beginning(Position{1, 1}, true), 0, "empty table")
}

// TestFindAgainstScan compares with the obvious slow search.
func TestFindAgainstScan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		table := randomTable(r)
		for range 50 {
			p := Position{1 + r.Int32N(12), 1 + r.Int32N(40)}
			want := 0
			for i := range table.Functions {
				if f := &table.Functions[i]; !p.Before(f.Start) && p.Before(f.End) {
					want = i // children are after their parents: the last is the innermost
				}
			}
			must.Equal(t, table.Find(p), want, p, table.Functions)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		change func(*Table)
		want   string
	}{
		{func(t *Table) { t.Functions = nil }, `"small.js": has no entry`},
		{func(t *Table) { t.Functions[0].Kind = Arrow }, "function 0: kind 3"},
		{func(t *Table) { t.Functions[2].Kind = Script }, "function 2: kind 0"},
		{func(t *Table) { t.Functions[2].Kind = 77 }, "function 2: unknown kind 77"},
		{func(t *Table) { t.Functions[2].Sites = 8 }, "function 2: unknown sites"},
		{func(t *Table) { t.Functions[2].Statements = -1 }, "function 2: -1 statements"},
		{func(t *Table) { t.Functions[0].Start = Position{} }, "function 0: starts at 0:0"},
		{func(t *Table) { t.Functions[0].Parent = 0 }, "function 0: the script has parent 0"},
		{func(t *Table) { t.Functions[3].Parent = 3 }, "function 3: parent 3, want 0 to 2"},
		{func(t *Table) { t.Functions[3].Parent = -1 }, "function 3: parent -1"},
		{func(t *Table) { t.Functions[4].Start = Position{2, 12} }, "function 4: starts at 2:12, before function 3"},
		{func(t *Table) { t.Functions[4].End = Position{2, 1} }, "function 4: ends at 2:1"},
		{func(t *Table) { t.Functions[4].Definition = Position{9, 1} }, "function 4: is defined at 9:1"},
		{func(t *Table) { t.Functions[6].End = Position{4, 26} }, "function 6: 4:15 to 4:26 is not inside its parent 5"},
	} {
		table := small()
		c.change(table)
		must.Fail(t, table.Check(), c.want)
		if _, err := table.Encode(); err == nil {
			t.Errorf("%s: encoded all the same", c.want)
		}
	}
}

func TestEncodedForm(t *testing.T) {
	table := &Table{File: "a.js", Functions: small().Functions[:1]}
	table.Functions = append(table.Functions, small().Functions[4])
	table.Functions[1].Parent = 0
	got := must.Get(table.Encode())(t)
	const want = `{"version":1,"file":"a.js","strings":["","f","src/a.ts","original"],"functions":[` +
		`0,1,1,5,1,-1,0,1,0,3,` +
		`545,2,1,2,2,0,10,1,1,1,2,3,30,7]}`
	must.Equal(t, string(got), want)
}

func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	tables := []*Table{small()}
	for range 300 {
		tables = append(tables, randomTable(r))
	}
	for _, table := range tables {
		data := must.Get(table.Encode())(t)
		again := must.Get(Decode(data))(t, data)
		must.Equal(t, table, again)
	}
}

// randomTable nests functions at random over a text of ten lines.
func randomTable(r *rand.Rand) *Table {
	t := &Table{File: "random.js", Functions: []Function{{Start: Position{1, 1}, End: Position{11, 1}, Parent: -1}}}
	pick := func(low, high Position) Position {
		p := Position{low.Line, 0}
		if high.Line > low.Line {
			p.Line += r.Int32N(high.Line - low.Line + 1)
		}
		from, to := int32(1), int32(38)
		if p.Line == low.Line {
			from = low.Column
		}
		if p.Line == high.Line {
			to = max(from, high.Column)
		}
		p.Column = from + r.Int32N(to-from+1)
		return p
	}
	names := []string{"", "f", "größe", "get x", "[Symbol.iterator]", "\u2028<!--"}
	var inside func(parent int, low, high Position, depth int)
	inside = func(parent int, low, high Position, depth int) {
		for r.IntN(4) > 0 {
			start := pick(low, high)
			end := pick(start, high)
			if !start.Before(end) {
				return
			}
			f := Function{Name: names[r.IntN(len(names))], Kind: Expression, Start: start, End: end, Parent: int32(parent),
				Statements: r.Int32N(50), Sites: Sites(r.IntN(8)), FilledFirst: r.IntN(2) == 0, Ignored: r.IntN(2) == 0}
			if r.IntN(2) == 0 {
				f.Definition = pick(start, end)
			}
			if r.IntN(3) == 0 {
				f.Inferred = "X.prototype.f"
			}
			if r.IntN(2) == 0 {
				f.Original = &Original{"src/x.ts", names[r.IntN(len(names))], Position{r.Int32N(1000), r.Int32N(200)}}
			}
			t.Functions = append(t.Functions, f)
			if depth < 4 {
				inside(len(t.Functions)-1, start, end, depth+1)
			}
			low = end
		}
	}
	inside(0, Position{1, 1}, Position{10, 38}, 0)
	return t
}

func TestDecodeRefuses(t *testing.T) {
	const script = `0,1,1,5,1,-1,0,1,0,3`
	form := func(functions string) string {
		return `{"version":1,"file":"a.js","strings":[""],"functions":[` + functions + `]}`
	}
	for _, c := range []struct{ in, want string }{
		{``, "unexpected end"},
		{`{"version":2}`, "version 2"},
		{form(``), "no entry for the script"},
		{form(`0,1,1,5,1,-1,0,1,0`), "function 0: numbers end inside"},
		{form(script + `,2048`), "function 1: functions[10]: head 2048"},
		{form(script + `,-1`), "head -1"},
		{form(`0,2147483647,2147483647,5,1,-1,0,1,0,3`), "out of range"},
		{form(`0,1,1,-5,1,-1,0,1,0,3`), "position -4:1 is out of range"},
		{form(`0,1,1,5,1,-1,0,2,0,3`), "parent 2 is not within 1 to 1"},
		{form(`0,1,1,5,1,-1,0,1,1,3`), "string 1 is not within 0 to 0"},
		{form(`0,1,1,5,1,-1,0,1,0,-3`), "statements -3"},
		{form(`0.5`), "cannot unmarshal number 0.5"},
		{form(`1e99`), "cannot unmarshal"},
		{`{"version":1,"functions":[0,1,1,5,1,-1,0,1,0,3]}`, "the table has no strings"},
	} {
		must.Refuse(Decode([]byte(c.in)))(t, c.want, c.in)
	}
}

func FuzzDecode(f *testing.F) {
	data := must.Get(small().Encode())(f)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := Decode(data)
		if err != nil {
			return
		}
		for i := range table.Functions {
			table.Find(table.Functions[i].Start)
		}
		once := must.Get(table.Encode())(t, "decoded, but")
		again := must.Get(Decode(once))(t)
		twice := must.Get(again.Encode())(t)
		must.Equal(t, string(once), string(twice))
	})
}

func BenchmarkFind(b *testing.B) {
	table := &Table{Functions: []Function{{Start: Position{1, 1}, End: Position{1, 1 << 30}, Parent: -1}}}
	for i := range int32(50_000) {
		table.Functions = append(table.Functions, Function{Kind: Arrow, Start: Position{1, 20 + i*20}, End: Position{1, 35 + i*20}})
	}
	i := int32(0)
	for b.Loop() {
		i = (i + 7919) % 1_000_000
		table.Find(Position{1, i})
	}
}
