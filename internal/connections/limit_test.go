package connections

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

const most = 10

// Connections beyond the bound are closed at once; when some have ended, others are served.
func TestConnectionsAreBounded(t *testing.T) {
	for name, limit := range map[string]*Limit{"all": {Most: most}, "from one address": {Most: 100 * most, PerAddress: most}} {
		t.Run(name, func(t *testing.T) { testBound(t, limit) })
	}
}

func testBound(t *testing.T, limit *Limit) {
	var refused atomic.Int64
	limit.Refused = func() { refused.Add(1) }
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := http.Server{Handler: http.NotFoundHandler()}
	go server.Serve(limit.Listen(l))
	defer server.Close()
	var held []net.Conn
	for range most {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		if _, err := conn.Read(make([]byte, 1)); err != nil { // it has been accepted
			t.Fatal(err)
		}
		held = append(held, conn)
	}
	for range 1000 {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Read(make([]byte, 1)); err == nil {
			t.Fatal("one more is served")
		}
		conn.Close()
	}
	for _, conn := range held {
		conn.Close()
	}
	must.Happen(t, "somebody is served again", func() bool {
		response, err := http.Get("http://" + l.Addr().String())
		if err == nil {
			response.Body.Close()
		}
		return err == nil
	})
	if refused.Load() < 1000 {
		t.Errorf("%d were refused", refused.Load())
	}
	http.DefaultClient.CloseIdleConnections()
	must.Happen(t, "all connections have ended", func() bool { return limit.Open() == 0 }) // the server notices each with a delay
}

// An IPv6 subscriber has 2⁶⁴ addresses, and counts once.
func TestSenders(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::", "2001:db8:1:2::9": "2001:db8:1:2::", "fe80::1%eth0": "fe80::",
	} {
		conn := from{address: net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(address), 1))}
		if got := sender(conn); got.String() != want {
			t.Errorf("%s counts as %v, not %s", address, got, want)
		}
	}
	if got := sender(from{address: &net.UnixAddr{Name: "x"}}); got.IsValid() {
		t.Errorf("a local socket is from %v", got)
	}
}

type from struct {
	net.Conn
	address net.Addr
}

func (f from) RemoteAddr() net.Addr { return f.address }
