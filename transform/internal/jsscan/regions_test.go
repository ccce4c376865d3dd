package jsscan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// statements are what bundle is made of, %d a number.
var statements = []string{
	"// src/module%d.js\n",
	"var a%d = 1, b%[1]d = () => { for (const x of y) g(x); return x => x + 1; };\n",
	"function f%d(a, { b } = {}) {\n  if (a) return b;\n  function inner() { while (a) { a--; h(a); } }\n  return inner\n}\n",
	"class C%d extends B {\n  #p = () => 1;\n  static { init(); }\n  async *m() { yield 1; for await (const x of y) await x; }\n}\n",
	"/* a comment\nvar notHere%d = function () {}\n */\n",
	"const text%d = `\nfunction notHere() {}\nvar neither = () => 1 ${(() => { return 2 })()}\nconst x\n`;\n",
	"for (let i = 0; i < %d; i++) { call(i); }\n",
	"var r%d = /[/`]/.test(s), o = { get x() { return 1 }, ['k']() {}, async f() { await 1 } }\n",
	"const g%d = async function* named() { yield* other; return },\n  h = function () { return arguments };\n",
	"if (x%d) { y() } else function declared() {}\n",
	"let\nn%d\n",
	"label%d: while (1) { break label%[1]d }\n",
	"a%d\n++b\n",
	"export { a%d };\n",
}

// bundle is a source of about so many bytes.
func bundle(random *rand.Rand, size int) []byte {
	var b bytes.Buffer
	if random.IntN(3) == 0 {
		b.WriteString("\"use strict\";\n")
	}
	kinds := len(statements) - random.IntN(2) // with exports or without
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, statements[random.IntN(kinds)], i)
	}
	return b.Bytes()
}

// breakers change the meaning of much that follows or precedes them.
var breakers = strings.Split("`|/*|*/|\n|}|{|(|)|\n// fieldprof: off\n|/* fieldprof: off */|/* fieldprof: off file */|'use strict';|\nawait x;\n|await (x);|"+
	"\nimport 'x';\n|export {};|import.meta|eval(x);|with (a) { function w() {} }|-->|<!--|\nreturn 1;\n|/|'|\\|\nelse\n|async\n|let\n|${|é\u2028|=> {|\nvar z = function () {};\n|", "|")

// edited changes a source somewhere.
func edited(random *rand.Rand, src []byte) []byte {
	from := random.IntN(len(src) + 1)
	if random.IntN(8) == 0 {
		from = []int{0, len(src)}[random.IntN(2)]
	}
	to := min(len(src), from+[]int{0, 0, 1, 30, 1000, 80000}[random.IntN(6)])
	with := breakers[random.IntN(len(breakers))]
	if random.IntN(3) == 0 {
		with = fmt.Sprintf("\n"+statements[random.IntN(len(statements))], random.IntN(1000))
	}
	return slices.Concat(src[:from], []byte(with), src[to:])
}

// In regions, remembered or not, a source reads as it does in one piece.
func TestRegionsChangeNothing(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 1
	}
	inRegions, remembered := 0, 0
	for seed := range rounds {
		random := rand.New(rand.NewPCG(uint64(seed), 5))
		goal := []Goal{Auto, Auto, AsModule, AsScript, AsFunctionBody}[random.IntN(5)]
		base := bundle(random, minDivided+random.IntN(4*regionSize))
		memory := &Memory{}
		src := base
		for step := range 8 {
			text := append(bytes.Clone(src), 0)
			want, wantErr := scanWhole(text, goal)
			for _, m := range []*Memory{memory, {}} {
				_, known := m.known(src, goal)
				got, err := Scan(src, Options{Goal: goal, Memory: m})
				if !reflect.DeepEqual(err, wantErr) || !reflect.DeepEqual(got, want) {
					t.Fatalf("seed %d, step %d: in regions it reads otherwise\n%v, %v\nthan in one piece\n%v, %v", seed, step, describe(got), err, describe(want), wantErr)
				}
				if len(m.regions) > 1 {
					inRegions++
					if known[0] != nil {
						remembered++
					}
				}
			}
			if src = edited(random, src); random.IntN(3) == 0 {
				src = base
			}
		}
	}
	if inRegions < rounds || remembered < rounds {
		t.Errorf("%d sources were read in regions, %d with regions remembered: the test does not test", inRegions, remembered)
	}
}

// Guesses that lead far, and statements that are long, read as they do in one
// piece.
func TestRegionsThatReadFar(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of long sources")
	}
	random := rand.New(rand.NewPCG(2, 2))
	rest := string(bundle(random, minDivided))
	lines := func(line string, size int) string { return strings.Repeat(line, size/len(line)) }
	for name, src := range map[string]string{
		"guesses in a text":       "const t = `" + lines("\nfunction f() {", 3*patience) + "`;\n" + rest,
		"guesses in a comment":    "/*" + lines("\nvar a = [", patience) + "*/\n" + rest + lines("a + ", 3*patience) + "a;\n" + rest,
		"guesses in a function":   "(function () {" + lines("\nfunction f() { return () => 1 }", 2*patience) + "\n})();\n" + rest,
		"a long statement":        rest + "var long = [" + lines("function () { while (a) b() },", 3*patience) + "];\n" + rest,
		"a guess before its end":  rest + "\nvar long = [" + lines("() => `\nvar x = ${y}`,", 3*patience) + "];\n" + rest,
		"a long statement at end": rest + "var long = {" + lines("a() { return 1 },\n", 3*patience) + "};",
		"no end":                  rest + lines("function f() {\n", 2*regionSize),
	} {
		want, wantErr := scanWhole(append([]byte(src), 0), Auto)
		if got, err := Scan([]byte(src), Options{Memory: &Memory{}}); !reflect.DeepEqual(err, wantErr) || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v\nwant %v, %v", name, describe(got), err, describe(want), wantErr)
		}
	}
}

// Regions that did not change are not read again.
func TestMemoryKeepsRegions(t *testing.T) {
	src := bundle(rand.New(rand.NewPCG(1, 1)), 20*regionSize)
	memory := &Memory{}
	must.Get(Scan(src, Options{Memory: memory}))(t)
	was := memory.regions
	middle := len(src) / 2
	middle += bytes.Index(src[middle:], []byte("\nfunction ")) + 1
	changed := slices.Concat(src[:middle], []byte("var added = () => 1;\n"), src[middle:])
	must.Get(Scan(changed, Options{Memory: memory}))(t)
	again := 0
	for _, r := range memory.regions {
		if !slices.ContainsFunc(was, func(old *region) bool { return &old.script.Functions[0] == &r.script.Functions[0] }) {
			again++
		}
	}
	if len(was) < 10 || again == 0 || again > 2 {
		t.Errorf("of %d regions, %d were read again after a change of one", len(was), again)
	}
}

func describe(s *Script) string {
	if s == nil {
		return "nothing"
	}
	head := *s
	head.Functions = nil
	return fmt.Sprintf("%d functions, %+v", len(s.Functions), head)
}
