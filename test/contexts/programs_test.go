package contexts

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// selections are those that programs take turns in.
var selections = []transform.Selection{
	{Preset: transform.Precise}, {Preset: transform.Balanced}, {Preset: transform.Precise, Form: transform.Compact}, {Preset: transform.Precise},
}

// program is a build for Node and pages.
func (g *generator) program() map[string]string {
	files := g.graph(".mjs")
	files["s.js"], files["c.cjs"], files["m.mjs"] = g.source(), g.source(), g.source()
	files["index.html"] = "<script src=s.js></script><script src=s.js></script>"
	return files
}

// instrument gives a tree as the build makes it. Deleting what a script gained gives it back.
func instrument(t *testing.T, files map[string]string, options builddir.Options) map[string]string {
	t.Helper()
	var list []builddir.File
	for p, text := range files {
		list = append(list, builddir.File{Path: p, Data: []byte(text)})
	}
	options.NoSizes = true
	made, _, err := builddir.Files(t.Context(), list, options)
	if err != nil {
		t.Fatalf("%v, in %q", err, files["index.html"])
	}
	out := map[string]string{}
	for _, f := range made {
		out[f.Path] = string(f.Data)
	}
	for p, text := range files {
		if !must.IsSubsequence(digest.ReplaceAllString(text, ""), digest.ReplaceAllString(out[p], "")) {
			t.Errorf("%s: %q is not in\n%q", p, text, out[p])
		}
	}
	return out
}

// digest is a hash of a script, which follows it.
var digest = regexp.MustCompile(`sha256-[A-Za-z0-9+/]{43}=`)

// counting is the selection of a counting build.
var counting = transform.Selection{Preset: transform.Precise, Train: true}

// TestPrograms runs 150 programs in Node, 4,000 with FIELDPROF_FULL=1.
func TestPrograms(t *testing.T) {
	must.HaveNode(t)
	count, seed := 150, uint64(1)
	if os.Getenv("FIELDPROF_FULL") != "" {
		count, seed = 4000, 2
	}
	g := newGenerator(seed)
	folder := t.TempDir()
	trees := map[string][]map[string]string{}
	for i := range count {
		program := g.program()
		for tree, files := range map[string]map[string]string{
			"original": program,
			"profiled": instrument(t, program, builddir.Options{Selection: selections[i%len(selections)]}),
			"counting": instrument(t, program, builddir.Options{Selection: counting}),
		} {
			trees[tree] = append(trees[tree], files)
			must.WriteTree(t, filepath.Join(folder, tree, fmt.Sprint(i)), files)
		}
	}
	said := runPrograms(t, folder, count)
	if !said["armed"].Captured || !said["counting"].Captured {
		t.Error("no check captured, or none counted")
	}
	valid := 0
	for i, want := range said["original"].Answers {
		for context, text := range want {
			if bytes.Contains([]byte(text), []byte("threw SyntaxError")) {
				continue
			}
			valid++
			for how, tree := range ways {
				if got := said[how].Answers[i][context]; got != text {
					t.Errorf("program %d, %s, %s: it says\n%s\nand the original\n%s\n%s", i, context, how, got, text, shown(context, trees["original"][i], trees[tree][i]))
				}
			}
		}
	}
	t.Logf("%d programs in %d contexts", count, valid)
	if valid < count*2 {
		t.Errorf("only %d contexts take their program", valid)
	}
}

// ways are those in which programs run, and the trees that have the builds for them.
var ways = map[string]string{"original": "original", "idle": "profiled", "armed": "profiled", "counting": "counting"}

// answers are what programs say, by context.
type answers struct {
	Answers  []map[string]string
	Captured bool
}

// runPrograms runs all programs in each way.
func runPrograms(t *testing.T, folder string, count int) map[string]answers {
	t.Helper()
	said := map[string]answers{}
	var mu sync.Mutex
	var running sync.WaitGroup
	t.Setenv("FIELDPROF_COUNTS", filepath.Join(folder, "counts.json"))
	for how, tree := range ways {
		running.Go(func() {
			a := must.JSON[answers](t, must.AskNode(t, nil, "--no-warnings", "testdata/run.mjs", filepath.Join(folder, tree), fmt.Sprint(count), how))
			mu.Lock()
			defer mu.Unlock()
			said[how] = a
		})
	}
	running.Wait()
	return said
}

// shown are the files that a context runs, before and after.
func shown(context string, original, instrumented map[string]string) string {
	names := []string{"s.js"}
	switch context {
	case "commonjs":
		names = []string{"c.cjs"}
	case "module":
		names = []string{"m.mjs"}
	case "graph":
		names = []string{"m0.mjs", "m1.mjs", "m2.mjs", "m3.mjs", "m4.mjs"}
	}
	text := ""
	for _, name := range names {
		if original[name] != "" {
			text += fmt.Sprintf("%s:\n%s\nbecame\n%s\n", name, original[name], instrumented[name])
		}
	}
	return text
}
