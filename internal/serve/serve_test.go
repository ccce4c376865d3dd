package serve

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/serve/address"
	"github.com/fieldprof/fieldprof/internal/serve/certificate"
	"github.com/fieldprof/fieldprof/internal/serve/hub"
	"github.com/fieldprof/fieldprof/internal/serve/site"
)

// hang is how long a test waits for what never comes.
const hang = 3 * time.Minute

// running starts a server of a small site, and returns how to end it.
func running(t *testing.T, change func(*Options)) (s *Server, end func() error) {
	t.Helper()
	dist := t.TempDir()
	for name, text := range map[string]string{"index.html": "<!doctype html><title>A site</title><script src=app.js></script>", "app.js": "function f(n) { while (n--); return n; }\nf(9);\n"} {
		if err := os.WriteFile(filepath.Join(dist, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	place, err := address.Listen("", 0)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Place: place, Site: site.Options{Input: dist, Isolated: true}, Hub: hub.Options{Journal: filepath.Join(t.TempDir(), "journal")}}
	if change != nil {
		change(&o)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if s, err = New(ctx, o); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	end = func() error {
		cancel()
		select {
		case err := <-ended:
			ended <- err
			return err
		case <-time.After(hang):
			t.Fatal("it does not end")
			return nil
		}
	}
	t.Cleanup(func() { end() })
	return s, end
}

// get sends a request with a Host header.
func get(t *testing.T, url, host string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = host
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// One address has the site and the panel.
func TestSiteAndPanel(t *testing.T) {
	s, end := running(t, nil)
	if _, body := get(t, s.Site(), ""); !strings.Contains(body, "/__fieldprof/live.js") || !strings.Contains(body, s.hub.SourceToken()) || strings.Contains(body, s.hub.PanelToken()) {
		t.Errorf("the page is %s", body)
	}
	if _, body := get(t, s.Site()+"app.js", ""); !strings.Contains(body, "function f(n) {") || len(body) < 60 {
		t.Errorf("the script is %s", body)
	}
	if _, body := get(t, s.Site()+"__fieldprof/live.js", ""); len(body) < 1000 {
		t.Errorf("the client is %s", body)
	}
	response, body := get(t, s.Panel(), "")
	if !strings.Contains(body, s.hub.PanelToken()) || strings.Contains(body, s.hub.SourceToken()) || response.Header.Get("X-Frame-Options") != "DENY" {
		t.Errorf("the panel: %v %.300s", response.Header, body)
	}
	if strings.Contains(s.Panel(), "key") {
		t.Errorf("on this machine the panel needs no key: %s", s.Panel())
	}
	if err := end(); err != nil {
		t.Error(err)
	}
	if _, err := http.Get(s.Site()); err == nil {
		t.Error("it still answers")
	}
}

// A site whose name was made to resolve to this machine gets nothing, whatever it asks for. A forwarded port
// is this server under its own name.
func TestForeignHost(t *testing.T) {
	s, _ := running(t, nil)
	port := s.options.Place.Port
	for host, want := range map[string]int{
		fmt.Sprint("localhost:", port): 200, fmt.Sprint("127.0.0.1:", port): 200, fmt.Sprint("LocalHost:", port): 200,
		fmt.Sprint("evil.example:", port): 421, "localhost": 200, "localhost:1": 200, "127.0.0.1:9000": 200, "[::1]:9000": 200, fmt.Sprint("localhost.evil.example:", port): 421, "evil.example": 421,
		fmt.Sprint("127.0.0.1.evil.example:", port): 421, fmt.Sprint("192.168.0.1:", port): 421, fmt.Sprint("0.0.0.0:", port): 421, fmt.Sprint("2130706433:", port): 421,
		"evil.example:80": 421, "localhost:80.evil.example": 421, "localhost.": 421, "evil.localhost:1": 421, "[::1]evil.example": 421, "[::1": 421, "::1": 421,
	} {
		for _, path := range []string{"", "app.js", "__fieldprof/", "__fieldprof/source", "__fieldprof/live.js", "__fieldprof/save?token=" + s.hub.PanelToken()} {
			response, body := get(t, s.Site()+path, host)
			if refused := response.StatusCode == 421; refused != (want == 421) {
				t.Errorf("%q as %s: %d", path, host, response.StatusCode)
			} else if refused && (strings.Contains(body, s.hub.SourceToken()) || response.Header.Get("X-Content-Type-Options") != "nosniff") {
				t.Errorf("%q as %s: %v %s", path, host, response.Header, body)
			}
		}
	}
	// HTTP/1.0 needs no Host.
	conn := connect(t, s)
	fmt.Fprint(conn, "GET /__fieldprof/ HTTP/1.0\r\n\r\n")
	if line, _ := bufio.NewReader(conn).ReadString('\n'); !strings.Contains(line, "421") {
		t.Errorf("without a host: %q", line)
	}
}

func connect(t *testing.T, s *Server) net.Conn {
	t.Helper()
	conn, err := net.DialTimeout("tcp", s.options.Place.Listeners[0].Addr().String(), hang)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// The same over HTTPS.
func TestHTTPS(t *testing.T) {
	s, _ := running(t, func(o *Options) {
		var err error
		if o.Certificate, err = certificate.Local(filepath.Join(t.TempDir(), "certificate.pem"), o.Place.Hosts, time.Now()); err != nil {
			t.Fatal(err)
		}
	})
	if !strings.HasPrefix(s.Site(), "https://") || !strings.HasPrefix(s.Panel(), s.Site()) {
		t.Errorf("%s %s", s.Site(), s.Panel())
	}
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} // nobody vouches for it
	response, err := client.Get(s.Panel())
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatal(response, err)
	}
	response.Body.Close()
}

// Addresses for other machines have the key.
func TestBeyondLoopback(t *testing.T) {
	s := &Server{}
	s.options.Place = &address.Place{Port: 8080, Hosts: []string{"192.168.1.2", "localhost"}, Beyond: true}
	var err error
	if s.hub, err = hub.New(hub.Options{Journal: filepath.Join(t.TempDir(), "journal")}); err != nil {
		t.Fatal(err)
	}
	defer s.hub.Close()
	if got, want := s.Panel(), "http://192.168.1.2:8080/__fieldprof/?key="+s.hub.PanelToken(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	known := hostsOf(s.options.Place)
	for _, host := range []string{"192.168.1.2:8080", "localhost:8080", "192.168.1.2:9000"} {
		if !known.has(host) {
			t.Errorf("%s is not known", host)
		}
	}
}
