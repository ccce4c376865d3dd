package jsscan

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// values are what may be handed over or assigned: every kind of function, and what looks
// like one.
var values = []string{
	"() => a()", "e => a(e)", "async () => { await a() }", "async e => a(e)", "({ e }, f = function () { a() }) => f(e)",
	"function () { a() }", "function named() { a() }", "async function () { await a() }", "function* () { yield a() }",
	"async function* () { yield await a() }", "(function () { a() })", "((e => a(e)))", "(a, () => b())",
	"class { constructor() { a() } }", "class { m() { a() } }", "{ m() { a() }, async n() { a() } }", "[() => a()]", "named", "`${() => a()}`",
	"/a+b/", "/^a$/", "/a{2,}/y", "/a/g", "(/a+/)", "/a*/.source",
}

// neighbours are the code around a value, which is %s.
var neighbours = []string{
	"%s", "/* before */ %s /* after */", "%s || b", "b || %s", "b ? c : %s", "b ? %s : c", "(%s).bind(b)", "(%s)()", "b(%s)", "!%s", "b = %s",
	"b => %s",
	"%s, b", "b, %s", "'b', %s", "`b` + c, %s", "('b'), %s", "...%s", "...b, %s", "b.then(%s), b.map(%s)",
}

// withoutComma is how many of the neighbours leave one argument.
const withoutComma = 12

// sampleOfEntered: one in so many programs is compared, or with FIELDPROF_FULL=1 all.
const sampleOfEntered = 7

// callees are names of calls, each in all forms: those that defer, loop or match, and
// others that are like them.
var callees = strings.Fields(`setTimeout queueMicrotask ResizeObserver createServer then catch finally on once addEventListener use
	get post delete map forEach from replace reduce split matchAll test exec sort JSON.parse JSON.stringify end append readFileSync Sync
	getComputedStyle atan ons mapped $then constructor`)

var calls = []string{"%s(%s)", "b.%s(%s)", "b?.%s(%s)", "b.%s?.(%s)", "b.c().%s /* so */ (%s)", "new %s(%s)", "new b.%s(%s)", "(b.%s)(%s)", "/a+/.%s(%s)", "/^a$/.%s(%s)"}

var assigned = []string{
	"b.onload = %s", "onmessage = %s", "b.c.onerror /* so */ = /* so */ %s", "b.onload ||= %s", "b.onload += %s", "b.onload == %s",
	"b = c.onload = %s", "c.onload = b = %s", "b ? c.onload = %s : d", "b ? d : c.onload = %s", "b ? c.onload = d : %s",
	"b.once = %s", "b.only = %s", "b.onLoad = %s", "b.reonload = %s", "b.$onload = %s", "b['onload'] = %s", "b.onload[0] = %s",
	"b.onload = b.x(c).onclose = %s", "[b.onload = %s] = c", "({ a: b.onload = %s, onload = %s } = c)", "(onload = %s) => b", "({ onload = %s, a: onclose = %s }) => b",
}

// TestEntered compares what is entered and what iterates with acorn: values, with neighbours,
// in calls and assignments.
func TestEntered(t *testing.T) {
	haveOracle(t)
	var programs [][]string
	for _, call := range calls {
		for _, neighbour := range neighbours {
			var lines []string
			for _, name := range callees {
				for _, value := range values {
					line := fmt.Sprintf(call, name, strings.ReplaceAll(neighbour, "%s", value))
					lines = append(lines, fmt.Sprintf("function f%d() { %s }", len(lines), line))
				}
			}
			programs = append(programs, lines)
		}
	}
	for _, assignment := range assigned {
		var lines []string
		for _, neighbour := range neighbours[:withoutComma] {
			for _, value := range values {
				lines = append(lines, strings.ReplaceAll(assignment, "%s", strings.ReplaceAll(neighbour, "%s", value)))
			}
		}
		programs = append(programs, lines)
	}
	if os.Getenv("FIELDPROF_FULL") == "" {
		var some [][]string
		for i := 0; i < len(programs); i += sampleOfEntered {
			some = append(some, programs[i])
		}
		programs = some
	}
	dir := t.TempDir()
	var requests []request
	for i, lines := range valid(t, programs) {
		path := filepath.Join(dir, fmt.Sprintf("%d.js", i))
		must.Do(t, os.WriteFile(path, []byte(strings.Join(lines, ";\n")), 0o644))
		requests = append(requests, request{path, AsScript})
	}
	if files, refused := compareAll(t, requests, true); refused > 0 || files < 30 {
		t.Errorf("acorn read %d files and refused %d", files, refused)
	}
}

// valid leaves out the lines that are no JavaScript, such as an arrow where only an operand
// can be.
func valid(t *testing.T, programs [][]string) (kept [][]string) {
	t.Helper()
	out := must.AskNode(t, must.Get(json.Marshal(programs))(t), "-e", `
		const { Script } = require('node:vm');
		const reads = (line) => { try { return new Script(line) } catch {} };
		const programs = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
		console.log(JSON.stringify(programs.map((lines) => lines.filter(reads))));`)
	must.Do(t, json.Unmarshal(out, &kept))
	return kept
}
