package must

import (
	"net"
	"testing"
)

// FreePort gives a port of 127.0.0.1 at which nothing listens. The system does not give it to
// another program soon, so a server that is started again usually finds it free.
func FreePort(t testing.TB) string {
	t.Helper()
	listener := Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	Do(t, err)
	return port
}
