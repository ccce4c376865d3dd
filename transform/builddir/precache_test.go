package builddir

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/sourcemap"
)

// A service worker keeps the files of the copy, the runtime included.
func TestServiceWorkersKeepTheRuntime(t *testing.T) {
	page := `<script type="module" src="a.js"></script>`
	in := site{"app/index.html": page, "app/a.js": "export " + loop("a"), "app/a.css": "a{}"}
	entries := `{url:"a.css",revision:"` + md5Of([]byte("a{}")) + `"},{url:"index.html",revision:"` + md5Of([]byte(page)) + `"},{url:"a.js",revision:null}`
	in["app/sw.js"] = `define(["./workbox"],function(e){/* 😀 */e.precacheAndRoute([` + entries + `],{});` + loop("f") + `});` + "\n//# sourceMappingURL=sw.js.map\n"
	in["app/sw.js.map"] = `{"version":3,"sources":["sw.ts"],"names":[],"mappings":"AAAA,8CAA8C"}`
	in["dev.js"] = "self.precacheAndRoute([{\n  \"url\": \"/base/app/index.html\",\n  'revision': '" + md5Of([]byte(page)) + "'\n}]);"
	in["other.js"] = `x([{url:"nothing.js",revision:"` + md5Of([]byte(page)) + `"}]);` + loop("other")
	out, report := in.instrument(t, Options{})
	if len(report.Warnings) > 0 {
		t.Error(report.Warnings)
	}
	sw := out["app/sw.js"]
	must.Contain(t, "sw.js", sw,
		`([{url:"../fieldprof/runtime.js",revision:"`+md5Of([]byte(out["fieldprof/runtime.js"]))+`"},{url:"../fieldprof/checks.js",revision:"`+md5Of([]byte(out["fieldprof/checks.js"]))+`"},{url:"../fieldprof/module.js",revision:"`+md5Of([]byte(out["fieldprof/module.js"]))+`"},{url:"a.css"`,
		`{url:"a.css",revision:"`+md5Of([]byte("a{}")), `{url:"index.html",revision:"`+md5Of([]byte(out["app/index.html"])), `{url:"a.js",revision:null}`)
	if !embeds(strings.ReplaceAll(sw, md5Of([]byte(out["app/index.html"])), md5Of([]byte(page))), in["app/sw.js"]) {
		t.Error("sw.js is not in its copy")
	}
	m, err := sourcemap.Parse([]byte(out["app/sw.js.map"]))
	if err != nil || m.Source(0) != "sw.ts" {
		t.Errorf("the map of sw.js: %v", err)
	}
	must.Contain(t, "dev.js", out["dev.js"], `[{url:"/base/fieldprof/runtime.js"`, md5Of([]byte(out["app/index.html"])))
	if strings.Contains(out["other.js"], "[{url:\"./") || !strings.Contains(out["other.js"], md5Of([]byte(page))) {
		t.Errorf("other.js keeps nothing of the tree: %s", out["other.js"])
	}
}

// A service worker that is excluded keeps the same files, and has no checks.
func TestExcludedServiceWorkersKeepTheRuntime(t *testing.T) {
	page := `<script src="a.js"></script>`
	in := site{"index.html": page, "a.js": loop("a"), "plain.js": `x([{url:"a.js",revision:"1"}])`}
	in["sw.js"] = `precacheAndRoute([{url:"a.js",revision:"` + md5Of([]byte(loop("a"))) + `"},{url:"index.html",revision:"` + md5Of([]byte(page)) + `"}]);` + loop("f") + "//# sourceMappingURL=sw.js.map\n"
	in["sw.js.map"] = `{"version":3,"sources":["sw.ts"],"names":[],"mappings":"AAAA,oBAAoB"}`
	in["inline.js"] = in["sw.js"][:strings.Index(in["sw.js"], "//#")]
	for _, mapped := range []string{"sw.js", "inline.js"} {
		out, report := in.instrument(t, Options{Exclude: []string{"sw.js", "inline.js", "plain.js"}})
		list := `{url:"./fieldprof/runtime.js",revision:"` + md5Of([]byte(out["fieldprof/runtime.js"])) + `"},`
		must.Contain(t, mapped, out[mapped], "precacheAndRoute(["+list, `{url:"a.js",revision:"`+md5Of([]byte(out["a.js"]))+`"}`, `{url:"index.html",revision:"`+md5Of([]byte(out["index.html"]))+`"}`, loop("f"))
		if _, has := out[mapped+tableSuffix]; has || report.Instrumented != 2 || len(report.Warnings) > 0 {
			t.Errorf("%s is taken for instrumented: %d are, with %v", mapped, report.Instrumented, report.Warnings)
		}
	}
	out := memorySite(t, in, Options{Exclude: []string{"sw.js"}})
	before, after := must.Get(sourcemap.Parse([]byte(in["sw.js.map"])))(t), must.Get(sourcemap.Parse([]byte(out["sw.js.map"])))(t)
	if after.Source(0) != before.Source(0) || out["sw.js.map"] == in["sw.js.map"] {
		t.Errorf("the map of sw.js is %s", out["sw.js.map"])
	}
	if out := memorySite(t, in, Options{Exclude: []string{"sw.js"}, Sample: 0.5}); out["sw.js"] != in["sw.js"] {
		t.Error("the clean worker changed")
	}
	memorySite(t, in, Options{Exclude: []string{"*.js"}}) // nothing has checks
}

// Data that look like such a list are the program's own.
func TestDataLikeAPrecache(t *testing.T) {
	in := site{
		"app.js":     `const docs=[{url:"guide.html",revision:"12"},{url:"app.js",revision:"13"}];` + loop("render"),
		"guide.html": `<!doctype html><script src=app.js></script>`,
	}
	if out, _ := in.instrument(t, Options{}); !strings.Contains(out["app.js"], `docs=[{url:"guide.html"`) || strings.Contains(out["app.js"], "fieldprof/") {
		t.Errorf("the list became another: %s", out["app.js"])
	}
	for _, worker := range []string{
		`workbox.precacheAndRoute(LIST)`, `self.__WB_MANIFEST=LIST`, `self.__precacheManifest=(self.__precacheManifest||[]).concat(LIST)`,
		`importScripts("w.js");keep(LIST)`, `addEventListener('install',()=>keep(LIST))`, `self.skipWaiting();keep(LIST)`, `self.oninstall = () => keep(LIST)`,
	} {
		in["sw.js"] = strings.Replace(worker, "LIST", `[{url:"guide.html",revision:"12"}]`, 1)
		if out, _ := in.instrument(t, Options{}); !strings.Contains(out["sw.js"], `[{url:"./fieldprof/runtime.js"`) {
			t.Errorf("the runtime is not on the list: %s", out["sw.js"])
		}
	}
}

// A worker may have its list in a script of its own, wherever that is: its URLs are the worker's.
func TestListsBesideTheirWorkers(t *testing.T) {
	const list = `[{url:"guide.html",revision:"12"}]`
	in := site{
		"guide.html":   `<!doctype html><script src=app.js></script>`,
		"app.js":       `importScripts&&importScripts("b/c/none.js");` + loop("app"),
		"b/c/none.js":  `self.list=` + list,
		"b/c/files.js": `self.files=` + list,
		"b/names.js":   `import"./more.js";export const names=1`,
		"b/more.js":    `export const more=` + list,
		"b/page.js":    `export const docs=` + list,
		"classic.js":   `importScripts("other.js",'./b/c/files.js');oninstall=()=>keep(files)`,
		"modern.js":    `import{names}from"./b/names.js";addEventListener("install",()=>keep(names))`,
		"index.js":     `import"./b/page.js";` + loop("index"),
	}
	out, _ := in.instrument(t, Options{})
	for _, p := range []string{"b/c/files.js", "b/more.js"} {
		must.Contain(t, p, out[p], `[{url:"./fieldprof/runtime.js",revision:`, list[1:])
	}
	for _, p := range []string{"b/c/none.js", "b/page.js"} {
		must.Contain(t, p, out[p], list)
	}
}

// The lists of tools other than Workbox have the revisions of changed files, too: else visitors keep the old ones. A file
// whose name has such a digest keeps its name.
func TestRevisionsInOtherLists(t *testing.T) {
	in := site{"app.js": loop("app"), "index.html": `<!doctype html><script src=app.js></script>`, "style.css": "p{}"}
	hash := func(p string) string { return md5Of([]byte(in[p])) }
	in["img/"+hash("app.js")+".js"] = "named()"
	in["flutter_service_worker.js"] = `const RESOURCES = {"app.js": "` + hash("app.js") + `",` + "\n" + `"/": '` + hash("index.html") + `', "style.css": "` + hash("style.css") + `"};self.addEventListener("install", f);`
	in["service-worker.js"] = `var precacheConfig=[["/index.html","` + hash("index.html") + `"],["/img/` + hash("app.js") + `.js","` + hash("style.css") + `"]];`
	in["offline.js"] = `var hashes={"` + sha1Of([]byte(in["app.js"])) + `":"./app.js"};self.oninstall=f;` + loop("offline")
	in["page.js"] = `var id="` + hash("app.js") + `"`
	out, report := in.instrument(t, Options{})
	if len(report.Warnings) > 0 {
		t.Error(report.Warnings)
	}
	is := func(p string) string { return md5Of([]byte(out[p])) }
	must.Contain(t, "Flutter's worker", out["flutter_service_worker.js"], `"app.js": "`+is("app.js")+`"`, `"/": '`+is("index.html")+`'`, `"style.css": "`+hash("style.css")+`"`)
	must.Contain(t, "sw-precache's worker", out["service-worker.js"], `["/index.html","`+is("index.html")+`"]`, `["/img/`+hash("app.js")+`.js"`)
	must.Contain(t, "offline-plugin's worker", out["offline.js"], `{"`+sha1Of([]byte(out["app.js"]))+`":"./app.js"}`)
	must.Contain(t, "the page's script", out["page.js"], hash("app.js"))
	if sampled, _ := in.instrument(t, Options{Sample: 0.5}); sampled["flutter_service_worker.js"] != in["flutter_service_worker.js"] {
		t.Error("the clean worker changed")
	}
}

// Digests are found at every place of a text.
func TestHoldsHexes(t *testing.T) {
	for _, n := range []int{shortestHex - 1, shortestHex, 2*shortestHex - 1, 2 * shortestHex, 200} {
		for before := range 2*shortestHex + 2 {
			for _, gap := range []string{"-", "ab-", "x"} {
				text := strings.Repeat(gap, before) + strings.Repeat("a", n) + "-"
				if got, want := holdsHexes([]byte(text)), n >= shortestHex; got != want {
					t.Errorf("%q: %v", text, got)
				}
			}
		}
	}
}

// Entries are found wherever the expression finds them in a text as a whole.
func TestPrecacheEntries(t *testing.T) {
	whole := regexp.MustCompile(strings.TrimPrefix(precacheEntry.String(), "^"))
	for _, text := range []string{
		"", "revision", "revision:", "{revision:null", "x={revision:1}",
		`[{url:"a",revision:"1"},{url:"b",revision:null},{ "revision" : "2" , 'url' : 'c{d' , more:1}]`,
		`{revision:"x",{url:"{{a",revision:"1"}{url:"b",revision:"2"},revision:"3"`,
		`{revision:null,revision:null}{url:"a",revision:null`,
		"{url:'\n',\nrevision:\n'1'}" + strings.Repeat("x", precacheReach) + `{revision:null,url:"` + strings.Repeat("y", 2000) + `"}`,
		strings.Repeat(`{"revision":`, 1000) + `{"url":"a","revision":"b"}`,
		strings.Repeat("{", 1<<20) + "revision:" + strings.Repeat(" ", 1<<20),
	} {
		got, want := precacheEntries([]byte(text)), whole.FindAllSubmatchIndex([]byte(text), -1)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%.100s: %v, want %v", text, got, want)
		}
	}
}

func TestAngularKeepsTheRuntime(t *testing.T) {
	in := site{"main.js": loop("main"), "a.png": "png"}
	in["index.html"] = `<script src="main.js"></script>`
	in["ngsw.json"] = `{"assetGroups": [{"name": "pictures", "urls": ["/sub/a.png"]}, {"urls": [
		"/sub/index.html", "/sub/main.js"], "patterns": []}], "hashTable": {"/sub/index.html": "` + sha1Of([]byte(in["index.html"])) + `", "/sub/main.js": "` + sha1Of([]byte(in["main.js"])) + `"}}`
	out, _ := in.instrument(t, Options{})
	var got struct {
		AssetGroups []struct{ URLs []string }
		HashTable   map[string]string
	}
	must.Do(t, json.Unmarshal([]byte(out["ngsw.json"]), &got))
	if urls := got.AssetGroups[1].URLs; len(urls) != 5 || len(got.AssetGroups[0].URLs) != 1 {
		t.Errorf("the lists are %v", got.AssetGroups)
	}
	for url, p := range map[string]string{"/sub/index.html": "index.html", "/sub/main.js": "main.js", "/sub/fieldprof/checks.js": "fieldprof/checks.js", "/sub/fieldprof/runtime.js": "fieldprof/runtime.js"} {
		if got.HashTable[url] != sha1Of([]byte(out[p])) {
			t.Errorf("the hash of %s is %q", url, got.HashTable[url])
		}
	}
}

// The map of a service worker moves on the line where the list is, as JavaScript counts lines.
func TestPrecacheAfterLineSeparators(t *testing.T) {
	const src = "a;\u2028'😀',b"
	at := strings.Index(src, "b")
	_, moved, err := withPrecache([]byte(src), []byte(`{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA;KAEA"}`), at, "xyz,")
	must.Do(t, err)
	m := must.Get(sourcemap.Parse(moved))(t)
	if found, ok := m.Find(1, 9); !ok || found.Line != 2 {
		t.Errorf("b is at %v, its map is %s", found, moved)
	}
	if found, ok := m.Find(1, 5); ok && found.Line == 2 {
		t.Errorf("what is before b leads to b: %s", moved)
	}
}
