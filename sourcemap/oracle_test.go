package sourcemap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
)

// TestFindAgreesWithTraceMapping compares every position of real maps.
func TestFindAgreesWithTraceMapping(t *testing.T) {
	for _, c := range realMaps(t) {
		t.Run(c.name, func(t *testing.T) {
			m := parse(t, c.json)
			compareWithOracle(t, m, map[string]any{"map": string(c.json)}, c.widths)
			// A map that we write means the same as the one that we read.
			again := must.Get(m.Encode())(t)
			compareWithOracle(t, parse(t, again), map[string]any{"map": string(again)}, c.widths)
		})
	}
}

// TestShiftAgreesWithTraceMapping has the oracle read our shifted map, and
// compares each character of the old text with its place in the new one.
func TestShiftAgreesWithTraceMapping(t *testing.T) {
	for _, c := range realMaps(t) {
		t.Run(c.name, func(t *testing.T) {
			m := parse(t, c.json)
			var ins []Insertion
			for line, width := range c.widths {
				for col := 0; col <= width; col += 3 + (line+col)%7 {
					ins = append(ins, Insertion{int32(line), int32(col), int32(1 + col%5)})
				}
			}
			shifted := must.Get(m.Shift(ins).Encode())(t)
			rewritten := must.Get(Rewrite(c.json, ins, nil))(t)
			widths := append([]int(nil), c.widths...)
			for _, in := range ins {
				widths[in.Line] += int(in.Width)
			}
			before := oracle(t, map[string]any{"map": string(c.json), "widths": c.widths})
			for way, json := range map[string][]byte{"Shift": shifted, "Rewrite": rewritten.JSON} {
				after := oracle(t, map[string]any{"map": string(json), "widths": widths})
				next := 0
				for line, width := range c.widths {
					moved := 0
					for col := 0; col <= width; col++ {
						for next < len(ins) && ins[next].Line == int32(line) && ins[next].Column <= int32(col) {
							moved += int(ins[next].Width)
							next++
						}
						if before[line][col] != after[line][col+moved] {
							t.Fatalf("%s: %d:%d is %q, and %q after moving by %d", way, line, col, before[line][col], after[line][col+moved], moved)
						}
					}
				}
			}
		})
	}
}

// TestOriginalsAgreeWithTraceMapping looks up every position of real maps with
// Rewrite.
func TestOriginalsAgreeWithTraceMapping(t *testing.T) {
	for _, c := range realMaps(t) {
		t.Run(c.name, func(t *testing.T) {
			var places []Place
			for line, width := range c.widths {
				for col := range width + 1 {
					places = append(places, Place{int32(line), int32(col)})
				}
			}
			r := must.Get(Rewrite(c.json, nil, places))(t)
			// Sections in sections are for Parse, which makes one map of them.
			same := bytes.Equal(r.JSON, trimPrefix(c.json))
			if nested := strings.HasPrefix(c.name, "nested"); same == nested {
				t.Errorf("edited in place: %v", same)
			}
			root := parse(t, c.json).SourceRoot // the oracle's answers leave it out
			wants := oracle(t, map[string]any{"map": string(c.json), "widths": c.widths})
			for i, p := range places {
				o, got := r.Originals[i], ""
				if o.Line >= 0 {
					got = fmt.Sprintf("%s:%d:%d:%s", strings.TrimPrefix(strings.TrimPrefix(o.Source, root), "/"), o.Line, o.Column, o.Name)
				}
				if want := wants[p.Line][p.Column]; got != want {
					t.Fatalf("%v: got %q, the oracle says %q", p, got, want)
				}
			}
		})
	}
}

// TestIdentityAgreesWithTraceMapping has the oracle read maps we made.
func TestIdentityAgreesWithTraceMapping(t *testing.T) {
	code, _ := bundle(t, true)
	var ins []Insertion
	var places []Place
	for line, width := range widthsOf(code) {
		for col := 0; col <= width; col += 3 + (line+col)%7 {
			ins = append(ins, Insertion{int32(line), int32(col), int32(col % 5)})
			places = append(places, Place{int32(line), int32(col / 2)})
		}
	}
	json := Identity("out.js", "in.js", textpos.Of([]byte(code)), ins, places)
	compareWithOracle(t, parse(t, json), map[string]any{"map": string(json)}, widthsOf(code))
}

type realMap struct {
	name   string
	json   []byte
	widths []int // of the generated lines, in UTF-16 code units
}

func realMaps(t *testing.T) []realMap {
	var all []realMap
	for _, minify := range []bool{false, true} {
		code, m := bundle(t, minify)
		all = append(all, realMap{fmt.Sprintf("esbuild minify=%v", minify), m, widthsOf(code)})
	}
	// The two bundles as sections of an index map, the second after the
	// first on the same line.
	first, second := all[0], all[1]
	last := len(first.widths) - 1
	index := fmt.Appendf(nil, `{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":%s},{"offset":{"line":%d,"column":%d},"map":%s}]}`,
		first.json, last, first.widths[last], second.json)
	widths := append([]int(nil), first.widths...)
	widths[last] += second.widths[0]
	all = append(all, realMap{"index", index, append(widths, second.widths[1:]...)})

	files, err := filepath.Glob("testdata/maps/*.map")
	if err != nil || len(files) == 0 {
		t.Fatalf("no committed maps: %v", err)
	}
	for _, f := range files {
		data := must.Get(os.ReadFile(f))(t)
		m := parse(t, data)
		widths := make([]int, m.Lines()+1)
		for line := range m.Lines() {
			if segs := m.Line(line); len(segs) > 0 {
				widths[line] = int(segs[len(segs)-1].Column) + 3
			}
		}
		all = append(all, realMap{filepath.Base(f), data, widths})
	}
	return all
}

func bundle(t *testing.T, minify bool) (code string, sourceMap []byte) {
	t.Helper()
	r := api.Build(api.BuildOptions{
		EntryPoints: []string{"testdata/program/main.ts"}, Bundle: true, Outfile: "out.js", Charset: api.CharsetUTF8,
		MinifyWhitespace: minify, MinifyIdentifiers: minify, MinifySyntax: minify, Sourcemap: api.SourceMapExternal,
	})
	if len(r.Errors) > 0 {
		t.Fatal(r.Errors)
	}
	for _, f := range r.OutputFiles {
		if strings.HasSuffix(f.Path, ".map") {
			sourceMap = f.Contents
		} else {
			code = string(f.Contents)
		}
	}
	return code, sourceMap
}

func widthsOf(code string) []int {
	var widths []int
	for line := range strings.SplitSeq(code, "\n") {
		widths = append(widths, len(utf16.Encode([]rune(line))))
	}
	return widths
}

func compareWithOracle(t *testing.T, m *Map, input map[string]any, widths []int) {
	t.Helper()
	input["widths"] = widths
	compared, mapped := 0, 0
	for line, wants := range oracle(t, input) {
		for column, want := range wants {
			got := ""
			if seg, ok := m.segment(line, column); ok && seg.Source >= 0 {
				o, _ := m.Find(line, column)
				got = fmt.Sprintf("%s:%d:%d:%s", m.Sources[seg.Source], o.Line, o.Column, o.Name)
				mapped++
			}
			if got != want {
				t.Fatalf("%d:%d: got %q, the oracle says %q", line, column, got, want)
			}
			compared++
		}
	}
	if mapped == 0 {
		t.Fatal("nothing is mapped")
	}
	t.Logf("%d positions agree, %d of them mapped", compared, mapped)
}

func oracle(t *testing.T, input map[string]any) [][]string {
	t.Helper()
	const dir = "testdata/oracle"
	fixtures.EnsureIn(t, dir)
	in := must.Get(json.Marshal(input))(t)
	cmd := exec.Command("node", "trace.mjs")
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(in)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	var lines [][]string
	must.Do(t, json.Unmarshal(out, &lines))
	return lines
}
