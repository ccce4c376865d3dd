package transform

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/golden"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// FuzzTransform holds what every result must hold, whatever the source and the
// options: deleting the insertions gives it back, lines stay lines, the result
// scans to the same functions, its table and reasons are sound, the size keeps
// to its bound, and where goja compiles the source it compiles the result.
func FuzzTransform(f *testing.F) {
	must.NotForRaces(f)
	seed(f)
	f.Fuzz(func(t *testing.T, src []byte, setting uint16) {
		checkResult(t, src, optionsOf(src, setting))
	})
}

// settings is how many there are for optionsOf.
const settings = 1 << 10

// optionsOf spells options out of a number.
func optionsOf(src []byte, setting uint16) Options {
	bit := func(n int) bool { return setting>>n&1 != 0 }
	o := Options{
		Target:    Target(setting & 1),
		Goal:      Goal(setting>>1) & 3,
		Selection: Selection{Preset: Preset(setting>>3) & 3},
	}
	if bit(5) && o.Target == Web {
		o.Form = Compact
	}
	if bit(6) {
		o.Keep = func(source string) bool { return strings.HasSuffix(source, "kept.ts") }
		o.SourceMap = []byte(`{"version":3,"sources":["left.ts","kept.ts"],"names":[],"mappings":"AAAA,QCAA,QDAA,gBCAA;ADAA,UCAA"}`)
	}
	if bit(7) {
		o.MaxGzip = float64(1 + len(src)%40)
	}
	if bit(8) {
		o.Loader = "/fieldprof/runtime.js?\u2028</script>"
		o.MapTo, o.Explain = "source.js", true
	}
	if bit(8) && bit(9) {
		o.Require = "./fieldprof/checks.cjs"
	}
	if bit(9) {
		var n Names
		n.Avoid(src)
		n.Avoid([]byte("$f $c $r $e $l $x $flag $capture"))
		names := n.Choose()
		o.Bindings = &names
	}
	return o
}

// seed gives the fuzzer every source in testdata, with every target, goal and
// preset, and the other options by turns; and each with line breaks for semicolons.
func seed(f *testing.F) {
	f.Helper()
	eachSeed(f, func(src []byte) {
		for setting := range uint16(32) {
			f.Add(src, setting)
			f.Add(src, (setting+setting*7<<5)%settings)
		}
		f.Add(breakLines(src, 1, 0), uint16(24))
		f.Add(breakLines(src, 2, 0), uint16(24+32))
	})
}

// eachSeed gives every source in testdata.
func eachSeed(t testing.TB, do func(src []byte)) {
	t.Helper()
	for _, src := range behaviours(t) {
		do(src)
	}
	for _, f := range golden.Read(t, "testdata/*.txtar") {
		do(f.Files[0].Data)
	}
}

func checkResult(t *testing.T, src []byte, options Options) {
	t.Helper()
	result, err := Transform(src, options)
	if err != nil {
		if options.Target == Goja && strings.Contains(err.Error(), "ES module") {
			return
		}
		t.Fatal(err)
	}
	assertReversible(t, src, result)
	assertReasons(t, result, options)
	if got, want := textpos.Of(result.Code).Lines(), textpos.Of(src).Lines(); got != want {
		t.Fatalf("%d lines became %d:\n%s", want, got, result.Code)
	}
	if err := result.Table.Check(); err != nil {
		t.Fatalf("%v\n%s", err, result.Code)
	}
	if m := newMeasure(); options.MaxGzip > 0 {
		before, after := m.size(src, math.MaxInt), m.size(result.Code, math.MaxInt)
		if float64(after) > float64(before)*(1+options.MaxGzip/100) {
			t.Fatalf("%d bytes became %d, more than %v %%:\n%s", before, after, options.MaxGzip, result.Code)
		}
	}
	if len(result.Warnings) > 0 {
		if strings.Contains(result.Warnings[0].Text, "please report") {
			t.Fatalf("%v\n%s", result.Warnings[0], src)
		}
		if !bytes.Equal(result.Code, src) {
			t.Fatalf("warned of and changed:\n%s", result.Code)
		}
		return
	}
	assertSameFunctions(t, src, result, options)
	if options.Goal == Module || options.Goal == FunctionBody || !compiles(src) {
		return
	}
	if _, module := bytes.CutPrefix(result.Code, []byte("import{")); module {
		return
	}
	if err := compileError(result.Code); err != nil {
		t.Fatalf("the source compiles, the result does not: %v\n%s", err, result.Code)
	}
}

// assertReasons checks that every function has a reason, and one that fits.
func assertReasons(t *testing.T, result Result, options Options) {
	t.Helper()
	if len(result.Reasons) != len(result.Table.Functions) {
		t.Fatalf("%d reasons for %d functions", len(result.Reasons), len(result.Table.Functions))
	}
	for i, reason := range result.Reasons {
		f := &result.Table.Functions[i]
		if reason.In() != (f.Sites != 0) || reason.String() == "" {
			t.Fatalf("function %d %q has sites %v and reason %q:\n%s", i, f.Name, f.Sites, reason, result.Code)
		}
		if o := f.Original; reason.In() && o != nil && options.Keep != nil && !options.Keep(o.Source) {
			t.Fatalf("function %d %q of %s was not to be kept:\n%s", i, f.Name, o.Source, result.Code)
		}
	}
}

// assertSameFunctions scans the result and compares it with the table.
func assertSameFunctions(t *testing.T, src []byte, result Result, options Options) {
	t.Helper()
	script, err := jsscan.Scan(result.Code, jsscan.Options{Goal: scanGoals[options.Goal]})
	if err != nil {
		t.Fatalf("the result does not scan: %v\n%s\nfrom\n%s", err, result.Code, src)
	}
	script.Functions = slices.DeleteFunc(script.Functions, func(f jsscan.Function) bool { return inserted(result, f.Start) })
	if got, want := len(script.Functions), len(result.Table.Functions)-1; got != want {
		t.Fatalf("%d functions became %d:\n%s\nfrom\n%s", want, got, result.Code, src)
	}
	before := must.Get(jsscan.Scan(src, jsscan.Options{Goal: scanGoals[options.Goal]}))(t)
	at := newPositions(result.Code)
	for i := range script.Functions {
		old, now := &before.Functions[i], &script.Functions[i]
		if !old.ExpressionBody && len(old.Returns) != len(now.Returns) || len(old.Suspends) != len(now.Suspends) {
			t.Fatalf("function %d %q: %d returns and %d suspensions became %d and %d:\n%s", i, old.Name, len(old.Returns), len(old.Suspends), len(now.Returns), len(now.Suspends), result.Code)
		}
		f, entry := &script.Functions[i], &result.Table.Functions[i+1]
		if tableKinds[f.Kind] != entry.Kind || f.Name != entry.Name {
			t.Fatalf("function %d: %v %q became %v %q:\n%s", i, entry.Kind, entry.Name, f.Kind, f.Name, result.Code)
		}
		if start, end := at.source(f.Start), at.source(f.End); start != entry.Start || end != entry.End {
			t.Fatalf("function %d %q stands at %v-%v, the table says %v-%v:\n%s", i, f.Name, start, end, entry.Start, entry.End, result.Code)
		}
		if definition := at.source(f.Params); f.Kind != jsscan.Initializer && definition != entry.Definition {
			t.Fatalf("function %d %q is defined at %v, the table says %v:\n%s", i, f.Name, definition, entry.Definition, result.Code)
		}
	}
}

// inserted reports whether a byte of the result is not the source's.
func inserted(result Result, offset int) bool {
	i, _ := slices.BinarySearchFunc(result.Insertions, offset+1, func(i Insertion, o int) int { return i.Offset - o })
	return i > 0 && offset < result.Insertions[i-1].Offset+result.Insertions[i-1].Length
}

func compiles(src []byte) bool { return compileError(src) == nil }

func compileError(src []byte) error {
	parsed, err := goja.Parse("fuzz.js", string(src), parser.WithDisableSourceMaps)
	if err != nil {
		return err
	}
	_, err = goja.CompileAST(parsed, false)
	return err
}

// breakLines replaces each semicolon that is in one of the residues, by number,
// by a line break: statements that the next line now continues, and statements that
// still end.
func breakLines(src []byte, modulus, residue int) []byte {
	broken := bytes.Clone(src)
	n := 0
	for i, c := range broken {
		if c != ';' {
			continue
		}
		if n++; n%modulus == residue {
			broken[i] = '\n'
		}
	}
	return broken
}

// TestBrokenLines holds the corpora to the same with semicolons replaced by line
// breaks: all, and every third.
func TestBrokenLines(t *testing.T) {
	must.NotForRaces(t)
	eachSeed(t, func(src []byte) {
		for _, broken := range [][]byte{breakLines(src, 1, 0), breakLines(src, 3, 0), breakLines(src, 3, 1), breakLines(src, 3, 2)} {
			for setting := range uint16(32) {
				checkResult(t, broken, optionsOf(broken, setting))
			}
		}
	})
}

// TestRealSources holds libraries from npm to the same.
func TestRealSources(t *testing.T) {
	fixtures.EnsureNodeModules(t)
	paths, _ := filepath.Glob("../fixtures/exact/*.js")
	for _, pattern := range []string{"acorn/dist/acorn.js", "lodash/lodash.js", "lodash/lodash.min.js", "marked/lib/marked.umd.js", "handlebars/dist/handlebars.js", "handlebars/dist/handlebars.min.js", "mustache/mustache.js", "markdown-it/dist/markdown-it.min.js", "semver/classes/range.js"} {
		found, _ := filepath.Glob("../fixtures/node_modules/" + pattern)
		paths = append(paths, found...)
	}
	if len(paths) < 35 {
		t.Fatalf("only %d sources", len(paths))
	}
	for i, path := range paths {
		if testing.Short() && i%8 != 0 {
			continue // enough to find races
		}
		src := must.Get(os.ReadFile(path))(t)
		checkResult(t, breakLines(src, 1, 0), Options{File: path, Target: Web, Selection: Selection{Preset: Precise}})
		checkResult(t, breakLines(src, 2, 1), Options{File: path, Target: Web, Selection: Selection{Form: Compact, Preset: Precise}})
		checkResult(t, breakLines(src, 2, 0), Options{File: path, Target: Goja, Selection: Selection{Preset: Precise}})
		for preset := range presets {
			for _, o := range []Options{{}, {Selection: Selection{Form: Compact}}, {Target: Goja}} {
				o.File, o.Preset = path, Preset(preset)
				checkResult(t, src, o)
			}
		}
	}
}
