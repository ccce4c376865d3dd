package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/coder/websocket"

	"github.com/fieldprof/fieldprof/profile/live"
)

// link is the connection of a source.
type link struct {
	*socket
	news   chan struct{}
	cancel context.CancelCauseFunc
	told   int   // the profile that it was told to record, 0 for none
	began  int   // the last one that was not 0
	acked  int64 // as it was told
}

// serveSource answers a source.
func (h *Hub) serveSource(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") == "" {
		h.serveToken(w, r)
		return
	}
	h.serveSocket(w, r, cmp.Or(h.options.Limits.Bytes, maxFromSource), func(ctx context.Context, socket *socket) error {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		l := &link{socket: socket, news: make(chan struct{}, 1), cancel: cancel}
		message, err := h.firstMessage(ctx, socket)
		if err != nil {
			return err
		}
		hello, ok := message.(*live.Hello)
		switch {
		case !ok:
			return refuse("a source says hello first")
		case !same(hello.Token, h.run.Source):
			return refuse("this is from an earlier run of the server: reload the page, or start the program again")
		}
		s, welcome, err := h.join(l, hello)
		if err != nil {
			return err
		}
		h.changed()
		if err = socket.write(ctx, welcome); err == nil {
			err = socket.serve(ctx, l.news, func(data []byte) error { return h.hear(s, l, data) }, func(ctx context.Context) error { return s.tell(ctx, l) })
		}
		s.leave(l, err)
		h.changed()
		return err
	})
}

// serveToken tells a program that is not a page the token that every page of the site holds.
func (h *Hub) serveToken(w http.ResponseWriter, r *http.Request) {
	if !sameOrigin(r) || !slices.Contains([]string{"", "none", "same-origin"}, r.Header.Get("Sec-Fetch-Site")) {
		http.Error(w, "This is for programs, not for other sites.", http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(struct {
		Version int    `json:"version"`
		Token   string `json:"token"`
	}{live.Version, h.run.Source})
}

// join makes a link that of the source which introduces itself.
func (h *Hub) join(l *link, hello *live.Hello) (*source, *live.Welcome, error) {
	h.mu.Lock()
	var s, before *source
	connected := 0
	for _, other := range h.sources {
		switch other.id {
		case hello.ID:
			s = other
		case hello.After:
			before = other
		}
		if other.connected.Load() {
			connected++
		}
	}
	full := connected >= maxSources && (s == nil || !s.connected.Load())
	if s == nil && !full {
		h.makeRoom()
		s = h.newSource(hello)
		h.sources = append(h.sources, s)
		h.known.Store(int64(len(h.sources)))
	}
	h.mu.Unlock()
	if full {
		return nil, nil, refuse("%d sources are connected already", maxSources)
	}
	mayGoOn := before == nil || before.replaced()
	return s, s.welcome(l, hello, mayGoOn), nil
}

// makeRoom forgets the oldest sources that are not connected if there are too many. Those that were
// only looked at do not count against those that have samples.
func (h *Hub) makeRoom() {
	room := map[bool]int{false: maxSources, true: maxSources} // with samples or without
	if h.options.Keep {
		room[true] = maxKept
	}
	for i := len(h.sources) - 1; i >= 0; i-- {
		s := h.sources[i]
		if s.connected.Load() {
			continue
		}
		sampled := s.sampled.Load()
		if room[sampled]--; room[sampled] <= 0 {
			h.sources = slices.Delete(h.sources, i, i+1)
			s.book.remove()
		}
	}
}

// replaced notes that a page was reloaded, and reports whether its successor may go on recording.
func (s *source) replaced() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.link != nil {
		s.link.cancel(errReplaced)
	}
	s.gone, s.why = true, "reloaded"
	return !s.stopped
}

// errReplaced ends the connection of a source that has another.
var errReplaced = errors.New("replaced")

// welcome connects a source. A profile of which nothing is known here, because the
// source began it by itself, goes on if it may.
func (s *source) welcome(l *link, hello *live.Hello, mayGoOn bool) *live.Welcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.link != nil { // half-open
		s.link.cancel(errReplaced)
	}
	known := s.recording != nil && hello.Recording == s.number && hello.Acked <= s.acked
	s.link, s.gone, s.why = l, false, ""
	s.connected.Store(true)
	s.introduce(hello)
	s.forgot = hello.Acked > s.acked
	s.acked = max(s.acked, hello.Acked)
	starting := s.hub.startingNow()
	switch {
	case known: // it goes on, or stops if a panel wanted that meanwhile
	case hello.Recording > 0 && (mayGoOn || starting != nil):
		number := hello.Recording
		if hello.Acked > 0 || number <= s.number { // something of it is missing here
			number = max(number, s.number) + 1
		}
		s.begin(number, cmp.Or(hello.Interval, s.hub.options.Interval), hello.Clock)
	case s.wanted && s.history.version > 0: // it has ended what it was recording
		s.wanted = false
	case starting != nil && !s.wanted:
		s.begin(s.number+1, cmp.Or(starting.Interval, s.hub.options.Interval), starting.Clock)
	}
	s.number = max(s.number, hello.Recording)
	w := &live.Welcome{Type: live.TypeWelcome, Version: live.Version, Acked: s.acked, Server: s.hub.server}
	if s.wanted {
		w.Profile, w.Interval, w.Clock = s.number, s.order.Interval, s.order.Clock
	}
	l.told, l.began, l.acked = w.Profile, w.Profile, s.acked
	return w
}

// hear takes a message of a source.
func (h *Hub) hear(s *source, l *link, data []byte) error {
	message, err := h.options.Limits.Decode(data)
	if err != nil {
		return refuse("%v", err)
	}
	switch m := message.(type) {
	case *live.Batch:
		if err := s.add(data, m); err != nil {
			return refuse("%v", err)
		}
		wake(l.news)
		h.changed()
		h.fit()
	case *live.Start: // a button in the page
		m.Sources = []string{s.id}
		h.start(m)
	case *live.Stop:
		if m.Type != live.TypeStop {
			return refuse("a source may not clear")
		}
		m.Sources = []string{s.id}
		h.stop(m)
	default:
		return refuse("a source sends batches")
	}
	return nil
}

// tell tells a source what it does not know yet.
func (s *source) tell(ctx context.Context, l *link) error {
	s.mu.Lock()
	var messages []any
	if s.acked != l.acked {
		l.acked = s.acked
		messages = append(messages, live.Ack{Type: live.TypeAck, Seq: s.acked})
	}
	want := 0
	if s.wanted {
		want = s.number
	}
	if want != l.told {
		l.told = want
		if want != 0 {
			l.began = want
			messages = append(messages, s.order)
		} else {
			messages = append(messages, live.Stop{Type: live.TypeStop})
		}
	}
	s.mu.Unlock()
	for _, m := range messages {
		if err := l.write(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// leave notes that a connection has ended, and why.
func (s *source) leave(l *link, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.link != l {
		return // it has another
	}
	s.link = nil
	s.connected.Store(false)
	var refused *refusal
	switch code := websocket.CloseStatus(err); {
	case s.gone: // reloaded
	case errors.As(err, &refused):
		s.why = "refused: " + refused.why
	case code == websocket.StatusNormalClosure || code == websocket.StatusGoingAway:
		s.gone, s.why = true, "left"
		if s.hello.What == "node" || s.hello.What == "goja" {
			s.why = "ended"
		}
	default:
		s.why = "connection lost"
	}
}
