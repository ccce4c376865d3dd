package client

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/livetest"
	"github.com/fieldprof/fieldprof/profile/live"
)

// program is a source that a test drives.
type program struct {
	*Client
	mu      sync.Mutex
	orders  []string
	lost    []error
	stacks  int32
	samples int
}

// start connects a program that has begun profile 1.
func start(t *testing.T, url string) *program {
	p := &program{}
	add := func(text string) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.orders = append(p.orders, text)
	}
	p.Client = Dial(Options{
		URL: url,
		Hello: live.Hello{ID: "0123456789abcdef", What: "goja", Name: "app.js", Engine: "goja", Clocks: []string{},
			Origin: 1.8e12, Recording: 1, Interval: 1},
		Start: func(s live.Start) { add(fmt.Sprint("start ", s.Profile)) },
		Stop:  func() { add("stop") },
		Lost: func(err error) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.lost = append(p.lost, err)
		},
	})
	return p
}

// say sends a batch with one sample, of a new function and stack.
func (p *program) say() {
	id := live.FirstID + p.stacks
	b := &live.Batch{Profile: 1, Records: []live.Record{{ID: id, Name: fmt.Sprint("f", id)}}, Stacks: []int32{p.stacks - 1, id, 1, 1},
		Samples: live.Samples{Delta: []int64{1000 * int64(p.samples)}, Stack: []int32{p.stacks}, Weight: []int32{1}}}
	p.stacks = min(p.stacks+1, 4000)
	if p.stacks == 4000 {
		b.Records, b.Stacks, b.Samples.Stack = nil, nil, []int32{-1}
	}
	p.samples++
	p.Send(b)
}

// has is true when a source has sent so many samples, or said that they are dropped.
func has(samples int64) func(*livetest.Source) bool {
	return func(s *livetest.Source) bool {
		state := s.Recording.State()
		return state.Samples+state.Dropped.Ticks == samples
	}
}

func (p *program) close(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	p.Close(ctx)
	if ctx.Err() != nil {
		t.Fatal("it does not close")
	}
}

func (p *program) expectLost(t *testing.T, want ...string) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	var got []string
	for _, err := range p.lost {
		switch {
		case errors.As(err, new(*Refusal)):
			got = append(got, "refused")
		case errors.As(err, new(*Gone)):
			got = append(got, "gone")
		default:
			got = append(got, "absent")
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("Lost was told %v (%v), not %v", got, p.lost, want)
	}
}

func TestSend(t *testing.T) {
	server := livetest.New(t)
	p := start(t, server.URL+"/__fieldprof/?key=k")
	for range 100 {
		p.say()
	}
	p.close(t)
	server.Await("a good-bye", func(s *livetest.Source) bool {
		return has(100)(s) && len(s.Goodbyes) == 1 && s.Goodbyes[0].Code == 1000
	})
	p.expectLost(t)
}

// A server that breaks the connection gets every batch once, and Lost is called once.
func TestServerDropsConnections(t *testing.T) {
	server := livetest.New(t)
	p := start(t, server.URL)
	for n := int64(1); n <= 4; n++ {
		for range 20 {
			p.say()
		}
		server.Await("all that was sent", has(20*n))
		server.Drop()
	}
	p.say()
	server.Await("the last batch", has(81))
	p.close(t)
	server.Change(func(s *livetest.Server) {
		if len(s.Sources[0].Batches) != 81 {
			t.Errorf("there are %d batches", len(s.Sources[0].Batches))
		}
	})
	p.expectLost(t, "gone")
}

// Batches that a server did not acknowledge come again.
func TestServerForgets(t *testing.T) {
	server := livetest.New(t)
	server.Change(func(s *livetest.Server) { s.Silent = true })
	p := start(t, server.URL)
	for range 300 {
		p.say()
	}
	// No more than 256 are sent without an acknowledgement.
	server.Await("as much as may be unacknowledged", has(mostUnacked))
	server.Change(func(s *livetest.Server) {
		if n := len(s.Sources[0].Seqs); n != mostUnacked {
			t.Errorf("%d batches were sent without an acknowledgement", n)
		}
		s.Sources[0].Batches, s.Sources[0].Recording = nil, live.NewRecording(&live.Hello{}, nil)
	})
	server.Drop()
	server.Await("the same again", has(mostUnacked))
	server.Change(func(s *livetest.Server) { s.Silent = false })
	server.Await("the rest", has(300))
	p.close(t)
}

// Close waits no longer than it is allowed to.
func TestCloseOfSilentServer(t *testing.T) {
	server := livetest.New(t)
	server.Change(func(s *livetest.Server) { s.Silent = true })
	p := start(t, server.URL)
	p.say()
	server.Await("the batch", has(1))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p.Close(ctx)
}

// A server that is not there yet gets everything once it is, or what there is room for.
func TestServerComesLate(t *testing.T) {
	server := livetest.New(t)
	server.Change(func(s *livetest.Server) { s.Away = true })
	p := start(t, server.URL)
	const samples = 60_000 // more than 8 MB
	for range samples {
		p.say()
	}
	p.Client.mu.Lock()
	if p.queue.bytes > mostBytes || len(p.queue.batches) > mostBytes/200 {
		t.Errorf("it keeps %d bytes in %d batches", p.queue.bytes, len(p.queue.batches))
	}
	p.Client.mu.Unlock()
	server.Change(func(s *livetest.Server) { s.Away = false })
	server.Await("all of it", has(samples))
	server.Change(func(s *livetest.Server) {
		if state := s.Sources[0].Recording.State(); state.Samples < 1000 || state.Dropped.Ticks == 0 {
			t.Errorf("%d samples came and %d were dropped", state.Samples, state.Dropped.Ticks)
		}
	})
	p.close(t)
	p.expectLost(t, "absent")
}

func TestServerRefuses(t *testing.T) {
	server := livetest.New(t)
	server.Change(func(s *livetest.Server) { s.Refuses = "there are too many" })
	p := start(t, server.URL)
	<-p.ended
	p.say()
	p.close(t)
	p.expectLost(t, "refused")
}

// A server that is not ours, or a hostile one, does no harm.
func TestForeignServers(t *testing.T) {
	for name, serve := range map[string]http.HandlerFunc{
		"another":  func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html>") },
		"missing":  http.NotFound,
		"endless":  func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "%1000000s", "{") },
		"no token": func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{"version":1,"token":"x"}`) },
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(serve)
			defer server.Close()
			p := start(t, server.URL)
			p.say()
			for done := false; !done; time.Sleep(time.Millisecond) {
				p.mu.Lock()
				done = len(p.lost) > 0
				p.mu.Unlock()
			}
			p.close(t)
			p.expectLost(t, "absent")
		})
	}
	later := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{"version":2}`) }))
	defer later.Close()
	p := start(t, later.URL)
	<-p.ended
	p.expectLost(t, "refused")
}

func TestOrders(t *testing.T) {
	server := livetest.New(t)
	p := start(t, server.URL)
	p.say()
	server.Await("the batch", has(1))
	server.Change(func(s *livetest.Server) { s.Wants = live.Start{Type: live.TypeStart, Profile: 7, Interval: 2} })
	server.Change(func(s *livetest.Server) { s.Stopped = true })
	for done := false; !done; time.Sleep(time.Millisecond) {
		p.mu.Lock()
		done = len(p.orders) > 0 && p.orders[len(p.orders)-1] == "stop"
		p.mu.Unlock()
	}
	p.close(t)
	if got := fmt.Sprint(p.orders); got != "[start 1 start 7 stop]" {
		t.Error(got)
	}
}

// A server over HTTPS is trusted by the certificates of the options.
func TestCertificates(t *testing.T) {
	server, certificate := livetest.NewTLS(t)
	lost := make(chan error, 1)
	stranger := Dial(Options{URL: server.URL, Lost: func(err error) { lost <- err }})
	var unknown x509.UnknownAuthorityError
	if err := <-lost; !errors.As(err, &unknown) {
		t.Errorf("without it: %v", err)
	}
	(&program{Client: stranger}).close(t)
	roots := x509.NewCertPool()
	roots.AddCert(certificate)
	p := &program{Client: Dial(Options{URL: server.URL, Roots: roots, Start: func(live.Start) {}, Stop: func() {}, Lost: func(err error) { t.Error(err) },
		Hello: live.Hello{ID: "0123456789abcdef", What: "goja", Name: "app.js", Engine: "goja", Clocks: []string{}, Origin: 1.8e12, Recording: 1, Interval: 1}})}
	p.say()
	server.Await("a sample", has(1))
	p.close(t)
}
