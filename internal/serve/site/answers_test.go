package site

import (
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
)

func TestTypes(t *testing.T) {
	s := serveTree(t, app, Options{})
	for path, want := range map[string]string{
		"/app.js": "text/javascript; charset=utf-8", "/m.mjs": "text/javascript; charset=utf-8", "/x.wasm": "application/wasm", "/app.webmanifest": "application/manifest+json",
		"/": "text/html; charset=utf-8", "/style.css": "text/css; charset=utf-8", "/app.js.map": "application/json", "/data.bin": "application/octet-stream", "/__fieldprof/checks.js": "text/javascript; charset=utf-8",
	} {
		if got := s.get(path).Header.Get("Content-Type"); path == "/data.bin" && got == "" || path != "/data.bin" && got != want {
			t.Errorf("%s is %s", path, got)
		}
	}
	latin := serveTree(t, tree{"index.html": "<meta charset=windows-1252><title>x"}, Options{})
	if got := latin.get("/").Header.Get("Content-Type"); got != "text/html; charset=windows-1252" {
		t.Errorf("a page of another character set is %s", got)
	}
}

// Every combination of encoding, range, condition, method and file is answered as HTTP
// says: the decoded body is the file, or the part that was asked for.
func TestCombinations(t *testing.T) {
	f := tree{"page.html": "<title>" + strings.Repeat("long ", 500), "s.js": strings.Repeat(loop("s"), 100), "s.css": strings.Repeat("p{}\n", 500), "tiny.css": "p{}", "b.png": strings.Repeat("0123456789", 300), "empty.txt": ""}
	for _, isolated := range []bool{false, true} {
		s := serveTree(t, f, Options{Isolated: isolated})
		for name := range f {
			plain := s.get("/" + name)
			for _, method := range []string{"GET", "HEAD"} {
				for _, encoding := range []string{"", "gzip", "gzip;q=0", "br, gzip;q=0.5", "identity", "GZIP", "gzipped"} {
					for _, ranged := range []string{"", "bytes=0-9", "bytes=5-", "bytes=-5", "bytes=999999-", "lines=1-2"} {
						for _, condition := range []string{"", "same", "other", "*", "range-same", "range-other"} {
							what := fmt.Sprint(name, " ", method, " encoding ", encoding, " range ", ranged, " condition ", condition)
							checkAnswer(t, s, plain, what, "/"+name, method, encoding, ranged, condition)
						}
					}
				}
			}
		}
	}
}

func checkAnswer(t *testing.T, s *served, plain answer, what, path, method, encoding, ranged, condition string) {
	t.Helper()
	var headers []string
	add := func(name, value string) {
		if value != "" {
			headers = append(headers, name+": "+value)
		}
	}
	add("Accept-Encoding", encoding)
	add("Range", ranged)
	tag := plain.Header.Get("ETag")
	if ranged == "" {
		tag = s.get(path, headers...).Header.Get("ETag")
	}
	switch condition {
	case "same":
		add("If-None-Match", `"x", W/`+tag)
	case "other":
		add("If-None-Match", `"x"`)
	case "*":
		add("If-None-Match", "*")
	case "range-same":
		add("If-Range", tag)
	case "range-other":
		add("If-Range", `"x"`)
	}
	got := s.ask(method, path, headers...)
	if isolated := got.Header.Get("Cross-Origin-Opener-Policy") != ""; isolated != s.Isolated || got.Header.Get("Content-Security-Policy") != "" {
		t.Errorf("%s: its policies are %v", what, got.Header)
	}
	if condition == "same" || condition == "*" {
		if got.status != 304 || got.body != "" {
			t.Errorf("%s: %d %.50q", what, got.status, got.body)
		}
		return
	}
	want, status := plain.body, 200
	if ranged != "" && condition != "range-other" {
		if want, status = part(plain.body, ranged); status == 416 {
			if got.status != 416 {
				t.Errorf("%s: %d", what, got.status)
			}
			return
		}
	}
	body := got.body
	if got.Header.Get("Content-Encoding") == "gzip" {
		if !accepts(encoding, "gzip") || ranged != "" {
			t.Errorf("%s: it is compressed", what)
		}
		if method == "GET" {
			z, err := gzip.NewReader(strings.NewReader(body))
			if err != nil {
				t.Fatal(what, err)
			}
			decoded, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(what, err)
			}
			body = string(decoded)
		}
	} else if n := got.Header.Get("Content-Length"); n != fmt.Sprint(len(want)) && !(n == "" && want == "") {
		t.Errorf("%s: Content-Length %s of %d", what, n, len(want))
	}
	if method == "HEAD" {
		want = ""
	}
	if got.status != status || body != want || got.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("%s: %d %q %.80q, want %d %.80q", what, got.status, got.Header, body, status, want)
	}
}

// part is what a range asks for.
func part(body, ranged string) (string, int) {
	n := len(body)
	if n == 0 {
		return "", 200
	}
	switch ranged {
	case "bytes=0-9":
		return body[:min(10, n)], 206
	case "bytes=5-":
		if n <= 5 {
			return "", 416
		}
		return body[5:], 206
	case "bytes=-5":
		return body[max(0, n-5):], 206
	}
	return body, 416
}

func TestCompression(t *testing.T) {
	s := serveTree(t, app, Options{})
	for path, want := range map[string]string{"/style.css": "gzip", "/data.bin": "", "/app.js": "", "/x.wasm": "", "/fieldprof/trace.js": "gzip", "/__fieldprof/trace.js": "gzip"} {
		got := s.get(path, "Accept-Encoding: gzip, br")
		if got.Header.Get("Content-Encoding") != want {
			t.Errorf("%s is sent as %q", path, got.Header.Get("Content-Encoding"))
		}
	}
	for header, want := range map[string]bool{"gzip": true, "br,gzip": true, " GZip ; q=0.1": true, "gzip;q=0": false, "gzip; q=0.000": false, "": false, "x-gzip": false, "*": false} {
		if accepts(header, "gzip") != want {
			t.Errorf("%q: %v", header, !want)
		}
	}
}

// Isolation goes to every browser in the form that it knows, or not at all.
func TestIsolation(t *testing.T) {
	s, field := serveTree(t, app, Options{Isolated: true}), serveTree(t, app, Options{})
	names := []string{"Cross-Origin-Opener-Policy", "Cross-Origin-Embedder-Policy", "Cross-Origin-Resource-Policy", "Document-Policy"}
	for agent, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36":    "credentialless",
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/95.0.0.0 Safari/537.36":     "require-corp",
		"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0":                                   "credentialless",
		"Mozilla/5.0 (X11; Linux x86_64; rv:118.0) Gecko/20100101 Firefox/118.0":                                   "require-corp",
		"Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0":                                     "require-corp",
		"Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.0.0 Mobile/15E148 Safari/604.1": "require-corp",
		"Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15":            "require-corp",
		"Chrome/99999999999999999999.0": "require-corp",
		"x":                             "require-corp",
	} {
		for _, path := range []string{"/", "/app.js", "/worker.js", "/data.bin", "/__fieldprof/coordinator.js", "/none"} {
			got := s.get(path, "User-Agent: "+agent).Header
			if got.Get(names[0]) != "same-origin" || got.Get(names[1]) != want || got.Get(names[2]) != "same-origin" || !strings.Contains(got.Get(names[3]), "js-profiling") {
				t.Errorf("%s for %s: %v", path, agent, got)
			}
		}
	}
	// A browser that has an isolated page does not take it for one that is not.
	if x, y := s.get("/").Header.Get("ETag"), field.get("/").Header.Get("ETag"); x == y || field.get("/", "If-None-Match: "+x).status != 200 {
		t.Errorf("isolated it is %s, else %s", x, y)
	}
	for _, name := range names {
		if got := field.get("/").Header.Get(name); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A worker gets the client after its last line, and nothing else does.
func TestWorkers(t *testing.T) {
	s := serveTree(t, app, Options{})
	plain := s.get("/worker.js")
	const line = "\n;self.__fieldprofSource=\"to\\\"ken\";import(\"/__fieldprof/live.js\").catch(()=>{})\n"
	for _, dest := range []string{"worker", "sharedworker"} {
		got := s.get("/worker.js", "Sec-Fetch-Dest: "+dest, "Sec-Fetch-Mode: same-origin")
		if ofAnyBuild(got.body) != plain.body+line || got.Header.Get("ETag") == plain.Header.Get("ETag") || !strings.Contains(strings.Join(got.Header.Values("Vary"), ","), "Sec-Fetch-Dest") {
			t.Errorf("%s: %+v", dest, got)
		}
	}
	for _, headers := range [][]string{
		{"Sec-Fetch-Dest: serviceworker", "Sec-Fetch-Mode: same-origin"}, {"Sec-Fetch-Dest: worker", "Sec-Fetch-Mode: cors"}, {"Sec-Fetch-Dest: script"}, {"Sec-Fetch-Dest: empty"},
	} {
		if got := s.get("/worker.js", headers...); got.body != plain.body || !strings.Contains(strings.Join(got.Header.Values("Vary"), ","), "Sec-Fetch-Dest") {
			t.Errorf("%v: %+v", headers, got)
		}
	}
	if got := s.get("/style.css", "Sec-Fetch-Dest: worker"); got.body != app["style.css"] {
		t.Errorf("%+v", got)
	}
}

// A page or script has one text to run and another to read, so each says what it depends on, and what the dev
// server says that it depends on.
func TestProxiedTextsVary(t *testing.T) {
	for kind, depends := range map[string]bool{"text/javascript": true, "text/html": true, "text/css": false} {
		s := behind(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Vary", "Accept-Language")
			text(kind, loop("f"))(w, r)
		})
		for _, headers := range [][]string{asScript, asClassic, asWorker, {asDocument}, {"Sec-Fetch-Dest: empty"}, {"Sec-Fetch-Dest: serviceworker"}, {"Sec-Fetch-Dest: empty", `If-None-Match: "upstream"`}, nil} {
			for _, method := range []string{"GET", "HEAD"} {
				got := strings.Join(s.ask(method, "/f", headers...).Header.Values("Vary"), ", ")
				if want := map[bool]string{true: "Accept-Language, Accept, Sec-Fetch-Dest, Sec-Fetch-Mode", false: "Accept-Language"}[depends]; got != want {
					t.Errorf("%s %s for %q varies by %q", method, kind, headers, got)
				}
			}
		}
	}
}

// Parts of an app on this machine may share files, but no page may be read by others.
func TestSharing(t *testing.T) {
	with404 := maps.Clone(app)
	with404["404.html"] = "<title>none"
	s := serveTree(t, with404, Options{})
	if got := s.get("/none", "Origin: http://localhost:3000", asDocument); got.status != 404 || !strings.Contains(ofAnyBuild(got.body), tag) || got.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("a page for what is missing: %+v", got)
	}
	for origin, want := range map[string]bool{
		"http://localhost:3000": true, "https://127.0.0.1": true, "http://[::1]:1": true, "http://part.localhost:3000": true,
		"http://evil.example": false, "http://localhost.evil.example": false, "http://127.0.0.1.evil.example": false, "null": false, "file://localhost": false, "http://localhost:1/x": false, "http://user@localhost": false, "": false,
	} {
		for path, shared := range map[string]bool{"/app.js": want, "/style.css": want, "/": false, "/index.html": false, "/none": want, "/__fieldprof/live.js": false} {
			got := s.get(path, "Origin: "+origin).Header
			if got.Get("Access-Control-Allow-Origin") != map[bool]string{true: origin}[shared] || got.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("%s for %s: %v", path, origin, got)
			}
		}
	}
}

func TestOverlay(t *testing.T) {
	s := serveTree(t, app, Options{Overlay: true})
	if got := ofAnyBuild(s.get("/").body); !strings.Contains(got, `data-source="to&#34;ken" data-overlay class="fieldprof"></script>`) {
		t.Error(got)
	}
}

// Stacks show URLs in many forms.
func TestScripts(t *testing.T) {
	s := serveTree(t, app, Options{SPA: true})
	host := strings.TrimPrefix(s.url, "http://")
	for _, url := range []string{s.url + "/app.js", s.url + "/app.js?v=1#x", "http://localhost:1/app.js", "https://[::1]:8080/app.js", s.url + "/app%2Ejs"} {
		script, ok := s.Script("", url)
		if !ok || script.Table.Functions[1].Name != "app" || script.Map == nil {
			t.Errorf("%s: %+v", url, script)
		}
	}
	for _, url := range []string{s.url + "/", s.url + "/index.html", s.url + "/some/route"} {
		script, ok := s.Script("", url)
		if !ok || script.Table.Functions[1].Name != "inline" {
			t.Fatalf("%s: %+v", url, script)
		}
		column := int(script.Table.Functions[1].Start.Column) - 1
		if line := strings.Split(s.get("/").body, "\n")[0]; !strings.HasPrefix(line[column:], "function inline(") {
			t.Errorf("%s: it is at %q", url, line[column:])
		}
	}
	for _, url := range []string{"", "app.js", "file:///app.js", "http://other.example/app.js", "ftp://" + host + "/app.js", s.url + "/none.js", s.url + "/style.css", s.url + "/../app.js", "http://localhost:1/app.js", s.url + "/__fieldprof/live.js", "http://" + strings.Repeat("a", 1<<20), s.url + "/deep"} {
		if script, ok := s.Script("", url); ok {
			t.Errorf("%.80s: %+v", url, script)
		}
	}
	if _, err := http.Get(s.url); err != nil {
		t.Fatal(err)
	}
	s.pass()
	tree{"worker.js": loop("later"), "new.js": loop("fresh")}.write(t, s.dir)
	if text, ok := s.Text("fieldprof:///new.js"); !ok || text != loop("fresh") { // not asked about before
		t.Errorf("the new script is %q", text)
	}
	app := maps.Clone(app)
	app["worker.js"] = loop("later")
	for file, want := range map[string]string{"../src/app.ts": "the source of app", "fieldprof:///worker.js": app["worker.js"], s.url + "/m.mjs": s.get("/m.mjs").body} {
		s.Script("", s.url+"/worker.js")
		if text, ok := s.Text(file); !ok || text != want {
			t.Errorf("%s is %q", file, text)
		}
	}
	for _, file := range []string{"", "/etc/passwd", "../../etc/passwd", "file:///etc/passwd", s.dir + "/app.js", s.url + "/.env", "http://other.example/app.js", s.url + "/data.bin"} {
		if text, ok := s.Text(file); ok {
			t.Errorf("%s is %q", file, text)
		}
	}
}
