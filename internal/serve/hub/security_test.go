package hub

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile/live"
)

// fetch sends a request with headers, and returns the status with the headers of the answer.
func (s *server) fetch(t *testing.T, method, path string, header http.Header) (int, http.Header) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+Prefix+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header = header
	if host := header.Get("Host"); host != "" {
		request.Host = host
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode, response.Header
}

// Only pages of this server get a socket, or anything that changes or reveals something.
func TestOrigin(t *testing.T) {
	s := serve(t, Options{})
	u, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	handshake := http.Header{"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"MDEyMzQ1Njc4OWFiY2RlZg=="}, "Sec-Websocket-Protocol": {live.Subprotocol}}
	for _, origin := range []string{"https://evil.example", "null", "", "https://" + u.Host, "http://" + u.Hostname(), "http://" + u.Hostname() + ":1", "http://" + u.Host + ".evil.example", "http://evil.example/" + u.Host, "http://" + u.Host + "/"} {
		with := handshake.Clone()
		with.Set("Origin", origin)
		for _, path := range []string{"source", "panel"} {
			if status, _ := s.fetch(t, "GET", path, with); status != http.StatusForbidden {
				t.Errorf("%s from %q: %d", path, origin, status)
			}
		}
		for _, request := range [][2]string{{"GET", "source"}, {"GET", "save?format=html&token=" + s.PanelToken()}, {"POST", "read?token=" + s.PanelToken()}} {
			if status, _ := s.fetch(t, request[0], request[1], http.Header{"Origin": {origin}}); status != http.StatusForbidden {
				t.Errorf("%q from %q: %d", request, origin, status)
			}
		}
	}
	dial(t, s, "panel", http.Header{"Origin": {s.url}})
	for site, want := range map[string]int{"": 200, "same-origin": 200, "none": 200, "cross-site": 403, "same-site": 403} {
		if status, _ := s.fetch(t, "GET", "source", http.Header{"Sec-Fetch-Site": {site}}); status != want {
			t.Errorf("the token for %q: %d", site, status)
		}
	}
}

// No page of the hub can be framed, guessed to be another type, kept, or leak its address.
func TestHeaders(t *testing.T) {
	s := serve(t, Options{})
	for _, path := range []string{"", "source", "panel", "save", "text", "before", "read", "none", "../x"} {
		_, header := s.fetch(t, "GET", path, http.Header{})
		for name, want := range map[string]string{"X-Frame-Options": "DENY", "Content-Security-Policy": "frame-ancestors 'none'", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin"} {
			if got := header.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		if header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: other sites may read it", path)
		}
	}
}

// The panel's page has the token. It is for this machine, or for clients that have the key.
func TestPageNeedsKey(t *testing.T) {
	s := serve(t, Options{})
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(s.url, "http://"))
	for _, c := range []struct {
		host, key string
		want      int
	}{
		{"localhost:" + port, "", 200}, {"127.0.0.1:" + port, "", 200}, {"[::1]:" + port, "", 200}, {"LOCALHOST:" + port, "", 200},
		{"192.168.1.2:" + port, "", 403}, {"tunnel.example", "", 403}, {"localhost.evil.example", "", 403}, {"127.0.0.1.evil.example", "", 403},
		{"tunnel.example", s.PanelToken(), 200}, {"tunnel.example", s.SourceToken(), 403}, {"tunnel.example", s.PanelToken()[1:], 403},
	} {
		if status, _ := s.fetch(t, "GET", "?key="+c.key, http.Header{"Host": {c.host}}); status != c.want {
			t.Errorf("%s with %q: %d", c.host, c.key, status)
		}
	}
	// Tunnels may name this machine.
	for _, said := range []string{"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "CF-Connecting-IP"} {
		for key, want := range map[string]int{"": 403, s.PanelToken(): 200} {
			if status, _ := s.fetch(t, "GET", "?key="+key, http.Header{"Host": {"localhost:" + port}, said: {"1.2.3.4"}}); status != want {
				t.Errorf("with %s and %q: %d", said, key, status)
			}
		}
	}
}

// The tokens are long and not each other's, and a page of the site cannot be a panel.
func TestTokens(t *testing.T) {
	s := serve(t, Options{})
	other := serve(t, Options{})
	all := map[string]bool{s.SourceToken(): true, s.PanelToken(): true, other.SourceToken(): true, other.PanelToken(): true}
	if len(all) != 4 || len(s.SourceToken()) != 43 {
		t.Errorf("%v", all)
	}
	for _, token := range []string{"", s.SourceToken(), other.PanelToken(), s.PanelToken() + "x", s.PanelToken()[:42]} {
		c := dial(t, s, "panel", nil)
		c.send(live.Watch{Type: live.TypeWatch, Version: live.Version, Token: token})
		if why := c.refused(); !strings.Contains(why, "reload") {
			t.Error(why)
		}
		for _, path := range []string{"save?format=html&", "text?file=src/app.ts&", "before?"} {
			if status, _ := s.fetch(t, "GET", path+"token="+token, http.Header{}); status != http.StatusForbidden {
				t.Errorf("%s with %q: %d", path, token, status)
			}
		}
	}
	for _, token := range []string{"", s.PanelToken(), other.SourceToken()} {
		c := dial(t, s, "source", nil)
		hello := s.hello("app")
		hello.Token = token
		c.send(hello)
		c.refused()
	}
}

// The hub refuses messages that break the protocol, says why, and closes the socket.
func TestRefused(t *testing.T) {
	s := serve(t, Options{Limits: live.Limits{Bytes: 1 << 16}})
	encode := func(v any) []byte {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	hello := s.hello("app")
	old := hello
	old.Version = 2
	before := hello
	before.ID = "../../etc/passwd"
	large := bytes.Repeat([]byte(" "), 1<<16+1)
	for name, first := range map[string][]byte{
		"empty": {}, "not JSON": []byte("hello"), "an array": []byte("[]"), "no type": []byte("{}"), "an unknown type": []byte(`{"type":"eval"}`), "not UTF-8": []byte("{\"type\":\"hello\",\"name\":\"\xff\"}"),
		"a batch first": encode(batch(1, 1, 1, 1)), "watch first": encode(live.Watch{Type: live.TypeWatch, Version: 1, Token: s.PanelToken()}),
		"another version": encode(old), "a path as ID": encode(before), "too large": large, "deep": bytes.Repeat([]byte("["), 20000),
	} {
		c := dial(t, s, "source", nil)
		c.send(first)
		if why := c.refused(); why == "" {
			t.Errorf("%s: no reason", name)
		}
	}
	for name, messages := range map[string][]any{
		"hello again":     {hello},
		"a gap":           {batch(1, 2, 1, 1)},
		"an unknown type": {[]byte(`{"type":"clear"}`)},
		"a bad stack":     {live.Batch{Type: live.TypeBatch, Profile: 1, Seq: 1, Stacks: []int32{7, 2, 1, 1}}},
		"columns differ":  {live.Batch{Type: live.TypeBatch, Profile: 1, Seq: 1, Samples: live.Samples{Delta: []int64{1}, Stack: []int32{-1, -1}, Weight: []int32{1}}}},
		"huge numbers":    {[]byte(`{"type":"batch","profile":1,"seq":1e999}`)},
		"too large":       {large},
	} {
		who := hello
		who.ID, who.Recording, who.Interval = newToken(), 1, 10
		c, _ := s.join(t, who)
		for _, m := range messages {
			c.send(m)
		}
		if why := c.refused(); why == "" {
			t.Errorf("%s: no reason", name)
		}
	}
	for name, message := range map[string]any{"a batch": batch(1, 1, 1, 1), "too large": bytes.Repeat([]byte(" "), maxFromPanel+1), "a bad interval": []byte(`{"type":"start","interval":-1}`)} {
		c := s.watch(t)
		next[*live.Sources](c)
		c.send(message)
		if why := c.refused(); why == "" {
			t.Errorf("%s: no reason", name)
		}
	}
	binary := dial(t, s, "source", nil)
	if err := binary.conn.Write(t.Context(), websocket.MessageBinary, encode(hello)); err != nil {
		t.Fatal(err)
	}
	binary.refused()
	plain, _, err := websocket.Dial(t.Context(), s.url+Prefix+"source", nil)
	if err != nil {
		t.Fatal(err)
	}
	(&client{t, plain}).refused()
	panel := s.watch(t) // and the hub goes on
	source, _ := s.join(t, hello)
	panel.see("app", "connected")
	source.conn.CloseNow()
}

// A source cannot choose a path: a book's name is a hash, whatever the ID.
func TestNamesOfBooks(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "journal")
	s := serve(t, Options{Journal: folder})
	for _, name := range []string{"CON_aaaaaaaaaaaaaaaa", "-rf_aaaaaaaaaaaaaaaa", strings.Repeat("x", 128)} {
		hello := s.hello("app")
		hello.ID, hello.Recording, hello.Interval = name, 1, 10
		s.join(t, hello)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		if name := entry.Name(); name != runFile && name != lockFile && (len(name) != 64+len(bookEnd) || strings.Trim(name[:64], "0123456789abcdef") != "") {
			t.Errorf("a book has the name %q", name)
		}
		if filepath.Separator == '/' && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v", entry.Name(), info.Mode())
		}
	}
}

// A client that says nothing is left alone only so long.
func TestSilentClient(t *testing.T) {
	patience := defaultTiming
	patience.hello = 20 * time.Millisecond
	s := serve(t, Options{timing: patience})
	if _, err := dial(t, s, "source", nil).receive(); err == nil {
		t.Error("it is kept")
	}
}

// A source that does not answer pings is not connected any more.
func TestHalfOpenSource(t *testing.T) {
	patience := defaultTiming
	patience.ping = 20 * time.Millisecond
	s := serve(t, Options{timing: patience})
	s.join(t, s.hello("app")) // which does not read from here on
	source := s.all()[0]
	for deadline := time.Now().Add(hang); source.connected.Load(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it is kept")
		}
	}
	if state := source.state(); state.State != "lost" || state.Why != "connection lost" {
		t.Errorf("%+v", state)
	}
}

// There are bounds on how many there are; those beyond them cost nothing and do no harm.
func TestBounds(t *testing.T) {
	s := serve(t, Options{})
	panels := make([]*client, maxPanels)
	for i := range panels {
		panels[i] = s.watch(t)
		next[*live.Sources](panels[i])
	}
	if why := s.watch(t).refused(); !strings.Contains(why, "panels") {
		t.Error(why)
	}
	sources := make([]*client, maxSources)
	for i := range sources {
		hello := s.hello("app")
		hello.ID = newToken()
		sources[i], _ = s.join(t, hello)
	}
	more := dial(t, s, "source", nil)
	hello := s.hello("more")
	more.send(hello)
	if why := more.refused(); !strings.Contains(why, "sources") {
		t.Error(why)
	}
	var idle []*client // they have not said what they are
	for range maxSockets - maxSources - maxPanels {
		idle = append(idle, dial(t, s, "source", nil))
	}
	handshake := http.Header{"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"MDEyMzQ1Njc4OWFiY2RlZg=="}}
	for range 1000 {
		if status, _ := s.fetch(t, "GET", "source", handshake); status != http.StatusServiceUnavailable {
			t.Fatalf("one too many: %d", status)
		}
	}
	idle[0].conn.CloseNow()
	sources[0].send(live.Start{Type: live.TypeStart, Interval: 10})
	next[*live.Start](sources[0])
	for _, c := range idle[1:] {
		c.conn.CloseNow()
	}
}

// Sources that are gone make room: at most so many are known.
func TestGoneSourcesAreForgotten(t *testing.T) {
	s := serve(t, Options{})
	for range maxSources + 20 {
		hello := s.hello("app")
		hello.ID, hello.Recording, hello.Interval = newToken(), 1, 10
		c, _ := s.join(t, hello)
		c.conn.Close(websocket.StatusNormalClosure, "left")
	}
	last, _ := s.join(t, s.hello("last"))
	defer last.conn.CloseNow()
	if n := len(s.all()); n > 2*maxSources {
		t.Errorf("%d sources are known", n)
	}
	if n := len(s.journal.books()); n > 2*maxSources {
		t.Errorf("there are %d books", n)
	}
}

// Pages that were only looked at leave those with samples alone, and what is to be kept has room for many more.
func TestGoneSourcesWithSamplesStay(t *testing.T) {
	for _, keep := range []bool{false, true} {
		s := serve(t, Options{Keep: keep})
		s.recorded(t, "recorded", 1).conn.Close(websocket.StatusNormalClosure, "left")
		s.watch(t).see("recorded", "gone")
		come := func(count int, sampled bool) {
			s.mu.Lock()
			defer s.mu.Unlock()
			for range count {
				s.makeRoom()
				one := s.newSource(&live.Hello{ID: newToken()})
				one.sampled.Store(sampled)
				s.sources = append(s.sources, one)
			}
		}
		come(2*maxSources, false)
		if first := s.all()[0]; first.id != id("recorded") || !must.Exists(filepath.Join(s.journal.path, first.book.name)) {
			t.Errorf("with keep = %v it is forgotten for pages without samples", keep)
		}
		come(maxSources, true)
		if stays := s.all()[0].id == id("recorded"); stays != keep {
			t.Errorf("with keep = %v it is still there after many with samples: %v", keep, stays)
		}
		come(maxKept, true)
		if n := len(s.all()); n > maxKept+maxSources {
			t.Errorf("with keep = %v there are %d sources", keep, n)
		}
	}
}
