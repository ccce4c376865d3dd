package sourcemap

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
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
	if !slices.Equal(fast.Originals, whole.Originals) {
		for i, o := range fast.Originals {
			if o != whole.Originals[i] {
				t.Fatalf("%v comes from %v, and in place from %v", places[i], whole.Originals[i], o)
			}
		}
	}
	f, err := Parse(fast.JSON)
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, fast.JSON)
	}
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
	}
	if !reflect.DeepEqual(f, w) {
		t.Fatalf("fields differ:\n%.2000s\n%.2000s", fmt.Sprintf("%+v", f), fmt.Sprintf("%+v", w))
	}
	return true
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

func TestRewriteInPlaceIsRewriteWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
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
	in, all := 0, 500
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
