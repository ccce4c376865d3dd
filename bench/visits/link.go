package visits

import (
	"net"
	"sync"
	"time"
)

// Network is the path between a browser and the server of a visit.
type Network struct {
	RoundTrip int `json:"roundTrip"` // milliseconds
	Rate      int `json:"rate"`      // bytes a second towards the browser; 0: no limit
}

// networks by name, in the order of tables: the loopback as it is, and what Lighthouse
// takes for a phone on a slow network.
var (
	networks     = map[string]Network{"fast": {}, "slow": {RoundTrip: 150, Rate: 200_000}}
	networkNames = []string{"fast", "slow"}
)

// packet is the unit in which connections take turns on the link, as in Ethernet.
const packet = 1460

// link is the bottleneck that all connections of a visit share: bytes leave it one after
// another at its rate.
type link struct {
	rate int
	mu   sync.Mutex
	free time.Time // when all that was reserved has left
}

// reserve gives the time at which so many more bytes have left.
func (l *link) reserve(now time.Time, bytes int) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.free.Before(now) {
		l.free = now
	}
	l.free = l.free.Add(time.Duration(bytes) * time.Second / time.Duration(l.rate))
	return l.free
}

// listener shapes the connections that it accepts.
type listener struct {
	net.Listener
	network Network
	link    *link
}

// shape has connections behave as over a network.
func shape(inner net.Listener, n Network) net.Listener {
	if n.Rate == 0 {
		return inner
	}
	return &listener{inner, n, &link{rate: n.Rate}}
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	inner, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return newConn(inner, l.network, l.link), nil
}

// conn is a connection over the network. Data from the browser arrives half a round trip
// later, and never before the handshake, which the kernel does at once, would be over. Data from
// the server waits for the link and takes another half.
type conn struct {
	net.Conn
	opened   time.Time // for data: after the handshake
	half     time.Duration
	link     *link
	sent     chan segment
	finished chan struct{}
	finish   sync.Once
}

// segment is on its way to the browser.
type segment struct {
	data    []byte
	arrives time.Time
}

func newConn(inner net.Conn, n Network, l *link) *conn {
	trip := time.Duration(n.RoundTrip) * time.Millisecond
	c := &conn{Conn: inner, opened: time.Now().Add(trip), half: trip / 2, link: l, sent: make(chan segment, 64), finished: make(chan struct{})}
	go c.deliver()
	return c
}

// Read implements net.Conn.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		left := time.Now()
		if left.Before(c.opened) {
			left = c.opened
		}
		c.until(left.Add(c.half))
	}
	return n, err
}

// Write implements net.Conn. It returns when the last byte has left the link.
func (c *conn) Write(p []byte) (written int, err error) {
	for len(p) > 0 {
		part := p[:min(len(p), packet)]
		left := c.link.reserve(time.Now(), len(part))
		if !c.until(left) {
			return written, net.ErrClosed
		}
		select {
		case c.sent <- segment{append([]byte(nil), part...), left.Add(c.half)}:
		case <-c.finished:
			return written, net.ErrClosed
		}
		written += len(part)
		p = p[len(part):]
	}
	return written, nil
}

// deliver hands segments to the browser when they arrive.
func (c *conn) deliver() {
	for {
		select {
		case <-c.finished:
			return
		case s := <-c.sent:
			if !c.until(s.arrives) {
				return
			}
			if _, err := c.Conn.Write(s.data); err != nil {
				_ = c.Close()
				return
			}
		}
	}
}

// until waits for a time; it is false if the connection was closed before.
func (c *conn) until(t time.Time) bool {
	timer := time.NewTimer(time.Until(t))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-c.finished:
		return false
	}
}

// Close implements net.Conn. Data on its way is lost: a visit is over.
func (c *conn) Close() error {
	c.finish.Do(func() { close(c.finished) })
	return c.Conn.Close()
}
