package builddir

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/training"
)

// Modules in a cycle and in none, and CommonJS, count in one process; a second one does not
// overwrite the first one's file.
func TestCountsOfAProcess(t *testing.T) {
	node := must.HaveNode(t)
	tree := map[string]string{
		"main.mjs":     "import {even} from './a.mjs'; import {plain} from './plain.mjs'; import lib from './lib.cjs';\nfunction work(n) { return even(n) + plain(n) + lib.twice(n); }\nfor (const n of [10]) console.log(work(n));\n//# sourceMappingURL=main.mjs.map",
		"main.mjs.map": `{"version":3,"sources":["src/main.ts"],"names":[],"mappings":"AAAA;AACA;AACA"}`,
		"a.mjs":        "import {odd} from './b.mjs';\nexport function even(n) { return n === 0 ? 1 : odd(n - 1); }",
		"b.mjs":        "import {even} from './a.mjs';\nexport function odd(n) { return n === 0 ? 0 : even(n - 1); }",
		"plain.mjs":    "export function plain(n) { return n * 2; }",
		"lib.cjs":      "exports.twice = function (n) { return n + n; };",
		"index.html":   "<script>function inline() { return 1 }</script><script>function inline() { return 1 }</script>",
	}
	in := t.TempDir()
	for name, text := range tree {
		must.WriteFile(t, filepath.Join(in, name), text)
	}
	options := Options{Input: in, Output: filepath.Join(t.TempDir(), "counting"), Selection: transform.Selection{Preset: transform.Precise, Train: true}}
	must.Get(Run(context.Background(), options))(t)
	folder := t.TempDir()
	for range 2 {
		cmd := exec.Command(node, filepath.Join(options.Output, "main.mjs"))
		cmd.Dir = folder
		if out := must.Get(cmd.CombinedOutput())(t); string(out) != "41\n" {
			t.Fatalf("it prints %q", out)
		}
	}
	var all []*training.Counts
	for _, name := range []string{"counts.json", "counts-2.json"} {
		all = append(all, must.Get(training.Read(name, must.Get(os.ReadFile(filepath.Join(folder, name)))(t)))(t))
	}
	counts := must.Get(training.Merge(all...))(t)
	got := map[string]float64{}
	for _, f := range counts.Files {
		for i := range f.Functions {
			got[f.File+" "+f.Functions[i].Name] = f.Functions[i].Executions()
		}
	}
	want := map[string]float64{"main.mjs work": 4, "a.mjs even": 24, "b.mjs odd": 20, "plain.mjs plain": 4, "lib.cjs exports.twice": 4}
	if g, w := must.Get(json.Marshal(got))(t), must.Get(json.Marshal(want))(t); string(g) != string(w) {
		t.Errorf("counted %s, want %s", g, w)
	}

	// They choose for the tree, in the directory and in memory.
	options.Train, options.Counts, options.MaxOverhead, options.Output = false, counts, 100, filepath.Join(t.TempDir(), "chosen")
	report := must.Get(Run(context.Background(), options))(t)
	if p := report.Placed; p == nil || p.Sites != 10 || p.Candidates != 14 || p.Sessions != 2 || p.Overhead > 100 {
		t.Errorf("placed %+v", p)
	}
	excluding := options
	excluding.Output, excluding.Exclude = filepath.Join(t.TempDir(), "excluding"), []string{"src/*.ts"}
	must.Get(Run(context.Background(), excluding))(t)
	if text := string(must.Get(os.ReadFile(filepath.Join(excluding.Output, "main.mjs")))(t)); strings.Contains(text, ".c.c(") {
		t.Errorf("what was counted and is excluded now has checks: %s", text)
	}
	tree["plain.mjs"] += " "
	options.Input, options.Output = "", ""
	if _, _, err := Files(context.Background(), site(tree).files(), options); err == nil || !strings.Contains(err.Error(), "plain.mjs has changed") {
		t.Errorf("a changed module gives %v", err)
	}
}

// Each script of a page has a flag of its own, also those with the same text and of one scope.
func TestScriptsOfAPageHaveFlagsOfTheirOwn(t *testing.T) {
	pages := site{"index.html": "<script>function one() { return 1 }</script><script>function two() { return 2 }</script><script src=a.js></script>", "a.js": "function three() { return 3 }"}
	out, _ := pages.inMemory(t, Options{Selection: transform.Selection{Preset: transform.Precise, Train: true}})
	flags := map[string]bool{}
	for _, text := range []string{out["index.html"], out["a.js"]} {
		for _, part := range strings.Split(text, "var _$f_")[1:] {
			name, _, _ := strings.Cut(part, "=")
			flags[name] = true
		}
	}
	if len(flags) != 3 {
		t.Errorf("the flags are %v", flags)
	}
	if !strings.Contains(out["fieldprof/runtime.js"], "fieldprof counts") {
		t.Error("the runtime does not count")
	}
}
