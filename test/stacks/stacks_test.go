package stacks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/transform"
)

// variant is one build of a program as the driver takes it.
type variant struct {
	File string          `json:"file"`
	Code string          `json:"code"`
	Map  json.RawMessage `json:"map"`
	// table tells which functions have a name; nil for the clean build.
	table *functable.Table
}

// way is one of instrumenting.
type way struct {
	name    string
	options transform.Options
}

var ways = []way{
	{"precise", transform.Options{Selection: transform.Selection{Preset: transform.Precise}}},
	{"balanced", transform.Options{Selection: transform.Selection{Preset: transform.Balanced}}},
	{"compact", transform.Options{Selection: transform.Selection{Preset: transform.Precise, Form: transform.Compact}}},
}

// ran is what the driver reports about one variant.
type ran struct {
	Output string            `json:"output"`
	Stacks [][]frame         `json:"stacks"`
	Places map[string]string `json:"places"`
	Taken  int               `json:"taken"`
}

// frame is text, line and column; line 0 is outside of the program.
type frame struct {
	text         string
	line, column int
}

func (f *frame) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&f.text, &f.line, &f.column})
}

// Every program is compared in one of the ways; FIELDPROF_FULL=1 has all of them.
func TestExactPrograms(t *testing.T) {
	for i, p := range fixtures.Exact() {
		if testing.Short() && i%6 != 0 {
			continue
		}
		t.Run(p.Name, func(t *testing.T) { compare(t, p.Path, inTurn(i), 20, "0.01", "0.01") })
	}
}

func TestRealPrograms(t *testing.T) {
	for i, p := range fixtures.Real() {
		if testing.Short() && p.NeedsNPM {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			if p.NeedsNPM {
				fixtures.EnsureNodeModules(t)
			}
			compare(t, p.Path, inTurn(i), 200, "0.01")
		})
	}
}

// throws.ts throws in every form there is.
func TestThrows(t *testing.T) {
	path := must.Get(filepath.Abs("testdata/throws.ts"))(t)
	compare(t, path, ways, 60)
}

// inTurn is one of the ways in turn, or with FIELDPROF_FULL=1 all.
func inTurn(i int) []way {
	if os.Getenv("FIELDPROF_FULL") != "" {
		return ways
	}
	return ways[i%len(ways):][:1]
}

// compare builds a program, runs it clean and instrumented in some ways, and holds
// every frame of the instrumented runs to the clean one's. There must be at least
// some stacks.
func compare(t *testing.T, path string, ways []way, atLeast int, args ...string) {
	t.Helper()
	fixtures.EnsureIn(t, ".")
	code, sourceMap := bundle(t, path)
	variants := []variant{{"clean.js", string(code), sourceMap, nil}}
	for _, way := range ways {
		options := way.options
		options.File, options.SourceMap = way.name+".js", sourceMap
		result, err := transform.Transform(code, options)
		if err != nil || len(result.Warnings) > 0 {
			t.Fatalf("%v %v", err, result.Warnings)
		}
		variants = append(variants, variant{options.File, string(result.Code), result.Map, result.Table})
	}
	results := make([]ran, len(variants))
	for i, v := range variants {
		results[i] = drive(t, args, v)
	}
	clean := results[0]
	if len(clean.Stacks) < atLeast {
		t.Errorf("only %d stacks", len(clean.Stacks))
	}
	want := mapped(t, variants[0], clean)
	frames, guessed := 0, 0
	for _, stack := range want {
		frames += len(stack)
	}
	for i, way := range ways {
		got := results[i+1]
		if got.Output != clean.Output {
			t.Errorf("%s prints\n%s\nnot\n%s", way.name, got.Output, clean.Output)
		}
		if got.Taken == 0 && way.options.Preset == transform.Precise {
			t.Errorf("%s: no check captured", way.name)
		}
		guessed += same(t, way.name, mapped(t, variants[i+1], got), want)
	}
	t.Logf("%d stacks, %d frames; %d names guessed otherwise", len(want), frames, guessed)
}

// drive runs a variant.
func drive(t *testing.T, args []string, v variant) ran {
	t.Helper()
	input := must.Get(json.Marshal(map[string]any{"args": append([]string{}, args...), "variant": v}))(t)
	cmd := exec.Command("node", "driver.cjs")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), t.Output()
	output := must.Get(cmd.Output())(t)
	var r ran
	if err := json.Unmarshal(output, &r); err != nil {
		t.Fatalf("%v: %.200s", err, output)
	}
	return r
}

// place is a frame with its original position.
type place struct {
	text, original string
	nameless       bool // the function has no name, as far as is known
}

// mapped gives every stack with original positions. Both readers of maps must
// say the same.
func mapped(t *testing.T, v variant, r ran) [][]place {
	t.Helper()
	m := must.Get(sourcemap.Parse(v.Map))(t)
	stacks := make([][]place, len(r.Stacks))
	for i, stack := range r.Stacks {
		for _, f := range stack {
			if f.line == 0 {
				stacks[i] = append(stacks[i], place{text: f.text})
				continue
			}
			original := ""
			if o, ok := m.Find(f.line-1, f.column-1); ok {
				original = fmt.Sprintf("%s:%d:%d", o.Source, o.Line+1, o.Column+1)
			}
			if other := r.Places[fmt.Sprintf("%d:%d", f.line, f.column)]; other != original {
				t.Errorf("%s:%d:%d is %q, and %q to trace-mapping", v.File, f.line, f.column, original, other)
			}
			stacks[i] = append(stacks[i], place{f.text, original, v.nameless(f)})
		}
	}
	return stacks
}

// nameless reports whether a frame's function has no name. V8 then guesses one
// from the text around the function.
func (v *variant) nameless(f frame) bool {
	if v.table == nil {
		return false
	}
	at := functable.Position{Line: int32(f.line), Column: int32(f.column)}
	return v.table.Functions[v.table.Find(at)].Name == ""
}

// same compares stack by stack, shows the first few that differ, and counts the
// guesses at names that do.
func same(t *testing.T, name string, got, want [][]place) (guessed int) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d stacks, want %d", name, len(got), len(want))
	}
	shown := 0
	for i := range min(len(got), len(want)) {
		for j := range max(len(got[i]), len(want[i])) {
			var g, w place
			if j < len(got[i]) {
				g = got[i][j]
			}
			if j < len(want[i]) {
				w = want[i][j]
			}
			if g.original == w.original && (g.text == w.text || g.nameless) {
				if g.text != w.text {
					guessed++
				}
				continue
			}
			if shown++; shown > 3 {
				t.Errorf("%s: more stacks differ", name)
				return guessed
			}
			t.Errorf("%s: stack %d, frame %d is %q %s, want %q %s", name, i, j, g.text, g.original, w.text, w.original)
			break
		}
	}
	return guessed
}
