package jsscan

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// definitions give a function the name show, or look like it.
var definitions = []string{
	"function show() { a() }", "async function show() { await a() }", "function* show() { yield a() }", "var show = () => a()",
	"const show = function own() { a() }", "let c = function show() { a() }", "show = b || (c => a(c))", "var show = b ? () => a() : function () { a() }",
	"show = !b || (() => a())", "show = b === c ? () => a() : () => a(c)", "var show = b && c < 1 || function () { a() }", "show = b ? c + 1 : () => a()",
	"show = b ? (c + 1) : () => a()", "show = (b in c) || (() => a())", "show ||= () => a()", "var [show = () => a()] = b", "var { show = () => a(), c: show2 = () => a() } = b", "var show = (b, () => a())",
	"var show = c(() => a())", "class B { show() { a() } }", "class C { static show() { a() } get other() { a() } }", "class D { get show() { a() } }",
	"class E { show = () => a() }", "class F { #show() { a() } n() { b.on('c', this.#show) } }", "var o = { show() { a() }, reshow() { a() } }",
	"var p = { show: function () { a() }, 'show': () => a() }", "var q = { ['show']() { a() } }", "C.prototype.show = function () { a() }",
	"C.prototype.show = function show() { a() }", "exports.show = b => a(b)", "this.show = () => a()", "function showing() { a() }", "var ushow = () => a()",
	"if (b) { function show() { a() } }", "function outer() { function show() { a() } return show }", "function show() { setTimeout(show) }",
	"var r = function show() { b.then(show), c.map(show) }", "class show { constructor() { a() } }",
}

// mentionings name it where a function may be, or look like it.
var mentionings = []string{
	"setTimeout(show)", "b.on('c', show)", "b.get('/', c, show)", "b.get(c, show)", "b.then(show, show2)", "b.map(show)", "b.replace(/c/, show)",
	"b?.map(show)", "b.map?.(show)", "map(show)", "on('c', show)", "b.on('c', show.bind(b))", "b.on('c', this.show)", "b.on('c', b.show.bind(this))",
	"b.on('c', b.show.bind(this, c))", "b.on('c', b.show.bind(this)())", "b.on('c', show())", "b.on('c', !show)", "b.on('c', (show))", "b.on('c', ...show)",
	"b.on('c', show /* so */)", "b.on('c', b?.show)", "b.on('c', b['show'])", "b.map(o.show)", "new MutationObserver(show)", "b.onload = show",
	"b.onload = this.show", "b.onload = show.bind(b)", "b.onload = b.onclose = show", "b.onload = show || c", "b.onload = c, show", "onload = show", "b.only = show",
}

// surroundings are where a function is named.
var surroundings = []string{
	"%s", "function f() { %s }", "function f(show) { %s }", "function f(b = %s) { return b }", "(b = %s) => b", "(b = () => %s) => b", "async (b, c = %s) => b",
	"(show => { %s })()", "({ show: b }) => { %s }", "function f() { var show; %s }", "class G { m() { %s } }", "class H { f = %s }", "class I { [%s]() {} }",
	"class J { static { %s } }", "({ [%s]: b })", "try { %s } catch (show) {}", "(reshow, showing) => { %s }", "`${%s}`",
}

// TestByName compares what is entered, and what iterates, by a name with acorn: definitions
// before and after, at the same level, further in and further out.
func TestByName(t *testing.T) {
	haveOracle(t)
	dir := t.TempDir()
	var requests []request
	var programs [][]string
	for i, definition := range definitions {
		var lines []string
		for j, mentioning := range mentionings {
			for k, surrounding := range surroundings {
				inside := strings.ReplaceAll(surrounding, "%s", mentioning)
				other := definitions[(i+j+k)%len(definitions)]
				lines = append(lines, definition+"\n"+inside, inside+"\n"+definition, "function g() {"+inside+"}\n"+definition,
					definition+"\nfunction g() {"+other+"\n"+inside+"}", other+"\n"+inside+"\n"+definition)
			}
		}
		programs = append(programs, lines)
	}
	every := 5
	if os.Getenv("FIELDPROF_FULL") != "" {
		every = 1
	}
	for _, lines := range valid(t, programs) {
		for i := 0; i < len(lines); i += every {
			path := filepath.Join(dir, fmt.Sprintf("%d.js", len(requests)))
			must.Do(t, os.WriteFile(path, []byte(lines[i]), 0o644))
			requests = append(requests, request{path, AsScript})
		}
	}
	if files, refused := compareAll(t, requests, true); refused > 0 || files < 2000 {
		t.Errorf("acorn read %d files and refused %d", files, refused)
	}
}

// TestByNameExamples shows what the rules find in code that people write, and where a name
// means nothing.
func TestByNameExamples(t *testing.T) {
	for source, want := range map[string]string{
		"app.get('/x', show); async function other() {} function show(q, s) { s.send(q) }":                           "show",
		"const isOpen = o => o.open(); function open(all) { return all.filter(isOpen) }":                             "iterates open",
		"class B { constructor(e) { e.onclick = this.press.bind(this) } press() { a() } }":                           "press",
		"class B { m() { e.on('x', this.m2) } m2() { a() } } class C { m2() { b() } }":                               "m2",
		"function poll() { fetch(a).then(read); setTimeout(poll, 9) } function read(r) { b(r) }":                     "poll read",
		"function each(all, show) { all.map(show); setTimeout(show) } function show() { a() }":                       "",
		"const show = () => a(); function f() { const show = () => b(); c.once('x', show); d.sort(show) }":           "iterates f show@2",
		"!function () { function t() { a() } window.onload = t; function n(t) { setTimeout(t) } function r() {} }()": "t",
	} {
		script := must.Get(Scan([]byte(source), Options{}))(t)
		var got []string
		for i := range script.Functions {
			f := &script.Functions[i]
			name := f.Name + f.Inferred
			if f.Iterates {
				got = append(got, "iterates "+name)
			}
			if f.Entered {
				if f.Parent >= 0 && strings.Count(source, name+" =") > 1 {
					name += fmt.Sprintf("@%d", i)
				}
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", source, strings.Join(got, " "), want)
		}
	}
}
