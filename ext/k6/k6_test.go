package k6

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.k6.io/k6/cmd"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
)

// The tests' program is a k6 with the extension if this variable is set, in whose scripts
// every check takes a sample.
const asK6 = "FIELDPROF_TEST_AS_K6"

func TestMain(m *testing.M) {
	if os.Getenv(asK6) == "" {
		os.Exit(m.Run())
	}
	if os.Getenv(byHand) != "" {
		moveByHand()
	} else {
		armed = true
	}
	cmd.Execute()
}

// ran is what a k6 printed, on both streams, and how it ended.
type ran struct {
	output string
	code   int
}

// command is a k6 in a folder, with variables that precede its arguments.
func command(t *testing.T, folder string, arguments ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(must.Get(os.Executable())(t))
	c.Dir = folder
	c.Env = append(os.Environ(), asK6+"=1", "K6_NO_USAGE_REPORT=true", "K6_AUTO_EXTENSION_RESOLUTION=false", "NO_COLOR=1", "HOME="+folder)
	for len(arguments) > 0 && strings.Contains(arguments[0], "=") {
		c.Env, arguments = append(c.Env, arguments[0]), arguments[1:]
	}
	c.Args = append(c.Args, arguments...)
	return c
}

// k6 runs in a folder, with variables that precede its arguments.
func k6(t *testing.T, folder, input string, arguments ...string) ran {
	t.Helper()
	c := command(t, folder, arguments...)
	c.Stdin = strings.NewReader(input)
	output, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return ran{string(output), c.ProcessState.ExitCode()}
}

// quiet are arguments of a run of whose output only what scripts print remains.
var quiet = []string{"run", "--quiet", "--summary-mode=disabled", "--address", ""}

func run(arguments ...string) []string { return append(slices.Clone(quiet), arguments...) }

// recorded runs a test that must succeed, and returns its profile.
func recorded(t *testing.T, folder string, arguments ...string) *profile.Profile {
	t.Helper()
	if r := k6(t, folder, "", run(append([]string{"--out", "fieldprof=out.pb.gz"}, arguments...)...)...); r.code != 0 {
		t.Fatalf("%d: %s", r.code, r.output)
	}
	return must.Get(format.ReadFile(filepath.Join(folder, "out.pb.gz")))(t)
}

// counted are the samples of each function whose check they are, as "file:line name tags".
func counted(folder string, p *profile.Profile) map[string]int {
	all := map[string]int{}
	for i := range p.Len() {
		s := p.Sample(i)
		f := p.Function(p.Frames.Function[p.Stacks.Frame[s.Stack]])
		var tags []string
		for _, tag := range p.TagsOf(i) {
			tags = append(tags, tag.Key+"="+tag.Value)
		}
		at := strings.TrimPrefix(f.File, folder+"/")
		all[strings.TrimSpace(fmt.Sprintf("%s:%d %s %s", at, f.Line, f.Name, strings.Join(tags, " ")))] += int(s.Weight)
	}
	return all
}

// loop is a function whose loop takes n samples, in addition to one at its exit.
func loop(name string, n int) string {
	return fmt.Sprintf("function %s() { let s = 0; for (let i = 0; i < %d; i++) s += i; return s }", name, n)
}

var imported = map[string]string{
	"main.js": `import { sleep, group } from 'k6';
import { a } from './lib/a.js'; import b from "./b.cjs.js";
import { c } from './c.ts'
export const options = { scenarios: {
  one: { executor: 'per-vu-iterations', vus: 2, iterations: 3, exec: 'first' },
  two: { executor: 'shared-iterations', vus: 1, iterations: 1, exec: 'second', startTime: '1s' },
} };
export function setup() { a(); return 5 }
export function first() { group('outer', () => { a(); group('inner', () => b.b()) }); sleep(0.001) }
export const second = () => { c(); c() };
export function teardown() { c() }
`,
	"lib/a.js":  "import { x } from './../x.js'\n\nexport " + loop("a", 10) + "\nx();\n",
	"x.js":      "export " + loop("x", 7),
	"b.cjs.js":  "'use strict'\nconst { sleep } = require('k6'); const y = require('./y.js');\n" + loop("b", 20) + "\nexports.b = () => { sleep(0); return b() + y.y() };",
	"y.js":      "module.exports.y = " + loop("y", 4),
	"c.ts":      "type N = number;\ninterface I { n: N }\n\nexport function c(): N {\n  let s: N = 0; for (let i = 0; i < 30; i++) s += (i as N);\n  return s;\n}\n",
	"unused.js": "export " + loop("unused", 4),
}

// usersOf are the numbers of the n users that ran a scenario. Which of its users k6 gives to
// a scenario is not told.
func usersOf(t *testing.T, counted map[string]int, scenario string, n int) []string {
	t.Helper()
	all := map[string]bool{}
	for key := range counted {
		if _, vu, found := strings.Cut(key, " scenario="+scenario+" vu="); found {
			all[vu] = true
		}
	}
	must.Equal(t, len(all), n)
	return slices.Sorted(maps.Keys(all))
}

// All scripts of a test are recorded, with the tags of the user that runs them.
func TestModules(t *testing.T) {
	folder := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	must.WriteTree(t, folder, imported)
	got := counted(folder, recorded(t, folder, "main.js"))
	for key := range got {
		if strings.HasPrefix(key, "(") || strings.HasPrefix(key, "main.js") || strings.HasPrefix(key, ":") {
			delete(got, key)
		}
	}
	runtimes := 1 + 3 + 2 // the first look, the users (two of one, which two shares), setup and teardown
	want := map[string]int{
		"x.js:1 x": 8 * runtimes, "lib/a.js:1": runtimes,
		"lib/a.js:3 a group=setup vu=0": 11, "c.ts:4 c group=teardown vu=0": 31,
	}
	for _, vu := range usersOf(t, got, "one", 2) {
		want["lib/a.js:3 a group=outer scenario=one vu="+vu] = 33
		want["b.cjs.js:3 b group=outer::inner scenario=one vu="+vu] = 63
		want["y.js:1 y group=outer::inner scenario=one vu="+vu] = 15
	}
	for _, vu := range usersOf(t, got, "two", 1) {
		want["c.ts:4 c scenario=two vu="+vu] = 62
	}
	must.Equal(t, got, want)
}

// volatile are the parts of k6's messages that differ from run to run, and the numbers of
// the engine's instructions in stacks.
var volatile = regexp.MustCompile(`time="[^"]*" |\(\d+\)|[0-9.]+(µs|ms|s)\b`)

func steady(r ran) string {
	lines := strings.Split(volatile.ReplaceAllString(r.output, ""), "\n")
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, `msg="fieldprof: `) })
	for i, line := range lines {
		switch {
		case strings.Contains(line, "Couldn't load source map"): // for a reason that k6 words at greater length
			lines[i], _, _ = strings.Cut(line, " error=")
		case strings.Contains(line, "does not provide an export"): // in the first characters of the file
			lines[i], _, _ = strings.Cut(line, ":1:")
		}
	}
	slices.Sort(lines)
	return fmt.Sprint(r.code, "\n", strings.Join(lines, "\n"))
}

// A test prints the same, and fails in the same way at the same place.
func TestSameAsWithout(t *testing.T) {
	const bundle = "//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbInNyYy9vbmUudHMiXSwibmFtZXMiOltdLCJtYXBwaW5ncyI6IkFBQUEsVUFBQTtBQUNBO0VBQ0EifQ=="
	for name, files := range map[string]map[string]string{
		"thrown": {"main.js": "import { f } from './lib.js';\nexport default function () { for (let i = 0; i < 3; i++) { f(i) } }",
			"lib.js": "export function f(n) { for (let i = 0; i < 9; i++) n += i; if (n > 37) { throw new Error('too much: ' + n) } return n }"},
		"of null":    {"main.js": "export default () => { const é = '😀'; let o = null; for (let i = 0; i < 3; i++) { console.log(i) }; return é && o.x.y(é); }"},
		"at the top": {"main.js": "const f = () => { for (let i = 0; i < 3; i++) i += 0; return x.y };\n\n  f(); export default function () {}"},
		"CommonJS":   {"main.js": "'use strict';\nconst l = require('./lib.js');\nmodule.exports.default = function () { l.f(require) };", "lib.js": "\nexports.f = function () { for (let i = 0; i < 3; i++) i += 0; undefined.x }"},
		"in its first line": {"main.js": "const l = require('./lib.js'); exports.default = () => { for (let i = 0; i < 3; i++) i += 0; l.f() }",
			"lib.js": "exports.f = () => { for (let i = 0; i < 3; i++) i += 0; null.x }"},
		"types":      {"main.ts": "enum E { A = 1 }\nexport default function (): void {\n  for (let i: number = 0; i < 3; i++) { console.log(i) }\n  (null as any).x(E.A);\n}"},
		"bundle":     {"main.js": "export default function () { for (let i = 0; i < 3; i++) i += 0; throw new Error('x') }\n" + bundle},
		"lost map":   {"main.js": "export default function () { for (let i = 0; i < 3; i++) i += 0; throw new Error('x') }\n//# sourceMappingURL=lost.map"},
		"stack":      {"main.js": "export default function () { for (let i = 0; i < 3; i++) i += 0; try { null.x } catch (e) { console.log(e.stack) } }"},
		"await":      {"main.js": "export default async function () { for (let i = 0; i < 3; i++) await i; await new Promise((r) => setTimeout(r, 1)); throw new TypeError('late') }"},
		"fail":       {"main.js": "import { fail, check } from 'k6'; import * as k6 from 'k6'; import d from 'k6';\nexport default function () { console.log(Object.keys(k6).sort(), Object.keys(d).sort(), typeof d.sleep); for (;;) { fail('no') } }"},
		"text":       {"main.js": "function f(n) { for (let i = 0; i < 3; i++) n += i; return n }\nexport default function () { console.log(String(f), eval('(' + f + ')')(1)) }"},
		"opened":     {"main.js": "import './lib.js';\nconst self = open('./main.js'), data = open('data.js'), lib = open('./lib.js');\nexport default function () { for (let i = 0; i < 1; i++) console.log(self, data, lib, new Uint8Array(open.length)) }", "data.js": "for (;;) { }", "lib.js": "export function f() { for (;;) { } }"},
		"meta":       {"main.js": "export default function () { for (let i = 0; i < 1; i++) console.log(import.meta.resolve('./x.js').slice(-5)) }"},
		"use":        {"main.js": "#!/usr/bin/env k6\n// nothing\n'use k6 >= 0.1'\nimport { sleep } from 'k6'\nexport default function () { for (let i = 0; i < 3; i++) sleep(0) }"},
		"http":       {"main.js": "import http from 'k6/http';\nexport default function () { try { http.get('http://127.0.0.1:1/', { timeout: '1s', throw: true }) } catch (e) { console.log(String(e.message).length > 0, typeof http.get, http.post.length >= 0) } }"},
		"in a group": {"main.js": "import { group } from 'k6';\nexport default function () {\n  group('a', () => { for (let i = 0; i < 3; i++) i += 0; group('b', () => { null.x }) })\n}"},
		"in a check": {"main.js": "import { check } from 'k6';\nconst f = () => { throw new Error('no') };\nexport default function () {\n  check(1, { a: () => { for (let i = 0; i < 3; i++) i += 0; f() } })\n}"},
		"caught":     {"main.js": "import { check, group } from 'k6';\nexport default function () { for (const call of [(f) => group('a', f), (f) => check(1, { f })]) try { call(() => { throw new Error('no') }) } catch (e) { console.log(e.message, e.stack) } }"},
		"odd arguments": {"main.js": `import { check, group } from 'k6';
export default function () {
  for (const call of [() => group('a'), () => group('a', async () => {}), () => group(), () => group('a', 5), () => group('a', Math.random) < 1, () => check(1), () => check(1, null), () => check(1, 'ab'),
    () => check(1, { a: async () => 1 }), () => check(1, { get a() { console.log('got'); return () => console.log('called') }, b: 0, 'c::d': 1 }), () => check(() => 1, { f: (x) => typeof x }),
    () => check(1, [() => 1, 0]), () => check(1, () => 1), () => check(1, Object.create({ a: () => 0 })), () => check(1, { a: (x) => x }, { tag: 'b' }), () => check(1, { a: function () { return this === undefined } }),
    () => group('a', function () { console.log(this === undefined, arguments.length); return [1] })]) {
    try { console.log(JSON.stringify(call())) } catch (e) { console.log(String(e)) }
  }
}`},
		"objects": {"main.js": `import grpc, { Client, Stream } from 'k6/net/grpc'; import * as m from 'k6/metrics'; import metrics from 'k6/metrics'; import { odd } from './odd.js';
class Mine extends m.Counter { more() {} }
const all = { counter: new m.Counter('aa'), gauge: new m.Gauge('bb', true), rate: new metrics.Rate('cc'), mine: new Mine('dd'), client: new Client(), other: new grpc.Client(), plain: Client() };
console.log(Object.keys(m).sort(), Object.keys(grpc).sort(), typeof m.default, grpc.StatusOK);
export default function () {
  for (const call of [() => all.counter.add(1), () => all.counter.add('x'), () => all.counter.add(), () => all.rate.add(true, { a: 'b' }), () => all.gauge.add(null), () => new m.Counter('ee'), () => all.client.connect(), () => all.client.connect('127.0.0.1:1', { timeout: '1m', plaintext: true }),
    () => all.client.invoke('a/B', {}), () => all.client.invoke(), () => all.other.close(), () => new Stream(all.client, 'a/B'), () => new Stream({}), () => new grpc.Stream(), () => all.client.load([], 'a.proto'), () => new Client().asyncInvoke('a'), () => { all.client.foo = 1 },
    () => { all.client.invoke = 1 }, () => delete all.client.invoke, () => { all.counter.add = 5 }, () => 'invoke' in all.client && 'foo' in all.client, () => odd(grpc, m)]) {
    try { console.log(JSON.stringify(call())) } catch (e) { console.log(e.name, e.message, e.stack) }
  }
  for (const [name, o] of Object.entries(all)) console.log(name, String(o), Object.keys(o).sort(), JSON.stringify(o), o instanceof m.Counter, o.name, o.more, o.none, typeof o.invoke, typeof o.add);
}`, "odd.js": "const { Client } = require('k6/net/grpc'); exports.odd = (grpc) => [typeof Client, typeof new Client().invoke, require('k6/metrics').Trend.length]"},
		"exported again": {"main.js": "import * as l from './lib.js'; import { nap, Counter, grpc } from './lib.js';\nconst c = new Counter('cc');\nexport default function () { for (let i = 0; i < 2; i++) nap(0); c.add(1); console.log(Object.keys(l).sort(), typeof grpc.Client, l.get === undefined) }",
			"lib.js": "export { sleep as nap, group } from 'k6'; export * from 'k6/metrics'; export { default as grpc } from 'k6/net/grpc'; export const x = () => { for (;;) return 1 }"},
		"broken":       {"main.js": "export default function () {\n  for (let i = 0; i < 3; i++) { foo( }\n}"},
		"broken TS":    {"main.ts": "export default function (: number) {\n}"},
		"broken lib":   {"main.js": "import { f } from './lib.js';\nexport default function () { f() }", "lib.js": "export function f() {\n  return 1 +;\n}"},
		"no such file": {"main.js": "import { f } from './none.js';\nexport default function () { f() }"},
		"no export":    {"main.js": "import { f } from './lib.js';\nexport default function () { for (;;) { f() } }", "lib.js": "export const g = 1"},
		"no function":  {"main.js": "export const f = 1"},
		"empty":        {"main.js": ""},
		"names taken":  {"main.js": "const $f = 1, __fpflag = 2;\nexport default function () { for (let i = 0; i < 3; i++) console.log($f, __fpflag) }"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
			must.WriteTree(t, folder, files)
			main := "main.js"
			if files[main] == "" && files["main.ts"] != "" {
				main = "main.ts"
			}
			want := k6(t, folder, "", run("-i", "2", main)...)
			got := k6(t, folder, "", run("-i", "2", "--out", "fieldprof=out.pb.gz", main)...)
			must.Equal(t, steady(got), steady(want))
			if want.code == 0 != must.Exists(filepath.Join(folder, "out.pb.gz")) {
				t.Errorf("code %d, and this is about the profile: %v\n%s", want.code, must.Exists(filepath.Join(folder, "out.pb.gz")), got.output)
			}
		})
	}
}

// A script from standard input imports from the folder that k6 takes.
func TestStandardInput(t *testing.T) {
	folder := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	script := "const twice = (n: number): number => { let s = 0; for (let i = 0; i < 5; i++) s += n; return s };\nexport default function () { console.log(twice(1)) }"
	want := k6(t, folder, script, run("-")...)
	must.Equal(t, want.code, 0, want.output)
	got := k6(t, folder, script, run("--out", "fieldprof=out.folded", "-")...)
	must.Equal(t, steady(got), steady(want))
	if text := must.Get(os.ReadFile(filepath.Join(folder, "out.folded")))(t); !bytes.Contains(text, []byte("twice")) {
		t.Errorf("%s", text)
	}
}
