package engines

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/goja"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
)

// moduleKinds are the kinds of entry files, with their extensions.
var moduleKinds = []struct{ name, extension, begin, end string }{
	{"CommonJS", ".cjs", "const own = (name) => require(name);", ""},
	{"module", ".mjs", "import { createRequire } from 'node:module'; const own = createRequire(import.meta.url);", ""},
	{"awaiting", ".mjs", "import { createRequire } from 'node:module'; const own = createRequire(import.meta.url);", "await null; console.log('awaited');"},
}

// constructs are what programs do. Those of one kind alone say so.
var constructs = []struct{ name, only, code string }{
	{"constant", "", `const c = 1; try { c = 2; } catch (e) { console.log(e.name, e.message); } console.log(c);`},
	{"constants", "", `
const n = 1n, o = { x: 1 }, no = null;
const tries = {
	add() { n += 1n; }, increment() { ++n }, decrement() { n-- }, list() { [o] = [2]; }, short() { ({ n } = { n: 2 }); },
	default() { ({ n = 3, ...o } = {}); }, named() { ({ x: n } = { x: 4 }); }, each() { for (n of [1]); }, key() { for (n in { a: 1 }); },
	or() { return o ||= 5; }, nullish() { return no ??= 6; }, and() { return no &&= 7; }, inner() { const inner = 1; return () => { inner = 2; }; },
	arrow: (value) => n = value, block() { if (o) {n = 1} },
	lines() {
		const before = 1
		n += 2n
	},
};
for (const name in tries) try { const result = tries[name](); console.log(name, typeof result === 'function' ? result() : result); } catch (e) { console.log(name, e.name, e.message); }`},
	{"uncaught constant", "", `const c = 1; console.log('before'); c = 2; console.log('after');`},
	{"absent package", "", `import('absent-package/sub').catch((e) => console.log(e.name, e.code, e.message));`},
	{"absent file", "", `import('./absent.mjs').catch((e) => console.log(e.name, e.code));`},
	{"own require of what is absent", "", `try { own('./absent.js'); } catch (e) { console.log(e.code, e.message.split('\n')[0]); }`},
	{"order of timers", "CommonJS", `
setImmediate(() => console.log('immediate')); setTimeout(() => console.log('timeout'));
for (const began = Date.now(); Date.now() - began < 4;); // so that the timer is due`},
	{"order", "", `
const log = [];
const say = (what) => () => log.push(what);
process.nextTick(say('tick')); Promise.resolve().then(say('promise')); queueMicrotask(() => { log.push('microtask'); process.nextTick(say('inner tick')); });
process.on('exit', (code) => console.log(code, log.join()));`},
	{"uncaught error", "", `
process.on('uncaughtExceptionMonitor', function (e, origin) { console.log('after', e.message, origin, this === process); });
process.prependListener('uncaughtExceptionMonitor', function (e) { console.log('before', this === process); });
setTimeout(() => { throw new Error('thrown'); });`},
	{"error of the body", "", `
process.on('uncaughtException', (e, origin) => console.log('heard', e.message, origin)); setTimeout(() => console.log('goes on'));
throw new Error('thrown');`},
	{"error that a listener of rejections hears", "module", `
process.on('unhandledRejection', (e) => console.log('rejected', e.message)); process.on('exit', (code) => console.log(code));
throw new Error('thrown');`},
	{"error after an await that a listener of rejections hears", "awaiting", `
process.on('unhandledRejection', (e) => console.log('rejected', e.message)); process.on('exit', (code) => console.log(code));
await null; throw new Error('thrown');`},
	{"end", "", `process.on('beforeExit', () => process.exit()); process.on('exit', (code) => console.log(code));`},
	{"absent require", "CommonJS", `
for (const load of [() => require('absent-package'), () => require('./absent'), () => require.resolve('./absent.js')])
	try { load(); } catch (e) { console.log(e.name, e.code, e.message.split('\n').slice(0, 3).join('; ')); }
if (process.argv.length > 9) require('another');
console.log(require.resolve('./neighbour.cjs') === require('node:path').join(__dirname, 'neighbour.cjs'));`},
	{"uncaught absent require", "CommonJS", `console.log('before'); require('absent-package'); console.log('after');`},
	{"extensions", "CommonJS", `console.log(require('./twin'), require('./data'));`},
	{"facts", "module", `
const { url, dirname, filename, main, ...others } = import.meta; // newer versions of Node have main
console.log(url, dirname, filename, Object.keys(others), Object.keys(import.meta).filter((key) => key !== 'main'), Object.getPrototypeOf(import.meta));
const show = (name) => { try { console.log(import.meta.resolve(name)); } catch (e) { console.log(e.code, e.message); } };
for (const name of ['fs', 'node:path', './x.js', '../y', '/z', 'https://example.org/a', 'effects', '@absent/package/sub']) show(name);`},
	{"import", "module", `
import { posix } from 'node:path'; import * as path from 'node:path';
try { posix = 1; } catch (e) { console.log(e.name, e.message); }
console.log(typeof path.join);`},
	{"never", "awaiting", `process.on('exit', (code) => console.log(code)); await new Promise(() => {});`},
	{"never, and exit", "awaiting", `process.on('beforeExit', () => process.exit()); process.on('exit', (code) => console.log(code)); await new Promise(() => {});`},
	{"never, and exit later", "awaiting", `process.once('beforeExit', () => setTimeout(() => process.exit())); process.on('exit', (code) => console.log(code)); await new Promise(() => {});`},
}

// neighbours are modules that programs load.
var neighbours = []string{"./neighbour.cjs", "dual", "effects", "addons"}

var neighbourFiles = map[string]string{
	"neighbour.cjs": "const c = 1; console.log('neighbour'); exports.fails = () => { c = 2; };\nexports.lacks = () => require('absent-from-neighbour');",
	"twin.js":       "module.exports = 'JavaScript'", "twin.ts": "export default 'TypeScript'", "twin.json": `"JSON"`,
	"data.json": `"data"`, "data.ts": "export default 'TypeScript'",
	"node_modules/dual/package.json": `{"exports": {"module": "./bundler.mjs", "import": "./import.mjs", "require": "./require.cjs"}}`,
	"node_modules/dual/bundler.mjs":  "console.log('bundler')", "node_modules/dual/import.mjs": "console.log('import')", "node_modules/dual/require.cjs": "console.log('require')",
	"node_modules/effects/package.json": `{"main": "main.js", "sideEffects": false}`,
	"node_modules/effects/main.js":      "console.log('effects')",
	"node_modules/addons/package.json":  `{"exports": {"node-addons": "./addons.js", "default": "./default.js"}}`,
	"node_modules/addons/addons.js":     "console.log('addons')", "node_modules/addons/default.js": "console.log('default')",
}

// Programs print in Node what they print without us, and end as they do.
func TestProgramsAreAsInPlainNode(t *testing.T) {
	path := must.HaveNode(t)
	folder := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	must.WriteTree(t, folder, neighbourFiles)
	modes := []engine.Mode{engine.Profile, engine.Clean, engine.Armed, engine.Idle}
	count := 0
	for k, kind := range moduleKinds {
		for c, construct := range constructs {
			if construct.only != "" && construct.only != kind.name || construct.only == "" && !isFull && k > 0 && k != 1+c%2 {
				continue
			}
			for i, neighbour := range neighbours {
				if i != (k+c)%len(neighbours) && !isFull {
					continue
				}
				count++
				load := fmt.Sprintf("import %q;", neighbour)
				if kind.name == "CommonJS" {
					load = fmt.Sprintf("require(%q);", neighbour)
				}
				name := fmt.Sprint("program", count, kind.extension)
				must.Write(t, folder, name, strings.Join([]string{kind.begin, load, construct.code, kind.end}, "\n"))
				want := plain(t, path, filepath.Join(folder, name))
				got, _ := perform(t, node.Run, engine.Program{Path: filepath.Join(folder, name)}, engine.Settings{
					Mode: modes[count%len(modes)], Selection: transform.Selection{Preset: transform.Precise},
				})
				if got.stdout != want.stdout || got.code != want.code {
					t.Errorf("%s: %s beside %s: exit code %d, want %d\n%s\nwant\n%s\nfailure: %s", kind.name, construct.name, neighbour, got.code, want.code, got.stdout, want.stdout, got.failure)
				}
			}
		}
	}
}

// In goja, too, what a program puts off comes in Node's order: after a script, after an ES module, and after tasks.
func TestOrderInGoja(t *testing.T) {
	path := must.HaveNode(t)
	const source = `
const say = (what, then) => () => { console.log(what); then?.(); };
const all = (name) => {
	Promise.resolve().then(say(name + ' promise', () => { process.nextTick(say(name + ' late tick')); Promise.resolve().then(say(name + ' inner promise')); }));
	process.nextTick(say(name + ' tick', () => { process.nextTick(say(name + ' inner tick')); queueMicrotask(say(name + ' microtask')); Promise.resolve().then(say(name + ' promise of a tick')); }));
	process.nextTick(async (value) => { console.log(value); await null; console.log(name, 'after await'); }, name + ' second tick');
	queueMicrotask(say(name + ' second microtask'));
};
all('body');
setTimeout(() => all('timer'));
setTimeout(() => process.nextTick(say('second timer')));
console.log('end');
`
	folder := t.TempDir()
	for name, text := range map[string]string{
		"order.cjs": source, "order.mjs": source + "export {};",
		"throws.cjs": source + "process.nextTick(() => { throw new Error('thrown') }); process.nextTick(say('never'));",
	} {
		must.Write(t, folder, name, text)
		want := plain(t, path, filepath.Join(folder, name))
		got, _ := perform(t, goja.Run, engine.Program{Path: filepath.Join(folder, name)}, engine.Settings{Selection: transform.Selection{Preset: transform.Precise}})
		if got.code != want.code || got.stdout != want.stdout && (got.code == 0 || !strings.HasPrefix(got.stdout, want.stdout) || strings.Contains(got.stdout, "never")) {
			t.Errorf("%s: exit code %d, want %d\n%s\nwant\n%s\nfailure: %s", name, got.code, want.code, got.stdout, want.stdout, got.failure)
		}
	}
}

// plain runs a program by Node alone.
func plain(t *testing.T, path, program string) outcome {
	t.Helper()
	var stdout bytes.Buffer
	cmd := exec.CommandContext(t.Context(), path, program)
	cmd.Stdout = &stdout
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return outcome{stdout: stdout.String(), code: cmd.ProcessState.ExitCode()}
}
