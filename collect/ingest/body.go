package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// buffer is a body in memory, for one request after another.
type buffer struct{ bytes.Buffer }

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// free gives the buffer to the next request. Of what is in it nothing may be kept.
func (b *buffer) free() {
	if b.Cap() <= 1<<20 { // a large one is not worth its memory
		b.Reset()
		buffers.Put(b)
	}
}

// mostHeld bounds the bodies of an app that are in memory as they were sent, in bytes.
const mostHeld = 64 << 20

var errHeld = errors.New("too much is held")

// holding counts what it reads as held by an app.
type holding struct {
	in  io.Reader
	app *app
	n   int64
}

func (h *holding) Read(p []byte) (int, error) {
	n, err := h.in.Read(p)
	h.n += int64(n)
	if h.app.held.Add(int64(n)) > mostHeld {
		return n, errHeld
	}
	return n, err
}

func (h *holding) release() { h.app.held.Add(-h.n) }

// read reads the body as it was sent. Whatever it returns, release must be called.
func (h *handler) read(w http.ResponseWriter, req *request) (b *buffer, release func(), err error) {
	most := req.app.limits.Body
	in := &holding{in: http.MaxBytesReader(w, req.http.Body, most), app: req.app}
	if req.http.ContentLength > most {
		return nil, in.release, tooLarge(most)
	}
	b = buffers.Get().(*buffer)
	_, err = b.ReadFrom(in)
	var much *http.MaxBytesError
	switch {
	case err == nil:
		return b, func() { b.free(); in.release() }, nil
	case errors.As(err, &much):
		err = tooLarge(most)
	case errors.Is(err, errHeld):
		err = busy()
	default:
		err = refused(http.StatusRequestTimeout, "cut-short", "the request did not arrive whole, or too slowly")
	}
	b.free()
	return nil, in.release, err
}

func refusedIfLong(err error, most int64) error {
	if errors.Is(err, errLong) {
		return tooLarge(most)
	}
	return err
}

func tooLarge(most int64) error {
	return refused(http.StatusRequestEntityTooLarge, "size", fmt.Sprintf("more than %d bytes, the app's limit", most))
}

var unzippers sync.Pool

// errLong is that a content has more than so many bytes.
var errLong = errors.New("it is too long")

// unzip is the content of a body, of at most so many bytes.
func unzip(req *request, sent *buffer, most int64) (*buffer, error) {
	switch encoding := strings.ToLower(req.http.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
		if isGzipped(sent.Bytes()) {
			break
		}
		if int64(sent.Len()) > most {
			return nil, errLong
		}
		plain := buffers.Get().(*buffer)
		plain.Write(sent.Bytes())
		return plain, nil
	case "gzip", "x-gzip":
	default:
		return nil, refused(http.StatusUnsupportedMediaType, "encoding", fmt.Sprintf("Content-Encoding %.20q is not known, only gzip and identity", encoding))
	}
	return gunzip(sent.Bytes(), most)
}

// isGzipped says whether a body is gzipped without saying so, as pprof files always are.
func isGzipped(body []byte) bool { return bytes.HasPrefix(body, []byte("\x1f\x8b")) }

func gunzip(zipped []byte, most int64) (*buffer, error) {
	in := bytes.NewReader(zipped)
	z, _ := unzippers.Get().(*gzip.Reader)
	var err error
	if z == nil {
		z, err = gzip.NewReader(in)
	} else {
		err = z.Reset(in)
	}
	if err != nil {
		return nil, refused(http.StatusBadRequest, "gzip", "it is not gzipped")
	}
	defer unzippers.Put(z)
	return inflate(z, most)
}

// inflate reads what is compressed, but no more than most bytes.
func inflate(z io.Reader, most int64) (*buffer, error) {
	plain := buffers.Get().(*buffer)
	_, err := plain.ReadFrom(io.LimitReader(z, most+1))
	switch {
	case int64(plain.Len()) > most:
		plain.free()
		return nil, errLong
	case err != nil:
		plain.free()
		return nil, refused(http.StatusBadRequest, "gzip", "what is compressed is damaged, or cut short")
	}
	return plain, nil
}
