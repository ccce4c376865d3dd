// Package connections bounds how many connections a server has at a time.
package connections

import (
	"net"
	"net/netip"
	"sync"
)

// Limit is a bound that listeners share. Connections beyond it are closed at once: a listener
// that waited would delay all clients.
type Limit struct {
	Most       int    // at a time
	PerAddress int    // of them from one address, or one /64 of IPv6; 0: no bound
	Refused    func() // is called for each that is closed; may be nil

	mu   sync.Mutex
	open int
	from map[netip.Addr]int
}

// Open is the number of connections that are open.
func (l *Limit) Open() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open
}

// Listen bounds the connections of a listener.
func (l *Limit) Listen(inner net.Listener) net.Listener { return &listener{inner, l} }

type listener struct {
	net.Listener
	limit *Limit
}

func (l *listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := sender(conn)
		if l.limit.enter(from) {
			return &counted{Conn: conn, gone: sync.OnceFunc(func() { l.limit.leave(from) })}, nil
		}
		conn.Close()
		if l.limit.Refused != nil {
			l.limit.Refused()
		}
	}
}

func (l *Limit) enter(from netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open >= l.Most || l.PerAddress > 0 && l.from[from] >= l.PerAddress {
		return false
	}
	if l.from == nil {
		l.from = map[netip.Addr]int{}
	}
	l.open++
	l.from[from]++
	return true
}

func (l *Limit) leave(from netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open--
	if l.from[from]--; l.from[from] == 0 {
		delete(l.from, from)
	}
}

// sender is whom a connection counts for.
func sender(conn net.Conn) netip.Addr {
	address, ok := conn.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	from := address.AddrPort().Addr().Unmap().WithZone("")
	if from.Is6() {
		network, _ := from.Prefix(64) // one subscriber has as many addresses as they like
		return network.Addr()
	}
	return from
}

// counted is a connection that makes room when it closes.
type counted struct {
	net.Conn
	gone func()
}

func (c *counted) Close() error {
	c.gone()
	return c.Conn.Close()
}
