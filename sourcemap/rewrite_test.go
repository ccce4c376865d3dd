package sourcemap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// compareRewrite has both ways rewrite a map and compares what they say. It
// reports whether the map was edited in place.
func compareRewrite(t testing.TB, data []byte, insertions []Insertion, places []Place) bool {
	t.Helper()
	fast, ok := rewriteInPlace(data, insertions, places)
	whole, err := rewriteWhole(data, insertions, places)
	if !ok {
		return false
	}
	if err != nil {
		if json.Valid(trimPrefix(data)) {
			t.Fatalf("edited in place, but Parse says: %v\n%.2000s", err, data)
		}
		return true // a fault inside a string
	}
	must.Equal(t, fast.Ignored, whole.Ignored, "what is ignored")
	if !slices.Equal(fast.Originals, whole.Originals) {
		for i, o := range fast.Originals {
			if o != whole.Originals[i] {
				t.Fatalf("%v comes from %v, and in place from %v", places[i], whole.Originals[i], o)
			}
		}
	}
	f := must.Get(Parse(fast.JSON))(t, fast.JSON)
	w := parse(t, whole.JSON)
	for line := range max(f.Lines(), w.Lines()) {
		if !slices.Equal(f.Line(line), w.Line(line)) {
			t.Fatalf("line %d differs: %.500s and in place %.500s", line, fmt.Sprint(w.Line(line)), fmt.Sprint(f.Line(line)))
		}
	}
	f.segments, f.lines, w.segments, w.lines = nil, nil, nil, nil
	for _, m := range []*Map{f, w} {
		if len(m.Names) == 0 {
			m.Names = nil
		}
		if len(m.Sources) == 0 {
			m.Sources = nil
		}
		for k, v := range m.extra { // Encode takes the spaces out
			var b bytes.Buffer
			must.Do(t, json.Compact(&b, v))
			m.extra[k] = b.Bytes()
		}
	}
	if !reflect.DeepEqual(f, w) {
		t.Fatalf("fields differ:\n%.2000s\n%.2000s", fmt.Sprintf("%+v", f), fmt.Sprintf("%+v", w))
	}
	return true
}

// rounds is how often a random test tries: less in a short run.
func rounds(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// randomEdits makes insertions and places all over a map.
func randomEdits(r *rand.Rand, m *Map) (insertions []Insertion, places []Place) {
	column := func(line int32) int32 {
		segs := m.Line(int(line))
		if len(segs) == 0 {
			return r.Int32N(5)
		}
		return max(0, segs[r.IntN(len(segs))].Column+r.Int32N(4)-2)
	}
	for range r.IntN(1 + min(5000, len(m.segments))) {
		line := r.Int32N(int32(m.Lines()) + 2)
		insertions = append(insertions, Insertion{line, column(line), r.Int32N(40)})
		line = r.Int32N(int32(m.Lines()) + 2)
		places = append(places, Place{line, column(line)})
	}
	if r.IntN(4) > 0 {
		slices.SortStableFunc(insertions, compareInsertions)
		slices.SortFunc(places, comparePlaces)
	}
	return insertions, places
}

// randomMap makes a map with all forms of segments.
func randomMap(r *rand.Rand) []byte {
	var b strings.Builder
	sources, names := 1+r.IntN(4), r.IntN(700)
	var src, line, col, name int
	step := func(v *int, below int) int64 {
		was := *v
		if r.IntN(3) > 0 {
			*v = r.IntN(below)
		}
		return int64(*v - was)
	}
	for i := range 1 + r.IntN(30) {
		if i > 0 {
			b.WriteString(strings.Repeat(";", 1+r.IntN(3)/2))
		}
		for range r.IntN(1 << r.IntN(8)) {
			s := appendVLQ(nil, r.Int64N(1<<r.IntN(12)))
			if r.IntN(8) > 0 {
				s = appendVLQ(appendVLQ(s, step(&src, sources)), step(&line, 1<<(1+r.IntN(14))))
				s = appendVLQ(s, step(&col, 1<<(1+r.IntN(10))))
				if names > 0 && r.IntN(3) == 0 {
					s = appendVLQ(s, step(&name, names))
				}
			}
			b.Write(s)
			b.WriteByte(',')
			if r.IntN(200) == 0 {
				b.WriteByte(',')
			}
		}
	}
	text := func(n int, prefix string) (all []any) {
		for i := range n {
			all = append(all, fmt.Sprint(prefix, i, []string{"", "é", "\\", "\n", "<"}[r.IntN(5)]))
		}
		return all
	}
	field := func(key string, v any) string {
		j, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		return fmt.Sprintf(`%q:%s`, key, j)
	}
	sourceTexts := text(sources, "s")
	if r.IntN(3) == 0 {
		sourceTexts[0] = nil
	}
	fields := []string{`"version":3`, field("sources", sourceTexts), field("names", append([]any{}, text(names, "n")...)), `"mappings": "` + b.String() + `"`,
		field("sourceRoot", []string{"", "root", "root/", "ü"}[r.IntN(4)]), field("sourcesContent", text(sources, "a\"b")),
		field("ignoreList", []int{r.IntN(sources)}), `"debugId":"d"`, field("x_facebook_sources", []any{[]any{map[string]any{"names": []string{"<global>"}}}}), field("x", 1.5e3)}
	r.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	return []byte(strings.Repeat(" ", r.IntN(3)) + "{" + strings.Join(fields, " ,\n") + "}\n")
}

// TestRewriteKeepsEveryByteElse has fields in an unusual order, known and
// unknown, and expects only columns to change.
func TestRewriteKeepsEveryByteElse(t *testing.T) {
	const plain = `{ "x_facebook_sources": [[{"names":["<global>"]}], null], "debugId" : "85314830", "mappings":"%s",
	"names":["n\u006f"],"sourcesContent":["a\n\"b\"\\", null],"x_google_ignoreList":[1],"sources":["a",null],
	"file":"\u006f.js","version":3,"debug_id":"d","ignoreList" : [ ] , "x":-1.5E+3 }` + "\n"
	insertions := []Insertion{{0, 0, 1}, {0, 5, 2}, {0, 6, 20}, {0, 99, 5}, {1, 3, 7}, {2, 0, 600}, {9, 0, 1}}
	const before, after = "AAAAA,GAAC,,GACA,C;;AACA,B,CADAA", "CAAAA,GAAC,,yBACA,C;;wlBACA,B,CADAA"
	places := []Place{{0, 0}, {0, 5}, {1, 0}, {2, 0}, {2, 1}, {9, 9}}
	originals := []Original{{"a", 0, 0, "no"}, {"a", 0, 1, ""}, {Line: -1}, {"a", 2, 1, ""}, {"a", 1, 1, "no"}, {Line: -1}}
	index := `{"version":3,"y":0,"sections":[{"offset":{"line":0,"column":0},"map":%s},
	{"map":{"version":3,"sources":["b"],"names":[],"mappings":"%s"},"offset":{"column":%d, "line":2}}]}`
	for _, c := range []struct {
		before, after string
		places        []Place
		originals     []Original
	}{
		{fmt.Sprintf(plain, before), fmt.Sprintf(plain, after), places, originals},
		{"\ufeff)]}'\n" + fmt.Sprintf(plain, before), fmt.Sprintf(plain, after), places, originals},
		{
			fmt.Sprintf(index, fmt.Sprintf(plain, before), "CAAA;CAAA", 7),
			fmt.Sprintf(index, fmt.Sprintf(plain, after), "CAAA;CAAA", 607),
			append(slices.Clip(places[:5]), Place{2, 7}, Place{2, 8}, Place{3, 0}, Place{3, 1}),
			append(slices.Clip(originals[:5]), Original{"a", 1, 1, "no"}, Original{"b", 0, 0, ""}, Original{Line: -1}, Original{"b", 0, 0, ""}),
		},
	} {
		r := must.Get(Rewrite([]byte(c.before), insertions, c.places))(t)
		must.Equal(t, string(r.JSON), c.after)
		must.Equal(t, r.Originals, c.originals)
	}
}

// TestRewriteTakesAnyOrder gives places and insertions out of order.
func TestRewriteTakesAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range rounds(100) {
		data := randomMap(r)
		insertions, places := randomEdits(r, parse(t, data))
		want := must.Get(rewriteWhole(data, insertions, places))(t)
		givenInsertions, givenPlaces := slices.Clone(insertions), slices.Clone(places)
		got := must.Get(Rewrite(data, insertions, places))(t)
		must.Equal(t, got.Originals, want.Originals, "originals differ")
		must.Equal(t, parse(t, got.JSON).segments, parse(t, want.JSON).segments, "segments differ")
		if !slices.Equal(insertions, givenInsertions) || !slices.Equal(places, givenPlaces) {
			t.Fatal("the arguments were changed")
		}
	}
}

// TestRewriteFallsBack has maps that are not edited in place, and what is wrong
// with some of them as Parse says it.
func TestRewriteFallsBack(t *testing.T) {
	plain := func(mappings string) string {
		return `{"version":3,"sources":["a"],"names":["n"],"mappings":"` + mappings + `"}`
	}
	for _, data := range []string{
		plain("KAAA,FAAC;UAAC,FAAC"),
		plain(`A\u0041AA`),
		plain("AAAA")[:13] + `"sources":["b"],` + plain("AAAA")[13:],
		strings.Replace(plain("AAAA"), "sources", "Sources", 1),
		strings.Replace(plain("AAAA"), "sources", `s\u006furces`, 1),
		strings.Replace(plain("AAAA"), "sources", "\u017fources", 1),
		strings.Replace(plain("AAAA"), "3", `"3"`, 1),
		strings.Replace(plain("AAAA"), "3", "3.0", 1),
		strings.Replace(plain("AAAA"), `["n"]`, "[null]", 1),
		strings.Replace(plain("AAAA"), `["n"]`, "null", 1),
		strings.Replace(plain("AAAAA"), `["n"]`, `["\x"]`, 1),
		plain("AAAA,"[:4]) + "}", plain("A!"), plain("ACAA"), plain("AAAAC"), plain("AA"), plain("AAAAAA"), plain("AAg"), plain("AADA"), "", "[]", "{",
	} {
		insertions, places := []Insertion{{0, 1, 2}}, []Place{{0, 0}, {0, 3}, {0, 9}}
		if _, ok := rewriteInPlace([]byte(data), insertions, places); ok {
			t.Errorf("edited in place: %s", data)
		}
		got, err := Rewrite([]byte(data), insertions, places)
		want, wantErr := rewriteWhole([]byte(data), insertions, places)
		must.Equal(t, fmt.Sprint(err), fmt.Sprint(wantErr), data, wantErr)
		must.Equal(t, got, want, data, wantErr)
	}
}

func TestRewriteInPlaceIsRewriteWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range rounds(500) {
		data := randomMap(r)
		insertions, places := randomEdits(r, parse(t, data))
		slices.SortStableFunc(insertions, compareInsertions)
		slices.SortFunc(places, comparePlaces)
		if !compareRewrite(t, data, insertions, places) {
			t.Fatalf("not edited in place:\n%s", data)
		}
	}
}

// randomIndex joins random maps to an index map whose sections may begin where
// the one before them still has segments.
func randomIndex(r *rand.Rand) []byte {
	var b strings.Builder
	b.WriteString(`{"sections" : [`)
	line, column := r.Int32N(3), r.Int32N(20)
	for i := range r.IntN(6) {
		if i > 0 {
			b.WriteByte(',')
		}
		data := randomMap(r)
		offset := fmt.Sprintf(`"offset":{"line":%d,"column": %d }`, line, column)
		section := fmt.Sprintf(`"map":%s`, data)
		if r.IntN(2) == 0 {
			offset, section = section, offset
		}
		fmt.Fprintf(&b, `{%s,%s}`, offset, section)
		m, err := Parse(data)
		if err != nil {
			panic(err)
		}
		last := int32(max(0, m.Lines()-1))
		end := int32(0)
		for _, s := range m.Line(int(last)) {
			end = s.Column + 1 + r.Int32N(5)
		}
		if last == 0 {
			end += column
		}
		line += last
		switch column = end; {
		case r.IntN(4) == 0:
			line, column = line+1+r.Int32N(3), r.Int32N(9)
		case r.IntN(30) == 0:
			column += max(0, column-3)
		}
	}
	b.WriteString(`],"x":[null,true,false,-1.5e+7,{"y":{}}],"version":3}`)
	return []byte(b.String())
}

func TestRewriteIndexInPlaceIsRewriteWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	in, all := 0, rounds(500)
	for range all {
		data := randomIndex(r)
		insertions, places := randomEdits(r, parse(t, data))
		slices.SortStableFunc(insertions, compareInsertions)
		slices.SortFunc(places, comparePlaces)
		if compareRewrite(t, data, insertions, places) {
			in++
		}
	}
	if in < all/2 {
		t.Fatalf("%d of %d were edited in place", in, all)
	}
}

// FuzzRewrite compares the two ways on any input. edits gives insertions and
// places, three bytes each.
func FuzzRewrite(f *testing.F) {
	files, _ := filepath.Glob("testdata/maps/*.map")
	for _, name := range files {
		data := must.Get(os.ReadFile(name))(f)
		f.Add(data, []byte("\x00\x01\x05\x00\x01\x00\x00\x09\x02\x00\x0a\x00\x01\x00\x03"))
	}
	f.Fuzz(func(t *testing.T, data, edits []byte) {
		var insertions []Insertion
		var places []Place
		for i := 0; i+3 <= len(edits); i += 3 {
			line, column := int32(edits[i]%8), int32(edits[i+1])
			insertions = append(insertions, Insertion{line, column, int32(edits[i+2])})
			places = append(places, Place{line, column}, Place{line, column + 1})
		}
		slices.SortStableFunc(insertions, compareInsertions)
		slices.SortFunc(places, comparePlaces)
		compareRewrite(t, data, insertions, places)
	})
}
