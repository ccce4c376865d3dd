package site

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
)

// behind serves the answers of an upstream.
func behind(t *testing.T, o Options, answer http.HandlerFunc) *served {
	t.Helper()
	upstream := httptest.NewServer(answer)
	t.Cleanup(upstream.Close)
	o.Proxy = upstream.URL
	return serve(t, o)
}

// text answers with a text of a type.
func text(kind, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("ETag", `"upstream"`)
		w.Header().Set("X-Own", "kept")
		w.Header().Set("Cache-Control", "max-age=31536000, immutable")
		io.WriteString(w, text)
	}
}

var (
	asDocument = "Sec-Fetch-Dest: document"
	asScript   = []string{"Sec-Fetch-Dest: script", "Sec-Fetch-Mode: cors"}
	asClassic  = []string{"Sec-Fetch-Dest: script", "Sec-Fetch-Mode: no-cors"}
	asWorker   = []string{"Sec-Fetch-Dest: worker", "Sec-Fetch-Mode: same-origin"}
)

const both = `<script src="/__fieldprof/runtime.js" class="fieldprof"></script>` + tag

func TestProxiedPage(t *testing.T) {
	s := behind(t, Options{Isolated: true}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Content-Security-Policy", "script-src 'self', img-src x")
		w.Header().Add("Content-Security-Policy-Report-Only", "default-src 'none'")
		text("text/html", "<!doctype html><script type=module>"+loop("inline")+"</script><script src=/a.js integrity=sha256-x></script><script src=//other/a.js integrity=sha256-x></script>")(w, r)
	})
	got := s.get("/some/page?x", asDocument)
	if !strings.HasPrefix(got.body, "<!doctype html>"+both+"<script type=module>var{}=typeof _$f<") || strings.Contains(got.body, "import{") {
		t.Errorf("the page is %s", got.body)
	}
	if !strings.HasSuffix(got.body, `<script src=/a.js integrity=""></script><script src=//other/a.js integrity=sha256-x></script>`) {
		t.Errorf("its integrity: %s", got.body)
	}
	host := strings.TrimPrefix(s.url, "http://")
	if csp := got.Header.Get("Content-Security-Policy"); csp != "script-src 'self' http://"+host+"/__fieldprof/, img-src x" {
		t.Errorf("its policy is %s", csp)
	}
	if csp := got.Header.Get("Content-Security-Policy-Report-Only"); !strings.Contains(csp, "connect-src ws://"+host+"/__fieldprof/ http://"+host+"/__fieldprof/") {
		t.Errorf("its other policy is %s", csp)
	}
	if got.Header.Get("X-Own") != "kept" || got.Header.Get("ETag") == `"upstream"` || got.Header.Get("Cache-Control") != "no-cache" || got.Header.Get("Cross-Origin-Opener-Policy") == "" {
		t.Errorf("its headers are %v", got.Header)
	}
	script, ok := s.Script("", s.url+"/some/page?x")
	if !ok || script.Table.Functions[1].Name != "inline" || got.body[script.Table.Functions[1].Start.Column-1:][:15] != "function inline" {
		t.Errorf("its table is %+v", script.Table)
	}
	if again := s.get("/some/page?x", asDocument, "If-None-Match: "+got.Header.Get("ETag")); again.status != 304 || again.body != "" {
		t.Errorf("again: %+v", again)
	}
	// A program gets the text unchanged.
	if got := s.get("/some/page?x", "Sec-Fetch-Dest: empty"); strings.Contains(got.body, "__fieldprof") || got.Header.Get("ETag") != `"upstream"` {
		t.Errorf("fetched: %+v", got)
	}
}

func TestProxiedScripts(t *testing.T) {
	module := "import './b.js'; export " + loop("m")
	s := behind(t, Options{}, text("application/javascript; charset=utf-8", module))
	got := s.get("/src/m.js?t=1", asScript...)
	if !strings.HasPrefix(got.body, `import{flag as $f}from"/__fieldprof/checks.js";import './b.js'`) {
		t.Errorf("the module is %s", got.body)
	}
	if got.Header.Get("X-Own") != "kept" || got.Header.Get("Cache-Control") != "no-cache" || got.Header.Get("Content-Length") != fmt.Sprint(len(got.body)) {
		t.Errorf("its headers are %v", got.Header)
	}
	script, ok := s.Script("", s.url+"/src/m.js?t=1")
	if !ok || script.Table.Functions[1].Name != "m" {
		t.Errorf("its table is %+v", script.Table)
	}
	if place, ok := script.Map.Find(0, int(script.Table.Functions[1].Start.Column)-1); !ok || place.Source != "fieldprof:///src/m.js" || place.Column != strings.Index(module, "function") {
		t.Errorf("its map leads to %+v", place)
	}
	if source, ok := s.Text("fieldprof:///src/m.js"); !ok || source != module {
		t.Errorf("its source is %q", source)
	}
	worker := s.get("/src/w.js", asWorker...)
	if !strings.HasPrefix(worker.body, got.body) || !strings.HasSuffix(worker.body, `import("/__fieldprof/live.js").catch(()=>{})`+"\n") {
		t.Errorf("as a worker it is %s", worker.body)
	}
	for _, headers := range [][]string{{"Sec-Fetch-Dest: empty"}, {"Sec-Fetch-Dest: serviceworker"}, {"Sec-Fetch-Dest: style"}} {
		if got := s.get("/src/m.js?t=1", headers...); got.body != module || got.Header.Get("ETag") != `"upstream"` || !strings.Contains(got.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%v: %+v", headers, got)
		}
	}
	if got := s.ask("POST", "/src/m.js", "Sec-Fetch-Dest: empty"); got.body != module {
		t.Errorf("the answer to a POST is %+v", got)
	}
	classic := behind(t, Options{}, text("text/javascript", loop("f")+"var _$f\n"))
	if got := classic.get("/f.js", asClassic...).body; !strings.HasPrefix(got, "var _$f1,{}=_$f1&&_$f1.c||(_$f1=(globalThis.__fieldprof||0).flag||[0,0]);function f(") {
		t.Errorf("the classic script is %s", got)
	}
	if got := classic.get("/f.js", asWorker...).body; !strings.HasPrefix(got, "var _$f1,{}=_$f1&&_$f1.c||(_$f1=(globalThis.__fieldprof||(()=>{") || !strings.Contains(got, `importScripts("/__fieldprof/runtime.js")`) {
		t.Errorf("the worker is %s", got)
	}
}

// Deleting the insertions gives back what the dev server sent, for every kind of request.
func TestProxiedScriptsAreRestored(t *testing.T) {
	for name, source := range app {
		if !isScript(name) {
			continue
		}
		s := behind(t, Options{Selection: transform.Selection{Preset: transform.Precise}}, text("text/javascript", source))
		for i, headers := range [][]string{asClassic, asScript, asWorker, nil} {
			if i == 0 && strings.HasSuffix(name, ".mjs") {
				continue // a module is not a classic script
			}
			got := s.get("/"+name, headers...).body
			got, _, _ = strings.Cut(got, "\n;self.__fieldprofSource")
			if !must.IsSubsequence(source, got) || len(got) <= len(source) || strings.Count(got, "\n") != strings.Count(source, "\n") {
				t.Errorf("%s for %v is %s", name, headers, got)
			}
		}
	}
}

// Maps are found in scripts and next to them; the names of their sources are paths.
func TestProxiedMaps(t *testing.T) {
	const sourceMap = `{"version":3,"sourceRoot":"","sources":["App.vue","/abs.ts","webpack://x/y.ts","../up.ts",null],"sourcesContent":["app",null,"y",null,null],"names":[],"mappings":"AAAA,SCAA"}`
	inline := loop("f") + "//# sourceMappingURL=data:application/json;base64," + base64.StdEncoding.EncodeToString([]byte(sourceMap)) + "\n"
	s := behind(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/src/inline.js":
			text("text/javascript", inline)(w, r)
		case "/src/beside.js":
			text("text/javascript", loop("f")+"//# sourceMappingURL=beside.js.map?v=1\n")(w, r)
		case "/src/header.js":
			w.Header().Set("SourceMap", "/src/beside.js.map?v=1")
			text("text/javascript", loop("f"))(w, r)
		case "/src/beside.js.map":
			text("application/json", sourceMap)(w, r)
		case "/src/elsewhere.js":
			text("text/javascript", loop("f")+"//# sourceMappingURL=http://192.0.2.1/x.map\n")(w, r)
		case "/src/broken.js":
			text("text/javascript", loop("f")+"//# sourceMappingURL=data:application/json,{\n")(w, r)
		default:
			http.NotFound(w, r)
		}
	})
	for _, p := range []string{"/src/inline.js", "/src/beside.js", "/src/header.js"} {
		got := s.get(p, asScript...)
		script, ok := s.Script("", s.url+p)
		if !ok || script.Map == nil || fmt.Sprint(script.Map.Source(0), script.Map.Source(1), script.Map.Source(2), script.Map.Source(3)) != "/src/App.vue/abs.tswebpack://x/y.ts/up.ts" {
			t.Fatalf("%s: %+v\n%s", p, script.Map, got.body)
		}
		if text, ok := s.Text("/src/App.vue"); !ok || text != "app" {
			t.Errorf("%s: its source is %q", p, text)
		}
		if f := script.Table.Functions[1]; f.Original == nil || f.Original.Source != "/src/App.vue" && f.Original.Source != "/abs.ts" {
			t.Errorf("%s: its function is from %+v", p, f.Original)
		}
	}
	if got := s.get("/src/inline.js", asScript...).body; strings.Contains(got, base64.StdEncoding.EncodeToString([]byte(sourceMap))) || !strings.Contains(got, "//# sourceMappingURL=data:application/json;base64,") {
		t.Errorf("the map in the script is the old one: %s", got)
	}
	if got := s.get("/src/beside.js.map?v=1", "Sec-Fetch-Dest: empty").body; !strings.Contains(got, `"/src/App.vue"`) || strings.Contains(got, "AAAA,SCAA") {
		t.Errorf("the map next to it is the old one: %s", got)
	}
	for _, p := range []string{"/src/elsewhere.js", "/src/broken.js"} {
		if got := s.get(p, asScript...).body; !strings.Contains(got, "_$f") {
			t.Errorf("%s is %s", p, got)
		}
		if script, ok := s.Script("", s.url+p); !ok || script.Map.Source(0) != "fieldprof://"+p {
			t.Errorf("%s: %+v", p, script.Map)
		}
	}
	if lines := s.said(); len(lines) != 1 || !strings.Contains(lines[0], "/src/broken.js") {
		t.Errorf("it says %q", lines)
	}
}

// No map is asked for anywhere but at the dev server.
func TestHostileMapURLs(t *testing.T) {
	for _, reference := range []string{"http:.evil.example/x.map", "http:evil", "//evil.example/x", "\\\\evil.example", "@evil.example", ":80@evil.example/x", "file:///etc/passwd", "..//evil.example/x", "http://127.0.0.1:1/x", "?" + strings.Repeat("x", 5000)} {
		var asked []string
		s := behind(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, r.Host+r.URL.Path)
			w.Header().Set("SourceMap", reference)
			text("text/javascript", loop("f"))(w, r)
		})
		host := strings.TrimPrefix(s.Proxy, "http://")
		if got := s.get("/a/b.js", asScript...).body; !strings.Contains(got, "_$f") {
			t.Errorf("%.80s: %s", reference, got)
		}
		for _, address := range asked {
			if !strings.HasPrefix(address, host+"/") {
				t.Errorf("%.80s asks for %s", reference, address)
			}
		}
		p := s.content.(*proxy)
		r := httptest.NewRequest("GET", "/a/b.js", nil)
		if found := p.mapOf(nil, http.Header{"Sourcemap": {reference}}, &ask{Request: r}); found.target != "" && !strings.HasPrefix(found.target, "/") {
			t.Errorf("%.80s leads to %s", reference, found.target)
		}
	}
}

// Globs choose files of the dev server and original sources.
func TestProxiedGlobs(t *testing.T) {
	s := behind(t, Options{Include: []string{"src/**"}, Exclude: []string{"*.spec.js"}}, text("text/javascript", loop("f")))
	for p, want := range map[string]bool{"/src/a.js?t=1": true, "/src/deep/a.js": true, "/node_modules/.vite/deps/a.js": false, "/src/a.spec.js": false} {
		if got := s.get(p, asScript...).body; strings.Contains(got, "_$f") != want {
			t.Errorf("%s is %s", p, got)
		}
	}
}

// A script that cannot be changed is passed on unchanged, with a warning.
func TestPassedOnAsItIs(t *testing.T) {
	large := "/*" + strings.Repeat("x", largest) + "*/" + loop("f")
	evaluated := "var modules = {\"./a.js\": (() => {\n\neval(\"{function f() { return 1 }\\n\\n//# sourceURL=webpack:///./a.js?\\n}\");\n})};\n"
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	io.WriteString(z, loop("f"))
	z.Close()
	s := behind(t, Options{Exclude: []string{"node_modules/**"}}, func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Accept-Encoding"); got != "identity" {
			t.Errorf("upstream is asked for %s", got)
		}
		w.Header().Set("Content-Type", "text/javascript")
		switch r.URL.Path {
		case "/large.js":
			io.WriteString(w, large)
		case "/broken.js":
			io.WriteString(w, "var ;")
		case "/brotli.js":
			w.Header().Set("Content-Encoding", "br")
			io.WriteString(w, "not brotli")
		case "/gzip.js":
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(zipped.Bytes())
		case "/damaged.js":
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(zipped.Bytes()[:20])
		case "/eval.js":
			io.WriteString(w, evaluated)
		case "/error.js":
			w.WriteHeader(500)
			io.WriteString(w, loop("f"))
		default:
			io.WriteString(w, loop("f"))
		}
	})
	for p, want := range map[string]string{"/large.js": large, "/broken.js": "var ;", "/brotli.js": "not brotli", "/error.js": loop("f"), "/node_modules/.vite/deps/vue.js?v=1": loop("f"), "/damaged.js": zipped.String()[:20], "/eval.js": evaluated} {
		for range 2 {
			if got := s.get(p, asScript...); got.body != want {
				t.Errorf("%s is %.200s", p, got.body)
			}
		}
	}
	if got := s.get("/gzip.js", asScript...); !strings.Contains(got.body, "__fieldprof") || got.Header.Get("Content-Encoding") != "" {
		t.Errorf("/gzip.js is %+v", got)
	}
	lines := strings.Join(s.said(), "\n")
	for _, want := range []string{"/large.js is larger than 20 MB", "broken.js:1:5", `/brotli.js is compressed ("br")`, "/damaged.js", "/eval.js: its modules are in strings"} {
		if strings.Count(lines, want) != 1 {
			t.Errorf("it does not say once %s:\n%s", want, lines)
		}
	}
}

// A script that ends too early does so in the browser as well.
func TestIncompleteScript(t *testing.T) {
	s := behind(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, loop("f"))
	})
	r, _ := http.NewRequest("GET", s.url+"/a.js", nil)
	r.Header.Set("Sec-Fetch-Dest", "script")
	got, err := client.Do(r)
	if err != nil {
		return
	}
	defer got.Body.Close()
	if body, err := io.ReadAll(got.Body); err == nil {
		t.Errorf("it seems complete: %s", body)
	}
}

// Every combination of purpose, method, condition and range ends as HTTP says.
func TestProxiedCombinations(t *testing.T) {
	texts := map[string]string{"text/html": "<title>x</title>", "text/javascript": loop("f"), "image/png": "0123456789", "text/css": "p{}"}
	for kind, body := range texts {
		s := behind(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("ETag", `"upstream"`)
			if r.URL.RawQuery == "none" {
				w.Header().Del("ETag")
			}
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader(body))
		})
		for _, dest := range []string{"document", "iframe", "script", "worker", "empty", "image", "style", ""} {
			for _, method := range []string{"GET", "HEAD"} {
				for _, query := range []string{"", "?none"} {
					headers := []string{"Accept: " + map[bool]string{true: "text/html", false: "*/*"}[dest == "" && kind == "text/html"]}
					if dest != "" {
						headers = append(headers, "Sec-Fetch-Dest: "+dest)
					}
					what := fmt.Sprint(kind, " for ", dest, " ", method, query)
					whole := s.get("/x"+query, headers...)
					changes := whole.body != body
					wants := kind == "text/html" && (dest == "document" || dest == "iframe" || dest == "") || kind == "text/javascript" && (dest == "script" || dest == "worker" || dest == "")
					if changes != wants || whole.status != 200 {
						t.Errorf("%s: %+v", what, whole)
					}
					tag := whole.Header.Get("ETag")
					if (tag == `"upstream"`) != (!changes && query == "") {
						t.Errorf("%s has the tag %s", what, tag)
					}
					if got := s.ask(method, "/x"+query, append(headers, "If-None-Match: "+tag)...); tag != "" && method == "GET" && (got.status != 304 || got.body != "") {
						t.Errorf("%s if it is another: %+v", what, got)
					}
					if got := s.ask(method, "/x"+query, append(headers, `If-None-Match: "other"`)...); got.status != 200 || method == "GET" && got.body != whole.body {
						t.Errorf("%s if it is not another: %+v", what, got)
					}
					got := s.ask(method, "/x"+query, append(headers, "Range: bytes=0-2")...)
					switch {
					case changes && dest != "":
						if got.status != 200 || method == "GET" && got.body != whole.body {
							t.Errorf("%s: a part of what changes: %+v", what, got)
						}
					case !(dest == "" || dest == "script" || dest == "worker" || dest == "document" || dest == "iframe"):
						if got.status != 206 || method == "GET" && got.body != body[:3] {
							t.Errorf("%s: a part: %+v", what, got)
						}
					}
					head := s.ask("HEAD", "/x"+query, headers...)
					if length := head.Header.Get("Content-Length"); head.body != "" || changes && (length != "" || head.Header.Get("ETag") != "") || !changes && length != fmt.Sprint(len(body)) && kind != "text/html" && kind != "text/javascript" {
						t.Errorf("%s: the head is %+v", what, head)
					}
				}
			}
		}
	}
}

// A stream of events arrives as it is sent.
func TestStreamsPassAtOnce(t *testing.T) {
	more := make(chan bool)
	s := behind(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			fmt.Fprintf(w, "data: %d\n\n", i)
			w.(http.Flusher).Flush()
			<-more
		}
	})
	got, err := http.Get(s.url)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	lines := bufio.NewReader(got.Body)
	for i := range 3 {
		line, err := lines.ReadString('\n') // hangs if it is not sent
		if err != nil || line != fmt.Sprintf("data: %d\n", i) {
			t.Error(line, err)
		}
		lines.ReadString('\n')
		more <- true
	}
}

// A socket passes in both directions, with the origin that the dev server expects.
func TestSocketsPass(t *testing.T) {
	var upstream string
	s := behind(t, Options{Isolated: true}, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Origin") != "http://"+r.Host || r.Host != upstream || r.URL.RawQuery != "token=a;b&%zz" {
			t.Errorf("the socket is asked for with %v, %s, %s", r.Header, r.Host, r.URL.RawQuery)
		}
		connection, buffer, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer connection.Close()
		fmt.Fprint(connection, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Protocol: vite-hmr\r\n\r\n")
		line, _ := buffer.ReadString('\n')
		fmt.Fprint(connection, "echo "+line)
	})
	upstream = strings.TrimPrefix(s.Proxy, "http://")
	host := strings.TrimPrefix(s.url, "http://")
	connection, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	fmt.Fprintf(connection, "GET /?token=a;b&%%zz HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-Fetch-Dest: websocket\r\n\r\n", host, host)
	reader := bufio.NewReader(connection)
	got, err := http.ReadResponse(reader, nil)
	if err != nil || got.StatusCode != 101 || got.Header.Get("Sec-WebSocket-Protocol") != "vite-hmr" {
		t.Fatal(got, err)
	}
	fmt.Fprint(connection, "hello\n")
	if line, _ := reader.ReadString('\n'); line != "echo hello\n" {
		t.Errorf("it answers %q", line)
	}
}

// The dev server sees requests as for itself, except for those of another site.
func TestHeadersOfRequests(t *testing.T) {
	s := behind(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Host, " ", r.Header.Get("Origin"), " ", r.Header.Get("Referer"), " ", r.Header.Get("Cookie"), " ", r.Header.Get("X-Forwarded-For"))
	})
	host := strings.TrimPrefix(s.Proxy, "http://")
	got := s.get("/", "Origin: "+s.url, "Referer: "+s.url+"/page?x", "Cookie: a=b", "X-Forwarded-For: 1.2.3.4", "Sec-Fetch-Dest: empty").body
	if want := host + " http://" + host + " http://" + host + "/page?x a=b "; got != want {
		t.Errorf("it sees %s, want %s", got, want)
	}
	got = s.get("/", "Origin: http://evil.example", "Sec-Fetch-Dest: empty").body
	if want := host + " http://evil.example   "; got != want {
		t.Errorf("it sees %s, want %s", got, want)
	}
}

// Promises that a dev server makes for its name are not made for ours.
func TestPromisesOfOthers(t *testing.T) {
	cookie := ""
	s := behind(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Strict-Transport-Security", "max-age=15552000")
		w.Header().Set("Alt-Svc", `h3=":443"`)
		w.Header().Set("Set-Cookie", cookie)
	})
	host, _, _ := strings.Cut(strings.TrimPrefix(s.Proxy, "http://"), ":")
	for is, want := range map[string]string{
		"a=b; Path=/; Domain=" + host + "; Secure": "a=b; Path=/; Secure", "a=b;domain = ." + host: "a=b",
		"a=domain; Domain=other.example": "a=domain; Domain=other.example", "a=b": "a=b",
	} {
		cookie = is
		got := s.get("/", asDocument).Header
		if got.Get("Set-Cookie") != want || got.Get("Strict-Transport-Security")+got.Get("Alt-Svc") != "" {
			t.Errorf("%s becomes %v, want %s", is, got, want)
		}
	}
}

func TestRedirectsStayHere(t *testing.T) {
	location := ""
	s := behind(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", location)
		w.WriteHeader(302)
	})
	for is, want := range map[string]string{
		s.Proxy + "/a?b#c": "/a?b#c", "/a": "/a", "a": "a", "https://other.example/a": "https://other.example/a", s.Proxy: "/", s.Proxy + "//evil.example/": "/.//evil.example/",
		strings.Replace(s.Proxy, "http:", "https:", 1): strings.Replace(s.Proxy, "http:", "https:", 1), strings.TrimPrefix(s.Proxy, "http:") + "/b": "/b",
	} {
		location = is
		if got := s.get("/", asDocument); got.Header.Get("Location") != want || got.status != 302 {
			t.Errorf("%s becomes %s, want %s", is, got.Header.Get("Location"), want)
		}
	}
}
