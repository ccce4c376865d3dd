package builddir

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
)

// site is a tree in memory: path to content.
type site map[string]string

// loop is a script with something to check, so that it changes.
func loop(name string) string {
	return "function " + name + "(n) { while (n--); return n; }\n"
}

func (s site) write(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "dist")
	must.WriteTree(t, dir, s)
	return dir
}

// instrumented writes the site, instruments it and reads the output. In memory
// it must become the same.
func (s site) instrument(t testing.TB, options Options) (site, *Report) {
	t.Helper()
	inMemory, sameReport := s.inMemory(t, options)
	options.Input = s.write(t)
	report := must.Get(Run(context.Background(), options))(t)
	out := must.ReadTree(t, report.Output)
	must.Match(t, "in memory", inMemory, out)
	sameReport.Output, sameReport.Elapsed = report.Output, report.Elapsed
	if !reflect.DeepEqual(sameReport, report) {
		t.Errorf("the report in memory is %+v\non disk %+v", sameReport, report)
	}
	return out, report
}

func base64Of(sum []byte) string { return base64.StdEncoding.EncodeToString(sum) }

func sha384(text string) string {
	sum := sha512.Sum384([]byte(text))
	return "sha384-" + base64Of(sum[:])
}

func sha256Of(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64Of(sum[:])
}

// A loader holds the hash of a chunk, another loader the first one's hash, a page
// the second one's, and a manifest the page's.
func TestDigestsFollowTheirFiles(t *testing.T) {
	chunk := loop("chunk")
	inner := loop("inner") + `var hashes={"./chunk.js":"` + sha384(chunk) + `"};`
	tiny := `var hashes={"./inner.js":"` + sha384(inner) + `"};` // changes only for the hash in it
	page := `<script src="tiny.js" integrity="` + sha384(tiny) + " " + sha256Of(tiny) + `?x"></script>` +
		`<link rel=modulepreload href=chunk.js integrity=` + sha384(chunk) + `><script type=importmap>{"integrity":{"./inner.js":"` + sha384(inner) + `"}}</script>`
	other := sha384("some other file")
	in := site{
		"chunk.js": chunk, "inner.js": inner, "tiny.js": tiny, "index.html": page,
		"elsewhere.html": `<script src="https://cdn.example/lib.js" integrity="` + other + `"></script>`,
		"manifest.json":  `{"chunk.js":{"integrity":"` + sha384(chunk) + `"},"other":"` + other + `"}`,
		"ngsw.json":      `{"hashTable":{"/index.html":"` + sha1Of([]byte(page)) + `","/chunk.js":"` + sha1Of([]byte(chunk)) + `","/x.png":"` + sha1Of([]byte("x")) + `"}}`,
	}
	out, _ := in.instrument(t, Options{})
	for file, digests := range map[string][]string{
		"inner.js":      {sha384(out["chunk.js"])},
		"tiny.js":       {sha384(out["inner.js"])},
		"index.html":    {sha384(out["tiny.js"]) + " " + sha256Of(out["tiny.js"]) + "?x", sha384(out["chunk.js"]), sha384(out["inner.js"])},
		"manifest.json": {sha384(out["chunk.js"]), other},
		"ngsw.json":     {sha1Of([]byte(out["index.html"])), sha1Of([]byte(out["chunk.js"])), sha1Of([]byte("x"))},
	} {
		must.Contain(t, file, out[file], digests...)
	}
	if out["elsewhere.html"] != in["elsewhere.html"] {
		t.Errorf("a page with nothing of ours changed: %s", out["elsewhere.html"])
	}
}

// A service worker holds hashes of pages, which are made after it; so it does in a sampled output,
// where only pages change, and where no other script has checks.
func TestDigestsOfPagesInScripts(t *testing.T) {
	page := `<script src="a.js"></script><script>` + loop("inline") + `</script>`
	in := site{"index.html": page, "a.js": loop("a")}
	in["sw.js"] = `var kept=[["a.js","` + sha384(in["a.js"]) + `"],["index.html","` + sha384(page) + `"],["index.html","` + sha256Of(page) + `"]];` + loop("sw")
	out, report := in.instrument(t, Options{})
	must.Contain(t, "sw.js", out["sw.js"], sha384(out["a.js"]), sha384(out["index.html"]), sha256Of(out["index.html"]))
	only, _ := in.instrument(t, Options{Exclude: []string{"*.js"}})
	must.Contain(t, "sw.js without checks", only["sw.js"], sha384(in["a.js"]), sha384(only["index.html"]))
	sampled, more := in.instrument(t, Options{Sample: 0.5})
	must.Contain(t, "the clean sw.js", sampled["sw.js"], sha384(in["a.js"]), sha384(sampled["index.html"]))
	must.Contain(t, "the profiled sw.js", sampled["fieldprof/profiled/sw.js"], sha384(sampled["fieldprof/profiled/a.js"]), sha384(sampled["index.html"]))
	if len(report.Warnings)+len(more.Warnings) > 0 {
		t.Error(report.Warnings, more.Warnings)
	}
}

// A hash of a page in a script whose own hash has been written cannot be renewed, and a warning
// reports that.
func TestDigestsOfPagesInScriptsWithDigests(t *testing.T) {
	in := site{"part.html": `<!doctype html><script src="other.js"></script><script>` + loop("part") + `</script>`}
	in["app.js"] = `var part="` + sha384(in["part.html"]) + `";` + loop("app")
	for _, holder := range []string{"index.html", "other.js"} {
		in["index.html"], in["other.js"] = `<!doctype html><script src="app.js"></script>`, loop("other")
		in[holder] += "<!-- " + sha256Of(in["app.js"])
		for _, sample := range []float64{0, 0.5} {
			out, report := in.instrument(t, Options{Sample: sample})
			must.Contain(t, "app.js", out["app.js"], sha384(in["part.html"]))
			if len(report.Warnings) != 1 || !strings.HasPrefix(report.Warnings[0].String(), "app.js: ") || !strings.Contains(report.Warnings[0].String(), holder) {
				t.Errorf("%s, %v: warnings %v", holder, sample, report.Warnings)
			}
		}
	}
}

// Pages are renewed at the same time, with one index of digests.
func TestDigestsOfManyPages(t *testing.T) {
	in := site{}
	for i := range 20 {
		s := fmt.Sprintf("s%d.js", i)
		in[s] = loop(fmt.Sprintf("s%d", i))
		in[fmt.Sprintf("p%d.html", i)] = `<script src="` + s + `" integrity="` + sha384(in[s]) + `"></script>`
	}
	out, _ := in.instrument(t, Options{Workers: 8})
	for i := range 20 {
		p := fmt.Sprintf("p%d.html", i)
		must.Contain(t, p, out[p], sha384(out[fmt.Sprintf("s%d.js", i)]))
	}
}

// Whatever bytes a script is made of, the output is those bytes and insertions.
func TestOddTexts(t *testing.T) {
	in := site{
		"bom.js":         "\ufeff" + loop("bom"),
		"crlf.js":        "'use strict'\r\nfunction crlf(n) {\r\n  while (n--);\r\n}\r\n",
		"ls.js":          "function ls(n) {\u2028while (n--);\u2029}",
		"hashbang.js":    "#!/usr/bin/env node\n" + loop("hashbang"),
		"comment.js":     "<!-- old\n" + loop("comment") + "--> older\n",
		"latin1.js":      "var s = '\xe9\xe8'; function latin(n) { while (n--); }",
		"utf16.js":       "\xff\xfef\x00u\x00",
		"empty.js":       "",
		"module.mjs":     "export " + loop("module"),
		"require.cjs":    "module.exports = " + loop("required"),
		"return.js":      "return; " + loop("returned"),
		"odd name#?%.js": loop("odd"),
		"data.js":        `{"not": "a script"}`,
	}
	out, report := in.instrument(t, Options{})
	for p, src := range in {
		got := out[p]
		if p == "utf16.js" || p == "empty.js" || p == "data.js" {
			if got != src {
				t.Errorf("%s changed: %q", p, got)
			}
			continue
		}
		if got == src {
			t.Errorf("%s has no checks", p)
		}
		if !embeds(got, src) {
			t.Errorf("%s: %q is not in\n%q", p, src, got)
		}
		if _, ok := out[p+".functions.json"]; !ok {
			t.Errorf("%s has no function table", p)
		}
	}
	if n := len(report.Warnings); n != 2 {
		t.Errorf("%d warnings, want those about utf16.js and data.js: %v", n, report.Warnings)
	}
	if !strings.HasPrefix(out["hashbang.js"], "#!/usr/bin/env node\n") {
		t.Errorf("hashbang.js: %q", out["hashbang.js"])
	}
	must.Contain(t, "require.cjs", out["require.cjs"], `require("./fieldprof/checks.cjs")`)
}

// embeds reports whether text is whole with insertions.
func embeds(whole, text string) bool {
	for i := 0; i < len(whole) && text != ""; i++ {
		if whole[i] == text[0] {
			text = text[1:]
		}
	}
	return text == ""
}

func TestOutputDoesNotDependOnWorkers(t *testing.T) {
	in := site{"index.html": "<script src=f0.js></script><script>" + loop("inline") + "</script>"}
	for i := range 40 {
		in[fmt.Sprintf("f%d.js", i)] = strings.Repeat(loop(fmt.Sprintf("f%d", i)), i+1) + "//# sourceMappingURL=shared.map"
	}
	in["shared.map"] = `{"version":3,"sources":["s.ts"],"names":[],"mappings":"AAAA"}`
	one, _ := in.instrument(t, Options{Workers: 1})
	many, _ := in.instrument(t, Options{Workers: 8})
	must.Match(t, "many", many, one)
}

// Two classic scripts of a page share one scope: a name that any of them uses
// must not be declared by another.
func TestClassicScriptsShareNames(t *testing.T) {
	in := site{
		"index.html": `<script src=a.js></script><script src=b.js></script><script>let $r = 1;` + loop("inline") + `</script>`,
		"a.js":       loop("a"),
		"b.js":       "let _$f = 1;" + loop("b"),
	}
	out, _ := in.instrument(t, Options{})
	for _, p := range []string{"a.js", "b.js", "index.html"} {
		must.Contain(t, p, out[p], "var _$f1,") // the names that are free everywhere
	}
}

// An interrupted or failing run leaves nothing, and files that were there stay.
func TestNothingIsLeftBehind(t *testing.T) {
	in := site{}
	for i := range 50 {
		in[fmt.Sprintf("f%d.js", i)] = loop("f")
	}
	dir := in.write(t)
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Run(ctx, Options{Input: dir, Progress: func(done, total Amount) {
		if done.Files == 20 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	isBeside(t, dir, "dist")
	must.Match(t, "the input", must.ReadTree(t, dir), in)
}

func TestInPlaceKeepsTheInputUntilTheEnd(t *testing.T) {
	in := site{"a.js": loop("a"), "b/c.txt": "text"}
	dir := in.write(t)
	seen := false
	report, err := Run(context.Background(), Options{Input: dir, InPlace: true, Progress: func(done, total Amount) {
		seen = true
		if text, _ := os.ReadFile(filepath.Join(dir, "a.js")); string(text) != in["a.js"] {
			t.Error("the input changed before the end")
		}
	}})
	if err != nil || !seen {
		t.Fatal(err)
	}
	out := must.ReadTree(t, dir)
	if report.Output != dir || out["a.js"] == in["a.js"] || out["b/c.txt"] != "text" {
		t.Errorf("in place: %v", slices.Sorted(maps.Keys(out)))
	}
	isBeside(t, dir, "dist")
}

func TestPermissionsAndTimesAreKept(t *testing.T) {
	dir := site{"run.sh": "#!/bin/sh\n", "cli.js": "#!/usr/bin/env node\n" + loop("cli")}.write(t)
	for _, name := range []string{"run.sh", "cli.js"} {
		must.Do(t, os.Chmod(filepath.Join(dir, name), 0o755))
	}
	report := must.Get(Run(context.Background(), Options{Input: dir}))(t)
	was, _ := os.Stat(filepath.Join(dir, "run.sh"))
	is, err := os.Stat(filepath.Join(report.Output, "run.sh"))
	if err != nil || is.Mode() != was.Mode() || !is.ModTime().Equal(was.ModTime()) {
		t.Errorf("run.sh: %v, %v", is, err)
	}
	if is, err := os.Stat(filepath.Join(report.Output, "cli.js")); err != nil || is.Mode().Perm() != 0o755 {
		t.Errorf("cli.js: %v, %v", is, err)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	dir := site{"a.js": loop("a")}.write(t)
	for want, o := range map[string]Options{
		"name the directory":      {},
		"no such file":            {Input: dir + "x"},
		"is not a directory":      {Input: filepath.Join(dir, "a.js")},
		"choose one":              {Input: dir, InPlace: true, Output: "x"},
		"sample rate 2":           {Input: dir, Sample: 2},
		"must not be negative":    {Input: dir, Selection: transform.Selection{MaxGzip: -1}},
		`"[" is not a glob`:       {Input: dir, Embed: []string{"["}},
		`"" is not a glob`:        {Input: dir, Exclude: []string{""}},
		"lies inside the input":   {Input: dir, Output: filepath.Join(dir, "a", "b")},
		"which would be replaced": {Input: dir, Output: filepath.Dir(dir)},
		"no preset 9":             {Input: dir, Selection: transform.Selection{Preset: transform.Preset(9)}},
	} {
		must.Refuse(Run(context.Background(), o))(t, want)
	}
}

// One file in two folders is two files afterwards, for the runtime that they import is not
// equally far; one digest cannot fit both.
func TestTwinsAreToldOf(t *testing.T) {
	module := `import"./m.mjs";export ` + loop("twin")
	in := site{"m.mjs": module, "deep/er/m.mjs": module, "index.html": `<script type=module src=deep/er/m.mjs integrity="` + sha384(module) + `"></script>`}
	_, report := in.instrument(t, Options{Embed: []string{"m.mjs", "deep/er/m.mjs"}}) // so they import the runtime
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0].Text, "was the same as deep/er/m.mjs") {
		t.Errorf("the warnings are %v", report.Warnings)
	}
}

func TestDryRunReportsAndWritesNothing(t *testing.T) {
	in := site{"a.js": loop("a"), "plain.js": "var x", "index.html": "<script src=a.js></script><script>" + loop("b") + "</script>"}
	dir := in.write(t)
	report := must.Get(Run(context.Background(), Options{Input: dir, DryRun: true}))(t)
	if report.Instrumented != 2 || report.CheckedFunctions != 2 || report.Sizes.Raw.After <= report.Sizes.Raw.Before {
		t.Errorf("%+v", report)
	}
	isBeside(t, dir, "dist")
}
