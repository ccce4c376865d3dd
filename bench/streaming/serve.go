package streaming

import (
	"context"
	_ "embed"
	"encoding/json"
	"io/fs"
	"net"
	"net/http"
	"sync"

	"github.com/coder/websocket"

	"github.com/fieldprof/fieldprof/bench/devtools"
	"github.com/fieldprof/fieldprof/profile/live"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
)

//go:embed js/page.js
var program string

const index = `<!doctype html><script src="/__fieldprof/live.js" data-source="bench"></script><script src="runtime.js"></script><script src="page.js"></script>`

// site serves the page, and is the server of its live profile.
type site struct {
	url    string
	files  devtools.Files
	server *http.Server

	mu      sync.Mutex
	conn    *websocket.Conn // the page's last one
	bytes   int             // of batches
	batches int
	profile int
}

func serve() (*site, error) {
	result, err := transform.Transform([]byte(program), transform.Options{File: "page.js", Goal: transform.Script})
	if err != nil {
		return nil, err
	}
	s := &site{files: devtools.Files{"/": []byte(index), "/page.js": result.Code}}
	for from, to := range map[string]string{"runtime.js": "/", "trace.js": "/", "coordinator.js": "/__fieldprof/", "live.js": "/__fieldprof/"} {
		if s.files[to+from], err = fs.ReadFile(runtime.Files(), from); err != nil {
			return nil, err
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.url = "http://" + listener.Addr().String() + "/"
	s.server = &http.Server{Handler: s}
	go func() { _ = s.server.Serve(listener) }()
	return s, nil
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/__fieldprof/source" {
		s.talk(w, r)
		return
	}
	// Shared memory, as `instrument serve` gives it to pages.
	w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
	w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
	s.files.ServeHTTP(w, r)
}

// talk acknowledges all that the page sends.
func (s *site) talk(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{live.Subprotocol}})
	if err != nil {
		return
	}
	defer conn.CloseNow()
	conn.SetReadLimit(4 << 20)
	for {
		_, data, err := conn.Read(r.Context())
		if err != nil {
			return
		}
		message, err := live.Limits{}.Decode(data)
		if err != nil {
			return // the page then never says that it is recorded
		}
		s.mu.Lock()
		switch m := message.(type) {
		case *live.Hello:
			s.conn = conn
			say(r.Context(), conn, live.Welcome{Type: live.TypeWelcome, Version: live.Version, Acked: m.Acked, Server: "bench"})
		case *live.Batch:
			s.bytes += len(data)
			s.batches++
			say(r.Context(), conn, live.Ack{Type: live.TypeAck, Seq: m.Seq})
		}
		s.mu.Unlock()
	}
}

// start and stop the live profile.
func (s *site) start(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.profile++
	say(ctx, s.conn, live.Start{Type: live.TypeStart, Profile: s.profile, Interval: interval})
}

func (s *site) stop(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	say(ctx, s.conn, live.Stop{Type: live.TypeStop})
}

// sent is how much the page has sent so far.
func (s *site) sent() (batches, bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.batches, s.bytes
}

func (s *site) isConnected() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn != nil
}

// say writes a message; if that fails, the code that waits for its effect says so.
func say(ctx context.Context, conn *websocket.Conn, message any) {
	if text, err := json.Marshal(message); err == nil && conn != nil {
		_ = conn.Write(ctx, websocket.MessageText, text)
	}
}
