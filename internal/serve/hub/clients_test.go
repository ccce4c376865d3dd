package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/live"
)

// hang is how long a test waits for what never comes.
const hang = 3 * time.Minute

// server is a hub that listens.
type server struct {
	*Hub
	url string
}

// code is a site of one original source.
type code struct{}

func (code) Script(string, string) (profile.Script, bool) { return profile.Script{}, false }

func (code) Has(build string) bool { return build != "another" }

func (code) Text(file string) (string, bool) { return "let x = 1;\n", file == "src/app.ts" }

func serve(t *testing.T, o Options) *server {
	t.Helper()
	if o.Journal == "" {
		o.Journal = t.TempDir() + "/journal"
	}
	if o.Page == nil {
		o.Page = func(w io.Writer, token string) error {
			_, err := fmt.Fprintf(w, "<meta name=fieldprof-token content=%q>", token)
			return err
		}
	}
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	h.Restore(code{})
	listener := httptest.NewServer(h)
	t.Cleanup(func() {
		h.Close()
		listener.Close()
	})
	return &server{h, listener.URL}
}

// client is a source or a panel.
type client struct {
	t    *testing.T
	conn *websocket.Conn
}

func dial(t *testing.T, s *server, path string, header http.Header) *client {
	t.Helper()
	conn, response, err := websocket.Dial(t.Context(), s.url+Prefix+path, &websocket.DialOptions{Subprotocols: []string{live.Subprotocol}, HTTPHeader: header})
	if err != nil {
		t.Fatalf("%v: %v", err, response)
	}
	conn.SetReadLimit(-1)
	t.Cleanup(func() { conn.CloseNow() })
	return &client{t, conn}
}

func (c *client) send(message any) {
	c.t.Helper()
	data, ok := message.([]byte)
	if !ok {
		var err error
		if data, err = json.Marshal(message); err != nil {
			c.t.Fatal(err)
		}
	}
	if err := c.conn.Write(c.t.Context(), websocket.MessageText, data); err != nil {
		c.t.Fatal(err)
	}
}

// receive returns the next message, or how the connection ended.
func (c *client) receive() (any, error) {
	ctx, cancel := context.WithTimeout(c.t.Context(), hang)
	defer cancel()
	_, data, err := c.conn.Read(ctx)
	if err != nil {
		return nil, err
	}
	return live.Limits{Bytes: 64 << 20}.Decode(data)
}

// until receives messages until one fits.
func until[Message any](c *client, fits func(Message) bool) Message {
	c.t.Helper()
	for {
		m, err := c.receive()
		if err != nil {
			c.t.Fatalf("the connection ended before a %T came: %v", *new(Message), err)
		}
		if wanted, ok := m.(Message); ok && fits(wanted) {
			return wanted
		}
	}
}

// next receives messages until one has the type.
func next[Message any](c *client) Message {
	c.t.Helper()
	return until(c, func(Message) bool { return true })
}

// refused waits until the client is refused and its socket closed, and returns why.
func (c *client) refused() string {
	c.t.Helper()
	why := next[*live.Refused](c).Why
	if _, err := c.receive(); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
		c.t.Fatalf("after %q came %v", why, err)
	}
	return why
}

// id makes an ID of a name.
func id(name string) string { return name + strings.Repeat("_", max(0, 32-len(name))) }

func (s *server) hello(name string) live.Hello {
	return live.Hello{Type: live.TypeHello, Version: live.Version, Token: s.SourceToken(), ID: id(name), What: "page", Name: name, URL: "http://localhost/" + name, Engine: "test", Clocks: []string{"poll"}, Origin: 1e12}
}

// join connects a source.
func (s *server) join(t *testing.T, hello live.Hello) (*client, *live.Welcome) {
	t.Helper()
	c := dial(t, s, "source", nil)
	c.send(hello)
	return c, next[*live.Welcome](c)
}

// watch connects a panel.
func (s *server) watch(t *testing.T) *client {
	t.Helper()
	c := dial(t, s, "panel", nil)
	c.send(live.Watch{Type: live.TypeWatch, Version: live.Version, Token: s.PanelToken()})
	return c
}

// see waits until the panel is told that a source is in a state.
func (c *client) see(name, state string) live.Source {
	c.t.Helper()
	var found live.Source
	until(c, func(s *live.Sources) bool {
		for _, source := range s.List {
			if source.ID == id(name) && source.State == state {
				found = source
				return true
			}
		}
		return false
	})
	return found
}

// batch is one with a function of its own and a sample of so many ticks.
func batch(profile int, seq, first int64, weight int32) live.Batch {
	n := int32(seq - first)
	return live.Batch{
		Type: live.TypeBatch, Profile: profile, Seq: seq,
		Records: []live.Record{{ID: live.FirstID + n, Name: fmt.Sprintf("f%d", n), File: "http://localhost/app.js", Line: 1 + n, Column: 1}},
		Stacks:  []int32{-1, live.FirstID + n, 1 + n, 5},
		Samples: live.Samples{Delta: []int64{seq * 10000}, Stack: []int32{n}, Weight: []int32{weight}},
		Account: live.Account{Raised: seq, Taken: seq},
	}
}

// ticks sums those of the batches of a source until so many have come.
func (c *client) ticks(name string, want int64) (got int64) {
	c.t.Helper()
	for got < want {
		b := until(c, func(b *live.Batch) bool { return b.Source == id(name) })
		for _, weight := range b.Samples.Weight {
			got += int64(weight)
		}
		got += b.Dropped.Ticks
	}
	return got
}

// get answers a request for a file of the hub.
func (s *server) get(t *testing.T, path string) (status int, body string) {
	t.Helper()
	response, err := http.Get(s.url + Prefix + path)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(data)
}
