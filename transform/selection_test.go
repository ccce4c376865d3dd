package transform

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/runtime"
)

func TestReasons(t *testing.T) {
	const source = `
function long(a) { a++; a++; a++; return a }
function short(a) { return a }
function looping(a) { while (work()) ; }
function spinning(a) { while (a--) ; }
function sorting(a) { return a.sort() }
function reading(a) { return JSON.parse(a) }
function notJSON(a) { return a.parse(sort()) }
async function serving(a) { return render(a) }
async function awaitingNothing(a) { return 1 }
/* fieldprof: off */ function unwanted(a) { a++; a++; a++; return function inner() { a++; a++; a++ } }
function asm() { "use asm"; function inner(a) { a++; a++; a++ } return inner }
class Point { x = 1; static { y() } }
function mixing(o) { o.a++; o.a++; with (o) return a }
with (o) { f = function within(a) { a++; a++; a++ } }
for (;;) {}
`
	result := must.Get(Transform([]byte(source), Options{Selection: Selection{Preset: Fine}}))(t)
	var got []string
	for i, reason := range result.Reasons {
		got = append(got, result.Table.Functions[i].Name+": "+reason.String())
	}
	want := []string{
		": has a loop without calls",
		"long: 4 statements",
		"short: 1 statement, under 3",
		"looping: has a loop",
		"spinning: has a loop without calls",
		"sorting: calls what loops: sort, map with a function, JSON.parse, /a+/.test …",
		"reading: calls what loops: sort, map with a function, JSON.parse, /a+/.test …",
		"notJSON: 1 statement, under 3",
		"serving: entered by the event loop: async, a callback or a handler",
		"awaitingNothing: 1 statement, under 3",
		"unwanted: comment: fieldprof: off",
		"inner: inside a function left alone: comment: fieldprof: off",
		`asm: "use asm"`,
		`inner: inside a function left alone: "use asm"`,
		"<instance_members_initializer>: class field initialiser",
		"<static_initializer>: class field initialiser",
		"mixing: a with statement",
		"within: a with statement",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for source, want := range map[string]Reason{
		"/* fieldprof: off file */ for (;;) {}": {Why: OutByFileComment},
		"work()":                                {Why: OutTopLevel},
		"(":                                     {Why: OutUnread},
	} {
		result, err := Transform([]byte(source), Options{})
		if err != nil || len(result.Reasons) != 1 || result.Reasons[0] != want || want.In() {
			t.Errorf("%q: %v %v", source, result.Reasons, err)
		}
	}
	result = must.Get(Transform([]byte(ten), Options{Selection: Selection{Checks: functable.Loop}}))(t)
	if result.Reasons[1].String() != "no site of the kinds that are checked" {
		t.Error(result.Reasons)
	}
}

// Without a map the file is the source of everything in it.
func TestKeepAsksForTheFile(t *testing.T) {
	source := []byte(strings.Repeat(ten, 3) + "for (;;) {}")
	for _, keep := range []bool{false, true} {
		var asked []string
		result, err := Transform(source, Options{File: "lib/a.js", Keep: func(s string) bool { asked = append(asked, s); return keep }})
		if err != nil || !slices.Equal(asked, []string{"lib/a.js"}) {
			t.Errorf("asked for %v, %v", asked, err)
		}
		if changed := len(result.Insertions) > 0; changed != keep {
			t.Errorf("keep %v: %v", keep, result.Reasons)
		}
	}
}

// With a map each source is asked for once, and its functions are checked or
// not, whatever is around them.
func TestKeepAsksForOriginals(t *testing.T) {
	line := strings.TrimSuffix(ten, "\n")
	source := "function outer(a) { a++; a++; a++; a++; a++; a++; a++; a++; a++; \n" + line + "\n" + line + "\n return ten }\n" + line + "\nfor (;;) {}\n"
	// Lines 1 and 4 to 6 are of a.ts, 2 and 3 of lib/b.ts.
	sourceMap := []byte(`{"version":3,"sources":["a.ts","lib/b.ts"],"names":[],"mappings":"AAAA;ACAA;AACA;ADDA;AACA;AACA"}`)
	var asked []string
	keep := func(s string) bool { asked = append(asked, s); return !strings.HasPrefix(s, "lib/") }
	result := must.Get(Transform([]byte(source), Options{Keep: keep, SourceMap: sourceMap}))(t)
	if slices.Sort(asked); !slices.Equal(asked, []string{"a.ts", "lib/b.ts"}) {
		t.Errorf("asked for %v", asked)
	}
	want := []Reason{{Why: InByFreeLoop}, {Why: InByStatements, Statements: 10, N: 10}, {Why: OutSource}, {Why: OutSource}, {Why: InByStatements, Statements: 10, N: 10}}
	if !slices.Equal(result.Reasons, want) {
		t.Errorf("%v", result.Reasons)
	}
}

// The bound holds as gzip says, more room never covers less, and functions that are
// left out are marked.
func TestMaxGzip(t *testing.T) {
	source := must.Get(os.ReadFile("../fixtures/exact/variants.js"))(t)
	for _, options := range []Options{{}, {Selection: Selection{Form: Compact}}, {Target: Goja}} {
		options.Preset = Precise
		whole := must.Get(Transform(source, options))(t)
		covered := 0
		for _, options.MaxGzip = range []float64{0.001, 1, 2, 4, 8, 16, 1000, math.Inf(1)} {
			result := must.Get(Transform(source, options))(t)
			growth := 100 * (float64(gzipped(t, result.Code))/float64(gzipped(t, source)) - 1)
			if growth > options.MaxGzip {
				t.Errorf("%v %v: grew by %.3f %%, over %v", options.Target, options.Form, growth, options.MaxGzip)
			}
			left := 0
			for _, reason := range result.Reasons {
				if reason.Why == OutOfBudget {
					left++
				}
			}
			if got := whole.Stats.CheckedFunctions - result.Stats.CheckedFunctions; got != left {
				t.Errorf("%d functions are unchecked that were checked, %d say so", got, left)
			}
			if s := result.Stats.CheckedStatements; s < covered {
				t.Errorf("%v %%: %d statements covered, and %d with less room", options.MaxGzip, s, covered)
			} else {
				covered = s
			}
			again, err := Transform(source, options)
			if err != nil || !bytes.Equal(again.Code, result.Code) {
				t.Errorf("another result: %v", err)
			}
			switch {
			case options.MaxGzip < 0.01 && len(result.Insertions) > 0:
				t.Errorf("%s was inserted where nothing fits", result.Code[result.Insertions[0].Offset:])
			case options.MaxGzip >= 1000 && !bytes.Equal(result.Code, whole.Code):
				t.Error("a bound that is far away changes the result")
			}
		}
	}
}

func gzipped(t *testing.T, b []byte) int {
	t.Helper()
	var out bytes.Buffer
	w := must.Get(gzip.NewWriterLevel(&out, 9))(t)
	must.Get(w.Write(b))(t)
	must.Do(t, w.Close())
	return out.Len()
}

// With little room, loops and long functions come before many small ones.
func TestMaxGzipKeepsWhatIsWorthMost(t *testing.T) {
	var source strings.Builder
	for i := range 40 {
		fmt.Fprintf(&source, "function small%d(a) { if (a > %d) return work%d(a); return a * %d }\n", i, i*7919%101, i, i*31)
	}
	source.WriteString("function loops(a) { for (let i = 0; i < a; i++) { for (let j = 0; j < i; j++) a += j } return a }\n")
	source.WriteString("function long(a) { " + strings.Repeat("a = a * 3 + 1; ", 30) + "return a }\n")
	result := must.Get(Transform([]byte(source.String()), Options{Selection: Selection{Preset: Precise, MaxGzip: 25}}))(t)
	n := len(result.Reasons)
	if !result.Reasons[n-1].In() || !result.Reasons[n-2].In() || result.Reasons[20].Why != OutOfBudget {
		t.Errorf("%v", result.Reasons)
	}
}

func TestBindings(t *testing.T) {
	var names Names
	for _, source := range []string{"var _$f = '_$c'", "a_$f; _$fetch; _$f1", "_$x2"} {
		names.Avoid([]byte(source))
	}
	chosen := names.Choose()
	if chosen.Flag != "_$f3" || chosen.Capture != "_$c3" || chosen.Value != "$r3" {
		t.Errorf("%+v", chosen)
	}
	for _, form := range []Form{Inline, Compact} {
		result, err := Transform([]byte(ten), Options{Bindings: &chosen, Selection: Selection{Form: form}})
		if err != nil || result.Bindings != chosen {
			t.Errorf("%+v %v", result.Bindings, err)
		}
		// A module has its names for itself, and the shortest.
		result, err = Transform([]byte(ten+"export{}"), Options{Bindings: &chosen, Selection: Selection{Form: form}})
		if err != nil || result.Bindings.Flag != "$f" {
			t.Errorf("%+v %v", result.Bindings, err)
		}
	}
	// But one of a page shares the global of its scripts, unless that is a name of its own.
	for source, want := range map[string]string{ten + "export{}": "_$f3", ten + "export let _$f3": "$f"} {
		result, err := Transform([]byte(source), Options{Bindings: &chosen, Preloaded: true, Acyclic: true})
		if err != nil || result.Bindings.Flag != want {
			t.Errorf("%s: %+v %v", source, result.Bindings, err)
		}
	}
	for want, options := range map[string]Options{
		"a.js uses the name _$f3 of Bindings": {File: "a.js", Bindings: &chosen},
		"is not a name to bind":               {Bindings: &runtime.Bindings{Flag: "$f", Value: "a b"}},
		"occurs twice":                        {Bindings: &runtime.Bindings{Flag: "$f", Value: "$f"}},
	} {
		must.Refuse(Transform([]byte(ten+"_$f3"), options))(t, want)
	}
}

// Names within names are free, and so is text that only resembles a disguise.
func TestNamesKnowNames(t *testing.T) {
	for source, want := range map[string]string{
		"$forceUpdate(), a$f, $f_":   "$f",
		`/^[A-Za-z_$\u00c0-\uffff]/`: "$f",
		`/\u{1f600}/u`:               "$f",
		`"\n$f"`:                     "$f1",
		"{$f:1}":                     "$f1",
		"é$f":                        "$f1",
		"$fé":                        "$f1",
		`\u0024f = 1`:                "$f_fieldprof",
		`eval("typeof \x24f")`:       "$f_fieldprof",
		`eval("typeof \44f")`:        "$f_fieldprof",
		`eval("\x5f$f, \137$f")`:     "$f_fieldprof",
		`$\u0066 = 1`:                "$f_fieldprof",
		`$\u{00066} = 1`:             "$f_fieldprof",
		`\u{24}f = 1`:                "$f_fieldprof",
		`$f\u0031; $f_fieldprof`:     "$f_fieldprof1",
	} {
		var names Names
		names.Avoid([]byte(source))
		if got := locals(names.suffix()).Flag; got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
		// The names of classic scripts are known in the same way.
		global := strings.NewReplacer("$f_fieldprof", "_$f_fieldprof", "$f", "_$f", `$\u0066`, `_$\u0066`, `$\u{00066}`, `_$\u{00066}`, `\u0024f`, `\u005f$f`, `\u{24}f`, `_\u{24}f`)
		names = Names{}
		names.Avoid([]byte(global.Replace(source)))
		if got, want := names.Choose().Flag, "_"+want; got != want {
			t.Errorf("%s: %s, want %s", global.Replace(source), got, want)
		}
	}
}

func TestParseForm(t *testing.T) {
	for _, form := range []Form{Inline, Compact} {
		if got, err := ParseForm(form.String()); err != nil || got != form {
			t.Errorf("%v: %v %v", form, got, err)
		}
	}
	if _, err := ParseForm("short"); err == nil || err.Error() != `no form "short": choose inline or compact` {
		t.Error(err)
	}
}
