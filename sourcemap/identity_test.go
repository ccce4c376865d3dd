package sourcemap

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
)

func TestIdentity(t *testing.T) {
	const text = "let a\r\n\tb(\"c\")\u2028d\\\x01"
	got := Identity("out.js", "in.js", textpos.Of([]byte(text)), []Insertion{{0, 0, 3}, {0, 4, 2}, {0, 4, 1}, {2, 1, 5}, {3, 0, 1}}, []Place{{0, 2}, {0, 4}, {1, 1}, {1, 3}})
	const want = `{"version":3,"file":"out.js","sources":["in.js"],"sourcesContent":["let a\r\n\tb(\"c\")` + "\u2028" + `d\\\u0001"],"names":[],` +
		`"mappings":"AAAA,GAAA,EAAE,KAAE;AACJ,CAAC,EAAE;AACH,MAAC"}`
	must.Equal(t, string(got), want)
}

// A head that was taken away counts in the columns of the text as it was.
func TestIdentityWithoutAHead(t *testing.T) {
	m := parse(t, Identity("", "in.js", textpos.Of([]byte("head{a.b\nc.d")), []Insertion{{0, 5, -5}, {0, 7, 3}}, []Place{{0, 6}, {0, 7}, {1, 2}}))
	for _, c := range []struct{ line, column, of int }{{0, 1, 6}, {0, 5, 7}, {1, 2, 2}} {
		found, ok := m.Find(c.line, c.column)
		must.Equal(t, found, Original{Source: "in.js", Line: c.line, Column: c.of}, ok)
	}
}

func TestIdentityLeavesOutWhatJSONCannotHold(t *testing.T) {
	got := Identity("", "\xff.js", textpos.Of([]byte("a = '\xff'")), nil, nil)
	must.Equal(t, string(got), `{"version":3,"sources":["`+"\ufffd"+`.js"],"names":[],"mappings":"AAAA"}`)
}

// TestIdentityMapsEachPlaceToItself checks what Identity promises, on random
// text.
func TestIdentityMapsEachPlaceToItself(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	pieces := []string{"a", " ", "\n", "\r", "\r\n", "\u2028", "\u2029", "é", "\"", "\\", "\x00", "\t", "abcdefghijkl"}
	for range 300 {
		var b strings.Builder
		for range r.IntN(60) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		text := b.String()
		lines := int32(strings.Count(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text), "\n")) + 1
		var insertions []Insertion
		var places []Place
		for range r.IntN(30) {
			insertions = append(insertions, Insertion{r.Int32N(lines+2) - 1, r.Int32N(20) - 1, r.Int32N(9)})
			places = append(places, Place{r.Int32N(lines+2) - 1, r.Int32N(20) - 1})
		}
		data := Identity("f", "s", textpos.Of([]byte(text)), insertions, places)
		m := parse(t, data)
		must.Equal(t, int32(m.Lines()), lines, m.Lines(), text)
		if got, ok := m.Content("s"); got != text || !ok {
			t.Fatalf("content %q of %q", got, text)
		}
		exact := slices.Clone(places)
		for _, in := range insertions {
			exact = append(exact, Place{in.Line, in.Column})
		}
		for _, p := range exact {
			if p.Line < 0 || p.Line >= lines || p.Column < 0 {
				continue
			}
			moved := p.Column
			for _, in := range insertions {
				if in.Line == p.Line && in.Column <= p.Column {
					moved += in.Width
				}
			}
			if o, ok := m.Find(int(p.Line), int(moved)); !ok || o != (Original{"s", int(p.Line), int(p.Column), ""}) {
				t.Fatalf("%v, now at column %d, comes from %v in %s", p, moved, o, data)
			}
		}
	}
}

func TestAppendString(t *testing.T) {
	for c := range 0x300 {
		for at := range 12 {
			text := strings.Repeat("x", at) + string(rune(c)) + "yyyyyyyyy"
			var got string
			if b := appendString(nil, []byte(text)); json.Unmarshal(b, &got) != nil || got != text {
				t.Fatalf("%q is written %s", text, b)
			}
		}
	}
}

func BenchmarkIdentity(b *testing.B) {
	content := bytes.Repeat([]byte(`function f(a){return g("x",a)+1}var b=[1,2,3];for(;;)h(b,'é');`+"\n"), 16_000)
	var insertions []Insertion
	var places []Place
	for line := range int32(16_000) {
		insertions = append(insertions, Insertion{line, 14, 20})
		places = append(places, Place{line, 0}, Place{line, 10})
	}
	text := textpos.Of(content)
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		Identity("out.js", "in.js", text, insertions, places)
	}
}
