package sdk

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

func TestMain(m *testing.M) { browser.MainOnce(m) }

// An app is an application with its SDK, and how it is served.
type app struct {
	script   string // in testdata
	query    string // of its page
	isolated bool
	clock    bool   // time passes only where the application lets it (testdata/clock.js)
	native   bool   // a browser's own Profiler comes first
	comment  bool   // the script has a debugId comment, in addition to the snippets
	version  string // a query of the script
	quota    string // the answer of Datadog's quota endpoint; empty: yes
	browser  string // the one that is enough for it; empty: all of them
}

// deploy bundles an application with its SDK and instruments it.
func (a app) deploy(t *testing.T) (dir string) {
	t.Helper()
	fixtures.EnsureIn(t, filepath.Join(fixtures.Dir(), "../test/sdk"))
	dist := t.TempDir()
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{filepath.Join("testdata", a.script)}, Outfile: filepath.Join(dist, "app.js"),
		Alias:  adapters(),
		Bundle: true, Format: api.FormatIIFE, Platform: api.PlatformBrowser, Target: api.ES2022, Write: true,
		Define: map[string]string{"process.env.NODE_ENV": `"production"`}, LogLevel: api.LogLevelSilent,
	})
	for _, m := range result.Errors {
		t.Fatalf("%s: %s", a.script, m.Text)
	}
	app := filepath.Join(dist, "app.js")
	must.WriteFile(t, app, withDebugID(string(must.Get(os.ReadFile(app))(t)), a.comment))
	page := doctype + `<meta charset="utf-8"><title>` + a.script + `</title><script src="app.js` + a.version + `" defer></script>` + "\n"
	must.Write(t, dist, "index.html", page)
	dir = browser.Instrument(t, builddir.Options{Input: dist, Selection: transform.Selection{Preset: transform.Fine}, Runtime: runtime.Options{Prefer: map[bool]string{false: "polyfill", true: "native"}[a.native]}})
	if a.clock { // before the runtime, and without checks
		index := filepath.Join(dir, "index.html")
		instrumented := string(must.Get(os.ReadFile(index))(t))
		clock := string(must.Get(os.ReadFile("testdata/clock.js"))(t))
		must.WriteFile(t, index, strings.Replace(instrumented, doctype, doctype+"<script>"+clock+"</script>", 1))
	}
	return dir
}

const debugID = "85314830-023f-4cf1-a267-535f4e37bb17"

// withDebugID does to a script what the vendors' build tools do: snippets that note the id
// in the page, and, with some, a comment.
func withDebugID(code string, comment bool) string {
	const sentry = `!function(){try{var e="undefined"!=typeof window?window:{},n=(new e.Error).stack;n&&(e._sentryDebugIds=e._sentryDebugIds||{},e._sentryDebugIds[n]="` + debugID + `")}catch(e){}}();`
	const datadog = `(function(c,n){try{if(typeof window==='undefined')return;var w=window,m=w[n]=w[n]||{},s=new Error().stack;s&&(m[s]=c)}catch(e){}})({"ddDebugId":"` + debugID + `"},"DD_SOURCE_CODE_CONTEXT");`
	if comment {
		code += "\n//# debugId=" + debugID + "\n"
	}
	return sentry + "\n" + datadog + "\n" + code
}

const doctype = "<!doctype html>"

// adapters are the adapters of @fieldprof/runtime, by the names that applications import.
func adapters() map[string]string {
	alias := map[string]string{}
	for _, name := range []string{"sentry", "datadog"} {
		source, err := filepath.Abs("../../runtime/src/entry/" + name + ".ts")
		if err != nil {
			panic(err)
		}
		alias["@fieldprof/runtime/"+name] = source
	}
	return alias
}

// ingest takes what an SDK sends.
type ingest struct {
	requests chan request
	quota    string
}

type request struct {
	path string // of a proxy: the path that it is to forward to
	kind string // Content-Type
	body []byte
}

func (i *ingest) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	to := r.URL.Path
	if forward, err := url.Parse(r.FormValue("ddforward")); err == nil && forward.Path != "" {
		to = forward.Path
	}
	w.Header().Set("Content-Type", "application/json")
	if strings.HasSuffix(to, "/quota") {
		io.WriteString(w, cmp.Or(i.quota, `{"data":{"attributes":{"admitted":true,"reason":"quota_ok"}}}`))
		return
	}
	io.WriteString(w, "{}")
	select {
	case i.requests <- request{to, r.Header.Get("Content-Type"), body}:
	default: // more than anyone waits for
	}
}

// wait returns the first profile that read finds in a request; the limit only ends hanging
// tests.
func wait[P any](t *testing.T, i *ingest, read func(r request) (P, bool)) (profile P) {
	t.Helper()
	var seen []string
	for late := time.After(5 * time.Minute); ; {
		select {
		case r := <-i.requests:
			if profile, ok := read(r); ok {
				return profile
			}
			seen = append(seen, r.path)
		case <-late:
			t.Fatalf("no profile was sent, only requests to %q", seen)
		}
	}
}

// place is where a function of the deployed script is defined: at its (.
func place(t *testing.T, dir, function string) (line, column int) {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join(dir, "app.js")))(t)
	head := "function " + function + "("
	before, _, found := bytes.Cut(text, []byte(head))
	if !found {
		t.Fatalf("app.js defines no %s", function)
	}
	return bytes.Count(before, []byte("\n")) + 1, len(before) - (bytes.LastIndexByte(before, '\n') + 1) + len(head)
}

// drive runs an application in the browsers and passes the requests of each to check, once
// the application has reported that it is done.
func drive(t *testing.T, a app, check func(t *testing.T, i *ingest, dir, url string)) {
	t.Helper()
	dir := a.deploy(t)
	run := func(t *testing.T, b *browser.Browser) {
		i := &ingest{make(chan request, 100), a.quota}
		site := browser.Serve(t, browser.Site{Files: os.DirFS(dir), Isolated: a.isolated, Handler: i})
		page := b.Open(site.URL + "/index.html" + a.query)
		page.Wait("window.result")
		check(t, i, dir, site.URL+"/app.js")
		page.Quiet()
	}
	if a.browser != "" {
		browser.One(t, a.browser, run)
	} else {
		browser.Each(t, run)
	}
}

// own asserts that a function of the application is in a profile, with its position in the
// deployed script.
func own(t *testing.T, dir, url, name, resource string, line, column int) {
	t.Helper()
	wantLine, wantColumn := place(t, dir, name)
	if resource != url || line != wantLine || column != wantColumn {
		t.Errorf("%s is at %s:%d:%d, want %s:%d:%d", name, resource, line, column, url, wantLine, wantColumn)
	}
}

// sentryProfile is the relevant part of version 2 of Sentry's profile chunks.
type sentryProfile struct {
	Version string
	Meta    struct {
		Images []struct {
			File string `json:"code_file"`
			ID   string `json:"debug_id"`
		}
	} `json:"debug_meta"`
	Profile struct {
		Frames []struct {
			Function string
			AbsPath  string `json:"abs_path"`
			Lineno   int
			Colno    int
		}
		Stacks  [][]int
		Samples []struct {
			Stack     int `json:"stack_id"`
			Timestamp float64
		}
	}
}

func TestSentry(t *testing.T) {
	for name, a := range map[string]app{"alone": {comment: true}, "isolated": {isolated: true, version: "?v=3", browser: "firefox"}, "hidden": {query: "?hidden", browser: "webkit"}} {
		t.Run(name, func(t *testing.T) {
			a.script = "sentry.js"
			drive(t, a, checkSentry)
		})
	}
}

func checkSentry(t *testing.T, i *ingest, dir, url string) {
	chunk := wait(t, i, readEnvelope)
	p := chunk.Profile
	counts := map[string]int{}
	for n, s := range p.Samples {
		if n > 0 && s.Timestamp < p.Samples[n-1].Timestamp {
			t.Errorf("sample %d is at %v, before %v", n, s.Timestamp, p.Samples[n-1].Timestamp)
		}
		if since := time.Since(time.UnixMilli(int64(s.Timestamp * 1000))); since < -time.Second || since > time.Hour {
			t.Errorf("sample %d was taken %v ago", n, since)
		}
		if stack := p.Stacks[s.Stack]; len(stack) > 0 {
			counts[p.Frames[stack[0]].Function]++
		}
	}
	if chunk.Version != "2" || counts["measureRow"] == 0 {
		t.Errorf("a chunk of version %s has %d samples of %v", chunk.Version, len(p.Samples), counts)
	}
	if images := chunk.Meta.Images; len(images) != 1 || images[0].File != url || images[0].ID != debugID {
		t.Errorf("the chunk has the debug ids %v", images)
	}
	for _, name := range []string{"measureRow", "layOutRows"} {
		for _, f := range p.Frames {
			if f.Function == name {
				own(t, dir, url, name, f.AbsPath, f.Lineno, f.Colno)
			}
		}
	}
}

// readEnvelope finds a profile chunk in an envelope: lines of JSON, a head and
// then an item's head and body.
func readEnvelope(r request) (chunk sentryProfile, ok bool) {
	lines := bytes.Split(r.body, []byte("\n"))
	for n := 1; n+1 < len(lines); n += 2 {
		var head struct{ Type string }
		if json.Unmarshal(lines[n], &head) == nil && head.Type == "profile_chunk" {
			return chunk, json.Unmarshal(lines[n+1], &chunk) == nil
		}
	}
	return chunk, false
}
