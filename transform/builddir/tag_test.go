package builddir

import (
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A page that reads on without its scripts does not wait for the runtime either; any script
// that may run earlier has the runtime before it.
func TestThePageWaitsForTheRuntimeOnlyIfItMust(t *testing.T) {
	files := site{"app.js": loop("app"), "module.js": "export " + loop("module")}
	const module, deferred = `<script type=module src=module.js></script>`, `<script defer src=app.js></script>`
	const waits, reads = `<script src="./fieldprof/runtime.js" class="fieldprof"></script>`, `<script defer="" src="./fieldprof/runtime.js" class="fieldprof"></script>`
	const moduleFirst = `<link rel="modulepreload" fetchpriority="low" href="module.js" class="fieldprof" />` + reads + module
	const deferredFirst = `<link rel="preload" as="script" fetchpriority="low" href="app.js" class="fieldprof" />` + reads + deferred
	for page, want := range map[string]string{
		module:            moduleFirst,
		deferred:          deferredFirst,
		deferred + module: deferredFirst + module,
		`<script type=module>` + loop("inline") + `</script>`: reads,
		module + `<script nomodule src=old.js></script>`:      moduleFirst,
		module + `<script type=text/data>x</script>`:          moduleFirst,
		module + `<template><script>x()</script></template>`:  moduleFirst,

		`<script src=app.js></script>`:                                waits,
		module + `<script src=app.js></script>`:                       waits + module,
		module + `<script>x()</script>`:                               waits + module,
		module + `<script defer>x()</script>`:                         waits + module,
		module + `<script src=https://other.example/x.js></script>`:   waits + module,
		`<script async src=app.js></script>`:                          waits,
		`<script async defer src=app.js></script>`:                    waits,
		`<script type=module async src=module.js></script>`:           waits,
		module + `<svg><script href=x.js></script></svg>`:             waits + module,
		module + `<svg><script type=module>x()</script></svg>`:        waits + module,
		module + `<script type=module async nomodule src=x></script>`: waits + module,
	} {
		if out := memorySite(t, files.with("index.html", page), Options{})["index.html"]; !strings.HasPrefix(out, want) {
			t.Errorf("%s becomes %s, not %s…", page, out, want)
		}
	}
}

// A chunk that is named by a template loads nothing: its page has the runtime.
func TestChunksThatTemplatesNameImportNothing(t *testing.T) {
	out := memorySite(t, site{
		"index.html": `<script type=module src=app.js></script>`,
		"app.js":     "import(`./chunk.js`);" + loop("app"), "chunk.js": "export " + loop("chunk"),
	}, Options{})
	if !strings.HasPrefix(out["chunk.js"], setsGlobal) {
		t.Errorf("the chunk is %s", out["chunk.js"])
	}
}

// A page has the runtime if any of its scripts may load one with checks, with or without checks of its own.
func TestPagesThatLoadChecksInTheirOwnWay(t *testing.T) {
	files := site{
		"app.js": "export " + loop("app"), "classic.js": loop("classic"), "main.js": `import("./app.js")`,
		"loader.js": `document.head.append(Object.assign(document.createElement("script"), { src: "class" + "ic.js" }))`,
	}
	for page, want := range map[string]bool{
		`<script type=module>import{app}from"./app.js";app(1)</script>`: true,
		`<script>import("./app.js")</script>`:                           true,
		`<script>load("class"+"ic.js")</script>`:                        true,
		`<script type=module src=main.js></script>`:                     true,
		`<script src=loader.js></script>`:                               true,

		`<script src=https://other.example/x.js></script>`: false,
		`<script type=application/json>{}</script>`:        false,
		`<script nomodule src=classic.js></script>`:        false,
		`<p>`: false,
	} {
		out := memorySite(t, files.with("index.html", page), Options{})["index.html"]
		if got := strings.Contains(out, "fieldprof/runtime.js"); got != want {
			t.Errorf("that %s has the runtime is %v: %s", page, got, out)
		}
	}
	clean := memorySite(t, site{"index.html": `<script src=a.js></script>`, "a.js": "b()"}, Options{})["index.html"]
	if strings.Contains(clean, "fieldprof") {
		t.Errorf("where no script has checks: %s", clean)
	}
}

// A part is inserted at addresses that are not its own, where the URL of a tag would lead elsewhere. Its scripts find
// the runtime of the page.
func TestPartsOfPagesHaveNoRuntime(t *testing.T) {
	files := site{"index.html": `<!doctype html><script src=app.js></script>`, "app.js": loop("app")}
	for _, part := range []string{`<p>a part</p><script src=app.js></script>`, `a part<script>` + loop("inline") + `</script>`} {
		for rate, what := range map[float64]string{0: "profiled", 0.5: "sampled"} {
			out := memorySite(t, files.with("part.html", part), Options{Sample: rate})
			if strings.Contains(out["part.html"], "<script class") || strings.Contains(out["part.html"], Folder+"/") {
				t.Errorf("%s: %s becomes %s", what, part, out["part.html"])
			}
			must.Contain(t, "the page of a "+what+" part", out["index.html"], Folder+"/")
		}
	}
	out := memorySite(t, files.with("part.html", `a part<script>`+loop("inline")+`</script>`), Options{})
	must.Contain(t, "a part", out["part.html"], "=(globalThis.__fieldprof||0).flag||[0,0]);")
}

// A file that looks like a part is a page if no other page can insert it, or if servers show it for a folder.
func TestPagesThatBeginWithContent(t *testing.T) {
	const text = `<div id=app></div><script src=app.js></script>`
	for _, files := range []site{
		{"page.html": text}, {"page.html": text, "other.html": text},
		{"index.html": text}, {"index.html": text, "other.html": "<!doctype html>"},
	} {
		out := memorySite(t, files.with("app.js", loop("app")), Options{})
		for name := range files {
			if name != "app.js" && files[name] == text {
				must.Contain(t, name, out[name], "<script src=\"./"+Folder+"/runtime.js\"")
			}
		}
	}
}

// From another host a browser takes no file by its hash unless it is asked for with CORS, to which a host
// answers that answers its neighbours.
func TestPoliciesAllowARuntimeFromElsewhere(t *testing.T) {
	const host = "https://cdn.example/app/"
	files := site{"app.js": loop("app")}
	for _, c := range []struct{ page, want string }{
		{`<script src=` + host + `app.js></script>`, ""},
		{`<script crossorigin src=` + host + `app.js></script>`, ` crossorigin="" integrity`},
		{`<script crossorigin=use-credentials src=` + host + `app.js></script>`, ` crossorigin="use-credentials" integrity`},
		{`<script type=module src=` + host + `app.js></script>`, ` crossorigin="" integrity`},
		{`<script integrity=` + sha256Of(files["app.js"]) + ` src=` + host + `app.js></script>`, ` integrity`}, // the host is the page's
		{`<script>` + loop("inline") + `</script>`, ` crossorigin="" integrity`},
		{`<script src=app.js></script>`, ` integrity`},
	} {
		for rate, what := range map[float64]string{0: "profiled", 0.5: "sampled"} {
			page := `<!doctype html><meta http-equiv=Content-Security-Policy content="script-src https://cdn.example">` + c.page
			written := memorySite(t, files.with("index.html", page), Options{PublicPath: host, Sample: rate})
			out, at := written["index.html"], Folder+"/runtime.js"
			if rate > 0 {
				at = variant(at)
			}
			hash := sha256Of(written[at])
			_, tag, _ := strings.Cut(out, Folder+`/runtime.js"`)
			tag, _, _ = strings.Cut(tag, ">")
			tag, _, _ = strings.Cut(strings.Replace(tag, classOfOurs, "", 1), `="sha256`)
			tag, _, _ = strings.Cut(tag, `'`) // of the chooser
			if what == "sampled" && strings.Contains(c.page, "<script>") {
				continue // no chooser
			}
			if tag != c.want || strings.Contains(out, "'"+hash+"'") != strings.Contains(c.want, "integrity") {
				t.Errorf("%s %s asks for the runtime with%s, not%s: %s", what, c.page, tag, c.want, out)
			}
		}
	}
}

// Only classic scripts heed nomodule.
func TestModulesHeedNoNomodule(t *testing.T) {
	files := site{"app.js": "export " + loop("app")}
	out := memorySite(t, files.with("index.html", `<script type=module nomodule src=app.js></script><script type=module nomodule>`+loop("inline")+`</script>`), Options{Embed: []string{"app.js"}})
	must.Contain(t, "the module", out["app.js"], ".c.c(")
	must.Contain(t, "the page", out["index.html"], ".c.c(", Folder+"/runtime.js", `<link rel="modulepreload"`)
}

// A page whose scripts have what the header Integrity-Policy demands has it for the runtime.
func TestTheRuntimeIsVouchedForAsItsNeighbours(t *testing.T) {
	const app = "export function app(n) { while (n--); }"
	vouched := ` integrity="` + sha384(app) + `" crossorigin`
	plain := memorySite(t, site{"app.js": app, "index.html": `<script type=module src=app.js></script>`}, Options{})
	hash := sha256Of(plain["fieldprof/runtime.js"])
	for attributes, want := range map[string]string{
		vouched:                            `<script defer="" src="./fieldprof/runtime.js" crossorigin="" class="fieldprof" integrity="` + hash + `">`,
		vouched + "=use-credentials":       `<script defer="" src="./fieldprof/runtime.js" crossorigin="use-credentials" class="fieldprof" integrity="` + hash + `">`,
		` integrity="` + sha384(app) + `"`: `<script defer="" src="./fieldprof/runtime.js" class="fieldprof">`,
		` crossorigin`:                     `<script defer="" src="./fieldprof/runtime.js" class="fieldprof">`,
	} {
		out := memorySite(t, site{"app.js": app, "index.html": `<!doctype html><script type=module src=app.js` + attributes + `></script>`}, Options{})
		must.Contain(t, attributes, out["index.html"], want)
	}
}

// In a shadow root no script can tell its own element, and the runtime could not take its out: it comes before the root, and so
// before every script.
func TestRuntimeOfPagesWithShadowRoots(t *testing.T) {
	const root = `<template shadowrootmode=open><p><slot></slot><script>` + "f()" + `</script></p></template>`
	for _, last := range []string{`<script src=app.js></script>`, `<script type=module src=app.js></script>`} {
		in := site{"app.js": loop("app"), "index.html": `<!doctype html><div>` + root + `</div>` + last}
		const runtime = `<script src="./fieldprof/runtime.js" class="fieldprof"></script>`
		must.Contain(t, "the page", memorySite(t, in, Options{})["index.html"], `<!doctype html><div>`+runtime+root)
		must.Contain(t, "the sampled page", memorySite(t, in, Options{Sample: 0.5})["index.html"], root+`</div><script>var fieldprofSampled`)
		served := serve(t, ServedPage{Text: []byte(in["index.html"])}, ServeOptions{Scripts: []string{`src="/x.js"`}})
		must.Contain(t, "the served page", string(served.Text), `<div><script src="/x.js" class="fieldprof"></script>`+root)
	}
	in := site{"app.js": loop("app"), "index.html": `<!doctype html><p><template shadowrootmode=closed><script defer src=app.js></script></template></p>`}
	must.Contain(t, "the page with a deferred script", memorySite(t, in, Options{})["index.html"], `<p><script defer="" src="./fieldprof/runtime.js" class="fieldprof"></script><template`)
	must.Contain(t, "the sampled page with a named script", memorySite(t, in, Options{Sample: 0.5})["index.html"], `<p><script>var fieldprofSampled`)
}
