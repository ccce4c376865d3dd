package site

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"runtime"
	"strings"
	"time"
)

// proxy forwards requests to a dev server. It instruments the pages and scripts in the
// answers (rewrite.go) and forwards everything else unchanged and without delay: sockets,
// event streams, media. The dev server sees requests that are addressed to itself.
type proxy struct {
	site     *Site
	upstream *url.URL
	reverse  *httputil.ReverseProxy
	memory   memory
	gate     chan struct{} // of scripts that are transformed at the same time
}

func newProxy(s *Site) (*proxy, error) {
	u, err := url.Parse(s.Proxy)
	switch {
	case err != nil:
		return nil, err
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("%q is not the address of a server: write it as http://localhost:5173", s.Proxy)
	case strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil:
		return nil, fmt.Errorf("%q is more than the address of a server: paths are those of the pages: write %s://%s", s.Proxy, u.Scheme, u.Host)
	}
	p := &proxy{site: s, upstream: &url.URL{Scheme: u.Scheme, Host: u.Host}, gate: make(chan struct{}, runtime.GOMAXPROCS(0))}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	transport.DisableCompression = true
	if isLoopback(u.Hostname()) { // its certificate is one that nobody vouches for
		transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	}
	p.reverse = &httputil.ReverseProxy{
		Rewrite: p.rewrite, ModifyResponse: p.modify, ErrorHandler: p.unanswered, Transport: transport,
		ErrorLog: log.New(io.Discard, "", 0), // of connections that end early: the browser sees them
	}
	context.AfterFunc(s.ctx, transport.CloseIdleConnections)
	return p, nil
}

func isLoopback(name string) bool {
	ip, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && ip.IsLoopback()
}

func (p *proxy) failure() string { return "" }

// ask is a request of a browser, as long as it is answered.
type ask struct {
	*http.Request
	target    string // path and query
	navigates bool   // it is for a page to show
	runs      bool   // it is for a script to run
	match     string // If-None-Match
}

type askKey struct{}

// via marks requests that have passed here, to notice a circle.
const via = "1.1 fieldprof"

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(strings.Join(r.Header.Values("Via"), ","), via) {
		http.Error(w, "508: the server to stand in front of is this one", http.StatusLoopDetected)
		return
	}
	a := &ask{Request: r, target: r.URL.RequestURI(), navigates: isNavigation(r)}
	a.runs = runsScript(r)
	if m := p.memory.sourceMap(a.target); m != nil && r.Method == http.MethodGet && !a.navigates && !a.runs {
		p.site.isolate(w.Header(), r)
		newContent(m).serve(w, r, "x.map", "")
		return
	}
	if a.navigates || a.runs {
		a.match = strings.Join(r.Header.Values("If-None-Match"), ",")
	}
	p.reverse.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), askKey{}, a)))
}

// runsScript reports whether a request may be for a script that is run. A program may show
// the text that it fetches, or compare it with a hash, so that text stays as it is. So does
// a service worker. If a browser does not say what a request is for, every request counts
// that is not for a picture and the like.
func runsScript(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Dest") {
	case "script", "worker", "sharedworker":
		return true
	case "":
		accept := r.Header.Get("Accept")
		return r.Header.Get("Range") == "" && r.Header.Get("Service-Worker") == "" && (accept == "" || strings.Contains(accept, "*/*") && !strings.HasPrefix(accept, "image/") && !strings.HasPrefix(accept, "text/css"))
	}
	return false
}

// rewrite makes a request look as if it came from the dev server's own pages. It asks for
// the whole of a page or script, because a part or "not modified" cannot be changed.
func (p *proxy) rewrite(r *httputil.ProxyRequest) {
	r.SetURL(p.upstream)
	r.Out.URL.RawQuery = r.In.URL.RawQuery // also what Go finds odd
	header := r.Out.Header
	header.Set("Accept-Encoding", "identity")
	header.Add("Via", via)
	for _, name := range []string{"Origin", "Referer"} {
		if u, err := url.Parse(header.Get(name)); err == nil && u.Host != "" && u.Host == r.In.Host {
			u.Scheme, u.Host = p.upstream.Scheme, p.upstream.Host
			header.Set(name, u.String())
		}
	}
	if a := askOf(r.In); a != nil && (a.navigates || a.runs) {
		for _, name := range []string{"If-None-Match", "If-Modified-Since", "If-Range", "Range"} {
			header.Del(name)
		}
	}
}

func askOf(r *http.Request) *ask {
	a, _ := r.Context().Value(askKey{}).(*ask)
	return a
}

// unanswered says that the dev server gave no answer.
func (p *proxy) unanswered(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) {
		return // the browser has gone
	}
	reason := err.Error()
	var operation *net.OpError
	if errors.As(err, &operation) {
		reason = operation.Err.Error()
	}
	p.site.log("no answer from %s: %s", p.upstream, reason)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(http.StatusBadGateway)
	fmt.Fprintf(w, "502: no answer from %s: %s. Is the dev server running?\n", p.upstream, reason)
}

// again asks for a script once more that was sent before this server was started, or that
// has been forgotten.
func (p *proxy) again(u *url.URL) {
	if !isSource(u.Path) || !p.memory.miss(u.RequestURI()) {
		return
	}
	ctx, cancel := context.WithTimeout(p.site.ctx, 5*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.upstream.Host+u.RequestURI(), nil)
	if err != nil {
		return
	}
	r.Host = u.Host
	r.Header.Set("Sec-Fetch-Dest", "script")
	p.ServeHTTP(&nowhere{http.Header{}}, r)
}

// isSource reports whether a path ends as the path of a script does: asking for anything else
// could have effects.
func isSource(path string) bool {
	for _, ext := range []string{".js", ".mjs", ".cjs", ".ts", ".mts", ".jsx", ".tsx", ".vue", ".svelte", ".astro"} {
		if strings.HasSuffix(path, ext) {
			return true
		}
	}
	return false
}

// nowhere takes an answer that nobody reads.
type nowhere struct{ header http.Header }

func (n *nowhere) Header() http.Header         { return n.header }
func (n *nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (n *nowhere) WriteHeader(int)             {}
