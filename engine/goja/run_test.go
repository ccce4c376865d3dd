package goja

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/bundle"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
	"github.com/fieldprof/fieldprof/transform"
)

// outcome is the visible outcome of a program.
type outcome struct {
	stdout, stderr, failure string
	code                    int
}

func perform(t *testing.T, path string, args []string, settings engine.Settings) (outcome, *engine.Result) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	result := must.Get(Run(context.Background(), engine.Program{Path: path, Args: args, Stdout: &stdout, Stderr: &stderr}, settings))(t, path)
	o := outcome{stdout: stdout.String(), stderr: stderr.String(), code: result.ExitCode}
	if result.Failure != nil {
		o.failure = result.Failure.Error()
	}
	return o, result
}

// write writes a program to a folder of its own.
func write(t *testing.T, source string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "app.ts")
	must.Do(t, os.WriteFile(path, []byte(source), 0o644))
	return path
}

// Every fixture prints the same without checks, with checks that never fire, with the
// flag up at every check, and while it is profiled: each with the flag up and in one of
// the other ways, or in all with FIELDPROF_FULL=1.
func TestFixturesBehaveTheSame(t *testing.T) {
	fixtures.EnsureNodeModules(t)
	few := []string{"async", "caller", "exceptions", "generators", "native-sort", "throws"} // enough to find races
	ways := []engine.Settings{
		{Mode: engine.Armed, Selection: transform.Selection{Preset: transform.Precise}},
		{Mode: engine.Idle, Selection: transform.Selection{Preset: transform.Precise}},
		{Mode: engine.Armed, Selection: transform.Selection{Preset: transform.Balanced}},
		{Mode: engine.Profile, Selection: transform.Selection{Preset: transform.Precise}},
	}
	for i, program := range append(fixtures.Exact(), fixtures.Real()...) {
		if testing.Short() && !slices.Contains(few, program.Name) {
			continue
		}
		some := []engine.Settings{ways[0], ways[1+i%3]}
		switch {
		case testing.Short():
			some = []engine.Settings{ways[0], ways[3]}
		case os.Getenv("FIELDPROF_FULL") != "":
			some = ways
		}
		t.Run(program.Name, func(t *testing.T) {
			t.Parallel()
			args := []string{"0.02"}
			want, _ := perform(t, program.Path, args, engine.Settings{Mode: engine.Clean})
			if want.stdout == "" || want.failure != "" {
				t.Fatalf("the program itself: %+v", want)
			}
			for _, settings := range some {
				got, result := perform(t, program.Path, args, settings)
				must.Equal(t, got, want, settings.Preset, settings.Mode)
				if result.Profile != nil {
					must.Do(t, result.Profile.CheckValid())
				}
			}
		})
	}
}

// Time after an await belongs to the function that works, the time in between to none.
func TestAsyncProgram(t *testing.T) {
	path := write(t, `
function spin(n: number) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) % 65521; return s; }
async function worker(name: string) {
	for (let i = 0; i < 5; i++) { await new Promise(r => setTimeout(r, 10)); spin(30000); }
	return name;
}
Promise.all([worker('a'), worker('b')]).then(names => console.log(names.join()));
`)
	got, result := perform(t, path, nil, engine.Settings{Selection: transform.Selection{Preset: transform.Precise}})
	if got.stdout != "a,b\n" || got.failure != "" {
		t.Fatalf("%+v", got)
	}
	self := map[string]float64{}
	for _, row := range view.Flat(profile.Attribute(result.Profile, profile.BySite)) {
		self[row.Name] += float64(row.Self)
	}
	if self["spin"] == 0 || self[profile.NameIdle] == 0 {
		t.Errorf("%v", self)
	}
}

// Unhandled rejections end the program after the task in which they occur; rejections
// that are handled within it, however late, do not.
func TestRejections(t *testing.T) {
	handled := write(t, `const p = Promise.reject(new Error('x')); p.catch(() => console.log('handled')); Promise.reject(1).then(() => {}).catch(e => console.log(e));`)
	if got, _ := perform(t, handled, nil, engine.Settings{}); got.code != 0 || got.stdout != "handled\n1\n" {
		t.Errorf("%+v", got)
	}
	left := write(t, "setTimeout(() => console.log('never'), 50);\nPromise.reject({ toString() { throw 1 } });")
	if got, _ := perform(t, left, nil, engine.Settings{}); got.code != 1 || got.stdout != "" || !strings.Contains(got.failure, "Uncaught (in promise)") {
		t.Errorf("%+v", got)
	}
}

// The exit code is that of process.exit or else process.exitCode, unless the program fails.
func TestExitCodes(t *testing.T) {
	for source, want := range map[string]int{
		"process.exit(3)":                                       3,
		"process.nextTick(process.exit, 3)":                     3,
		"setTimeout(process.exit, 1, 3)":                        3,
		"setInterval(process.exit, 1, 3)":                       3,
		"setImmediate(process.exit, 3)":                         3,
		"queueMicrotask(process.exit.bind(0, 3))":               3,
		"Promise.resolve(3).then(process.exit)":                 3,
		"Promise.reject(3).catch(process.exit)":                 3,
		"[3].forEach(process.exit)":                             3,
		"new Promise(process.exit.bind(0, 3))":                  3,
		"(async () => process.exit(await 3))()":                 3,
		"const o = { get a() { return process.exit(3) } }; o.a": 3,
		"try { process.exit(3) } finally { for (;;); }":         3,
		"process.exitCode = 4":                                  4,
		"setTimeout(() => { process.exitCode = 5 })":            5,
		"process.exitCode = 6; process.exit()":                  6,
		"process.exitCode = 7; process.exit(0)":                 0,
		"process.exitCode = '8'":                                8,
		"process.exitCode = 256 + 9":                            9,
		"process.exitCode = null":                               0,
		"process.exitCode = Symbol()":                           0,
		"process.exitCode = 10; globalThis.process={}":          10,
		"process.exitCode = 11; throw 'x'":                      1,
		"process.exitCode = 12; Promise.reject('x')":            1,
	} {
		if got, _ := perform(t, write(t, source), nil, engine.Settings{}); got.code != want {
			t.Errorf("%s: %+v, want %d", source, got, want)
		}
	}
}

// process.nextTick calls after the task, and process.hrtime tells the time in two ways.
func TestProcess(t *testing.T) {
	path := write(t, `
process.nextTick((...values) => console.log('tick', ...values), 1, 2);
try { process.nextTick('code') } catch (e) { console.log(e.name) }
const before = process.hrtime.bigint(), [seconds, rest] = process.hrtime(), after = process.hrtime.bigint();
const between = BigInt(seconds) * 1000000000n + BigInt(rest);
console.log(before <= between, between <= after, rest < 1e9);
const passed = process.hrtime([seconds, rest]), late = process.hrtime.bigint();
console.log(BigInt(passed[0]) * 1000000000n + BigInt(passed[1]) <= late - between);
const [back, up] = process.hrtime([seconds + 1e6, rest]);
console.log(back < 0, up >= 0 && up < 1e9);
`)
	got, _ := perform(t, path, nil, engine.Settings{})
	must.Equal(t, got.stdout, "TypeError\ntrue true true\ntrue\ntrue true\ntick 1 2\n")
	must.Equal(t, got.failure, "")
}

// The console has what Node's has, and streams call back.
func TestConsole(t *testing.T) {
	path := write(t, `
console.group('outer %d', 1); console.log('in\nit'); console.group(); console.warn('deep'); console.groupEnd(); console.groupEnd(); console.groupEnd();
console.count(); console.count('a'); console.count(); console.countReset(); console.count();
console.assert(true, 'no'); console.assert(false); console.assert(0, 'not %s', 'so'); console.assert(0, 7);
console.log(undefined); console.log({ a: [1, 'x', null], f() {}, m: new Map([[1, { b: -0 }]]) }, [undefined], 5n, -0, Symbol('s'), class A {});
console.log('%s is %d%% of %o', 'x', 5, { y: 1 }, 'more'); console.log('100%', 1); console.log('%'); console.log(new (class Point { x = 1 })());
console.dir('d'); console.dirxml('x', 1); console.table('t'); console.table([{ a: 1, b: 2 }, { b: 3 }]); console.trace('here', 2); console.clear();
console.time('t'); console.timeLog('t', 'more'); console.timeEnd('t'); console.timeEnd('t');
process.stdout.write(new Uint8Array([104, 105, 10]), () => console.log('written'));
process.stderr.write('error\n', 'utf8', () => process.exit(2));
`)
	got, _ := perform(t, path, nil, engine.Settings{})
	times := regexp.MustCompile(`t: [0-9.]+ms`).ReplaceAllString(got.stdout, "t: TIME")
	must.Equal(t, times, "outer 1\n  in\n  it\ndefault: 1\na: 1\ndefault: 2\ndefault: 1\nundefined\n"+
		"{ a: [ 1, 'x', null ], f: [Function: f], m: Map(1) { 1 => { b: -0 } } } [ undefined ] 5n -0 Symbol(s) [class A]\n"+
		"x is 5% of { y: 1 } more\n100% 1\n%\nPoint { x: 1 }\n'd'\nx 1\nt\n"+
		"┌─────────┬───┬───┐\n│ (index) │ a │ b │\n├─────────┼───┼───┤\n│ 0       │ 1 │ 2 │\n│ 1       │   │ 3 │\n└─────────┴───┴───┘\n"+
		"t: TIME more\nt: TIME\nhi\nwritten\n")
	must.Equal(t, got.stderr, "    deep\nAssertion failed\nAssertion failed: not so\nAssertion failed: 7\nTrace: here 2\nWarning: No such label 't' for console.timeEnd()\nerror\n")
	must.Equal(t, got.code, 2)
}

// Classes have the names of the sources, modules are strict, and what only looks like a question about modules stays.
func TestBundlesBehaveAsModules(t *testing.T) {
	for name, c := range map[string]struct{ files, want string }{
		"classes": {`
export class Vec { constructor(x) { this.x = x } plus(o) { return new Vec(this.x + o.x) } static _Vec = '_Vec'; get own() { return this._Vec ?? Vec._Vec } }
class Sub extends Vec { static make() { return new Sub(1) } toString() { return Sub.name + ` + "`_Sub${Sub._Vec}`" + ` } }
var Mine = class _Mine { static self() { return _Mine.name } };
const tagged = { Vec };
console.log(Vec.name, new Vec(1).plus(new Vec(2)).constructor.name, new Vec(0).own, Sub.name, String(Sub.make()), Mine.name, Mine.self(), Object.keys(tagged)[0]);
`, "Vec Vec _Vec Sub Sub_Sub_Vec _Mine _Mine Vec\n"},
		"strict": {`
export const o = Object.freeze({ x: 1 });
try { o.x = 2; console.log('silent') } catch (e) { console.log(e.name) }
console.log((function () { return this })());
`, "TypeError\nundefined\n"},
		"sloppy": {`
var o = Object.freeze({ x: 1 }); o.x = 2; undeclared = 3;
const list = [{ parent: { parent: null } }];
let depth = 0;
for (let module of list) while (module.parent) { module = module.parent; depth++ }
console.log(typeof (function () { return this })(), depth);
`, "object 1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := perform(t, write(t, c.files), nil, engine.Settings{})
			if got.stdout != c.want || got.failure != "" {
				t.Errorf("%+v, want %s", got, c.want)
			}
		})
	}
	folder := t.TempDir()
	must.WriteTree(t, folder, map[string]string{
		"www":      "#!/usr/bin/env node\nconst app = require('./app');\nif (require.main === module) app.listen();",
		"app.js":   "exports.listen = () => console.log('listens');",
		"main.mjs": "import app from './app.js';\napp.listen();",
		"two.mjs":  "import { Vec as Base } from './vec.mjs';\nclass Vec extends Base { twin() { return new Vec() } }\nconsole.log(new Vec().twin() instanceof Base, Base.name);",
		"vec.mjs":  "export class Vec { twin() { return new Vec() } }",
	})
	for name, want := range map[string]string{"www": "listens\n", "main.mjs": "listens\n", "two.mjs": "true Vec\n"} {
		if got, _ := perform(t, filepath.Join(folder, name), nil, engine.Settings{}); got.stdout != want || got.failure != "" {
			t.Errorf("%s: %+v, want %s", name, got, want)
		}
	}
}

// A program that ends before its timers leaves no goroutine.
func TestNothingIsLeftBehind(t *testing.T) {
	path := write(t, "setInterval(() => {}, 1); setTimeout(() => {}, 10000); setTimeout(() => { throw 1 }, 5)")
	if got, _ := perform(t, path, nil, engine.Settings{}); got.code != 1 {
		t.Fatalf("%+v", got)
	}
	var stacks string
	for range 30000 { // five minutes, in case it hangs
		buffer := make([]byte, 1<<20)
		stacks = string(buffer[:runtime.Stack(buffer, true)])
		if !strings.Contains(stacks, "eventloop") && !strings.Contains(stacks, "(*Coordinator).run") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("still there:\n%s", stacks)
}

// Sources outside the working directory are named by their full path.
func TestSourceNames(t *testing.T) {
	path := write(t, "function fails() { throw new Error('x') }\nfails()")
	got, _ := perform(t, path, nil, engine.Settings{})
	if !strings.HasPrefix(got.failure, path+":1:26: ") || !strings.Contains(got.failure, "at fails ("+path+":1:") {
		t.Errorf("%s is not named in %s", path, got.failure)
	}
}

// Syntax that goja lacks is rewritten, and those of Node's modules that it has are found.
func TestModernSyntax(t *testing.T) {
	path := write(t, `
import { format } from 'node:util';
import * as url from 'url';
enum Colour { Red, Green }
class Base { #x = 1; static { console.log('static'); } get x() { return this.#x; } }
async function* numbers() { yield 1; yield 2; }
(async () => {
	for await (const n of numbers()) console.log(n);
	const m = await import('node:util');
	console.log(format('%s', 'a'), typeof m.format, Colour.Green, new Base().x, new url.URL('http://h/p').pathname);
	console.log(null ?? 'n', undefined?.x, 2n ** 64n, typeof Buffer.from('a'), process.argv.slice(2).join());
})();
`)
	got, _ := perform(t, path, []string{"--flag", "x"}, engine.Settings{Selection: transform.Selection{Preset: transform.Precise}})
	want := "static\n1\n2\na function 1 1 /p\nn undefined 18446744073709551616n object --flag,x\n"
	must.Equal(t, got.stdout, want)
	must.Equal(t, got.failure, "")
}

func TestContextEndsTheProgram(t *testing.T) {
	for name, source := range map[string]string{
		"loop": "for (;;) {}", "timers": "setInterval(() => {}, 1)", "promises": "(async () => { for (;;) await null })()",
		"catches": "for (;;) { try { for (;;) {} } catch {} finally { continue } }",
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		var stdout bytes.Buffer
		result, err := Run(ctx, engine.Program{Path: write(t, source), Stdout: &stdout, Stderr: &stdout}, engine.Settings{})
		cancel()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !result.Stopped || result.Profile == nil || result.Failure != nil {
			t.Errorf("%s: %+v", name, result)
		}
	}
}

// A 20 MB script with long chains causes no trouble.
func TestLargeScript(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	var b strings.Builder
	b.WriteString("let total = 0;\n")
	text := strings.Repeat("x", 4000)
	for i := 0; b.Len() < 20<<20; i++ {
		fmt.Fprintf(&b, "function f%d(a) { if (a > 1) { return a * 2 + '%s'.length; } for (let i = 0; i < a; i++) { a += i } return a }\ntotal += f%d(3);\n", i, text, i)
	}
	b.WriteString("total = " + strings.Repeat("1 + ", 1000) + "total;\nconsole.log(total > 0);\n")
	got, result := perform(t, write(t, b.String()), nil, engine.Settings{})
	if got.stdout != "true\n" || got.failure != "" || len(result.Warnings) > 0 {
		t.Errorf("%+v %v", got, result.Warnings)
	}
}

// require.main === module is true in the entry file, and false in a package.
func TestMainGuard(t *testing.T) {
	directory := t.TempDir()
	for name, source := range map[string]string{
		"app.js": "const lib = require('./lib');\nif (require.main === module) { console.log('main', lib); } else { console.log('not') }\nrequire('./style.css');\nfunction f() { throw new Error('x') } f();",
		"lib.js": "if (require.main === module) console.log('library');\nmodule.exports = 'lib';", "style.css": "a { color: red }",
	} {
		must.Do(t, os.WriteFile(filepath.Join(directory, name), []byte(source), 0o644))
	}
	got, _ := perform(t, filepath.Join(directory, "app.js"), nil, engine.Settings{})
	if got.stdout != "main lib\n" || !strings.Contains(got.failure, "app.js:4:22: ") {
		t.Errorf("%+v", got)
	}
}

// Each way to ask for the main module is true in the entry file, whatever its language and
// syntax, and false in what it imports.
func TestMainGuardOfEachLanguage(t *testing.T) {
	const cjs = "if (require.main === module) console.log('main');\nif (module !== require.main) console.log('not');\n"
	const esm = "if (import.meta.main) console.log('main');\n"
	for name, source := range map[string]string{
		"imports.ts":  "import { part } from './part';\nconst n: number = part;\n" + cjs,
		"requires.ts": "const { part } = require('./part');\nlet n: number = part;\n" + cjs,
		"app.cts":     "const { part } = require('./part');\n" + cjs,
		"app.mjs":     "import './part';\n" + esm,
		"app.mts":     "import './part';\nlet n: number = 1;\n" + esm,
		"app.jsx":     "import './part';\n" + esm,
		"lines.js":    "require('./part');\nif (require.main\n  === module) console.log('main');\n",
	} {
		directory := t.TempDir()
		must.WriteTree(t, directory, map[string]string{
			"part.ts": "export const part: number = 1;\nif (import.meta.main) console.log('part');\n",
			name:      source + "function f() { throw new Error('x') } f();",
		})
		got, _ := perform(t, filepath.Join(directory, name), nil, engine.Settings{})
		at := fmt.Sprintf("%s:%d:22: ", name, strings.Count(source, "\n")+1)
		if got.stdout != "main\n" || !strings.Contains(got.failure, at) {
			t.Errorf("%s: %+v, want %s", name, got, at)
		}
	}
}

// A pipe is not called empty, though its size is 0.
func TestEntryIsAFile(t *testing.T) {
	if _, err := Run(t.Context(), engine.Program{Path: os.DevNull}, engine.Settings{}); err == nil || strings.Contains(err.Error(), "empty") {
		t.Error(err)
	}
}

// A program is the same one where symbolic links lead to it: as Node does, its modules are
// named, and imported, from where they are.
func TestSymbolicLinks(t *testing.T) {
	directory := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	in := func(names ...string) string { return filepath.Join(append([]string{directory}, names...)...) }
	must.WriteTree(t, directory, map[string]string{
		"real/app/app.js": "if (require.main === module) console.log('main');\nrequire('../lib').fails();",
		"real/lib.js":     "exports.fails = () => { throw new Error('x') }",
	})
	must.Do(t, os.MkdirAll(in("else", "where"), 0o755))
	must.Do(t, os.Symlink(in("real", "app"), in("else", "where", "folder")))
	must.Do(t, os.Symlink(in("real", "app", "app.js"), in("file.js")))
	check := func(path string) {
		t.Helper()
		got, _ := perform(t, path, nil, engine.Settings{})
		if got.stdout != "main\n" || !strings.HasPrefix(got.failure, in("real", "lib.js")+":1:") {
			t.Errorf("%s: %+v", path, got)
		}
	}
	check(in("else", "where", "folder", "app.js"))
	check(in("file.js"))
	t.Chdir(in("else", "where", "folder")) // which is the working directory's name
	check("app.js")
}

// If goja lacks something, the error says what is available.
func TestWhatGojaLacks(t *testing.T) {
	for source, want := range map[string]string{
		"import fs from 'fs'; fs": "goja has none of Node's modules but buffer, console, process, url, util",
		"await 1; export {}":      "put it into an async function",
	} {
		_, err := Run(context.Background(), engine.Program{Path: write(t, source)}, engine.Settings{})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "api.") {
			t.Errorf("%s: %v", source, err)
		}
	}
}

func TestSourceErrorsAreLocated(t *testing.T) {
	_, err := Run(context.Background(), engine.Program{Path: write(t, "let a = 1;\nlet a = 2;\n")}, engine.Settings{})
	var source *bundle.SourceError
	if !errors.As(err, &source) || !strings.Contains(err.Error(), "app.ts:2:5: ") || !strings.Contains(err.Error(), "\n    let a = 2;\n        ^") {
		t.Errorf("%v", err)
	}
}

// An error's position is in the source, through bundling and insertions, even on a line
// with non-ASCII characters and from deep inside.
func TestFailurePositions(t *testing.T) {
	path := write(t, "const é = '😀'; function inner(v: any) { return [1].map(() => v.missing.x); }\nconst outer = () => inner({});\nouter();\n")
	got, _ := perform(t, path, nil, engine.Settings{Selection: transform.Selection{Preset: transform.Precise}})
	lines := strings.Split(got.failure, "\n")
	if !strings.Contains(lines[0], "app.ts:1:") || !strings.Contains(lines[0], "TypeError") {
		t.Fatalf("%s", got.failure)
	}
	column := strings.Split(lines[0], ":")[2]
	if column != "72" && column != "73" && column != "74" {
		t.Errorf("column %s:\n%s", column, got.failure)
	}
	if !strings.Contains(got.failure, "at inner (") || !strings.Contains(got.failure, "at outer (") {
		t.Errorf("%s", got.failure)
	}
	clean, _ := perform(t, path, nil, engine.Settings{Mode: engine.Clean})
	must.Equal(t, strings.Split(clean.failure, "\n")[0], lines[0], "clean")
}

// A run lists all functions of the program, and flags those that its checks tell apart.
func TestFunctions(t *testing.T) {
	path := write(t, "function small() { return 1; }\nfunction loop() { for (let i = 0; i < 3; i++) small(); }\nloop();\n")
	_, result := perform(t, path, nil, engine.Settings{Mode: engine.Idle})
	checked := map[string]bool{}
	for _, f := range result.Functions() {
		checked[f.Name] = f.Flags&profile.Checked != 0
		must.Equal(t, f.Line, map[string]int32{"small": 1, "loop": 2}[f.Name], f)
	}
	if len(checked) != 2 || checked["small"] || !checked["loop"] {
		t.Errorf("checked %v, want loop alone", checked)
	}
	if _, clean := perform(t, path, nil, engine.Settings{Mode: engine.Clean}); clean.Functions != nil {
		t.Error("a clean run has checks")
	}
}
