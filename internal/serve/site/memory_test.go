package site

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A script of before the server was started is asked for again, and nothing else is.
func TestScriptsOfBefore(t *testing.T) {
	asked := []string{}
	s := behind(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.RequestURI())
		text("text/javascript", loop("f"))(w, r)
	})
	for range 2 {
		script, ok := s.Script("", "http://localhost:8080/src/a.js?t=1")
		if !ok || script.Table.Functions[1].Name != "f" {
			t.Errorf("%+v", script)
		}
	}
	for _, url := range []string{"http://localhost/__open-in-editor?file=/etc/passwd", "http://localhost/page", "http://other.example/x.js", "http://localhost/__fieldprof/live.js"} {
		if script, ok := s.Script("", url); ok {
			t.Errorf("%s: %+v", url, script)
		}
	}
	if fmt.Sprint(asked) != "[/src/a.js?t=1]" {
		t.Errorf("it asked for %v", asked)
	}
}

// WebKit's stacks have no queries: there, a path means what was sent last.
func TestStacksWithoutQueries(t *testing.T) {
	s := behind(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		text("text/javascript", loop("f"+r.URL.RawQuery))(w, r)
	})
	is := func(url, want string) {
		t.Helper()
		if script, ok := s.Script("", s.url+url); !ok || script.Table.Functions[1].Name != want {
			t.Errorf("%s is %+v", url, script.Table)
		}
	}
	webKit := append([]string{"User-Agent: Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15"}, asScript...)
	for _, query := range []string{"", "?1", "?2"} {
		s.get("/a.js"+query, asScript...)
	}
	is("/a.js", "f")
	is("/a.js?1", "f1")
	for _, query := range []string{"", "?1", "?2", "?1"} {
		s.get("/a.js"+query, webKit...)
		is("/a.js", "f"+strings.TrimPrefix(query, "?"))
	}
	is("/a.js?2", "f2")
	s.get("/only.js?3", webKit...)
	is("/only.js", "f3")
}

func TestServersThatDoNotAnswer(t *testing.T) {
	upstream := httptest.NewServer(http.NotFoundHandler())
	s := serve(t, Options{Proxy: upstream.URL})
	upstream.Close()
	if got := s.get("/<script>", asDocument); got.status != 502 || !strings.Contains(got.body, "Is the dev server running?") || strings.Contains(got.body, "<script>") || !strings.HasPrefix(got.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("%+v", got)
	}
	self := serve(t, Options{Proxy: upstream.URL})
	self.content.(*proxy).upstream.Host = strings.TrimPrefix(self.url, "http://")
	if got := self.get("/", asDocument); got.status != 508 {
		t.Errorf("in a circle: %+v", got)
	}
	for _, address := range []string{"localhost:5173", "ftp://localhost", "http://", "http://localhost/base", "http://user:secret@localhost", "http://localhost/?x", "http://[", "//localhost"} {
		if _, err := New(t.Context(), Options{Proxy: address}); err == nil {
			t.Errorf("%s is accepted", address)
		}
	}
}

// Memory is bounded: the script that was not used for the longest time goes first.
func TestMemoryOfWhatPassed(t *testing.T) {
	var m memory
	const one = capacity / 8
	for i := range 20 {
		m.keep(fmt.Sprint("/", i), &passed{code: make([]byte, one), json: []byte("{}"), mapTarget: fmt.Sprint("/", i, ".map")}, i%2 == 0)
		m.get("/0")
		if m.size > capacity {
			t.Fatalf("it holds %d", m.size)
		}
	}
	if m.get("/0") == nil || m.get("/19") == nil || m.get("/5") != nil || m.sourceMap("/5.map") != nil || m.sourceMap("/19.map") == nil || len(m.byURL) != m.recent.Len() || len(m.byMap) != m.recent.Len() {
		t.Errorf("it knows %d", len(m.byURL))
	}
	for range 3 {
		m.keep("/19", &passed{}, true)
	}
	for i, text := range []string{"old", "new", "old"} { // under three names
		m.keep(fmt.Sprint("/src.js?t=", i%2), &passed{json: []byte(`{"version":3,"sources":["a.ts"],"sourcesContent":["` + text + `"],"names":[],"mappings":""}`)}, false)
		m.get("/src.js?t=0") // as when a stack is shown
		if got, ok := m.text("a.ts"); !ok || got != text {
			t.Errorf("the text is %s, not the latest", got)
		}
	}
	for m.recent.Len() > 0 {
		m.forget(m.recent.Back())
	}
	if m.size != 0 || len(m.byURL) != 0 || len(m.byMap) != 0 || len(m.byPath) != 0 {
		t.Errorf("empty, it holds %d", m.size)
	}
	for i := range 30_000 {
		if !m.miss(fmt.Sprint(i)) || m.miss(fmt.Sprint(i)) {
			t.Fatal("a miss is noted once")
		}
	}
	if len(m.misses) > 10_001 {
		t.Errorf("%d misses", len(m.misses))
	}
}
