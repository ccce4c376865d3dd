package stacks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/transform"
)

// variant is one build of a program as the driver takes it.
type variant struct {
	File string          `json:"file"`
	Code string          `json:"code"`
	Map  json.RawMessage `json:"map"`
}

var ways = []struct {
	name    string
	options transform.Options
}{
	{"precise", transform.Options{Preset: transform.Precise}},
	{"balanced", transform.Options{Preset: transform.Balanced}},
	{"compact", transform.Options{Preset: transform.Precise, Form: transform.Compact}},
}

// ran is what the driver tells of one variant.
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

func TestExactPrograms(t *testing.T) {
	for i, p := range fixtures.Exact() {
		if testing.Short() && i%6 != 0 {
			continue
		}
		t.Run(p.Name, func(t *testing.T) { compare(t, p.Path, 20, "0.01", "0.01") })
	}
}

func TestRealPrograms(t *testing.T) {
	for _, p := range fixtures.Real() {
		if testing.Short() && p.NeedsNPM {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			if p.NeedsNPM {
				fixtures.EnsureNodeModules(t)
			}
			compare(t, p.Path, 200, "0.01")
		})
	}
}

// throws.ts throws in every form there is.
func TestThrows(t *testing.T) {
	path, err := filepath.Abs("testdata/throws.ts")
	if err != nil {
		t.Fatal(err)
	}
	compare(t, path, 60)
}

// compare builds a program, runs it clean and instrumented, and holds every
// frame of the instrumented runs to the clean one's. There must be at least
// some stacks.
func compare(t *testing.T, path string, atLeast int, args ...string) {
	t.Helper()
	fixtures.EnsureIn(t, ".")
	code, sourceMap := bundle(t, path)
	variants := []variant{{"clean.js", string(code), sourceMap}}
	for _, way := range ways {
		options := way.options
		options.File, options.SourceMap = way.name+".js", sourceMap
		result, err := transform.Transform(code, options)
		if err != nil || len(result.Warnings) > 0 {
			t.Fatalf("%v %v", err, result.Warnings)
		}
		variants = append(variants, variant{options.File, string(result.Code), result.Map})
	}
	results := drive(t, args, variants)
	clean := results[0]
	if len(clean.Stacks) < atLeast {
		t.Errorf("only %d stacks", len(clean.Stacks))
	}
	want := mapped(t, variants[0], clean)
	frames := 0
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
		same(t, way.name, mapped(t, variants[i+1], got), want)
	}
	t.Logf("%d stacks, %d frames", len(want), frames)
}

// drive runs the variants in one process.
func drive(t *testing.T, args []string, variants []variant) []ran {
	t.Helper()
	input, err := json.Marshal(map[string]any{"args": append([]string{}, args...), "variants": variants})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "driver.cjs")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), t.Output()
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var results []ran
	if err := json.Unmarshal(output, &results); err != nil {
		t.Fatalf("%v: %.200s", err, output)
	}
	if len(results) != len(variants) {
		t.Fatalf("%d results for %d variants", len(results), len(variants))
	}
	return results
}

// mapped gives every stack with original positions. Both readers of maps must
// say the same.
func mapped(t *testing.T, v variant, r ran) [][]string {
	t.Helper()
	m, err := sourcemap.Parse(v.Map)
	if err != nil {
		t.Fatal(err)
	}
	stacks := make([][]string, len(r.Stacks))
	for i, stack := range r.Stacks {
		for _, f := range stack {
			if f.line == 0 {
				stacks[i] = append(stacks[i], f.text)
				continue
			}
			place := ""
			if o, ok := m.Find(f.line-1, f.column-1); ok {
				place = fmt.Sprintf("%s:%d:%d", o.Source, o.Line+1, o.Column+1)
			}
			if other := r.Places[fmt.Sprintf("%d:%d", f.line, f.column)]; other != place {
				t.Errorf("%s:%d:%d is %q, and %q to trace-mapping", v.File, f.line, f.column, place, other)
			}
			stacks[i] = append(stacks[i], f.text+" "+place)
		}
	}
	return stacks
}

// same compares stack by stack and shows the first few that differ.
func same(t *testing.T, name string, got, want [][]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d stacks, want %d", name, len(got), len(want))
	}
	shown := 0
	for i := range min(len(got), len(want)) {
		if slices.Equal(got[i], want[i]) {
			continue
		}
		if shown++; shown > 3 {
			t.Errorf("%s: more stacks differ", name)
			return
		}
		for j := range max(len(got[i]), len(want[i])) {
			var g, w string
			if j < len(got[i]) {
				g = got[i][j]
			}
			if j < len(want[i]) {
				w = want[i][j]
			}
			if g != w {
				t.Errorf("%s: stack %d, frame %d is %q, want %q", name, i, j, g, w)
				break
			}
		}
	}
}
