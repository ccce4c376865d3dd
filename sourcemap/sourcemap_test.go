package sourcemap

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

func parse(t testing.TB, data []byte) *Map {
	t.Helper()
	return must.Get(Parse(data))(t)
}

func TestFind(t *testing.T) {
	// Line 0: column 2 → a.js 0:0 "x"; column 5 → nowhere; column 8 twice.
	m := parse(t, []byte(`)]}'
{"version":3,"sourceRoot":"src","sources":["a.js","b.js"],"names":["x"],"mappings":"EAAAA,G,GCCC,ADAD;;AAAA"}`))
	for _, c := range []struct {
		line, column int
		want         Original
		ok           bool
	}{
		{0, 0, Original{}, false}, // before the line's first segment
		{0, 2, Original{"src/a.js", 0, 0, "x"}, true},
		{0, 4, Original{"src/a.js", 0, 0, "x"}, true},
		{0, 5, Original{}, false}, // a segment of one field
		{0, 8, Original{"src/b.js", 1, 1, ""}, true},
		{0, 9, Original{"src/a.js", 1, 0, ""}, true},
		{1, 0, Original{}, false}, // an empty line
		{2, 70, Original{"src/a.js", 1, 0, ""}, true},
		{3, 0, Original{}, false},
		{-1, 0, Original{}, false},
		{0, -1, Original{}, false},
	} {
		got, ok := m.Find(c.line, c.column)
		must.Equal(t, got, c.want, c.line, c.column)
		must.Equal(t, ok, c.ok, c.line, c.column)
	}
}

func TestShiftMovesWhatStandsAtTheInsertion(t *testing.T) {
	m := parse(t, []byte(`{"version":3,"sources":["a"],"names":[],"mappings":"AAAA,KAAK,KAAK;AACA"}`))
	s := m.Shift([]Insertion{{0, 5, 3}, {0, 7, 1}, {1, 0, 2}, {9, 0, 1}})
	columns := func(line int) (c []int32) {
		for _, seg := range s.Line(line) {
			c = append(c, seg.Column)
		}
		return c
	}
	must.Equal(t, [][]int32{columns(0), columns(1)}, [][]int32{{0, 8, 14}, {2}}, "columns")
	must.Equal(t, m.Line(0)[1].Column, 5, "Shift changed the map it was given")
}

func TestUnknownFieldsSurvive(t *testing.T) {
	in := `{"version":3,"file":"o.js","sourceRoot":"r/","sources":["a",null],"sourcesContent":["<a>",null],"names":["n"],` +
		`"mappings":"AAAAA;;;ACAA","ignoreList":[1],"debugId":"85314830-023f-4cf1-a267-535f4e37bb17","x_facebook_sources":[[{"names":["<global>"]}]],"z":1}`
	got := must.Get(parse(t, []byte(in)).Shift(nil).Encode())(t)
	must.Equal(t, string(got), in)
	viaJSON, err := json.Marshal(parse(t, []byte(in)))
	if err != nil || !strings.Contains(string(viaJSON), `"debugId":"85314830`) {
		t.Errorf("%s, %v", viaJSON, err)
	}
}

func TestOldSpellings(t *testing.T) {
	m := parse(t, []byte(`{"version":3,"sources":["a","b"],"names":[],"mappings":"","x_google_ignoreList":[1],"debug_id":"d"}`))
	if !m.IsIgnored(1) || m.IsIgnored(0) || m.DebugID != "d" {
		t.Errorf("ignore list %v, debug id %q", m.IgnoreList, m.DebugID)
	}
	out, _ := m.Encode()
	if !strings.Contains(string(out), `"ignoreList":[1]`) || !strings.Contains(string(out), `"debug_id":"d"`) {
		t.Errorf("%s", out)
	}
}

// Some segments of a map may be faulty: the others mean the same as in a map that has
// what is right about them.
func TestParseFaultySegments(t *testing.T) {
	plain := func(names, mappings string) string {
		return `{"version":3,"sources":["a"],"names":[` + names + `],"mappings":"` + mappings + `"}`
	}
	for _, c := range []struct{ name, in, same string }{
		{"source line below zero", plain(``, "AADA,CAEA"), plain(``, "A,CACA")},
		{"source column below zero", plain(``, "AAAD,CAAE"), plain(``, "A,CAAC")},
		{"source behind the table", plain(``, "AAAA,CCAA,CDCA"), plain(``, "AAAA,C,CACA")},
		{"source below zero", plain(``, "ADAA;ACAA"), plain(``, "A;AAAA")},
		{"name behind the table", plain(`"n"`, "AAAAC,CAACD"), plain(`"n"`, "AAAA,CAACA")},
		{"name below zero", plain(`"n"`, "AAAAD,CAACC"), plain(`"n"`, "AAAA,CAACA")},
		{"name of no source", plain(`"n","o"`, "ACAAC,CDAAA"), plain(`"n","o"`, "A,CAAAC")},
		{"two fields", plain(``, "AC,CDAA"), plain(``, "A,CAAA")},
		{"three fields", plain(``, "AAC,CAAA"), plain(``, "A,CACA")},
		{"a number among names", plain(`7,"n"`, "AAAAC"), plain(`"","n"`, "AAAAC")},
		{"an object among names", plain(`{"a":[]},"n"`, "AAAAC"), plain(`"","n"`, "AAAAC")},
		{"ignore list", `{"version":3,"sources":["a","b"],"mappings":"ACAA","ignoreList":[2,1,-1]}`, `{"version":3,"sources":["a","b"],"mappings":"ACAA","ignoreList":[1]}`},
		{"sections and no mappings", `{"version":3,"mappings":"","sections":[{"offset":{"line":0,"column":0},"map":` + plain(``, "AAAA") + `}]}`, plain(``, "AAAA")},
	} {
		got, want := must.Get(Parse([]byte(c.in)))(t, c.name), must.Get(Parse([]byte(c.same)))(t, c.name)
		must.Equal(t, string(must.Get(got.Encode())(t)), string(must.Get(want.Encode())(t)), c.name)
		compareRewrite(t, []byte(c.in), []Insertion{{0, 0, 3}, {0, 1, 2}}, []Place{{0, 0}, {0, 1}, {0, 2}, {1, 0}})
	}
}

// Numbers are relative to those of faulty segments, too.
func TestParseGoesOnFromFaults(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var mappings []byte
		var want []Segment
		var last [5]int64
		column := int64(0)
		for range 1 + r.IntN(12) {
			fields := 1 + r.IntN(5)
			next := [5]int64{0, r.Int64N(5) - 1, r.Int64N(6) - 1, r.Int64N(6) - 1, r.Int64N(5) - 1}
			if r.IntN(8) == 0 {
				next[2+r.IntN(2)] += 1 << 31
			}
			by := 1 + r.Int64N(9)
			column += by
			mappings = appendVLQ(mappings, by)
			for i := 1; i < fields; i++ {
				mappings = appendVLQ(mappings, next[i]-last[i])
				last[i] = next[i]
			}
			mappings = append(mappings, ',')
			seg := Segment{Column: int32(column), Source: -1, Name: -1}
			inRange := func(v, of int64) bool { return v >= 0 && v < of }
			if fields > 3 && inRange(next[1], 3) && inRange(next[2], 1<<31) && inRange(next[3], 1<<31) {
				seg.Source, seg.SourceLine, seg.SourceColumn = int32(next[1]), int32(next[2]), int32(next[3])
				if fields == 5 && inRange(next[4], 3) {
					seg.Name = int32(next[4])
				}
			}
			want = append(want, seg)
		}
		data := []byte(`{"version":3,"sources":["a","b","c"],"names":["x","y","z"],"mappings":"` + string(mappings) + `"}`)
		m := parse(t, data)
		must.Equal(t, m.Line(0), want, string(data))
		must.Equal(t, parse(t, must.Get(m.Encode())(t)).Line(0), want, string(data))
		compareRewrite(t, data, []Insertion{{0, int32(r.IntN(40)), 3}}, []Place{{0, 3}, {0, 20}})
	}
}

func TestParseRefuses(t *testing.T) {
	plain := func(mappings string) string {
		return `{"version":3,"sources":["a"],"names":["n"],"mappings":"` + mappings + `"}`
	}
	for _, c := range []struct{ name, in, want string }{
		{"empty", ``, "JSON"},
		{"cut short", `{"version":3,`, "JSON 1:13"},
		{"wrong type", "{\"version\":3,\n\"names\":7}", "JSON 2:9"},
		{"no version", `{"mappings":""}`, "no version"},
		{"both", `{"version":3,"mappings":"A","sections":[]}`, "both"},
		{"old version", `{"version":2,"mappings":""}`, "version 2"},
		{"no mappings", `{"version":3}`, "no mappings"},
		{"bad digit", plain("AAAA;AA!A"), "generated line 2, segment 1: '!' is no base64 digit"},
		{"digit outside ASCII", plain("AAAA,é"), "segment 2"},
		{"cut short number", plain("AAAg"), "cut short"},
		{"too large", plain("ggggggggggA"), "more than 32 bits"},
		{"column below zero", plain("A,D"), "line 1, segment 2: column -1"},
		{"six fields", plain("AAAAAA"), "more than 5"},
		{"sum leaves 31 bits", plain("+/////D,+/////D"), "out of range"},
		{"section goes back", `{"version":3,"sections":[{"offset":{"line":1,"column":0},"map":{"version":3,"mappings":""}},{"offset":{"line":0,"column":0},"map":{}}]}`, "sections[1]: offset 0:0 is before"},
		{"section below zero", `{"version":3,"sections":[{"offset":{"line":-1,"column":0},"map":{}}]}`, "sections[0]: offset -1:0"},
		{"section far away", `{"version":3,"sections":[{"offset":{"line":2000000000,"column":0},"map":{}}]}`, "sections[0]: offset 2000000000:0"},
		{"section by URL", `{"version":3,"sections":[{"offset":{"line":0,"column":0},"url":"http://x"}]}`, "by URL"},
		{"section without map", `{"version":3,"sections":[{"offset":{"line":0,"column":0}}]}`, "no map"},
		{"fault in a section", `{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":` + plain("!") + `}]}`, "sections[0]: mappings: generated line 1"},
		{"deep", strings.Repeat(`{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":`, 40) + `{}` + strings.Repeat(`}]}`, 40), "nest deeper"},
		{"endless lines", plain(strings.Repeat(";", MaxLines)), "more than"},
	} {
		must.Refuse(Parse([]byte(c.in)))(t, c.want, c.name)
	}
}

func TestManySections(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"version":3,"sections":[`)
	const n = 100_000
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"offset":{"line":0,"column":0},"map":{"version":3,"sources":["a"],"names":[],"mappings":"AAAA"}}`)
	}
	b.WriteString(`]}`)
	m := parse(t, []byte(b.String()))
	// Each section ends where the next begins: only the last says anything.
	if len(m.Line(0)) != 1 || m.Line(0)[0].Source != n-1 {
		t.Errorf("%d segments", len(m.Line(0)))
	}
}

func TestUnsortedColumnsAreSorted(t *testing.T) {
	m := parse(t, []byte(`{"version":3,"sources":["a"],"names":[],"mappings":"KAAA,FAAC;UAAC,FAAC"}`))
	if l := m.Line(0); l[0].Column != 3 || l[0].SourceColumn != 1 || l[1].Column != 5 {
		t.Errorf("%v", l)
	}
	if l := m.Line(1); l[0].Column != 8 || l[1].Column != 10 {
		t.Errorf("%v", l)
	}
}

func TestInline(t *testing.T) {
	const json = `{"version":3,"sources":[],"names":[],"mappings":""}`
	b64 := base64.StdEncoding.EncodeToString([]byte(json))
	for _, c := range []struct{ name, code, want, fault string }{
		{"base64", "f()\n//# sourceMappingURL=data:application/json;charset=utf-8;base64," + b64 + "\n", json, ""},
		{"old mark", "f()\r\n//@ sourceMappingURL=data:application/json;base64," + b64, json, ""},
		{"percent", "f()\n//# sourceMappingURL=data:application/json,%7B%22a%22:1%7D\n", `{"a":1}`, ""},
		{"comments behind", "f()\n//# sourceMappingURL=data:application/json;base64," + b64 + "\n// end\n\n", json, ""},
		{"code before", "f()//# sourceMappingURL=data:application/json;base64," + b64, json, ""},
		{"none", "f()\n", "", ""},
		{"file", "f()\n//# sourceMappingURL=f.js.map\n", "", ""},
		{"code behind", "//# sourceMappingURL=data:application/json;base64," + b64 + "\nf()", "", ""},
		{"in a string", `x = "//# sourceMappingURL=data:,{}"`, "", ""},
		{"no comma", "//# sourceMappingURL=data:application/json", "", "no comma"},
		{"bad base64", "//# sourceMappingURL=data:application/json;base64,!", "", "illegal base64"},
		{"bad percent", "//# sourceMappingURL=data:application/json,%zz", "", "invalid URL escape"},
	} {
		got, err := Inline([]byte(c.code))
		if string(got) != c.want || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
	must.Equal(t, URL([]byte("f()\n//# sourceMappingURL=f.js.map\n")), "f.js.map")
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/maps/*.map")
	for _, name := range files {
		f.Add(must.Get(os.ReadFile(name))(f))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse(data)
		if err != nil {
			return
		}
		for line := range min(m.Lines(), 100) {
			segs := m.Line(line)
			for i, s := range segs {
				if i > 0 && s.Column < segs[i-1].Column {
					t.Fatalf("line %d: columns go back", line)
				}
				m.Find(line, int(s.Column))
			}
		}
		out := must.Get(m.Shift([]Insertion{{0, 1, 2}, {0, 3, 1}}).Encode())(t)
		again, err := Parse(out)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		must.Equal(t, len(again.segments), len(m.segments))
	})
}

// largeMap is a map of a million segments on a few long lines, as minifiers
// write them, with its sources in it.
func largeMap(b *testing.B) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var m Map
	var build builder
	text := strings.Repeat("const someName = another.call(1, 'two'); // and so on\n", 200)
	for i := range 200 {
		m.Sources, m.SourcesContent = append(m.Sources, fmt.Sprintf("src/%d.ts", i)), append(m.SourcesContent, &text)
		m.Names = append(m.Names, fmt.Sprintf("name%d", i))
	}
	for line := range 20 {
		build.toLine(line)
		for column := range int32(50_000) {
			build.add(Segment{column * 4, r.Int32N(200), r.Int32N(200), r.Int32N(50), r.Int32N(201) - 1})
		}
	}
	build.into(&m)
	data := must.Get(m.Encode())(b)
	b.SetBytes(int64(len(data)))
	return data
}

func BenchmarkParse(b *testing.B) {
	data := largeMap(b)
	for b.Loop() {
		must.Get(Parse(data))(b)
	}
}

func BenchmarkShift(b *testing.B) {
	data := largeMap(b)
	var ins []Insertion
	for line := range int32(20) {
		for i := range int32(5000) {
			ins = append(ins, Insertion{line, i * 39, 17})
		}
	}
	for b.Loop() {
		m := must.Get(Parse(data))(b)
		must.Get(m.Shift(ins).Encode())(b)
	}
}

func BenchmarkFind(b *testing.B) {
	m := parse(b, largeMap(b))
	b.SetBytes(0)
	i := 0
	for b.Loop() {
		i = (i + 7919) % 200_000
		m.Find(i%20, i)
	}
}

func TestContent(t *testing.T) {
	m := parse(t, []byte(`{"version":3,"sourceRoot":"src","sources":["a","b","c"],"sourcesContent":["text",null],"names":[],"mappings":""}`))
	if got, ok := m.Content("src/a"); got != "text" || !ok {
		t.Errorf("%q, %v", got, ok)
	}
	for _, source := range []string{"src/b", "src/c", "a", ""} {
		if got, ok := m.Content(source); ok {
			t.Errorf("%s has the content %q", source, got)
		}
	}
}
