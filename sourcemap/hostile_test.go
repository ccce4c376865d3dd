package sourcemap

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
)

type hostileMap struct {
	name string
	make func() string
	want string // in the error; "": none
}

// hostileMaps has sizes that would not end if anything took more than its share
// of steps.
func hostileMaps(n int) []hostileMap {
	plain := func(mappings string) string {
		return `{"version":3,"sources":["a"],"names":["n"],"mappings":"` + mappings + `"}`
	}
	sections := func(n int, line, column func(i int) int, section string) string {
		var b strings.Builder
		b.WriteString(`{"version":3,"sections":[`)
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"offset":{"line":%d,"column":%d},"map":%s}`, line(i), column(i), section)
		}
		return b.String() + `]}`
	}
	repeated := func(before, part string, times int, after string) func() string {
		return func() string { return before + strings.Repeat(part, times) + after }
	}
	zero, same := func(int) int { return 0 }, func(i int) int { return i }
	nest := func(n int, inner string) string {
		return strings.Repeat(`{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":`, n) + inner + strings.Repeat(`}]}`, n)
	}
	return []hostileMap{
		{"sections on one column", func() string { return sections(n/10, zero, zero, plain("AAAA")) }, ""},
		{"sections on one line", func() string { return sections(n, zero, same, plain("AAAA")) }, ""},
		{"sections on lines", func() string { return sections(n, same, zero, plain("AAAA")) }, ""},
		{"sections, for Parse", func() string {
			return sections(n/10, same, zero, `{"version":3,"Sources":["a"],"names":[],"mappings":"AAAA"}`)
		}, ""},
		{"sections in sections", func() string { return nest(MaxDepth, plain("AAAA")) }, ""},
		{"sections too deep", func() string { return nest(2000, plain("AAAA")) }, "nest deeper"},
		{"section on the last line", func() string { return sections(1, func(int) int { return MaxLines - 1 }, zero, plain("AAAA")) }, ""},
		{"section behind the last line", func() string { return sections(1, func(int) int { return MaxLines - 1 }, zero, plain("AAAA;AAAA")) }, "is beyond"},
		{"section beyond all columns", func() string { return sections(1, zero, func(int) int { return math.MaxInt32 }, plain("CAAA")) }, ""},
		{"names", repeated(`{"version":3,"sources":["a"],"names":["`, `","`, 10*n, `"],"mappings":"AAAAA"}`), ""},
		{"sources", repeated(`{"version":3,"sources":[null`, `,null`, n, `],"names":["a"],"mappings":"AAAAA"}`), ""},
		{"keys", repeated(`{"version":3,"sources":["a"],"names":["a"],"mappings":"AAAAA"`, `,"k":0`, n, `}`), ""},
		{"same key", repeated(`{"version":3,"sources":["a"],"names":["a"],"mappings":"AAAAA"`, `,"names":["b"]`, n/10, `}`), ""},
		{"commas", func() string { return plain(strings.Repeat(",", 20*n)) }, ""},
		{"semicolons", func() string { return plain(strings.Repeat(";", max(100*n, MaxLines))) }, "mappings"},
		{"segments", func() string { return plain(strings.Repeat("A,", 5*n)) }, ""},
		{"segments that go back", func() string { return plain(strings.Repeat("gB,", n) + strings.Repeat("D,", n)) }, ""},
		{"numbers without end", func() string { return plain(strings.Repeat("g", 20*n)) }, "more than 32 bits"},
		{"backslashes", repeated(`{"version":3,"sources":["`, `\\`, 5*n, `"],"names":["n"],"mappings":"AAAA"}`), ""},
		{"escaped quotes", repeated(`{"version":3,"sources":["`, `\"`, 5*n, `"],"names":["n"],"mappings":"AAAA"}`), ""},
		{"deep field", func() string {
			return `{"x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "," + plain("AAAA")[1:]
		}, "JSON"},
		{"open brackets", func() string { return strings.Repeat("[", n) }, "JSON"},
		{"cut short in a string", func() string { return plain(strings.Repeat("A,", n))[:n] }, "JSON"},
		{"large columns", func() string { return plain("+/////DAAA") }, ""},
		{"columns over 31 bits", func() string { return plain(strings.Repeat("+/////D,", 3)) }, "out of range"},
		{"null", func() string { return `null` }, "no version"},
		{"nulls", func() string { return `{"version":3,"sources":null,"names":null,"mappings":null,"sections":null}` }, "no mappings"},
		{"numbers for strings", func() string { return `{"version":3,"sources":[1],"names":[],"mappings":""}` }, "JSON"},
		{"objects for strings", func() string { return `{"version":3,"sources":[],"names":[{}],"mappings":""}` }, ""},
		{"ignore list below zero", func() string { return `{"version":3,"sources":["a"],"names":[],"mappings":"","ignoreList":[-1]}` }, ""},
		{"ignore list over 64 bits", func() string {
			return `{"version":3,"sources":["a"],"names":[],"mappings":"","ignoreList":[99999999999999999999]}`
		}, "JSON"},
		{"not UTF-8", func() string {
			return "{\"version\":3,\"sources\":[\"\xff\"],\"names\":[\"\xff\"],\"mappings\":\"AAAAA\"}"
		}, ""},
		{"not UTF-8 in mappings", func() string { return plain("AAAA,\xff") }, "no base64 digit"},
		{"NUL", func() string { return "{\"version\":3,\"sources\":[\"\\u0000\"],\"names\":[],\"mappings\":\"AAAA\"}" }, ""},
		{"text behind", func() string { return plain("AAAA") + "x" }, "JSON"},
	}
}

// TestHostileMaps also bounds the memory by the size of the map.
func TestHostileMaps(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 50_000
	}
	for _, c := range hostileMaps(n) {
		t.Run(c.name, func(t *testing.T) {
			insertions, places := []Insertion{{0, 0, 3}, {0, 7, 2}, {5, 0, 1}}, []Place{{0, 0}, {0, 8}, {7, 0}, {math.MaxInt32, math.MaxInt32}}
			data := []byte(c.make())
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := Rewrite(data, insertions, places)
			runtime.ReadMemStats(&after)
			if err == nil && c.want != "" || err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)) {
				t.Fatalf("%.200v, want %q", err, c.want)
			}
			if err == nil && len(r.Originals) != len(places) {
				t.Fatalf("%d originals", len(r.Originals))
			}
			// The table of lines of a map that Parse takes apart has a bound of
			// its own, MaxLines.
			if used, most := after.TotalAlloc-before.TotalAlloc, uint64(100*len(data)+16*MaxLines); used > most {
				t.Errorf("%d bytes allocated for a map of %d", used, len(data))
			}
		})
	}
}

func TestSourceNamesAreOnlyStrings(t *testing.T) {
	for _, name := range []string{"../../../etc/passwd", "file:///etc/passwd", `\\host\share`, "a\x00b", "http://x/y", "webpack:///./a"} {
		data := Identity("", name, textpos.Of(nil), nil, nil)
		r := must.Get(Rewrite(data, nil, []Place{{0, 0}}))(t)
		must.Equal(t, r.Originals[0].Source, name)
	}
}
