package engines

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/goja"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/internal/must"
)

// members are what the body of a class C may have, with names that the bundler may have given it.
var members = []string{
	"make() { return new C }", "static make() { return new this }", "static named = C.name + '_C';", "get own() { return this._C ?? C._C ?? 0 }",
	"static _C = 5;", "_C() { return '_C' }", "shadow(C) { return typeof C }", "arrow = () => C.name;", "['_C' + 1]() { return C }",
	"tagged() { return `${C.name}_C${`_C ${C.name}`}` }", "short() { return Object.keys({ C, _C: 1 }).join() }", "nested() { return class Own { static own = C.name + Own.name } }",
	"static { this.block = C === this }", "#_C = C; look() { return this.#_C === C }", "inner() { const _C = 2; return _C + C.name.length }",
	"regexp() { return /_C/.test('_C') /* _C */ }", "spread() { return [...[C], ...'_C'].length }", "default(c = C) { return c === C }",
	"async wait() { return (await C).name }", "*each() { yield C.name; yield* '_C' }", "label() { C: for (;;) break C; return 1 }", "static C = C.name;",
}

const classes = 3 // of a module

// classModule is a module with classes, and statements that tell what can be seen of them.
func classModule(random *rand.Rand, number int) string {
	var b strings.Builder
	for i := range classes {
		name := []string{"Vec", "Node", "$Item", "Error_", "A"}[random.IntN(5)] + fmt.Sprintf("%d%d", number, i)
		if random.IntN(4) == 0 {
			name = fmt.Sprint("Same", i) // in each module: called Same2 in one, so its name is not told
		}
		var body []string
		for _, k := range random.Perm(len(members))[:1+random.IntN(5)] {
			body = append(body, members[k])
		}
		heritage := ""
		if i > 0 && random.IntN(3) == 0 {
			heritage = " extends all[0]"
		}
		text := strings.ReplaceAll(strings.Join(body, "\n  "), "C", name)
		if strings.HasPrefix(name, "Same") {
			text = strings.ReplaceAll(text, name+".name", name+".prototype.constructor === "+name)
		}
		fmt.Fprintf(&b, "%sclass %s%s {\n  %s\n}\nall.push(%s);\n", []string{"", "export "}[random.IntN(2)], name, heritage, text, name)
	}
	return "const all = [];\n" + b.String() + `
for (const c of all) {
  const o = new c, seen = [/Same/.test(c.name) || c.name, Object.getOwnPropertyNames(c).sort().filter((key) => key !== 'arguments' && key !== 'caller')];
  for (const key of Object.getOwnPropertyNames(c.prototype).sort()) {
    let value;
    try { value = key === 'constructor' ? o.constructor === c : typeof o[key] === 'function' ? o[key]() : o[key] } catch (error) { value = error.name }
    if (typeof value === 'function') value = value === c || value.own;
    else if (value?.next) value = [...value];
    else if (value instanceof c) value = 'an instance';
    else if (value instanceof Promise) value = 'a promise';
    seen.push(key, value);
  }
  console.log(JSON.stringify(seen));
}
`
}

// Classes of a bundle are seen as those of the modules, whatever they mention.
func TestClassesKeepTheirNames(t *testing.T) {
	must.Have(t, "node")
	folder := t.TempDir()
	var main strings.Builder
	var modules []string
	for i := range 120 {
		modules = append(modules, classModule(rand.New(rand.NewPCG(uint64(i), 3)), i))
		must.Write(t, folder, fmt.Sprintf("m%d.mjs", i), modules[i])
		fmt.Fprintf(&main, "import './m%d.mjs';\n", i)
	}
	must.Write(t, folder, "main.mjs", main.String())
	path := filepath.Join(folder, "main.mjs")
	want := strings.Split(must.Run(t, folder, "node", path), "\n")
	for name, run := range map[string]runner{"goja": goja.Run, "node": node.Run} {
		o, _ := perform(t, run, engine.Program{Path: path}, engine.Settings{})
		got := strings.Split(o.stdout, "\n")
		if o.failure != "" || len(got) != len(want) {
			t.Fatalf("%s: %d lines of %d: %s", name, len(got), len(want), o.failure)
		}
		for i := range want {
			if got[i] != want[i] { // each class of a module writes a line
				t.Fatalf("%s: %s\nwant %s\n%s", name, got[i], want[i], modules[i/classes])
			}
		}
	}
}
