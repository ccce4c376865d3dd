package transform

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
)

// TestLineBreaksForSemicolons takes real scripts whose statements end by line breaks
// alone, as acorn confirms: none may be passed through, and all results must parse.
// With FIELDPROF_FULL=1 the scripts are also those that the scanner is compared over.
func TestLineBreaksForSemicolons(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here that the generated programs do not run")
	}
	fixtures.EnsureNodeModules(t)
	roots, every := []string{"../fixtures/node_modules"}, 40
	if os.Getenv("FIELDPROF_FULL") != "" {
		fixtures.EnsureIn(t, "internal/jsscan/testdata/oracle")
		roots, every = append(roots, "internal/jsscan/testdata/oracle/node_modules"), 1
	}
	ask := startBreaking(t)
	files, replaced, results := 0, 0, 0
	for i, path := range scriptsIn(t, roots...) {
		if i%every != 0 {
			continue
		}
		broken := ask(map[string]any{"file": path})
		if broken.Text == "" {
			continue // no program of its own
		}
		files++
		replaced += broken.Replaced
		for _, options := range []Options{{Selection: Selection{Preset: Precise}}, {Selection: Selection{Preset: Balanced}}, {Selection: Selection{Preset: Precise, Form: Compact}}} {
			options.File = path
			result, err := Transform([]byte(broken.Text), options)
			if err != nil || len(result.Warnings) > 0 {
				t.Errorf("%s: %v %v", path, err, result.Warnings)
				continue
			}
			results++
			if answer := ask(map[string]any{"result": string(result.Code)}); !answer.Parsed {
				t.Errorf("%s, %v %v: %s", path, options.Preset, options.Form, answer.Error)
			}
		}
	}
	t.Logf("%d scripts, %d semicolons, %d results", files, replaced, results)
	if files < 10 || replaced < 1000 {
		t.Errorf("only %d scripts with %d semicolons", files, replaced)
	}
}

// scriptsIn lists scripts of up to 2 MB.
func scriptsIn(t *testing.T, roots ...string) []string {
	var paths []string
	for _, root := range roots {
		must.Do(t, filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && info.Size() < 2<<20 {
				switch filepath.Ext(path) {
				case ".js", ".mjs", ".cjs":
					paths = append(paths, path)
				}
			}
			return nil
		}))
	}
	return paths
}

type breakAnswer struct {
	Text, Error string
	Replaced    int
	Parsed      bool
}

// startBreaking starts Node, which answers one question after the other.
func startBreaking(t *testing.T) func(question any) breakAnswer {
	t.Helper()
	in, out, ended := must.StartNode(t, "--stack-size=30000", "testdata/linebreaks/remove.mjs")
	t.Cleanup(func() {
		in.Close()
		ended()
	})
	questions, answers := json.NewEncoder(in), json.NewDecoder(out)
	return func(question any) (answer breakAnswer) {
		must.Do(t, questions.Encode(question))
		if err := answers.Decode(&answer); err != nil {
			t.Fatal(fmt.Errorf("%w: %v", err, question))
		}
		return answer
	}
}
