package builddir

import (
	"maps"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// memorySite instruments a tree in memory.
func memorySite(t *testing.T, s site, options Options) site {
	t.Helper()
	out, _ := s.inMemory(t, options)
	return out
}

// with is the site with another file.
func (s site) with(p, text string) site {
	changed := maps.Clone(s)
	changed[p] = text
	return changed
}

// A page asks for what modules import before it has them, and only then, as it asks for
// them: those that carry the runtime. All others take what the page's first script has made.
func TestChecksAreAskedForAhead(t *testing.T) {
	const runtime = `<script defer="" src="./fieldprof/runtime.js" class="fieldprof"></script>`
	const ahead = `<link rel="modulepreload" href="./fieldprof/module.js" />`
	hash := strings.Trim(htmlscan.Hash(runtimeText("module.js"), "sha256"), "'")
	files := site{
		"app.js": `import"./app.js";` + loop("app"), "deep/m.js": `import"../app.js";import"./m.js";` + loop("m"), "old.js": loop("old"), "plain.js": "export var x",
		"entry.js": `import{f}from"./chunk.js";export*from './entry.js'`, "chunk.js": `import"./entry.js";export ` + loop("f"),
		"lazy.js": `import("./chunk.js")`, "dist.css": "",
	}
	carrying := Options{Embed: []string{"app.js", "deep/m.js", "chunk.js"}}
	for page, want := range map[string]string{
		`<script type=module src=app.js></script>`: runtime + ahead + `<script type=module src=app.js></script>`,
		`<script type=module crossorigin nonce=n src=/app.js></script>`: `<script defer="" src="/fieldprof/runtime.js" class="fieldprof" nonce="n"></script>` +
			`<link rel="modulepreload" href="/fieldprof/module.js" crossorigin="" nonce="n" /><script type=module`,
		`<script type=module crossorigin=use-credentials src="deep/m.js?v=1"></script>`: runtime +
			`<link rel="modulepreload" href="./fieldprof/module.js" crossorigin="use-credentials" /><script`,
		// An import map must come before what loads a module.
		`<script src=old.js></script><script type=importmap>{}</script><script type=module src=app.js></script>`: `<script type=importmap>{}</script>` + ahead + `<script type=module src=app.js>`,
		// In front of the module that needs it, once.
		`<script type=module src=plain.js></script><script type=module src=app.js></script><script type=module src=deep/m.js></script>`: `plain.js></script>` + ahead + `<script type=module src=app.js></script><script type=module src=deep/m.js>`,
		// Checks are in what the module imports.
		`<script type=module src=entry.js></script>`: ahead + `<script type=module src=entry.js>`,
		`<meta http-equiv=content-security-policy content="script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"><script type=module src=app.js></script>`: `<link rel="modulepreload" href="./fieldprof/module.js" integrity="` + hash + `" /><script type=module`,
	} {
		out := memorySite(t, files.with("index.html", page), carrying)["index.html"]
		if !strings.Contains(out, want) || strings.Count(out, `/module.js"`) != 1 {
			t.Errorf("%s becomes %s, without %s", page, out, want)
		}
		if strings.Contains(page, "content-security-policy") && !strings.Contains(out, "'"+hash+"'") {
			t.Errorf("the policy does not let the checks in: %s", out)
		}
	}
	for _, page := range []string{
		`<script src=old.js></script>`, `<script type=module src=plain.js></script><script src=old.js></script>`,
		`<script type=module>` + loop("inline") + `</script>`, `<script type=module src=lazy.js></script><script src=old.js></script>`,
		`<script type=module src=https://other.example/app.js></script><script src=old.js></script>`, `<p>`,
		`<template><script type=module src=app.js></script></template><script src=old.js></script>`,
	} {
		if out := memorySite(t, files.with("index.html", page), carrying)["index.html"]; strings.Contains(out, "fieldprof/module.js") {
			t.Errorf("%s needs no checks ahead: %s", page, out)
		}
	}
	// The file that a module with an embedded runtime imports is another one.
	out := memorySite(t, site{"index.html": `<script type=module src=app.js></script>`, "app.js": "export " + loop("app")}, Options{Embed: []string{"app.js"}})["index.html"]
	must.Contain(t, "an embedding module's page", out, `href="./fieldprof/module.js"`)
}

// A page that does not profile asks for one of our files, whatever its modules are: in
// cycles, or named by an import map.
func TestPagesAskForOneFile(t *testing.T) {
	out := memorySite(t, site{
		"index.html": `<script type=importmap>{"imports":{"app":"./app.js"}}</script><script type=module src=app.js></script><script type=module>import"app"</script>`,
		"app.js":     `import"./a.js";import"app";import"https://other.example/m.js";import("./later.js");export ` + loop("app"),
		"a.js":       `import{b}from"./b.js";export ` + loop("a"),
		"b.js":       `import{a}from"./a.js";export ` + loop("b"),
		"later.js":   `import"./later.js";import"./gone.js";export ` + loop("later"),
	}, Options{})
	for _, p := range []string{"app.js", "a.js", "b.js", "later.js"} {
		if strings.Contains(out[p], Folder+"/") || !strings.HasPrefix(out[p], "function $f(v){return v}({flag:$f=[0,0]}=") {
			t.Errorf("%s: %s", p, out[p])
		}
	}
	if strings.Count(out["index.html"], Folder+"/") != 1 {
		t.Errorf("index.html: %s", out["index.html"])
	}
}
