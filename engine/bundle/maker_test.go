package bundle

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
)

// A program of ES modules is built once, whatever comes before its bundle, and positions lead to its sources.
func TestModulesAreBuiltOnce(t *testing.T) {
	folder := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	must.WriteTree(t, folder, map[string]string{
		"app.mjs":  "#!/usr/bin/env node\nimport { part } from './part.mjs';\nconsole.log(part,\n\timport.meta.url, marked());\n",
		"part.mjs": "export const part = 1;",
	})
	entry := filepath.Join(folder, "app.mjs")
	for _, target := range []Target{{Engine: "node", Node: true, Await: true}, {Engine: "goja", Lacks: []string{"import-meta"}}} {
		m := &maker{target: &target, directory: folder, entry: entry}
		if result := api.Build(m.options()); len(result.Errors) > 0 || m.learn(&result) {
			t.Errorf("%s: it is built again, after %v", target.Engine, result.Errors)
		}
		b := must.Get(Make(entry, target))(t)
		if !bytes.HasPrefix(b.Code, []byte("#!/usr/bin/env node\n\"use strict\";")) || bytes.Contains(b.Code, []byte("pathToFileURL")) != target.Node {
			t.Errorf("%s: the bundle begins with %.200s", target.Engine, b.Code)
		}
		line, column := textpos.Of(b.Code).Position(bytes.Index(b.Code, []byte("marked")))
		for _, s := range must.Get(sourcemap.Parse(b.SourceMap))(t).Line(line) {
			if int(s.Column) == column && s.SourceLine == 3 {
				line = -1
			}
		}
		if line >= 0 {
			t.Errorf("%s: the map does not lead from line %d to line 4 of the source", target.Engine, line+1)
		}
	}
}

// Names that are no text are in the bundle's comments as others are.
func TestNamesThatAreNoText(t *testing.T) {
	folder := t.TempDir()
	entry := filepath.Join(folder, "b\xffc.js")
	if err := os.WriteFile(entry, []byte("console.log('é')"), 0o644); err != nil {
		t.Skipf("SKIPPED: this disk has no such names: %v", err)
	}
	b := must.Get(Make(entry, Target{Engine: "goja"}))(t)
	if !utf8.Valid(b.Code) || !bytes.Contains(b.Code, []byte("console.log(")) {
		t.Errorf("%q", b.Code)
	}
}
