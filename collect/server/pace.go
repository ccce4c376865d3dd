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
func paced(patience time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			control := http.NewResponseController(w)
			r.Body = &pacedBody{ReadCloser: r.Body, left: patience, setDeadline: control.SetReadDeadline, now: time.Now}
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
