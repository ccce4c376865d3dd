package site

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/transform/builddir"
)

// tree is a directory: texts by path.
type tree map[string]string

func (f tree) write(t testing.TB, dir string) {
	t.Helper()
	for p, text := range f {
		name := filepath.Join(dir, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// loop is a script with a function that gets checks.
func loop(name string) string {
	return "function " + name + "(n) { while (n--); return n; }\n"
}

// app is a small build.
var app = tree{
	"index.html":      "<!doctype html><meta charset=utf-8><title>x</title><script src=app.js></script><script>" + loop("inline") + "</script><script type=module src=m.mjs></script>\n",
	"app.js":          loop("app") + "//# sourceMappingURL=app.js.map\n",
	"app.js.map":      `{"version":3,"sources":["../src/app.ts"],"sourcesContent":["the source of app"],"names":[],"mappings":"AAAA"}`,
	"m.mjs":           "export " + loop("m"),
	"worker.js":       loop("work"),
	"about.html":      "<title>about</title>",
	"deep/index.html": "<title>deep</title><script src=../app.js></script>",
	"style.css":       strings.Repeat("p { color: red }\n", 200),
	"data.bin":        strings.Repeat("0123456789", 1000),
	"x.wasm":          "\x00asm\x01\x00\x00\x00",
	"app.webmanifest": "{}",
	".env":            "SECRET=1",
	".git/config":     "secret",
}

// served is a site that runs, with a clock that the test moves.
type served struct {
	*Site
	t   testing.TB
	dir string
	url string

	mu    sync.Mutex
	time  time.Time
	lines []string
}

func (s *served) said() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.lines...)
}

// pass moves the clock past the pause between looks at the directory.
func (s *served) pass() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.time = s.time.Add(pause)
}

func serve(t testing.TB, o Options) *served {
	t.Helper()
	s := &served{t: t, dir: o.Input, time: time.Unix(1e9, 0)}
	o.Source = `to"ken`
	o.now = func() time.Time {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.time
	}
	o.Log = func(line string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.lines = append(s.lines, line)
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	var err error
	if s.Site, err = New(ctx, o); err != nil {
		t.Fatal(err)
	}
	s.own.contents["live.js"] = newContent([]byte("live()"))
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// serveTree serves a directory of its own.
func serveTree(t testing.TB, f tree, o Options) *served {
	t.Helper()
	o.Input = filepath.Join(t.TempDir(), "dist")
	f.write(t, o.Input)
	return serve(t, o)
}

// answer is what a request got.
type answer struct {
	status int
	http.Header
	body string
}

// client follows nothing and decodes nothing.
var client = &http.Client{
	Transport:     &http.Transport{DisableCompression: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// get asks for a path with headers, as "Name: value".
func (s *served) get(path string, headers ...string) answer {
	s.t.Helper()
	return s.ask("GET", path, headers...)
}

func (s *served) ask(method, path string, headers ...string) answer {
	s.t.Helper()
	r, err := http.NewRequest(method, s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			r.Host = value
		}
		r.Header.Set(name, value)
	}
	got, err := client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{got.StatusCode, got.Header, string(body)}
}

var buildOf = regexp.MustCompile(` data-build="\w+"|;self\.__fieldprofBuild="\w+"`)

// ofAnyBuild is a page or worker's script without the name of its build.
func ofAnyBuild(body string) string { return buildOf.ReplaceAllString(body, "") }

const tag = `<script src="/__fieldprof/live.js" data-source="to&#34;ken" class="fieldprof"></script>`

// The site serves the files that `instrument` writes, with the client in pages.
func TestServedIsWhatIsBuilt(t *testing.T) {
	s := serveTree(t, app, Options{})
	out := filepath.Join(t.TempDir(), "out")
	if _, err := builddir.Run(context.Background(), builddir.Options{Input: s.dir, Output: out}); err != nil {
		t.Fatal(err)
	}
	n := 0
	err := filepath.WalkDir(out, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		p, _ := filepath.Rel(out, name)
		p = filepath.ToSlash(p)
		want, err := os.ReadFile(name)
		if err != nil || strings.HasPrefix(p, ".") || p == "fieldprof/manifest.json" {
			return err
		}
		got := s.get("/" + p)
		body := ofAnyBuild(got.body)
		if strings.HasSuffix(p, ".html") {
			if strings.Count(body, tag) != 1 {
				t.Errorf("%s has the client %d times: %s", p, strings.Count(body, tag), body)
			}
			body = strings.Replace(body, tag, "", 1)
		}
		if got.status != 200 || body != string(want) {
			t.Errorf("%s: %d\n%s\nwant\n%s", p, got.status, body, want)
		}
		n++
		return nil
	})
	if err != nil || n < len(app) {
		t.Errorf("%d files: %v", n, err)
	}
}

// A build that is profiled already is served unchanged, with its compressed siblings.
func TestProfiledBuild(t *testing.T) {
	in, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	app.write(t, in)
	tree{"style.css.gz": "not really gzip", "app.js.br": "old"}.write(t, in)
	if _, err := builddir.Run(context.Background(), builddir.Options{Input: in, Output: out}); err != nil {
		t.Fatal(err)
	}
	s, clean := serve(t, Options{Input: out}), serveTree(t, app, Options{})
	for _, p := range []string{"/index.html", "/app.js", "/app.js.map", "/worker.js", "/fieldprof/runtime.js"} {
		if got, want := s.get(p), clean.get(p); ofAnyBuild(got.body) != ofAnyBuild(want.body) {
			t.Errorf("%s is\n%s\nfrom the clean build\n%s", p, got.body, want.body)
		}
		if got, want := s.get(p, "Sec-Fetch-Dest: worker", "Sec-Fetch-Mode: same-origin").body, clean.get(p, "Sec-Fetch-Dest: worker", "Sec-Fetch-Mode: same-origin").body; ofAnyBuild(got) != ofAnyBuild(want) {
			t.Errorf("%s for a worker is\n%s\nfrom the clean build\n%s", p, got, want)
		}
	}
	for _, url := range []string{"/", "/app.js", "/m.mjs"} {
		got, ok := s.Script("", s.url+url)
		want, ok2 := clean.Script("", clean.url+url)
		if !ok || !ok2 || len(got.Table.Functions) != len(want.Table.Functions) || got.Table.Functions[1].Name != want.Table.Functions[1].Name || got.Table.Functions[1].Start != want.Table.Functions[1].Start || (got.Map == nil) != (want.Map == nil) {
			t.Errorf("%s: %+v, from the clean build %+v", url, got, want)
		}
	}
	if got := s.get("/style.css", "Accept-Encoding: br, gzip"); got.Get("Content-Encoding") != "gzip" || got.body != "not really gzip" {
		t.Errorf("the sibling of style.css is not used: %+v", got)
	}
	if got := s.get("/app.js", "Accept-Encoding: br"); got.Get("Content-Encoding") != "br" || got.body == "old" {
		t.Errorf("the sibling of app.js: %+v", got)
	}
}

// A page is of a build, whose tables hold for what it sends, as long as the build is kept.
func TestOldBuilds(t *testing.T) {
	s := serveTree(t, app, Options{})
	now := func() string { return s.content.(*directory).now.id }
	first, url := now(), s.url+"/app.js"
	for i := range mostKept {
		tree{"app.js": loop(fmt.Sprint("changed", i))}.write(t, s.dir)
		s.pass()
		s.get("/app.js")
		if script, ok := s.Script(first, url); ok != s.Has(first) || ok != (i < mostKept-1) || ok && script.Table.Functions[1].Name != "app" {
			t.Errorf("%d builds later, the first has %+v", i+1, script.Table)
		}
	}
	if again := serveTree(t, app, Options{}); again.content.(*directory).now.id != first {
		t.Error("the same files are another build")
	}
	if script, ok := s.Script(now(), url); !ok || script.Table.Functions[1].Name != fmt.Sprint("changed", mostKept-1) {
		t.Errorf("the last one has %+v", script.Table)
	}
}

// A change is noticed at a request, not before the pause is over.
func TestRebuild(t *testing.T) {
	s := serveTree(t, app, Options{})
	tree{"app.js": loop("changed"), "other.css": "p {}"}.write(t, s.dir)
	if got := s.get("/app.js").body; !strings.Contains(got, "function app(") {
		t.Errorf("before the pause is over: %s", got)
	}
	s.pass()
	got := s.get("/app.js").body
	if !strings.Contains(got, "function changed(n) {var $r=") {
		t.Errorf("after the change: %s", got)
	}
	if script, ok := s.Script("", s.url+"/app.js"); !ok || script.Table.Functions[1].Name != "changed" {
		t.Errorf("its table is %+v", script.Table)
	}
	// A new script is never served unchanged.
	tree{"new.js": loop("fresh")}.write(t, s.dir)
	if got := s.get("/new.js").body; !strings.Contains(got, "_$f") {
		t.Errorf("a new script: %s", got)
	}
	// One that no build has makes none.
	other := t.TempDir()
	tree{"far.js": loop("far")}.write(t, other)
	if err := os.Symlink(other, filepath.Join(s.dir, "linked")); err != nil {
		t.Fatal(err)
	}
	s.pass()
	s.get("/app.js")
	before := s.content.(*directory).now
	if s.get("/linked/far.js"); s.content.(*directory).now != before {
		t.Error("a script of a linked folder makes a new build")
	}
	os.Remove(filepath.Join(s.dir, "new.js"))
	s.pass()
	if got := s.get("/new.js"); got.status != 404 {
		t.Errorf("a removed script: %+v", got)
	}
	// Another folder under the same name.
	if err := os.RemoveAll(s.dir); err != nil {
		t.Fatal(err)
	}
	tree{"app.js": loop("reborn")}.write(t, s.dir)
	s.pass()
	if got := s.get("/app.js").body; !strings.Contains(got, "function reborn(") {
		t.Errorf("in a new folder: %s", got)
	}
}

// A build that fails leaves the last good one in place, and says so once.
func TestFailedBuild(t *testing.T) {
	s := serveTree(t, app, Options{})
	before := s.get("/app.js").body
	tree{"app.js": loop("changed"), "fieldprof/runtime.js": "mine"}.write(t, s.dir)
	for range 3 {
		s.pass()
		if got := s.get("/app.js").body; got != before {
			t.Errorf("after the failure: %s", got)
		}
	}
	if lines := s.said(); len(lines) != 1 || !strings.Contains(lines[0], "rename yours") || !strings.Contains(lines[0], "the last build that worked") {
		t.Errorf("it says %q", lines)
	}
	if got := s.get("/__fieldprof/live.js").body; !strings.HasPrefix(got, "live()\n;console.warn(\"fieldprof: ") {
		t.Errorf("pages say %s", got)
	}
	os.RemoveAll(filepath.Join(s.dir, "fieldprof"))
	s.pass()
	if got := s.get("/app.js").body; !strings.Contains(got, "function changed(") {
		t.Errorf("repaired: %s", got)
	}
	if got := s.get("/__fieldprof/live.js").body; got != "live()" {
		t.Errorf("pages still say %s", got)
	}
	os.RemoveAll(s.dir)
	s.pass()
	if got := s.get("/app.js").body; !strings.Contains(got, "function changed(") {
		t.Errorf("without the folder: %s", got)
	}
}

// A script that cannot be read is served unchanged, and the warning comes once.
func TestScriptThatCannotBeRead(t *testing.T) {
	s := serveTree(t, tree{"index.html": "<script src=a.js></script>", "a.js": "var ;"}, Options{})
	for range 3 {
		if got := s.get("/a.js").body; got != "var ;" {
			t.Errorf("it is %s", got)
		}
		tree{"b.js": strings.Repeat(loop("b"), len(s.said())+1)}.write(t, s.dir)
		s.pass()
	}
	if lines := s.said(); len(lines) != 1 || !strings.Contains(lines[0], "a.js:1:5") {
		t.Errorf("it says %q", lines)
	}
}

func TestSitesThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]Options{
		"name the directory": {}, "no such file": {Input: file + "x"}, "is not a directory": {Input: file}, "choose one": {Input: ".", Proxy: "http://localhost"},
		"is not a glob": {Input: ".", Exclude: []string{"[x"}}, "must not be negative": {Input: "."},
	} {
		if want == "must not be negative" {
			o.MinStatements = -1
		}
		if _, err := New(context.Background(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", o, err, want)
		}
	}
}

// A first build that fails is an error, and a directory that is empty is none.
func TestEmptyDirectory(t *testing.T) {
	s := serve(t, Options{Input: t.TempDir(), SPA: true})
	if got := s.get("/", "Sec-Fetch-Dest: document"); got.status != 404 {
		t.Errorf("%+v", got)
	}
}
