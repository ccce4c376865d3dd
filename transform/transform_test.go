package transform

import (
	"bytes"
	"math"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

const ten = "function ten(a) { a++; a++; a++; a++; a++; a++; a++; a++; a++; return a }\n"

// clean transforms a source that no warning may come with.
func clean(t testing.TB, src []byte, options Options) Result {
	t.Helper()
	result, err := Transform(src, options)
	if err != nil || len(result.Warnings) > 0 {
		t.Fatalf("%s: %v %v\n%.1000s", options.File, err, result.Warnings, src)
	}
	return result
}

func TestZeroOptions(t *testing.T) {
	result := clean(t, []byte(ten), Options{})
	assertReversible(t, []byte(ten), result)
	if result.Stats != (Stats{Functions: 1, CheckedFunctions: 1, Statements: 10, CheckedStatements: 10, Entries: 1, Exits: 1}) {
		t.Errorf("%+v", result.Stats)
	}
	if !bytes.Contains(result.Code, []byte("_$f[1]=_$f[0]")) {
		t.Errorf("no web checks in %s", result.Code)
	}
	if empty, err := Transform(nil, Options{}); err != nil || len(empty.Code) != 0 || len(empty.Table.Functions) != 1 {
		t.Errorf("an empty source gives %+v, %v", empty, err)
	}
}

// The source is the caller's: it must not change, nor be needed afterwards.
func TestSourceIsLeftAlone(t *testing.T) {
	src := []byte(ten)
	result := must.Get(Transform(src, Options{}))(t)
	if string(src) != ten {
		t.Fatal("the source was changed")
	}
	want := string(result.Code)
	for i := range src {
		src[i] = '!'
	}
	if string(result.Code) != want {
		t.Error("the result is made of the source's memory")
	}
}

func TestManyAtOnce(t *testing.T) {
	src := must.Get(os.ReadFile("../fixtures/exact/variants.js"))(t)
	want := must.Get(Transform(src, Options{Target: Goja, Selection: Selection{Preset: Precise}}))(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 20 {
				got, err := Transform(src, Options{Target: Goja, Selection: Selection{Preset: Precise}})
				if err != nil || !bytes.Equal(got.Code, want.Code) {
					t.Errorf("another result: %v", err)
				}
			}
		})
	}
	wait.Wait()
}

func TestWrongOptions(t *testing.T) {
	for want, options := range map[string]Options{
		"no target 9":          {Target: 9},
		"no goal 9":            {Goal: 9},
		"no preset 9":          {Selection: Selection{Preset: 9}},
		"must not be negative": {Selection: Selection{MinStatements: -1}},
		"no site kinds":        {Selection: Selection{Checks: 64}},
		"no form 9":            {Selection: Selection{Form: 9}},
		"for target web only":  {Target: Goja, Selection: Selection{Form: Compact}},
		"MaxGzip is -1":        {Selection: Selection{MaxGzip: -1}},
		"MaxGzip is NaN":       {Selection: Selection{MaxGzip: math.NaN()}},
		"source map of a.js":   {File: "a.js", SourceMap: []byte("{")},
	} {
		must.Refuse(Transform([]byte(ten), options))(t, want)
	}
	_, err := Transform([]byte("export const a = 1"), Options{File: "a.mjs", Target: Goja})
	must.Fail(t, err, "a.mjs is an ES module, which goja does not run")
}

// A function that the host calls is checked below N, if it can take time.
func TestEnteredByTheHost(t *testing.T) {
	src := "export default function () { work() } export const setup = () => { other() }; function inner() { work() } function work() { n++ }"
	result := must.Get(Transform([]byte(src), Options{Goal: Module, Target: Goja, Entered: func(name string) bool { return name != "inner" }}))(t)
	var checked []string
	for _, f := range result.Table.Functions {
		if f.Sites != 0 {
			checked = append(checked, f.Name+f.Inferred)
		}
	}
	must.Equal(t, checked, []string{"default", "setup"})
}

// The module that defines the global names is loaded first, after directives.
func TestPrologueForGojaLoadsWhatDefinesTheNames(t *testing.T) {
	for src, c := range map[string]struct {
		options Options
		want    string
	}{
		"export const f = () => { for (;;); }":               {Options{Goal: Module, ChecksModule: "k6/x/p"}, `import"k6/x/p";var $f=__fpflag,$c=__fpcapture;export const f`},
		"'use strict';module.exports = () => { for (;;); };": {Options{Goal: FunctionBody, Require: "k6/x/p"}, `'use strict';require("k6/x/p");var $f=__fpflag,$c=__fpcapture;module`},
		"module.exports = 1":                                 {Options{Goal: FunctionBody, Require: "k6/x/p"}, "module.exports = 1"},
	} {
		c.options.Target = Goja
		result := must.Get(Transform([]byte(src), c.options))(t)
		assertReversible(t, []byte(src), result)
		if got := string(result.Code); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", src, got, c.want)
		}
	}
}

// A source that cannot be read comes back unchanged, and the warning says where it
// stopped, in lines and UTF-16 columns, with the line.
func TestUnreadableSources(t *testing.T) {
	for src, want := range map[string]string{
		"let a = 1;\nlet b = '😀' + `open": "bad.js:2:",
		"function f() {":                  "bad.js:1:",
		"a = /re":                         "bad.js:1:",
		"x\u2028y = (1":                   "bad.js:2:",
	} {
		sourceMap := []byte(`{"version":3,"sources":["a"],"names":[],"mappings":"AAAA"}`)
		result, err := Transform([]byte(src), Options{File: "bad.js", SourceMap: sourceMap})
		if err != nil {
			t.Errorf("%q: %v", src, err)
			continue
		}
		if string(result.Code) != src || !bytes.Equal(result.Map, sourceMap) || len(result.Table.Functions) != 1 {
			t.Errorf("%q was changed: %+v", src, result)
		}
		if len(result.Warnings) != 1 || !strings.HasPrefix(result.Warnings[0].String(), want) || result.Warnings[0].Source == "" {
			t.Errorf("%q: %+v, want %s", src, result.Warnings, want)
		}
	}
}

func TestOverrides(t *testing.T) {
	for _, test := range []struct {
		options  Options
		checked  int
		entries  int
		exits    int
		describe string
	}{
		{Options{}, 1, 1, 1, "balanced"},
		{Options{Selection: Selection{Preset: Precise}}, 2, 2, 2, "precise"},
		{Options{Selection: Selection{MinStatements: 2}}, 2, 2, 2, "N 2"},
		{Options{Selection: Selection{Preset: Precise, MinStatements: 11}}, 0, 0, 0, "N 11"},
		{Options{Selection: Selection{Preset: Precise, Checks: functable.Exit}}, 2, 0, 2, "exits"},
		{Options{Selection: Selection{Preset: Classic}}, 1, 1, 0, "classic"},
	} {
		src := []byte(ten + "function two(a) { a++; return a }\n")
		result := must.Get(Transform(src, test.options))(t)
		s := result.Stats
		if s.CheckedFunctions != test.checked || s.Entries != test.entries || s.Exits != test.exits {
			t.Errorf("%s: %+v", test.describe, s)
		}
		if len(result.Insertions) == 0 && !bytes.Equal(result.Code, src) {
			t.Errorf("%s: nothing inserted, yet changed", test.describe)
		}
	}
}

// Every byte of the source must map where it did before, through whatever was
// inserted around it, and the table must know where functions came from.
func TestMapsFollowTheCode(t *testing.T) {
	for _, minify := range []bool{false, true} {
		built := api.Build(api.BuildOptions{
			EntryPoints: []string{"../fixtures/real/raytrace/main.ts"}, Outfile: "out.js", Bundle: true, Format: api.FormatIIFE,
			Sourcemap: api.SourceMapExternal, MinifyWhitespace: minify, MinifyIdentifiers: minify, MinifySyntax: minify,
		})
		if len(built.Errors) > 0 {
			t.Fatal(built.Errors)
		}
		code, rawMap := built.OutputFiles[1].Contents, built.OutputFiles[0].Contents
		if strings.HasSuffix(built.OutputFiles[1].Path, ".map") {
			code, rawMap = rawMap, code
		}
		before := must.Get(sourcemap.Parse(rawMap))(t)
		for _, target := range []Target{Web, Goja} {
			result, err := Transform(code, Options{Target: target, Selection: Selection{Preset: Precise}, SourceMap: rawMap})
			if err != nil || len(result.Insertions) < 20 {
				t.Fatal(err, len(result.Insertions))
			}
			after := must.Get(sourcemap.Parse(result.Map))(t)
			compareMaps(t, code, before, result, after)
			compareOriginals(t, code, before, result)
			named := map[string]bool{}
			for _, f := range result.Table.Functions {
				if f.Original != nil && strings.HasSuffix(f.Original.Source, ".ts") {
					named[f.Original.Name] = true
				}
			}
			for _, name := range []string{"colour", "render"} {
				if !named[name] {
					t.Errorf("minify %v: no function came from %s: %v", minify, name, named)
				}
			}
		}
	}
}

// compareOriginals looks every function up in the map as it was.
func compareOriginals(t *testing.T, src []byte, before *sourcemap.Map, result Result) {
	t.Helper()
	script := must.Get(jsscan.Scan(src, jsscan.Options{}))(t)
	at := newPositions(src)
	for i := range script.Functions {
		f := &script.Functions[i]
		found, ok := lookUp(before, at.source(f.Start))
		if !ok {
			found, ok = lookUp(before, at.source(f.Params))
		}
		want := functable.Original{
			Source: found.Source, Name: f.Name,
			Position: functable.Position{Line: int32(found.Line) + 1, Column: int32(found.Column) + 1},
		}
		if f.NameAt >= 0 {
			if named, known := lookUp(before, at.source(f.NameAt)); known && named.Name != "" {
				want.Name = named.Name
			}
		}
		got := result.Table.Functions[i+1].Original
		if ok != (got != nil) || ok && *got != want {
			t.Fatalf("function %d %q comes from %v, the table says %v", i, f.Name, want, got)
		}
	}
}

// The table says which functions are not the user's own.
func TestIgnoredSources(t *testing.T) {
	const code = "function own() { return 1 }\nfunction packaged() { return 2 }\nfunction listed() { return 3 }\n"
	for _, field := range []string{"ignoreList", "x_google_ignoreList"} {
		result, err := Transform([]byte(code), Options{SourceMap: []byte(`{"version":3,"sources":["src/own.ts","../node_modules/packaged/index.js","vendor/listed.js"],` +
			`"names":[],"mappings":"AAAA;ACAA;ACAA","` + field + `":[2]}`)})
		must.Do(t, err)
		var ignored []bool
		for _, f := range result.Table.Functions {
			ignored = append(ignored, f.Ignored)
		}
		must.Equal(t, ignored, []bool{false, false, true, true}, field)
	}
}

// compareMaps looks up every byte of the source in both maps.
func compareMaps(t *testing.T, src []byte, before *sourcemap.Map, result Result, after *sourcemap.Map) {
	t.Helper()
	old, moved := newPositions(src), newPositions(result.Code)
	at, insertion, compared := 0, 0, 0
	for offset := range src {
		for insertion < len(result.Insertions) && result.Insertions[insertion].Offset == at {
			at += result.Insertions[insertion].Length
			insertion++
		}
		from, known := lookUp(before, old.source(offset))
		to, still := lookUp(after, moved.source(at))
		if known != still || from != to {
			t.Fatalf("byte %d mapped to %v %v, now at %d to %v %v", offset, from, known, at, to, still)
		}
		if known {
			compared++
		}
		at++
	}
	if compared < len(src)/2 {
		t.Errorf("only %d of %d bytes are mapped at all", compared, len(src))
	}
}

func lookUp(m *sourcemap.Map, p functable.Position) (sourcemap.Original, bool) {
	return m.Find(int(p.Line)-1, int(p.Column)-1)
}

func FuzzAbsent(f *testing.F) {
	for _, seed := range []string{"_$f _$c1", `\u005f_fpf`, `__f\u0070f`, "$f $f1 $c", "$forceUpdate(a$f)", `\u0024f`, `$\u{66}`, `"\n$f"`, `/[$\u00c0]/`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var n Names
		n.Avoid(src)
		names := n.Choose()
		options := Options{Bindings: &names}
		for _, options.Target = range []Target{Web, Goja} {
			for _, options.Form = range []Form{Inline, Compact} {
				if _, err := options.naming(src, jsscan.AsScript); err != nil {
					t.Errorf("%q: %v", src, err)
				}
				if own, err := (&Options{Target: options.Target, Selection: Selection{Form: options.Form}}).naming(src, jsscan.AsModule); err != nil || usesName(src, own.outer.Flag) {
					t.Errorf("%q: %v %v", src, own, err)
				}
			}
		}
		if err := options.checkBindings(); err != nil {
			t.Error(err)
		}
	})
}

func TestRestores(t *testing.T) {
	src := []byte("abc")
	good := []Insertion{{Offset: 1, Length: 2}, {Offset: 5, Length: 1}}
	if !Restores([]byte("aXXbcY"), good, src) {
		t.Error("the source is there")
	}
	for name, code := range map[string]string{"other": "aXXbdY", "short": "aXXbY", "long": "aXXbccY", "cut": "aXX"} {
		if Restores([]byte(code), good, src) {
			t.Errorf("%s: the source is not there", name)
		}
	}
	if Restores([]byte("aXXbcY"), []Insertion{{Offset: 3, Length: 2}, {Offset: 1, Length: 2}}, src) {
		t.Error("insertions out of order")
	}
}
