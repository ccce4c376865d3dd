package pages

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"github.com/fieldprof/fieldprof/profile/live"
	"github.com/fieldprof/fieldprof/profile/report"
)

// Stream is a server for panels that has no programs: it sends what it is told to.
type Stream struct {
	// Files answers everything but the panel's page and its socket.
	Files http.Handler
	// Heard gets what panels send, after watch: their type and the message as JSON.
	Heard chan map[string]any

	mu      sync.Mutex
	options report.PanelOptions
	sources live.Sources
	batches []*live.Batch
	panels  []*websocket.Conn
}

// writing is how long a panel may take to read a message. It ends what hangs.
const writing = 2 * time.Minute

// NewStream makes one whose panels have a token.
func NewStream(o report.PanelOptions) *Stream {
	return &Stream{options: o, Heard: make(chan map[string]any, 100), sources: live.Sources{Type: live.TypeSources, List: []live.Source{}, Server: "first"}}
}

// Sources changes the list of sources.
func (s *Stream) Sources(server string, list ...live.Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sources.Server, s.sources.List = server, list
	s.tell(&s.sources)
}

// Send sends a batch, also to panels that come later.
func (s *Stream) Send(b *live.Batch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.batches = append(s.batches, b)
	s.tell(b)
}

// Clear forgets the batches of some sources, all if none are named.
func (s *Stream) Clear(ids ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.batches = slices.DeleteFunc(s.batches, func(b *live.Batch) bool { return len(ids) == 0 || slices.Contains(ids, b.Source) })
	s.tell(&live.Stop{Type: live.TypeClear, Sources: ids})
}

// Restart breaks all connections, as a new server with another token would have to.
func (s *Stream) Restart(token string) {
	s.mu.Lock()
	s.options.Token = token
	s.mu.Unlock()
	s.Cut()
}

// Cut breaks all connections.
func (s *Stream) Cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, panel := range s.panels {
		_ = panel.CloseNow() // it may be closed already
	}
	s.panels = nil
}

// tell sends to all panels. Those that are gone are left out.
func (s *Stream) tell(message any) {
	s.panels = slices.DeleteFunc(s.panels, func(panel *websocket.Conn) bool { return write(panel, message) != nil })
}

func write(panel *websocket.Conn, message any) error {
	ctx, cancel := context.WithTimeout(context.Background(), writing)
	defer cancel()
	return wsjson.Write(ctx, panel, message)
}

// ServeHTTP implements http.Handler.
func (s *Stream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/__fieldprof/":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = report.WritePanel(w, s.told()) // a closed connection needs no answer
	case "/__fieldprof/panel":
		s.serve(w, r)
	default:
		if s.Files == nil {
			w.WriteHeader(http.StatusNoContent) // no text is known
			return
		}
		s.Files.ServeHTTP(w, r)
	}
}

func (s *Stream) told() report.PanelOptions {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.options
}

// serve serves a panel until it is gone.
func (s *Stream) serve(w http.ResponseWriter, r *http.Request) {
	panel, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{live.Subprotocol}})
	if err != nil {
		return // it has its answer
	}
	defer panel.CloseNow()
	var watch live.Watch
	if wsjson.Read(r.Context(), panel, &watch) != nil {
		return
	}
	if watch.Token != s.told().Token {
		_ = write(panel, &live.Refused{Type: live.TypeRefused, Why: "the token is not that of this server"})
		_ = panel.Close(websocket.StatusPolicyViolation, "") // it may be gone
		return
	}
	if !s.admit(panel) {
		return
	}
	for {
		message := map[string]any{}
		if wsjson.Read(r.Context(), panel, &message) != nil {
			return
		}
		s.Heard <- message
	}
}

// admit sends a panel what there is, and later what comes.
func (s *Stream) admit(panel *websocket.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if write(panel, &s.sources) != nil {
		return false
	}
	for _, b := range s.batches {
		if write(panel, b) != nil {
			return false
		}
	}
	s.panels = append(s.panels, panel)
	return true
}
