package browser

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/protocol"
)

// order adds to an order what surrounds the program.
type order struct {
	protocol.Order
	Engine    string            `json:"engine"`
	Directory string            `json:"directory"`
	Env       map[string]string `json:"env"`
	Script    string            `json:"script"` // URL of the bundle
}

// host serves the page and receives what it sends. Its address contains a secret, so
// that no other page can reach it.
type host struct {
	base   string // URL, with a slash at the end
	files  map[string][]byte
	stdout io.Writer
	stderr io.Writer
	beside *Beside // or nil
	around around

	listener net.Listener
	server   *http.Server
	loaded   chan struct{} // closed when the page runs
	stopping chan struct{} // closed when the program is to stop
	reported chan struct{} // closed when report or wrong is set
	saidIt   chan struct{} // closed when said is set
	lifeline lifeline
	once     struct{ loaded, reported, said sync.Once }

	mu     sync.Mutex
	report *protocol.Report
	wrong  error // the report could not be read
	said   []byte
}

// newHost listens on a port of its own; serve answers. If shared, its page is
// cross-origin isolated, so that it can share memory with its worker.
func newHost(program engine.Program, shared bool, beside *Beside) (*host, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h := &host{
		stdout: program.Stdout, stderr: program.Stderr, beside: beside,
		loaded: make(chan struct{}), stopping: make(chan struct{}), reported: make(chan struct{}), saidIt: make(chan struct{}),
		lifeline: lifeline{lost: make(chan struct{})},
	}
	secret := "/" + rand.Text() + "/"
	h.base = "http://" + listener.Addr().String() + secret
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+secret+"{file...}", h.serveFile)
	mux.HandleFunc("GET "+secret+"wait", h.serveWait)
	mux.HandleFunc("POST "+secret+"talk", h.serveTalk)
	mux.HandleFunc("POST "+secret+"end", h.serveEnd)
	if beside != nil {
		mux.HandleFunc("GET "+secret+"finished", h.serveFinished)
		mux.HandleFunc("POST "+secret+"said", h.serveSaid)
	}
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	h.server = &http.Server{Handler: withHeaders(mux, shared), ReadHeaderTimeout: time.Minute}
	h.listener = listener
	return h, nil
}

// serve starts to answer, with these files by name.
func (h *host) serve(files map[string][]byte) {
	h.files = files
	go func() { _ = h.server.Serve(h.listener) }()
}

// withHeaders makes pages cross-origin isolated if they are to share memory.
func withHeaders(next http.Handler, shared bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Cache-Control", "no-store")
		if shared {
			header.Set("Cross-Origin-Opener-Policy", "same-origin")
			header.Set("Cross-Origin-Embedder-Policy", "credentialless")
			header.Set("Cross-Origin-Resource-Policy", "same-origin")
		}
		next.ServeHTTP(w, r)
	})
}

// page returns the document in which a program runs; first, unless empty, is a script
// that comes before all others.
func page(o *order, first string) ([]byte, error) {
	text, err := json.Marshal(o) // it escapes < and >
	if err != nil {
		return nil, err
	}
	preload := "preload" // so that the recording does not include the wait for the script
	if o.Module {
		preload = "modulepreload"
	}
	if first != "" {
		first = fmt.Sprintf("<script src=%q></script>\n", first)
	}
	return fmt.Appendf(nil, `<!doctype html><html><head><meta charset="utf-8"><title>%s</title>
<link rel="%s" href="bundle.js" as="script">
%s<script type="application/json" id="order">%s</script>
<script src="page.js"></script></head><body></body></html>
`, html.EscapeString(o.Path), preload, first, text), nil
}

// besideScript is the name of Beside.Script.
const besideScript = "beside.js"

func (h *host) serveFile(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	content, ok := h.files[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	kind := "text/javascript; charset=utf-8"
	if name == "" {
		kind = "text/html; charset=utf-8"
		if h.beside != nil {
			for header, value := range h.beside.Headers {
				w.Header().Set(header, value)
			}
		}
	}
	if name == besideScript && h.around.begin != nil {
		_ = h.around.begin() // the run reports it after the program
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(content)
}

// serveWait answers when the program is to stop.
func (h *host) serveWait(_ http.ResponseWriter, r *http.Request) {
	defer h.lifeline.hold()()
	h.once.loaded.Do(func() { close(h.loaded) })
	select {
	case <-h.stopping:
	case <-r.Context().Done():
	}
}

// serveTalk takes what the program printed, and answers whether it is to stop.
func (h *host) serveTalk(w http.ResponseWriter, r *http.Request) {
	defer h.lifeline.hold()()
	var said [][2]json.RawMessage
	if err := json.NewDecoder(r.Body).Decode(&said); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range said {
		var text string
		if json.Unmarshal(s[1], &text) != nil {
			continue
		}
		to := h.stdout
		if string(s[0]) == "2" {
			to = h.stderr
		}
		_, _ = io.WriteString(to, text)
	}
	select {
	case <-h.stopping:
		_, _ = io.WriteString(w, "stop")
	default:
	}
}

// serveEnd takes the report.
func (h *host) serveEnd(_ http.ResponseWriter, r *http.Request) {
	defer h.lifeline.hold()()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return // the page disappeared while posting
	}
	report, err := protocol.ReadReport(text)
	h.once.reported.Do(func() {
		h.report, h.wrong = report, err
		close(h.reported)
	})
}

// close ends the server and all connections.
func (h *host) close() {
	_ = h.server.Close()
	_ = h.listener.Close() // the server does not know it before it serves
}
