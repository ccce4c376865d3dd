// Package client is the side of a source in the protocol of package live: it finds the
// server, sends batches, keeps them until the server has them, and connects again.
package client

import (
	"context"
	"crypto/x509"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/fieldprof/fieldprof/profile/live"
)

// Options say what connects where. The client's goroutine calls the functions.
type Options struct {
	URL   string     // of the server or of its panel, with the key if it needs one
	Hello live.Hello // without type, version and token
	// Roots are the certificates that a server over HTTPS is trusted by; nil: those of the system.
	Roots *x509.CertPool
	// Start begins the profile with that number, unless it is the one that is recorded.
	Start func(live.Start)
	Stop  func() // ends the profile that is recorded, if any
	// Lost is called with why there is no connection: once if there is no server, once if it went
	// away, and once if it refuses, which is final.
	Lost func(error)
}

// The pauses before connecting again, and how long connecting may take.
const (
	shortestPause = 250 * time.Millisecond
	longestPause  = 5 * time.Second
	patience      = 10 * time.Second
)

// Client is a connection that is restored whenever it is lost.
type Client struct {
	options Options
	http    *http.Client
	cancel  context.CancelFunc
	closing chan struct{}
	ended   chan struct{}
	wake    chan struct{} // there is something to send, or nothing left

	mu    sync.Mutex
	hello live.Hello
	queue queue
}

// Dial begins to connect, and returns at once.
func Dial(o Options) *Client {
	ctx, cancel := context.WithCancel(context.Background())
	c := &Client{options: o, http: trusting(o.Roots), cancel: cancel, closing: make(chan struct{}), ended: make(chan struct{}), wake: make(chan struct{}, 1), hello: o.Hello}
	c.hello.Type, c.hello.Version = live.TypeHello, live.Version
	go c.run(ctx)
	return c
}

// Send sends a batch, now or when the server is there; it never waits. The batch belongs
// to the client from now on, which numbers it.
func (c *Client) Send(b *live.Batch) {
	c.mu.Lock()
	c.queue.add(b)
	if b.Began != nil {
		c.hello.Recording, c.hello.Interval, c.hello.Clock = b.Profile, b.Began.Interval, b.Began.Clock
	}
	if b.Ended {
		c.hello.Recording = 0
	}
	c.mu.Unlock()
	c.nudge()
}

// Close waits until the server has everything, as long as there is a connection and the
// context lasts, and says good-bye. It may be called once.
func (c *Client) Close(ctx context.Context) {
	close(c.closing)
	select {
	case <-c.ended:
	case <-ctx.Done():
		c.cancel()
		<-c.ended
	}
}

func (c *Client) nudge() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// run connects again and again.
func (c *Client) run(ctx context.Context) {
	defer close(c.ended)
	defer c.cancel()
	pause, absent, gone := shortestPause, false, false // whether Lost was called
	for {
		welcomed, err := c.connection(ctx)
		switch {
		case err == nil || ctx.Err() != nil:
			return
		case errors.As(err, new(*Refusal)):
			c.options.Lost(err)
			return
		case welcomed:
			if pause = shortestPause; !gone {
				gone = true
				c.options.Lost(&Gone{err})
			}
		case !absent && !gone:
			absent = true
			c.options.Lost(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-c.closing:
			return
		case <-time.After(pause):
			pause = min(2*pause, longestPause)
		}
	}
}

// connection lasts until it is lost; its end by Close is no error.
func (c *Client) connection(ctx context.Context) (welcomed bool, err error) {
	conn, err := c.connect(ctx)
	if err != nil {
		return false, err
	}
	defer conn.CloseNow()
	lost := make(chan error, 1)
	go func() {
		// A read that is cancelled would close the connection without a word.
		lost <- c.hear(context.WithoutCancel(ctx), conn)
	}()
	closing := c.closing
	for {
		c.mu.Lock()
		welcomed = c.queue.welcome
		text, done := c.queue.next(), closing == nil && c.queue.isEmpty()
		c.mu.Unlock()
		if text != nil {
			if err := conn.Write(ctx, websocket.MessageText, text); err != nil {
				return welcomed, errors.Join(err, <-lost) // which knows if it was refused
			}
			continue
		}
		if done {
			go conn.Close(websocket.StatusNormalClosure, "left")
			select {
			case <-lost:
			case <-ctx.Done(): // the server takes its time
			}
			return welcomed, nil
		}
		select {
		case <-c.wake:
		case err := <-lost:
			return welcomed, err
		case <-closing:
			closing = nil
		case <-ctx.Done():
			return welcomed, ctx.Err()
		}
	}
}

// hear does what the server says until the connection is lost.
func (c *Client) hear(ctx context.Context, conn *websocket.Conn) error {
	for {
		switch m, err := read(ctx, conn); m := m.(type) {
		case *live.Welcome:
			c.mu.Lock()
			c.queue.resume(m.Acked)
			c.mu.Unlock()
			if m.Profile != 0 {
				c.options.Start(live.Start{Type: live.TypeStart, Profile: m.Profile, Interval: m.Interval, Clock: m.Clock})
			} else {
				c.options.Stop()
			}
		case *live.Ack:
			c.mu.Lock()
			c.queue.ack(m.Seq)
			c.hello.Acked = c.queue.acked
			c.mu.Unlock()
		case *live.Start:
			c.options.Start(*m)
		case *live.Stop:
			c.options.Stop()
		case *live.Refused:
			return &Refusal{m.Why}
		case nil:
			return err
		}
		c.nudge()
	}
}
