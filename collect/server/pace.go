package server

import (
	"io"
	"net/http"
	"time"
)

// slowest is the rate, in bytes a second, below which a sender runs out of patience.
const slowest = 4 << 10

// paced ends requests that trickle: a body may make its handler wait for a while, and for
// as long again as its bytes take at the slowest rate. Otherwise a few senders of one byte
// a minute could hold all connections.
//
// The server reads what a handler leaves of a body before it answers, so there is a deadline from the beginning. It looks
// at the body of its own request to see whether too much is left for that, so the handler gets a copy.
func paced(patience time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			setDeadline := http.NewResponseController(w).SetReadDeadline
			_ = setDeadline(time.Now().Add(patience)) // if it cannot be set, reading fails
			own := *r
			own.Body = &pacedBody{ReadCloser: r.Body, left: patience, setDeadline: setDeadline, now: time.Now}
			r = &own
		}
		next.ServeHTTP(w, r)
	})
}

// pacedBody is a body with the time that is left for waiting.
type pacedBody struct {
	io.ReadCloser
	left        time.Duration
	setDeadline func(time.Time) error
	now         func() time.Time
}

func (b *pacedBody) Read(p []byte) (int, error) {
	began := b.now()
	if err := b.setDeadline(began.Add(b.left)); err != nil {
		return 0, err
	}
	n, err := b.ReadCloser.Read(p)
	b.left += time.Duration(n)*time.Second/slowest - b.now().Sub(began)
	return n, err
}
