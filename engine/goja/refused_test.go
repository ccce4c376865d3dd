package goja

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/bundle"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
)

// A program that assigns to a constant runs until then, and errors on the line have their places in the source.
func TestConstants(t *testing.T) {
	path := write(t, `const c = 1, o: any = {};
function set() { c = 2; }
try { set() } catch (e) { console.log(e instanceof TypeError, c) }
const { x, ...rest } = o; try { x ??= 3, ({ c } = { c: 4 }); } catch (e) { console.log(e instanceof TypeError) } console.log(c), o.é(), c;
`)
	got, result := perform(t, path, nil, engine.Settings{Selection: transform.Selection{Preset: transform.Precise}})
	if got.stdout != "true 1\ntrue\n1\n" || got.code != 1 || !strings.HasPrefix(got.failure, path+":4:132: ") {
		t.Errorf("%+v", got)
	}
	if len(result.Warnings) != 3 || !strings.Contains(result.Warnings[0], "app.ts:2:18: This assignment will throw because \"c\" is a constant\n    function set() { c = 2; }\n") {
		t.Errorf("%q", result.Warnings)
	}
	var source *bundle.SourceError
	if _, err := Run(context.Background(), engine.Program{Path: write(t, "const c = 1; c = 2; let a; let a;")}, engine.Settings{}); !errors.As(err, &source) {
		t.Errorf("a source with other errors: %v", err)
	}
}

// Modules that are not there fail when a program comes to them, as in Node, and at once if it imports them.
func TestAbsentModules(t *testing.T) {
	folder := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	must.WriteTree(t, folder, map[string]string{
		"app.cjs": `
const lazily = () => require('absent/part');
for (const load of [lazily, lazily, () => require('./sub/loads'), () => require('fs')]) try { load(); } catch (e) { console.log(e.code, e.message); }
import('@absent/package/part').catch((e) => console.log(e.code, e.message)).then(() => import('./sub/imports.mjs')).catch((e) => console.log(e.code, e.message));`,
		"sub/loads.js":    "exports.before = 1; require('../absent');",
		"sub/imports.mjs": "import './absent.mjs'; console.log('never');",
		"ends.cjs":        "console.log('before');\nrequire('absent');",
		"static.mjs":      "import './sub/imports.mjs';",
	})
	in := func(name string) string { return filepath.Join(folder, filepath.FromSlash(name)) }
	got, _ := perform(t, in("app.cjs"), nil, engine.Settings{})
	absent := "MODULE_NOT_FOUND Cannot find module 'absent/part'\nRequire stack:\n- " + in("app.cjs") + "\n"
	want := absent + absent + "MODULE_NOT_FOUND Cannot find module '../absent'\nRequire stack:\n- " + in("sub/loads.js") + "\n" +
		"MODULE_NOT_FOUND Cannot find module 'fs'\nRequire stack:\n- " + in("app.cjs") + "\ngoja has none of Node's modules but buffer, console, process, url, util\n" +
		"ERR_MODULE_NOT_FOUND Cannot find package '@absent/package' imported from " + in("app.cjs") + "\n" +
		"ERR_MODULE_NOT_FOUND Cannot find module '" + in("sub/absent.mjs") + "' imported from " + in("sub/imports.mjs") + "\n"
	if got.stdout != want || got.failure != "" {
		t.Errorf("%s\nwant %s\n%s", got.stdout, want, got.failure)
	}
	if got, _ := perform(t, in("ends.cjs"), nil, engine.Settings{}); got.stdout != "before\n" || got.code != 1 || !strings.HasPrefix(got.failure, in("ends.cjs")+":2:1: Uncaught Error: Cannot find module 'absent'\n") {
		t.Errorf("%+v", got)
	}
	if _, err := Run(context.Background(), engine.Program{Path: in("static.mjs")}, engine.Settings{}); err == nil || !strings.Contains(err.Error(), `imports.mjs:1:8: Could not resolve "./absent.mjs"`) {
		t.Errorf("%v", err)
	}
}
