package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/fieldprof/fieldprof/profile/live"
)

// timing bounds how long a client may take.
type timing struct {
	hello time.Duration // until its first message is complete
	ping  time.Duration // between pings, and until their answers
	write time.Duration // until it has taken a message
	drain time.Duration // for what sources have left when the server ends
}

var defaultTiming = timing{hello: 10 * time.Second, ping: 20 * time.Second, write: 10 * time.Second, drain: 2 * time.Second}

// socket is a WebSocket with limits.
type socket struct {
	conn   *websocket.Conn
	timing timing
	limit  int64 // bytes of a message

	running sync.WaitGroup
}

// refusal is what a client is told before its socket closes. It need not try again.
type refusal struct{ why string }

func (r *refusal) Error() string { return r.why }

func refuse(format string, args ...any) error { return &refusal{fmt.Sprintf(format, args...)} }

// accept answers a handshake, or refuses it.
func accept(w http.ResponseWriter, r *http.Request, timing timing, limit int64) (*socket, error) {
	if !sameOrigin(r) {
		http.Error(w, "This socket is for pages of this server.", http.StatusForbidden)
		return nil, errors.New("wrong origin")
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{live.Subprotocol}, InsecureSkipVerify: true}) // sameOrigin is stricter
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(-1) // read has its own, which it explains
	s := &socket{conn: conn, timing: timing, limit: limit}
	if conn.Subprotocol() != live.Subprotocol {
		s.end(refuse("this server speaks %s: ask for it as the subprotocol", live.Subprotocol))
		return nil, errors.New("wrong subprotocol")
	}
	return s, nil
}

// read returns the next message.
func (s *socket) read(ctx context.Context) ([]byte, error) {
	kind, reader, err := s.conn.Reader(ctx)
	if err != nil {
		return nil, err
	}
	if kind != websocket.MessageText {
		return nil, refuse("messages are text")
	}
	data, err := io.ReadAll(io.LimitReader(reader, s.limit+1))
	if err == nil && int64(len(data)) > s.limit {
		err = refuse("a message may have %d bytes", s.limit)
	}
	return data, err
}

// first returns the first message, for which a client has limited time.
func (s *socket) first(ctx context.Context) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timing.hello)
	defer cancel()
	return s.read(ctx)
}

// write sends a message.
func (s *socket) write(ctx context.Context, message any) error {
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.timing.write)
	defer cancel()
	return s.conn.Write(ctx, websocket.MessageText, data)
}

// serve passes what arrives to hear, and calls tell whenever there is news, until one of
// them fails, the client is gone, or ctx ends. Then end must be called.
func (s *socket) serve(ctx context.Context, news <-chan struct{}, hear func([]byte) error, tell func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	// A read or a write that is cancelled would close the socket before it could be said why.
	patient := context.WithoutCancel(ctx)
	s.running.Go(func() {
		for {
			data, err := s.read(patient)
			if err == nil {
				err = hear(data)
			}
			if err != nil {
				cancel(err)
				return
			}
		}
	})
	s.running.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-news:
			}
			if err := tell(patient); err != nil {
				cancel(err)
				return
			}
		}
	})
	s.running.Go(func() { cancel(s.ping(ctx)) })
	<-ctx.Done()
	return context.Cause(ctx)
}

// ping pings until the client does not answer.
func (s *socket) ping(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(s.timing.ping):
		}
		waiting, cancel := context.WithTimeout(ctx, s.timing.ping)
		err := s.conn.Ping(waiting)
		cancel()
		if err != nil {
			return err
		}
	}
}

// end closes the socket and waits for serve's goroutines. A client that is refused, or
// left because the server ends, is told so.
func (s *socket) end(err error) {
	var refused *refusal
	switch {
	case errors.As(err, &refused):
		if s.write(context.Background(), live.Refused{Type: live.TypeRefused, Why: refused.why}) == nil {
			s.conn.Close(websocket.StatusPolicyViolation, "refused")
		}
	case errors.Is(err, errEnding):
		s.conn.Close(websocket.StatusGoingAway, "the server has ended")
	case errors.Is(err, errReplaced):
		s.conn.Close(websocket.StatusGoingAway, "this source has another connection")
	}
	s.conn.CloseNow()
	s.running.Wait()
}

// errEnding closes sockets because the server ends.
var errEnding = errors.New("the server ends")
