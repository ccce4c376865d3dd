package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/fieldprof/fieldprof/profile/live"
)

const token = "a token of the test"

// server is what sources talk to. It keeps all that they say.
type server struct {
	t *testing.T

	mu      sync.Mutex
	changed chan struct{} // closed at each change
	sources []*source
	// wants is the profile that every source is to have; 0: none.
	wants live.Start
	// silent: it does not acknowledge. away: it refuses connections.
	silent, away bool
	run          int
	open         map[*websocket.Conn]bool
}

// source is a page or a worker, by its ID.
type source struct {
	live.Hello // the last one
	hellos     int
	conn       *websocket.Conn
	recording  *live.Recording
	batches    []*live.Batch
	acked      int64
	// closed are the codes and reasons with which its connections ended.
	closed []websocket.CloseError
}

func newServer(t *testing.T) *server {
	return &server{t: t, changed: make(chan struct{}), open: map[*websocket.Conn]bool{}}
}

// change changes the server's state, and wakes those that wait.
func (s *server) change(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	close(s.changed)
	s.changed = make(chan struct{})
}

// patience is how long a test waits for what never comes.
const patience = 5 * time.Minute

// wait waits until a source satisfies the test, and returns it.
func (s *server) wait(what string, is func(*source) bool) *source {
	s.t.Helper()
	timeout := time.After(patience)
	for {
		s.mu.Lock()
		i := slices.IndexFunc(s.sources, is)
		changed := s.changed
		s.mu.Unlock()
		if i >= 0 {
			return s.sources[i]
		}
		select {
		case <-changed:
		case <-timeout:
			s.mu.Lock()
			defer s.mu.Unlock()
			for _, source := range s.sources {
				s.t.Logf("%s %q: %d batches, notes %q, functions %v", source.What, source.Name, len(source.batches), source.notes(), source.functions())
			}
			s.t.Fatalf("waited in vain for %s", what)
		}
	}
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	away := s.away
	s.mu.Unlock()
	if r.URL.Path != "/__fieldprof/source" || away {
		http.NotFound(w, r)
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{live.Subprotocol}})
	if err != nil {
		s.t.Error(err)
		return
	}
	defer conn.CloseNow()
	conn.SetReadLimit(4 << 20)
	err = s.talk(r, conn)
	var closed websocket.CloseError
	s.change(func() {
		delete(s.open, conn)
		for _, source := range s.sources {
			if source.conn != conn {
				continue
			}
			source.conn = nil
			if errors.As(err, &closed) {
				source.closed = append(source.closed, closed)
			}
		}
	})
	if errors.Is(err, errWrong) {
		s.t.Error(err)
	}
}

// errWrong is a message that should not be.
var errWrong = errors.New("a source says what it should not")

// talk reads messages until the connection ends.
func (s *server) talk(r *http.Request, conn *websocket.Conn) error {
	var from *source
	for {
		_, data, err := conn.Read(r.Context())
		if err != nil {
			return err
		}
		message, err := live.Limits{}.Decode(data)
		if err != nil {
			return fmt.Errorf("%w: %w: %.300s", errWrong, err, data)
		}
		s.change(func() {
			switch m := message.(type) {
			case *live.Hello:
				from, err = s.hello(m, conn)
			case *live.Batch:
				err = s.batch(from, m)
			case *live.Start:
				err = s.send(from, live.Start{Type: live.TypeStart, Profile: 77, Interval: m.Interval})
			case *live.Stop:
				err = s.send(from, live.Stop{Type: live.TypeStop})
			default:
				err = fmt.Errorf("%w: %T", errWrong, m)
			}
		})
		if err != nil {
			return err
		}
	}
}

func (s *server) hello(m *live.Hello, conn *websocket.Conn) (*source, error) {
	if m.Token != token {
		return nil, fmt.Errorf("%w: the token is %q", errWrong, m.Token)
	}
	s.open[conn] = true
	i := slices.IndexFunc(s.sources, func(source *source) bool { return source.ID == m.ID })
	if i < 0 {
		i = len(s.sources)
		s.sources = append(s.sources, &source{recording: live.NewRecording(m, nil)})
	}
	from := s.sources[i]
	from.Hello, from.conn = *m, conn
	from.hellos++
	if m.Acked > from.acked && from.hellos > 1 {
		return nil, fmt.Errorf("%w: it believes that %d batches were acknowledged, not %d", errWrong, m.Acked, from.acked)
	}
	welcome := live.Welcome{Type: live.TypeWelcome, Version: live.Version, Server: fmt.Sprint(s.run), Acked: from.acked}
	switch {
	case m.Recording != 0 && s.wants.Profile != 0:
		welcome.Profile, welcome.Interval = m.Recording, m.Interval
	case s.wants.Profile != 0:
		welcome.Profile, welcome.Interval, welcome.Clock = s.wants.Profile, s.wants.Interval, s.wants.Clock
	}
	return from, s.send(from, welcome)
}

func (s *server) batch(from *source, b *live.Batch) error {
	if n := len(from.batches); n > 0 && b.Seq <= from.acked {
		return fmt.Errorf("%w: batch %d, and %d is acknowledged", errWrong, b.Seq, from.acked)
	}
	if err := from.recording.Add(b); err != nil {
		return fmt.Errorf("%w: %w", errWrong, err)
	}
	if n := len(from.batches); n == 0 || b.Seq > from.batches[n-1].Seq {
		from.batches = append(from.batches, b)
	}
	if s.silent {
		return nil
	}
	from.acked = b.Seq
	return s.send(from, live.Ack{Type: live.TypeAck, Seq: b.Seq})
}

// send sends a message; a connection that is gone is not an error.
func (s *server) send(to *source, message any) error {
	text, err := json.Marshal(message)
	if err == nil && to.conn != nil {
		_ = to.conn.Write(s.t.Context(), websocket.MessageText, text)
	}
	return err
}

// start begins a profile of all sources, those to come included; stop ends them.
func (s *server) start(profile int, clock string) {
	s.change(func() {
		s.wants = live.Start{Type: live.TypeStart, Profile: profile, Interval: 10, Clock: clock}
		for _, source := range s.sources {
			_ = s.send(source, s.wants)
		}
	})
}

func (s *server) stop() {
	s.change(func() {
		s.wants = live.Start{}
		for _, source := range s.sources {
			_ = s.send(source, live.Stop{Type: live.TypeStop})
		}
	})
}

// cut ends all connections at once, as a network does.
func (s *server) cut() {
	s.change(func() {
		for conn := range s.open {
			go conn.CloseNow()
		}
	})
}

// functions counts the samples of the last profile by the function that took them, or "".
func (s *source) functions() map[string]int {
	count, names := map[string]int{}, map[int32]string{}
	var records []int32 // of stacks
	for i, b := range s.batches {
		if i > 0 && b.Profile != s.batches[i-1].Profile {
			count, names, records = map[string]int{}, map[int32]string{}, nil
		}
		for _, record := range b.Records {
			names[record.ID] = record.Name
		}
		for at := 1; at < len(b.Stacks); at += 4 {
			records = append(records, b.Stacks[at])
		}
		for _, stack := range b.Samples.Stack {
			name := ""
			if stack >= 0 {
				name = names[records[stack]]
			}
			count[name]++
		}
	}
	return count
}

func (s *source) notes() []string {
	var all []string
	for _, b := range s.batches {
		all = append(all, b.Notes...)
	}
	return all
}

// mark is the longest mark of a kind, or nil.
func (s *source) mark(what string) *live.Mark {
	var longest *live.Mark
	for _, b := range s.batches {
		for i, m := range b.Marks {
			if m.What == what && (longest == nil || m.Duration > longest.Duration) {
				longest = &b.Marks[i]
			}
		}
	}
	return longest
}

func (s *source) ended() bool {
	n := len(s.batches)
	return n > 0 && s.batches[n-1].Ended
}

// works reports whether the source was seen at work, in so many samples.
func works(samples int) func(*source) bool {
	return func(s *source) bool { return s.functions()["work"] >= samples }
}

// whole checks that nothing is missing from a profile that has ended.
func (s *source) whole(t *testing.T) {
	t.Helper()
	ticks, profile := int64(0), s.batches[len(s.batches)-1].Profile
	for i, b := range s.batches {
		if b.Seq != int64(i+1) {
			t.Errorf("batch %d has the number %d", i+1, b.Seq)
		}
		if b.Profile != profile {
			continue
		}
		for _, weight := range b.Samples.Weight {
			ticks += int64(weight)
		}
		if b.Dropped != (live.Dropped{}) {
			t.Errorf("batch %d says that %+v was dropped", b.Seq, b.Dropped)
		}
	}
	if a := s.batches[len(s.batches)-1].Account; a.Raised != ticks || a.Taken+a.Idle+a.Program+a.Lost != a.Raised {
		t.Errorf("%d ticks arrived, of %+v", ticks, a)
	}
	for _, note := range s.notes() {
		if !strings.HasPrefix(note, "clock: ") {
			t.Logf("note: %s", note)
		}
	}
}
