package serve

import (
	"net"
	"sync"
)

// maxConnections bounds those that are open at a time.
const maxConnections = 1024

// limited is a listener that closes connections at once while there are too many. One
// that waited would hold up everybody.
type limited struct {
	net.Listener
	free chan struct{} // one for each connection that there may be
}

// limit makes listeners share a bound.
func limit(listeners []net.Listener, most int) []net.Listener {
	free := make(chan struct{}, most)
	all := make([]net.Listener, len(listeners))
	for i, l := range listeners {
		all[i] = &limited{l, free}
	}
	return all
}

func (l *limited) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.free <- struct{}{}:
			return &counted{Conn: conn, gone: sync.OnceFunc(func() { <-l.free })}, nil
		default:
			conn.Close()
		}
	}
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
