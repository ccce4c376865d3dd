// Package livetest is a small server of live profiles for tests of sources: it keeps what
// they send, and fails them in every way that a test wants.
package livetest

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/fieldprof/fieldprof/profile/live"
)

// token is the token of sources.
const token = "a token of the test"

// Server is a server of live profiles. Its fields may be changed by Change only.
type Server struct {
	URL string

	// Away: there is no server. Silent: it does not acknowledge. Refuses: what it answers
	// to hello.
	Away, Silent bool
	Refuses      string
	// Wants is the profile that sources are to have. Profile 0 means that they go on
	// with what they began by themselves, or stop if Stopped.
	Wants   live.Start
	Stopped bool
	Sources []*Source

	t       testing.TB
	mu      sync.Mutex
	changed chan struct{} // closed at each change
	open    map[*websocket.Conn]*Source
}

// Source is a program that has said hello.
type Source struct {
	live.Hello   // the last one
	Hellos       int
	Seqs         []int64       // of all batches that came, also twice
	Batches      []*live.Batch // each once
	Recording    *live.Recording
	Acked        int64
	Goodbyes     []websocket.CloseError
	conversation []string
}

// New starts a server that ends with the test.
func New(t testing.TB) *Server {
	return start(t, (*httptest.Server).Start)
}

// NewTLS is New for a server over HTTPS, with a certificate of which no system knows.
func NewTLS(t testing.TB) (*Server, *x509.Certificate) {
	var certificate *x509.Certificate
	s := start(t, func(server *httptest.Server) {
		server.Config.ErrorLog = log.New(io.Discard, "", 0) // of those who do not know it
		server.StartTLS()
		certificate = server.Certificate()
	})
	return s, certificate
}

func start(t testing.TB, begin func(*httptest.Server)) *Server {
	s := &Server{t: t, changed: make(chan struct{}), open: map[*websocket.Conn]*Source{}}
	server := httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	begin(server)
	s.URL = server.URL
	t.Cleanup(func() {
		s.Drop()
		server.Close()
	})
	return s
}

// Change changes the server, and tells sources if it wants something else now.
func (s *Server) Change(change func(*Server)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted, stopped := s.Wants.Profile, s.Stopped
	change(s)
	for conn, source := range s.open {
		switch {
		case s.Wants.Profile != wanted && s.Wants.Profile != 0:
			s.send(conn, source, s.Wants)
		case s.Stopped && !stopped:
			s.send(conn, source, live.Stop{Type: live.TypeStop})
		}
		s.acknowledge(conn, source)
	}
	s.wake()
}

// Drop breaks all connections without a word.
func (s *Server) Drop() {
	s.mu.Lock()
	open := s.open
	s.open = map[*websocket.Conn]*Source{}
	s.mu.Unlock()
	for conn := range open {
		conn.CloseNow()
	}
}

// Await waits until something is true of the only source. Only a test that hangs fails.
func (s *Server) Await(what string, is func(*Source) bool) {
	s.t.Helper()
	late := time.After(3 * time.Minute)
	for {
		s.mu.Lock()
		changed := s.changed
		ok := len(s.Sources) == 1 && is(s.Sources[0])
		s.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-late:
			s.t.Fatalf("waited in vain for %s", what)
		}
	}
}

func (s *Server) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// last is the number of the last batch that came.
func (s *Source) last() int64 {
	if len(s.Batches) == 0 {
		return 0
	}
	return s.Batches[len(s.Batches)-1].Seq
}

// Conversation is what was said, in order: "<" by the source, ">" to it.
func (s *Source) Conversation() []string { return slices.Clone(s.conversation) }

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	away := s.Away
	s.mu.Unlock()
	switch {
	case away:
		http.Error(w, "away", http.StatusServiceUnavailable)
	case r.URL.Path != "/__fieldprof/source":
		http.NotFound(w, r)
	case r.Header.Get("Upgrade") == "":
		fmt.Fprintf(w, `{"version":%d,"token":%q}`, live.Version, token)
	default:
		conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{live.Subprotocol}})
		if err != nil {
			return
		}
		defer conn.CloseNow()
		s.converse(conn)
	}
}

// converse hears a source to its end.
func (s *Server) converse(conn *websocket.Conn) {
	conn.SetReadLimit(8 << 20)
	var source *Source
	for {
		_, text, err := conn.Read(context.Background())
		if err != nil {
			s.mu.Lock()
			delete(s.open, conn)
			if status := websocket.CloseStatus(err); source != nil && status >= 0 {
				source.Goodbyes = append(source.Goodbyes, websocket.CloseError{Code: status})
			}
			s.wake()
			s.mu.Unlock()
			return
		}
		s.mu.Lock()
		source = s.hear(conn, source, text)
		s.wake()
		s.mu.Unlock()
		if source == nil {
			conn.Close(websocket.StatusPolicyViolation, "refused")
			return
		}
	}
}

// hear takes a message. It returns nil to end the connection.
func (s *Server) hear(conn *websocket.Conn, source *Source, text []byte) *Source {
	message, err := live.Limits{}.Decode(text)
	if err != nil {
		s.t.Errorf("the source says %.300s: %v", text, err)
		return nil
	}
	switch m := message.(type) {
	case *live.Hello:
		return s.welcome(conn, m)
	case *live.Batch:
		if source == nil {
			s.t.Error("a batch comes before hello")
			return nil
		}
		source.Seqs = append(source.Seqs, m.Seq)
		if m.Seq <= source.last() {
			return source
		}
		if err := source.Recording.Add(m); err != nil {
			s.t.Errorf("the source says %.300s: %v", text, err)
			return nil
		}
		source.conversation = append(source.conversation, "< "+string(text))
		source.Batches = append(source.Batches, m)
		s.acknowledge(conn, source)
		return source
	}
	s.t.Errorf("the source says %.300s", text)
	return nil
}

func (s *Server) welcome(conn *websocket.Conn, hello *live.Hello) *Source {
	if s.Refuses != "" || hello.Token != token {
		s.send(conn, &Source{}, live.Refused{Type: live.TypeRefused, Why: s.Refuses})
		return nil
	}
	i := slices.IndexFunc(s.Sources, func(source *Source) bool { return source.ID == hello.ID })
	if i < 0 {
		i = len(s.Sources)
		s.Sources = append(s.Sources, &Source{Recording: live.NewRecording(hello, nil)})
	}
	source := s.Sources[i]
	source.Hello = *hello
	source.Hellos++
	s.open[conn] = source
	acked := source.last()
	if s.Silent {
		acked = source.Acked
	}
	welcome := live.Welcome{Type: live.TypeWelcome, Version: live.Version, Acked: max(acked, hello.Acked), Server: "test"}
	switch {
	case s.Stopped:
	case s.Wants.Profile != 0:
		welcome.Profile, welcome.Interval, welcome.Clock = s.Wants.Profile, s.Wants.Interval, s.Wants.Clock
	case hello.Recording != 0:
		welcome.Profile, welcome.Interval, welcome.Clock = hello.Recording, hello.Interval, hello.Clock
	}
	text, _ := json.Marshal(hello)
	source.conversation = append(source.conversation, "< "+string(text))
	s.send(conn, source, welcome)
	return source
}

// acknowledge acknowledges all that came, unless the server is silent.
func (s *Server) acknowledge(conn *websocket.Conn, source *Source) {
	if s.Silent || source.last() == source.Acked {
		return
	}
	source.Acked = source.last()
	s.send(conn, source, live.Ack{Type: live.TypeAck, Seq: source.Acked})
}

// send says something. A source that is gone does not hear it.
func (s *Server) send(conn *websocket.Conn, source *Source, message any) {
	text, err := json.Marshal(message)
	if err != nil {
		s.t.Error(err)
	}
	source.conversation = append(source.conversation, "> "+string(text))
	_ = conn.Write(context.Background(), websocket.MessageText, text)
}
