package deploy

import (
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
)

// A page of the cases below counts as run when it calls ran, which every script
// does with its name: a script's by its URL, an inline one's by a word. Each
// script has a check, for a name alone would leave it clean.
const ran = `<link rel=icon href=data:,><script>ran = []; function did(name) { ran.push(name.replace(location.origin, '')) }</script>`

func classic() string {
	return "(function (n) { while (n--); })(9); did(document.currentScript ? document.currentScript.src : 'nobody');"
}

func module() string { return "(function (n) { while (n--); })(9); did(import.meta.url);" }

// chooserCase is a page, by what is special about it. The original, the clean
// and the profiled page must do the same.
type chooserCase struct {
	name, page string
	header     http.Header
	// clean: even a session that insists is clean, for nothing can be written.
	clean bool
	// reports: the policy speaks of what it refused, on the console or as an
	// error.
	reports bool
}

// order reads what ran; scripts that are async run whenever they can.
const order = `ran.filter((name) => !name.includes('async')).concat(ran.filter((name) => name.includes('async')).sort())`

var chooserCases = []chooserCase{
	{name: "every kind", page: `<!doctype html><title>x</title>` + ran + `<script src="a.js"></script><script>did('inline 1')</script>
<script defer src="b.js"></script><script async src="async.js"></script><script type="module" src="m.mjs"></script>
<script nomodule src="old.js"></script><script type="module" async src="async.mjs"></script><body><p>text</p><script src="c.js"></script>
<script>did('inline 2')</script><div><script src='d.js' id="d" data-x="y"></script></div><script src=e.js defer></script><script type=module>did('inline module')</script>`},
	{name: "relative chunks", page: `<!doctype html>` + ran + `<script src=a.js></script><script type=module src=/sub/entry.mjs></script>`},
	{name: "global chunks", page: `<!doctype html>` + ran + `<script src=loader.js></script>`},
	{name: "loaders that know scripts by their src", page: `<!doctype html>` + ran + `<script>did.chunks = {}</script><script src=/known.js async></script>
<script>addEventListener('load', () => did('knows ' + Object.keys(did.chunks).join() + document.querySelector('script[defer]').getAttribute('SRC')))</script><script defer src=/a.js></script>`},
	{name: "quirks", page: `<html>` + ran + `<body><p>no doctype<table><tr><td>x<script src=a.js></script></table><center><script src=b.js></script>`},
	{name: "XHTML-ish", page: `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><meta charset="utf-8" />` + ran + `<script type="text/javascript" src="a.js" ></script>
<script type="text/javascript">//<![CDATA[
did('cdata');
//]]></script></head><body><br /><script type="text/javascript" src="b.js" charset="utf-8"></script></body></html>`},
	{name: "comments", page: `<!doctype html>` + ran + `<!-- before --><script src=a.js></script><!-- between --> <!--[if IE]><script src=never.js></script><![endif]-->
<!--[if !IE]><!--><script src=b.js></script><!--<![endif]--><script src=c.js>ends --> a comment <!-- begins --!> one</script><script src=d.js><!-- <script> x </script> --></script><p>end`},
	{name: "in the head", page: `<!doctype html><html><head><title>x</title>` + ran + `<script src=a.js></script></head><body class=x><p>y</body></html>`},
	{name: "base", page: `<!doctype html><base href="/sub/">` + ran + `<script src="../a.js"></script><script type=module src="m.mjs"></script>`},
	{name: "integrity", page: `<!doctype html>` + ran + `<script src=a.js integrity="` + browser.Hash(classic()) + `"></script><script type=module integrity=` + browser.Hash(module()) + ` src=m.mjs></script>`},
	{name: "policy with hashes", page: `<!doctype html>` + ran + `<meta http-equiv=Content-Security-Policy content="script-src 'self' '` + browser.Hash("did('inline')") + `'">` +
		`<script src=a.js></script><script>did('inline')</script><script defer src=b.js></script>`},
	{name: "strict-dynamic with hashes", page: `<!doctype html>` + ran + `<meta http-equiv=Content-Security-Policy content="script-src 'strict-dynamic' '` + browser.Hash(classic()) + `'">` +
		`<script src=a.js integrity=` + browser.Hash(classic()) + `></script>`},
	{name: "strict-dynamic with a nonce", header: http.Header{"Content-Security-Policy": {"script-src 'nonce-r4nd0m' 'strict-dynamic'; object-src 'none'"}},
		page: `<!doctype html>` + strings.Replace(ran, "<script", "<script nonce=r4nd0m", 1) + `<script nonce=r4nd0m src=a.js></script><script nonce="r4nd0m" defer src=b.js></script><script type=module nonce=r4nd0m src=m.mjs></script>`},
	{name: "a nonce on some", header: http.Header{"Content-Security-Policy": {"script-src 'self' 'nonce-r4nd0m'"}},
		page: `<!doctype html>` + strings.Replace(ran, "<script", "<script nonce=r4nd0m", 1) + `<script src=a.js></script><script nonce="r4nd0m">did('inline')</script>`},
	{name: "no inline scripts", header: http.Header{"Content-Security-Policy": {"script-src 'self'"}}, clean: true, reports: true,
		page: `<!doctype html><script src=did.js></script><script src=a.js></script><script type=module src=m.mjs></script>`},
	{name: "trusted types", header: http.Header{"Content-Security-Policy": {"require-trusted-types-for 'script'"}}, clean: true, reports: true,
		page: `<!doctype html>` + ran + `<script src=a.js></script><script defer src=b.js></script>`},
}

// files are what the pages name.
func (c *chooserCase) files() site {
	s := site{"index.html": c.page, "did.js": "ran = []; function did(name) { ran.push(name.replace(location.origin, '')) }"}
	for _, name := range []string{"a.js", "b.js", "c.js", "d.js", "e.js", "async.js", "old.js"} {
		s[name] = classic()
	}
	for _, name := range []string{"m.mjs", "async.mjs", "sub/m.mjs", "sub/lazy.mjs"} {
		s[name] = module()
	}
	s["sub/entry.mjs"] = "import './m.mjs'; " + module() + " import('./lazy.mjs');"
	// As webpack's chunks are, with an absolute public path: the clean chunk
	// comes, and finds the loader by a global name.
	s["loader.js"] = classic() + `var modules = { shared: function () { did('shared, once') } };
		(self.webpackChunk = []).push = function (chunk) { chunk(function (name) { modules[name](); }); };
		document.head.appendChild(document.createElement('script')).src = '/chunk.js';`
	// As Turbopack's chunks do.
	s["known.js"] = "(function (n) { while (n--); })(9); did.chunks[document.currentScript.getAttribute('src')] = 1;"
	s["chunk.js"] = "(function (n) { while (n--); })(9); webpackChunk.push(function (require) { require('shared'); });"
	return s
}

// policy finds the text of a policy, which names the choosers.
var policy = regexp.MustCompile(`content="script-src[^"]*"`)

// seen is what a page did.
type seen struct {
	ran     []string
	dom     string
	sampled bool
	fetched []string
	said    browser.Said
}

func (c *chooserCase) visit(b *browser.Browser, t *testing.T, dir, query string) seen {
	t.Helper()
	files := watch(dir)
	server := browser.Serve(t, browser.Site{Files: files, Header: c.header})
	page := b.Open(server.URL + "/index.html" + query)
	page.Wait("document.readyState === 'complete' && typeof ran !== 'undefined' && !(document.querySelector('[src*=entry]') && ran.length < 4) && !(document.querySelector('[src*=loader],[src*=known]') && ran.length < 2)")
	return seen{
		ran:     must.JSON[[]string](t, page.Eval(order)),
		dom:     policy.ReplaceAllString(must.JSON[string](t, page.Eval("document.documentElement.outerHTML")), ""),
		sampled: string(page.Eval("typeof fieldprofSampled === 'boolean' && fieldprofSampled")) == "true",
		fetched: files.scripts(),
		said:    page.Said(),
	}
}

// inTurn are the browsers that share the cases in which only our HTML differs.
var inTurn = []string{"chromium", "firefox", "webkit"}

func TestChoosers(t *testing.T) {
	for i, c := range chooserCases {
		t.Run(c.name, func(t *testing.T) {
			dir := c.files().write(t)
			output := instrument(t, dir, 0.5)
			browser.Every(t, func(t *testing.T, b *browser.Browser) {
				if c.header == nil && !strings.Contains(c.page, "Content-Security-Policy") && i > 0 && b.Name != inTurn[i%len(inTurn)] && os.Getenv("FIELDPROF_FULL") == "" {
					t.Skip("SKIPPED: without a policy one browser is enough; FIELDPROF_FULL=1 has all")
				}
				original := c.visit(b, t, dir, "?fieldprof=0")
				clean := c.visit(b, t, output, "?fieldprof=0")
				sampled := c.visit(b, t, output, "?fieldprof=1")
				c.judgeClean(t, clean, original)
				if c.clean && !(c.name == "trusted types" && sampled.sampled) { // not every browser has them
					c.judgeClean(t, sampled, original)
					return
				}
				judgeSampled(t, sampled, original)
			})
		})
	}
}

// judgeClean: a clean page is the original one, and knows nothing of the
// profiled variant.
func (c *chooserCase) judgeClean(t *testing.T, got, original seen) {
	t.Helper()
	if !slices.Equal(got.ran, original.ran) {
		t.Errorf("clean: %q ran, want %q", got.ran, original.ran)
	}
	if !slices.Equal(got.fetched, original.fetched) {
		t.Errorf("clean: %q were fetched, want %q", got.fetched, original.fetched)
	}
	if got.sampled {
		t.Error("clean: fieldprofSampled is true")
	}
	if !c.reports && got.dom != original.dom {
		t.Errorf("clean: the document is\n%s\nwant\n%s", got.dom, original.dom)
	}
	for _, e := range got.said.Errors {
		if !c.reports || !strings.Contains(e, "Content-Security-Policy: ") { // where Firefox reports
			t.Error("clean:", e)
		}
	}
	if !c.reports && len(got.said.Console) > 0 {
		t.Errorf("clean: the console shows %v", got.said.Console)
	}
}

// judgeSampled: every script that has a variant runs as that, in the order of
// the original, and none as it was.
func judgeSampled(t *testing.T, got, original seen) {
	t.Helper()
	if !got.sampled {
		t.Error("sampled: fieldprofSampled is false")
	}
	want := slices.Clone(original.ran)
	for i, name := range want {
		if strings.HasPrefix(name, "/") {
			want[i] = "/" + profiled + name[1:]
		}
	}
	if !slices.Equal(got.ran, want) {
		t.Errorf("sampled: %q ran, want %q", got.ran, want)
	}
	for _, e := range got.said.Errors {
		t.Error("sampled:", e)
	}
	if len(got.said.Console) > 0 {
		t.Logf("sampled: the console shows %v", got.said.Console)
	}
	var nothing []string
	for _, name := range got.fetched {
		if !strings.HasPrefix(name, profiled) && slices.Contains(got.fetched, profiled+name) {
			nothing = append(nothing, name)
		}
	}
	t.Logf("fetched for nothing: %d of %d clean scripts %q", len(nothing), len(original.fetched), nothing)
}

// The scanner that finds scripts ahead of a slow one works in a clean page as
// it did: the first script is not answered before the last one is asked for.
func TestPreloadScanner(t *testing.T) {
	dir := site{
		"index.html": `<!doctype html>` + ran + `<script src=a.js></script><p>x<script src=b.js></script>`,
		"a.js":       classic(), "b.js": classic(),
	}.write(t)
	output := instrument(t, dir, 0.5)
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		files := &slow{watched: watch(output), t: t}
		server := browser.Serve(t, browser.Site{Files: files})
		b.Open(server.URL + "/index.html?fieldprof=0").Wait("ran.length === 2")
	})
}

// slow holds a.js back.
type slow struct {
	*watched
	t *testing.T
}

func (s *slow) ReadFile(name string) ([]byte, error) {
	if name == "a.js" {
		must.Happen(s.t, "b.js is asked for", func() bool { return slices.Contains(s.scripts(), "b.js") })
	}
	file, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	data := make([]byte, info.Size())
	_, err = file.Read(data)
	return data, err
}
