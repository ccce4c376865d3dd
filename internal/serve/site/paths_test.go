package site

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Every path finds the file that hosts of static sites send.
func TestPaths(t *testing.T) {
	s := serveTree(t, app, Options{SPA: true})
	const navigates = "Sec-Fetch-Dest: document"
	for path, want := range map[string]string{
		"/": "<title>x", "/index.html": "<title>x", "/about": "<title>about", "/about.html": "<title>about", "/deep/": "<title>deep", "/./deep/": "<title>deep",
		"/deep/?a=b": "<title>deep", "/some/route": "<title>x", "/app%2ejs": "function app(", "//app.js": "function app(",
	} {
		if got := s.get(path, navigates); got.status != 200 || !strings.Contains(got.body, want) {
			t.Errorf("%s: %+v", path, got)
		}
	}
	for path, want := range map[string]string{"/deep": "./deep/", "/deep?a=b&c": "./deep/?a=b&c", "//deep": "./deep/"} {
		if got := s.get(path, navigates); got.status != 302 || got.Header.Get("Location") != want {
			t.Errorf("%s: %+v", path, got)
		}
	}
	// Only a navigation falls back, as Accept says where nothing else does.
	for _, header := range []string{"Sec-Fetch-Dest: script", "Sec-Fetch-Dest: empty", "Accept: */*", "Sec-Fetch-Dest: image"} {
		if got := s.get("/some/route", header); got.status != 404 {
			t.Errorf("%s: %+v", header, got)
		}
	}
	// Service workers pass a navigation on as something else: in Firefox its mode is another, too.
	const page = "Accept: text/html,*/*"
	for _, c := range []struct {
		headers []string
		status  int
	}{
		{[]string{page}, 200},
		{[]string{page, "Sec-Fetch-Dest: empty", "Sec-Fetch-Mode: navigate"}, 200},
		{[]string{page, "Sec-Fetch-Dest: empty", "Sec-Fetch-Mode: same-origin"}, 200},
		{[]string{page, "Sec-Fetch-Dest: empty", "Sec-Fetch-Mode: cors"}, 404},
		{[]string{"Accept: */*", "Sec-Fetch-Dest: empty", "Sec-Fetch-Mode: same-origin"}, 404},
	} {
		if got := s.get("/some/route", c.headers...); got.status != c.status {
			t.Errorf("%q: %+v", c.headers, got)
		}
	}
	off := serveTree(t, tree{"index.html": "<title>x", "404.html": "<title>mine"}, Options{})
	if got := off.get("/some/route", navigates); got.status != 404 || !strings.Contains(got.body, "<title>mine") || !strings.Contains(ofAnyBuild(got.body), tag) {
		t.Errorf("without fallback: %+v", got)
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS"} {
		for _, path := range []string{"/app.js", "/__fieldprof/live.js"} {
			if got := s.ask(method, path); got.status != 405 || got.Header.Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: %+v", method, path, got)
			}
		}
	}
}

// raw sends a request line as it is.
func (s *served) raw(target string) (int, http.Header, string) {
	s.t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer connection.Close()
	fmt.Fprintf(connection, "GET %s HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Dest: document\r\nConnection: close\r\n\r\n", target)
	got, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		return 0, nil, "" // closed: it was too long for the server
	}
	defer got.Body.Close()
	body, _ := io.ReadAll(got.Body)
	return got.StatusCode, got.Header, string(body)
}

// No path leads out of the directory or to what is hidden in it.
func TestHostilePaths(t *testing.T) {
	s := serveTree(t, app, Options{})
	outside := filepath.Dir(s.dir)
	tree{"secret.js": "secret", "secret.txt": "secret", "folder/secret.txt": "secret"}.write(t, outside)
	if runtime.GOOS != "windows" {
		for link, target := range map[string]string{
			"link.txt": "../secret.txt", "link.js": "../secret.js", "absolute.txt": filepath.Join(outside, "secret.txt"), "linked": "../folder", "deep/up": "../..", "hidden.txt": ".env/../../secret.txt",
		} {
			if err := os.Symlink(target, filepath.Join(s.dir, link)); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.pass()
	for _, target := range []string{
		"/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/%2e%2e%2fsecret.txt", "/deep/../../secret.txt", "/deep/%2e%2e/%2e%2e/secret.txt",
		`/..\secret.txt`, "/..%5csecret.txt", "/deep%5c..%5c..%5csecret.txt", "/%00", "/app.js%00.html", "/....//secret.txt", "/%252e%252e/secret.txt",
		"/%c0%ae%c0%ae/secret.txt", "//../secret.txt", "/.//../secret.txt", "/.env", "/.git/config", "/deep/../.env", "/%2eenv", "/.git%2fconfig",
		"/link.txt", "/link.js", "/absolute.txt", "/linked/secret.txt", "/deep/up/secret.txt", "/hidden.txt", "/linked", "/linked/",
		"http://localhost/../secret.txt", "http://other.example/.env", "/C:/secret.txt", "/C:%5csecret.txt", "/file:///etc/passwd", "/etc/passwd", "//etc/passwd",
		"/__fieldprof/../.env", "/__fieldprof/..%2f.env", "/__fieldprof/%2e%2e/.env", "/__fieldprof//live.js", "/__fieldprof/", "/__fieldprof/checks.cjs", "*",
		"/" + strings.Repeat("a", 5000), "/" + strings.Repeat("a/", 100_000), "/" + strings.Repeat("../", 1000) + "etc/passwd", "/?" + strings.Repeat("x", 2<<20),
	} {
		status, header, body := s.raw(target)
		if status == 200 && !strings.HasPrefix(target, "/?") || strings.Contains(strings.ToLower(body), "secret") || strings.Contains(body, "root:") {
			t.Errorf("%.80s: %d %v %.200s", target, status, header, body)
		}
	}
}

// Nothing that a request says becomes a header, or markup.
func TestHostileWords(t *testing.T) {
	s := serveTree(t, app, Options{Isolated: true})
	for _, target := range []string{
		"/deep%0d%0aSet-Cookie:%20x=1", "/deep?%0d%0aSet-Cookie:%20x=1", "//evil.example/..", "//evil.example/%2e%2e", "/%5cevil.example", "//deep", "/deep%3f", "/<script>alert(1)</script>",
	} {
		_, header, body := s.raw(target)
		if header.Get("Set-Cookie") != "" || strings.Contains(body, "alert(1)") {
			t.Errorf("%s: %v %s", target, header, body)
		}
		if location := header.Get("Location"); location != "" && !strings.HasPrefix(location, "./") {
			t.Errorf("%s leads to %s", target, location)
		}
	}
	in := serveTree(t, tree{"index.html": `<meta http-equiv=content-security-policy content="script-src 'self'"><script></script>`}, Options{})
	for _, host := range []string{"a;script-src *", `a"><script>`, "a'b", "a b", "[::1]:80", "a,b", "$x", "-a", "a:b", strings.Repeat("a", 300)} {
		r := &http.Request{Host: host, Header: http.Header{}}
		from, to := placesOf(r)
		if all := strings.Join(append(from, to...), " "); host != strings.Repeat("a", 300) && all != "'self' 'self'" {
			t.Errorf("%q gets into policies: %s", host, all)
		}
	}
	if got := in.get("/", "Host: a$b").body; !strings.Contains(got, `content="script-src 'self'"`) {
		t.Errorf("the policy is not as it was: %s", got)
	}
	if got := in.get("/", "Host: name.example:81").body; !strings.Contains(got, `content="script-src 'self' http://name.example:81/__fieldprof/"`) {
		t.Errorf("the policy does not let the client in: %s", got)
	}
}

// Any path of a URL leads to a valid name of a file that is not hidden, or to none.
func TestNamesOfRandomPaths(t *testing.T) {
	parts := []string{"/", "/", "/", "a", "b.js", ".", "..", ".git", ".well-known", "\\", "\x00", "%2e", "C:", "ü", "\xff", " ", "...", "..a", "a..", "index.html", "~", "con", ";", "?", "#"}
	random := rand.New(rand.NewPCG(1, 2))
	good := 0
	for range 200_000 {
		var path strings.Builder
		for range random.IntN(8) {
			path.WriteString(parts[random.IntN(len(parts))])
		}
		name, ok := nameOf(path.String())
		if !ok {
			continue
		}
		good++
		if !fs.ValidPath(name) || !filepath.IsLocal(name) || strings.ContainsAny(name, "\\\x00") || slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return part != "." && hidden(part) }) {
			t.Fatalf("%q is %q", path.String(), name)
		}
		if again, ok := nameOf("/" + name); name != "." && (!ok || again != name) {
			t.Fatalf("%q is %q, and that %q", path.String(), name, again)
		}
	}
	if good < 1000 {
		t.Errorf("only %d paths name files", good)
	}
}
