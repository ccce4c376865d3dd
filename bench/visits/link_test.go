package visits

import (
	"bytes"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
)

// over connects a browser to a server over a network, from now on.
func over(n Network, l *link) (browser net.Conn, server *conn) {
	browser, inner := net.Pipe()
	return browser, newConn(inner, n, l)
}

// A request takes the handshake and half a round trip, and its answer the time of its bytes on the
// link and another half; the next request on the same connection has no handshake.
func TestLatencyAndRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := Network{RoundTrip: 150, Rate: 200_000}
		browser, server := over(n, &link{rate: n.Rate})
		defer server.Close()
		began := time.Now()
		since := func(what string, want time.Duration) {
			t.Helper()
			if got := time.Since(began).Round(time.Microsecond); got != want {
				t.Errorf("%s after %v, want %v", what, got, want)
			}
		}
		go func() { // the server: each byte that is asked for is answered with 20,000
			request := make([]byte, 1)
			for {
				if _, err := server.Read(request); err != nil {
					return
				}
				_, _ = server.Write(bytes.Repeat(request, 20_000))
			}
		}()
		answer := make([]byte, 20_000)
		must.Get(browser.Write([]byte("a")))(t)
		must.Get(io.ReadFull(browser, answer[:1]))(t)
		since("the first byte came", 150*time.Millisecond+75*time.Millisecond+7300*time.Microsecond+75*time.Millisecond) // with its packet
		must.Get(io.ReadFull(browser, answer[1:]))(t)
		since("the first answer came", 400*time.Millisecond)
		must.Get(browser.Write([]byte("b")))(t)
		must.Get(io.ReadFull(browser, answer))(t)
		since("the second answer came", 650*time.Millisecond)
		if !bytes.Equal(answer, bytes.Repeat([]byte("b"), 20_000)) {
			t.Error("the answer is not what was sent")
		}
	})
}

// Connections share the link evenly.
func TestLinkIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := Network{RoundTrip: 150, Rate: 200_000}
		l := &link{rate: n.Rate}
		began := time.Now()
		done := make(chan time.Duration)
		for _, size := range []int{14_600, 29_200} {
			browser, server := over(n, l)
			defer server.Close()
			go func() { _, _ = server.Write(make([]byte, size)) }()
			go func() {
				_, err := io.ReadFull(browser, make([]byte, size))
				if err != nil {
					t.Error(err)
				}
				done <- time.Since(began)
			}()
		}
		// 10 and 20 packets of 7.3 ms in turn: the first has its last as the 19th or 20th of 30.
		first, last := <-done, <-done
		if low, high := 19*7300*time.Microsecond+75*time.Millisecond, 20*7300*time.Microsecond+75*time.Millisecond; first < low || first > high {
			t.Errorf("the shorter answer came after %v, want %v to %v", first, low, high)
		}
		if want := 30*7300*time.Microsecond + 75*time.Millisecond; last != want {
			t.Errorf("the longer answer came after %v, want %v", last, want)
		}
	})
}

// A connection that is closed does not delay the others.
func TestClosedConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := Network{RoundTrip: 150, Rate: 1000}
		_, server := over(n, &link{rate: n.Rate})
		failed := make(chan error)
		go func() {
			_, err := server.Write(make([]byte, 1_000_000))
			failed <- err
		}()
		time.Sleep(time.Second)
		must.Do(t, server.Close())
		if err := <-failed; err == nil {
			t.Error("writing to a closed connection succeeded")
		}
	})
}

// A link that rested has saved nothing up.
func TestReserve(t *testing.T) {
	l := &link{rate: 1000}
	start := time.Unix(100, 0)
	for _, step := range []struct{ at, bytes, leaves int }{{0, 100, 100}, {0, 100, 200}, {150, 100, 300}, {1000, 50, 1050}} {
		at := start.Add(time.Duration(step.at) * time.Millisecond)
		if got := l.reserve(at, step.bytes).Sub(start); got != time.Duration(step.leaves)*time.Millisecond {
			t.Errorf("%d bytes at %d ms leave at %v, want %d ms", step.bytes, step.at, got, step.leaves)
		}
	}
}
