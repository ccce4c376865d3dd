package jsscan

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tdewolff/parse/v2/js"

	"github.com/fieldprof/fieldprof/internal/must"
)

// TestKeywords: the table of keywords is the lexer's, except for words that make
// no difference to the structure.
func TestKeywords(t *testing.T) {
	for word, tt := range js.Keywords {
		got := keyword([]byte(word))
		if known := keywordSizes[word[0]]&(1<<len(word)) != 0; got != js.IdentifierToken && !known {
			t.Errorf("no one will ask keyword for %s", word)
		}
		if got == tt || got == js.IdentifierToken && js.IsIdentifier(tt) {
			continue
		}
		t.Errorf("%s is %v, want %v", word, got, tt)
	}
}

// TestOperators: tokens are the lexer's.
func TestOperators(t *testing.T) {
	for _, text := range strings.Fields("= == === ! != !== < <= << <<= > >= >> >>= >>> >>>= + += ++ - -= -- * *= ** **= / /= % %= & | ^ ~ &= |= ^= && || ?? &&= ||= ??= ?. ? => ( ) [ ] { } ; , : . ...") {
		var s tokens
		s.load(append([]byte(text), 0))
		s.begin(0)
		if s.end != len(text) || s.tt.String() != text {
			t.Errorf("%s is read as %v up to %d", text, s.tt, s.end)
		}
	}
}

// TestSyntaxErrors: a source that cannot be structured is refused where it goes wrong.
func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		src    string
		offset int
		msg    string
	}{
		{"f(", 2, "unexpected end of input"},
		{"{", 1, "unexpected end of input, expected }"},
		{"}", 0, "unexpected }"},
		{"a = [1, 2", 9, "unexpected end of input, expected ]"},
		{"a = (1]", 6, "unexpected ]"},
		{"function f() { return 1", 23, "unexpected end of input, expected }"},
		{"a = 'b\nc'", 4, "unterminated string"},
		{"a = `b${c", 9, "unexpected end of input"},
		{"a = `b", 4, "unterminated template"},
		{"a = `b${c}", 9, "unterminated template"},
		{"a = /b", 4, "unterminated regular expression"},
		{"a = /b\n/", 4, "unterminated regular expression"},
		{"a /* b", 2, "unterminated comment"},
		{"let /* b", 4, "unterminated comment"},
		{"a b", 2, "unexpected b"},
		{"function (a) { return a }", 9, "unexpected ("},
		{"if (a) async function* () {}", 23, "unexpected ("},
		{"a ? b", 5, "unexpected end of input"},
		{"a ? b, c : d", 5, "unexpected ,"},
		{"if (a", 5, "unexpected end of input, expected )"},
		{"var 1", 4, "unexpected 1"},
		{"x = () ", 7, "unexpected end of input"},
		{"x = (a, ) + 1", 10, "unexpected +"},
		{"x = (...a)", 10, "unexpected end of input"},
		{"class A { 'x' 'y' }", 14, "unexpected 'y'"},
		{"3in []", 1, "unexpected name or digit right behind a number"},
		{"0b12", 3, "unexpected name or digit right behind a number"},
		{"1_", 1, "unexpected name or digit right behind a number"},
		{"a = 1e", 4, "invalid number"},
		{"a = \\u00zz", 4, "invalid escape in a name"},
		{"a = #", 4, "unexpected character"},
		{"a = \x80", 4, "unexpected character"},
		{"a\x00b", 1, "unexpected character"},
		{"a = €", 4, "unexpected character"},
		{"import x from", 13, "unexpected end of input"},
		{"try {} ", 7, "unexpected end of input"},
		{"for (;;) const a = 1", 9, "a declaration cannot be the body of a loop"},
		{"while (0) class A {}", 10, "a declaration cannot be the body of a loop"},
		{"do function f() {} while (0)", 3, "a declaration cannot be the body of a loop"},
		{"for (a in b) c: d: function f() {}", 19, "a declaration cannot be the body of a loop"},
		{"for (a of b) async function f() {}", 13, "a declaration cannot be the body of a loop"},
		{"while (0) let\n[a] = b", 10, "a declaration cannot be the body of a loop"},
		{"switch (a) { case 1: b; c", 25, "unexpected end of input, expected }"},
	} {
		_, err := Scan([]byte(c.src), Options{})
		var se *SyntaxError
		if !errors.As(err, &se) {
			t.Errorf("%q: no syntax error but %v", c.src, err)
			continue
		}
		if se.Offset != c.offset || se.Msg != c.msg {
			t.Errorf("%q: got %q at %d, want %q at %d", c.src, se.Msg, se.Offset, c.msg, c.offset)
		}
	}
}

// TestGoals: the signs that decide how a source is read.
func TestGoals(t *testing.T) {
	for _, c := range []struct {
		src  string
		goal Goal
		want Goal // Auto: refused
	}{
		{"", Auto, AsScript},
		{"a", Auto, AsScript},
		{"return", Auto, AsFunctionBody},
		{"return", AsScript, Auto},
		{"return", AsModule, Auto},
		{"return", AsFunctionBody, AsFunctionBody},
		{"import 'a'", Auto, AsModule},
		{"import 'a'", AsScript, Auto},
		{"import 'a'", AsFunctionBody, Auto},
		{"import('a')", Auto, AsScript},
		{"import.meta", Auto, AsModule},
		{"import\n.meta", Auto, AsModule},
		{"() => import.meta", Auto, AsModule},
		{"export {}", Auto, AsModule},
		{"await a", Auto, AsModule},
		{"x = await 1", Auto, AsModule},
		{"await 'a'", Auto, AsModule},
		{"await (a)", Auto, AsScript},
		{"await [a]", Auto, AsScript},
		{"await\na", Auto, AsScript},
		{"await /a/; await /b(/", Auto, AsModule},
		{"await /a(/; export {}", Auto, AsModule},
		{"await /a'/", Auto, AsModule},
		{"await in a, await instanceof b", Auto, AsScript},
		{"for await (a of b) ;", Auto, AsModule},
		{"for (await of b) ;", Auto, AsScript},
		{"await using a = b", Auto, AsModule},
		{"async function f() { await a }", Auto, AsScript},
		{"a <!-- b(", Auto, AsScript},
		{"a <!-- b", AsModule, AsModule},
		{"a <!-- b(", AsModule, Auto},
		{"a <!-- b(\nexport {}", Auto, Auto},
		{"a <!-- b\nexport {}", Auto, AsModule},
	} {
		script, err := Scan([]byte(c.src), Options{Goal: c.goal})
		got := Auto
		if err == nil {
			got = script.Goal
		}
		if got != c.want {
			t.Errorf("%q as %v is %v, want %v (%v)", c.src, c.goal, got, c.want, err)
		}
	}
}

// TestTopInsert: where a prologue can be, and how long the hashbang is.
func TestTopInsert(t *testing.T) {
	for _, c := range []struct {
		src      string
		insert   int
		hashbang int
		semi     bool
	}{
		{"a", 0, 0, false},
		{"/* c */ a", 0, 0, false},
		{"#!/bin/x\na", 9, 8, false},
		{"#!/bin/x\r\na", 10, 8, false},
		{"#!/bin/x\u2028a", 11, 8, false},
		{"#!/bin/x", 8, 8, false},
		{"\uFEFFa", 3, 0, false},
		{"\uFEFF#!x\na", 7, 6, false},
		{"#!x\n'use strict'\na", 16, 3, true},
		{"'a';'b'", 7, 0, true},
		{"'a'\n;", 5, 0, false},
		{"--> a\nb", 6, 0, false},
		{"/* a */ --> a\nb", 14, 0, false},
		{"/*\n*/ --> a\nb", 0, 0, false},
		{"<!-- a -->\nb", 11, 0, false},
		{"--> a", 0, 0, false},
	} {
		script, err := Scan([]byte(c.src), Options{})
		if err != nil {
			t.Errorf("%q: %v", c.src, err)
			continue
		}
		if script.Insert != c.insert || script.Hashbang != c.hashbang || script.InsertSemi != c.semi {
			t.Errorf("%q: insert %d (semi %v), hashbang %d, want %d (%v), %d", c.src, script.Insert, script.InsertSemi, script.Hashbang, c.insert, c.semi, c.hashbang)
		}
	}
}

// TestOneFunction: sources with one function each, hard to find or to end.
func TestOneFunction(t *testing.T) {
	for _, c := range []struct{ src, params, body, name string }{
		{"for (using in o) f(() => x)", "()", "x", ""},
		{"async function a() { await using.x }", "()", " await using.x ", "a"},
		{"x = 010 / 2 / (a => a)", "a", "a", ""},
		{"x = 08.5 / 2 / (a => a)", "a", "a", ""},
		{"x = 0777.toString(() => 1)", "()", "1", ""},
		{"x = 09.1e-3 + (() => 1)", "()", "1", ""},
		{"x = 1_000n ** 2n + (() => 1)", "()", "1", ""},
		{"x = 1..y(() => 1)", "()", "1", ""},
		{"x = a?.5:() => 1", "()", "1", ""},
		{"x = a?.b?.[c]?.(() => 1)", "()", "1", ""},
		{"a\u2028b(() => 1)", "()", "1", ""},
		{"'\u2028\u2029'; (() => 1)", "()", "1", ""},
		{"x = 'a\\\r\nb\\\u2028c', () => 1", "()", "1", ""},
		{"\\u0061sync\nfunction f() {}", "()", "", "f"},
		{"v\\u0061r = () => 1", "()", "1", ""},
		{"a.function, a.class, a.if / 2 / (() => 1)", "()", "1", ""},
		{"function 𠮷() {}", "()", "", "𠮷"},
		{"function \\u{20BB7}() {}", "()", "", "𠮷"},
		{"function ℘℘() {}", "()", "", "℘℘"},
		{"function a\u30FB() {}", "()", "", "a\u30FB"},
		{"function \u1C89() {}", "()", "", "\u1C89"}, // a letter since Unicode 16
		{"\u00A0\uFEFF\u3000function\u2003a() {}", "()", "", "a"},
		{"({ get\n[x]() {} })", "()", "", ""},
		{"({ '\\ud83d\\ude00\\x41\\101\\\n'() {} })", "()", "", "😀AA"},
		{"({ '\\ud83d'() {} })", "()", "", "\uFFFD"},
		{"({ ''() {} })", "()", "", ""},
		{"({ 1e400() {} })", "()", "", "Infinity"},
		{"({ 1e21() {} })", "()", "", "1e+21"},
		{"({ .0000001() {} })", "()", "", "1e-7"},
		{"({ 0xFFn() {} })", "()", "", "255"},
		{"({ 017() {} })", "()", "", "15"},
		{"({ 018() {} })", "()", "", "18"},
		{"({ 0.10() {} })", "()", "", "0.1"},
		{"({ __proto__() {} })", "()", "", "__proto__"},
		{"x = {}\n/a/\n(() => 1)", "()", "1", ""},
		{"if (0) function f() {}", "()", "", "f"},
		{"l: function f() {}", "()", "", "f"},
		{"switch (a) { case b ? c : d: default: () => 1 }", "()", "1", ""},
		{"switch (a) { case b => c: }", "b", "c", ""},
		{"new.target\nnew new.target(() => 1)", "()", "1", ""},
		{"new a.b(() => 1).c", "()", "1", ""},
		{"x = async /* c */ (/* d */) /* e */ => /* f */ 1 /* g */", "(/* d */)", "1", ""},
		{"x = async /* c */ y /* e */ => 1", "y", "1", ""},
		{"x = async /*\n*/ y => 1", "y", "1", ""},
		{"export default async\nfunction f() {}", "()", "", "f"},
		{"export { x as default }; () => 1", "()", "1", ""},
		{"var let = 1; let\n/a/g(() => 1)", "()", "1", ""},
		{"var yield\nyield\n/a/g(() => 1)", "()", "1", ""},
		{"do if (a) b; else c; while (d) (() => 1)", "()", "1", ""},
		{"a = b ? (c, d) : e => f", "e", "f", ""},
		{"a = b ? (c) => (d) : e", "(c)", "(d)", ""},
		{"(a, b) => {}\n[c]", "(a, b)", "", ""},
		{"x = { a: 1, b, c = () => 1 } = y", "()", "1", ""},
		{"x = class { static async; static get; static\nasync\n*a() {} }", "()", "", "a"},
	} {
		script, err := Scan([]byte(c.src), Options{})
		if err != nil {
			t.Errorf("%q: %v", c.src, err)
			continue
		}
		if len(script.Functions) != 1 {
			t.Errorf("%q: %d functions", c.src, len(script.Functions))
			continue
		}
		f := &script.Functions[0]
		if got := c.src[f.Params:f.ParamsEnd]; got != c.params {
			t.Errorf("%q: parameters %q, want %q", c.src, got, c.params)
		}
		if got := c.src[f.BodyStart:f.BodyEnd]; got != c.body {
			t.Errorf("%q: body %q, want %q", c.src, got, c.body)
		}
		if f.Name != c.name {
			t.Errorf("%q: name %q, want %q", c.src, f.Name, c.name)
		}
	}
}

// TestLong: chains of any length are read, in loops.
func TestLong(t *testing.T) {
	must.NotForRaces(t)
	const n = 100_000
	for name, src := range map[string]string{
		"sum":            "x = 1" + strings.Repeat(" + (a)", n),
		"members":        "x = a" + strings.Repeat(".b", n),
		"calls":          "x = a" + strings.Repeat("(b)", n),
		"ternary":        "x = " + strings.Repeat("a ? b : ", n) + "c",
		"nested ternary": "x = " + strings.Repeat("a ? ", n) + "b" + strings.Repeat(" : c", n),
		"else if":        strings.Repeat("if (a) b; else ", n) + "c",
		"comma":          "x = 1" + strings.Repeat(", y => 2", n),
		"assign":         strings.Repeat("a = ", n) + "1",
		"prefix":         strings.Repeat("! ", n) + "1",
		"new":            strings.Repeat("new ", n) + "a",
		"labels":         strings.Repeat("a:", n) + ";",
		"cases":          "switch (a) {" + strings.Repeat("case 1: b;", n) + "}",
		"statements":     strings.Repeat("a\n", n),
		"await":          "async () => " + strings.Repeat("await ", n) + "1",
		"yield":          "function* f() { " + strings.Repeat("yield ", n) + "1 }",
		"template":       "`" + strings.Repeat("${a}", n) + "`",
		"legacy octals":  "x = [" + strings.Repeat("010,", n) + "]",
	} {
		if _, err := Scan([]byte(src), Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDeep: nesting of 1,000 is read, of 100,000 refused without harm.
func TestDeep(t *testing.T) {
	must.NotForRaces(t)
	for name, nest := range map[string]func(n int) string{
		"parentheses":     func(n int) string { return strings.Repeat("(", n) + "a" + strings.Repeat(")", n) },
		"arrays":          func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) },
		"objects":         func(n int) string { return "x = " + strings.Repeat("{a:", n) + "1" + strings.Repeat("}", n) },
		"patterns":        func(n int) string { return "var " + strings.Repeat("[", n) + "a" + strings.Repeat("]", n) + " = b" },
		"object patterns": func(n int) string { return "var " + strings.Repeat("{a:", n) + "b" + strings.Repeat("}", n) + " = b" },
		"blocks":          func(n int) string { return strings.Repeat("{", n) + strings.Repeat("}", n) },
		"arrows":          func(n int) string { return strings.Repeat("a => ", n) + "1" },
		"arrow bodies":    func(n int) string { return strings.Repeat("a => {", n) + strings.Repeat("}", n) },
		"parameters":      func(n int) string { return strings.Repeat("(a = ", n) + "1" + strings.Repeat(") => 1", n) },
		"calls":           func(n int) string { return strings.Repeat("f(", n) + "a" + strings.Repeat(")", n) },
		"functions":       func(n int) string { return strings.Repeat("function f() {", n) + strings.Repeat("}", n) },
		"callbacks":       func(n int) string { return strings.Repeat("f(function () {", n) + strings.Repeat("})", n) },
		"classes":         func(n int) string { return strings.Repeat("class A extends ", n) + "B" + strings.Repeat("{}", n) },
		"keys":            func(n int) string { return "x = " + strings.Repeat("{[", n) + "1" + strings.Repeat("]() {}}", n) },
		"templates":       func(n int) string { return strings.Repeat("`${", n) + "a" + strings.Repeat("}`", n) },
		"loops":           func(n int) string { return strings.Repeat("for (;;) ", n) + ";" },
		"ifs":             func(n int) string { return strings.Repeat("if (a) ", n) + ";" },
		"do":              func(n int) string { return strings.Repeat("do ", n) + ";" + strings.Repeat(" while (a);", n) },
		"brackets":        func(n int) string { return "a" + strings.Repeat("[a", n) + strings.Repeat("]", n) },
	} {
		if _, err := Scan([]byte(nest(1000)), Options{}); err != nil {
			t.Errorf("1,000 %s: %v", name, err)
		}
		var se *SyntaxError
		if _, err := Scan([]byte(nest(100_000)), Options{}); !errors.As(err, &se) || se.Msg != "nested too deeply" {
			t.Errorf("100,000 %s: %v", name, err)
		}
		if _, err := Scan([]byte(nest(100_000)[:100_000]), Options{}); err == nil {
			t.Errorf("100,000 %s, cut: no error", name)
		}
	}
}

// TestInputUntouched: the source is neither written to nor kept.
func TestInputUntouched(t *testing.T) {
	backing := []byte("function f() { return 1 }X")
	src := backing[:len(backing)-1]
	script := must.Get(Scan(src, Options{}))(t)
	if backing[len(backing)-1] != 'X' {
		t.Error("the byte behind the source was changed")
	}
	clear(backing)
	if script.Functions[0].Name != "f" {
		t.Errorf("the name changed with the source: %q", script.Functions[0].Name)
	}
}

// TestLarge: a source of 20 MB is read, and its functions know their parents.
func TestLarge(t *testing.T) {
	must.NotForRaces(t)
	unit := "function f(a, { b }) { for (const c of a) { if (c) return () => c + `x${b}` } }\n"
	n := 20_000_000 / len(unit)
	script := must.Get(Scan([]byte(strings.Repeat(unit, n)), Options{}))(t)
	if len(script.Functions) != 2*n {
		t.Errorf("%d functions, want %d", len(script.Functions), 2*n)
	}
	for i := range script.Functions {
		want := -1
		if i%2 == 1 {
			want = i - 1
		}
		if got := script.Functions[i].Parent; got != want {
			t.Fatalf("function %d is in %d, want %d", i, got, want)
		}
	}
}

func ExampleScan() {
	src := []byte("const twice = x => x + x; function main() { return twice(21) }")
	script, err := Scan(src, Options{})
	if err != nil {
		panic(err)
	}
	for _, f := range script.Functions {
		fmt.Printf("%s %q %q: %s\n", f.Kind, f.Name, f.Inferred, src[f.BodyStart:f.BodyEnd])
	}
	// Output:
	// arrow "" "twice": x + x
	// declaration "main" "":  return twice(21)
}
