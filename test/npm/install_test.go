package npm

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/internal/release"
	"github.com/fieldprof/fieldprof/test/npm/packages"
)

const salts = `
import { FieldprofError, start } from 'fieldprof';
try {
  const service = await start();
  console.log(await service.salt({ preset: 'fine' }));
} catch (error) {
  console.log(error instanceof FieldprofError, error.message);
}
`

const fine = "fieldprof " + release.Version + " fine\n"

// The command line is there under both of its names, and ends as the program
// does.
func TestCommandLine(t *testing.T) {
	folder := packages.Install(t, nil, "fieldprof", packages.Platform)
	for _, name := range []string{"instrument", "fieldprof"} {
		if got := must.Run(t, folder, "node_modules/.bin/"+name, "--version"); got != release.Version+"\n" {
			t.Errorf("%s --version: %s", name, got)
		}
	}
	said, code := run(t, folder, nil, "node_modules/.bin/instrument", "--presett", "x")
	if code != 2 || !strings.Contains(said, "unknown flag: --presett") {
		t.Errorf("code %d: %s", code, said)
	}
	must.Write(t, folder, "app.js", "process.exit(7)")
	if said, code := run(t, folder, nil, "node_modules/.bin/instrument", "run", "--engine", "node", "--top", "0", "app.js"); code != 7 {
		t.Errorf("code %d: %s", code, said)
	}
}

// Without its program fieldprof says what is missing, and what to do; with
// fieldprof-wasm it goes on with that.
func TestOmitOptional(t *testing.T) {
	for _, flag := range []string{"--omit=optional", "--no-optional"} {
		folder := packages.Install(t, []string{flag}, "fieldprof")
		must.Write(t, folder, "salts.mjs", salts)
		missing := "the package " + packages.Platform + ", which holds the program of fieldprof, is not installed: it is an optional dependency"
		if got := must.Run(t, folder, "node", "salts.mjs"); !strings.HasPrefix(got, "true "+missing) || !strings.Contains(got, "fieldprof-wasm") {
			t.Errorf("%s: %s", flag, got)
		}
		said, code := run(t, folder, nil, "node_modules/.bin/instrument", "--version")
		if code != 1 || !strings.HasPrefix(said, "instrument: "+missing) || strings.Contains(said, "wasm") {
			t.Errorf("%s: code %d: %s", flag, code, said)
		}
	}
	folder := packages.Install(t, []string{"--omit=optional"}, "fieldprof", "fieldprof-wasm")
	must.Write(t, folder, "salts.mjs", salts)
	if got := must.Run(t, folder, "node", "salts.mjs"); got != fine {
		t.Errorf("with fieldprof-wasm: %s", got)
	}
	must.Write(t, folder, "node_modules/fieldprof-wasm/dist/fieldprof.wasm", "no module")
	if got, _ := run(t, folder, nil, "node", "salts.mjs"); !strings.HasPrefix(got, "true the fieldprof service (fieldprof-wasm) has ended: CompileError") {
		t.Errorf("with a broken one: %s", got)
	}
}

// node_modules of another platform, as copies into containers have them.
func TestOtherPlatform(t *testing.T) {
	folder := packages.Install(t, nil, "fieldprof")
	must.Write(t, folder, "salts.mjs", salts)
	other := "darwin-arm64"
	if packages.Here() == other {
		other = "linux-arm64"
	}
	must.Write(t, folder, "node_modules/@fieldprof/"+other+"/package.json", `{"name":"@fieldprof/`+other+`","version":"`+release.Version+`"}`)
	must.Write(t, folder, "node_modules/@fieldprof/"+other+"/bin/instrument", "no program here")
	want := "this is " + packages.Here() + ", which needs the package " + packages.Platform + ", and installed is @fieldprof/" + other + ": node_modules comes from another platform"
	if got := must.Run(t, folder, "node", "salts.mjs"); !strings.HasPrefix(got, "true "+want) || !strings.Contains(got, "Delete node_modules and install here") {
		t.Errorf("%s", got)
	}
	if said, code := run(t, folder, nil, "node_modules/.bin/fieldprof", "dist"); code != 1 || !strings.HasPrefix(said, "instrument: "+want) {
		t.Errorf("code %d: %s", code, said)
	}
	// And a program of another platform under the right name.
	program := filepath.Join(folder, "program")
	must.Write(t, folder, "program", "\x7fELF\x02\x01\x01 of a machine that is not this one")
	must.Do(t, os.Chmod(program, 0o755))
	said, _ := run(t, folder, []string{"FIELDPROF_BINARY=" + program}, "node", "salts.mjs")
	if !strings.HasPrefix(said, "true the fieldprof service ("+program+") has ended: ") {
		t.Errorf("%s", said)
	}
}

// A program of another release is refused, whichever is the newer one.
func TestVersionMismatch(t *testing.T) {
	folder := packages.Install(t, nil, "fieldprof", packages.Platform)
	must.Write(t, folder, "salts.mjs", salts)
	for _, name := range []string{"dist/index.js", "dist/index.cjs"} {
		path := filepath.Join(folder, "node_modules/fieldprof", name)
		text := must.Get(os.ReadFile(path))(t)
		changed := strings.ReplaceAll(string(text), `"`+release.Version+`"`, `"0.0.1"`)
		if changed == string(text) {
			t.Fatalf("%s has no version", name)
		}
		must.Write(t, folder, "node_modules/fieldprof/"+name, changed)
	}
	got := must.Run(t, folder, "node", "salts.mjs")
	if !strings.Contains(got, "the client is fieldprof 0.0.1 (protocol 1) and the program is fieldprof "+release.Version+" (protocol 1): install the same version of both") {
		t.Errorf("%s", got)
	}
}

// pnpm links packages: each sees its own dependencies only. So it is for the
// plugin's client, and for the client's program.
func TestPnpm(t *testing.T) {
	tools := filepath.Join(packages.Top(), "test/npm/testdata")
	packages.Build(t)
	fixtures.EnsureIn(t, tools)
	at := map[string]string{"esbuild": "link:" + filepath.Join(tools, "node_modules/esbuild")}
	for _, name := range []string{"@fieldprof/esbuild", "@fieldprof/runtime", "fieldprof", packages.Platform} {
		at[name] = "file:" + packages.Tarball(t, name)
	}
	manifest := must.Get(json.Marshal(map[string]any{
		"private":      true,
		"dependencies": map[string]string{"@fieldprof/esbuild": at["@fieldprof/esbuild"], "esbuild": at["esbuild"]},
		"pnpm":         map[string]any{"overrides": at},
	}))(t)
	folder := t.TempDir()
	must.Write(t, folder, "package.json", string(manifest))
	must.Write(t, folder, "app.js", `export function work(n) { let sum = 0; for (let i = 0; i < n; i++) sum += i; return sum; }; console.log(work(9));`)
	must.Write(t, folder, "build.mjs", `
import fieldprof from '@fieldprof/esbuild';
import { build } from 'esbuild';
await build({ entryPoints: ['app.js'], bundle: true, platform: 'node', outfile: 'dist/app.cjs', plugins: [fieldprof()] });
`)
	must.Run(t, folder, filepath.Join(tools, "node_modules/.bin/pnpm"), "install", "--ignore-scripts", "--offline", "--store-dir", filepath.Join(t.TempDir(), "store"))
	if entries, err := os.ReadDir(filepath.Join(folder, "node_modules")); err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == "fieldprof" }) {
		t.Errorf("not as pnpm links packages: %v %v", entries, err)
	}
	must.Run(t, folder, "node", "build.mjs")
	if got := must.Run(t, folder, "node", "dist/app.cjs"); got != "36\n" {
		t.Errorf("%s", got)
	}
	if _, err := os.Stat(filepath.Join(folder, "dist/app.cjs.functions.json")); err != nil {
		t.Error(err)
	}
}
