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

// read reads the body as it was sent.
func (h *handler) read(w http.ResponseWriter, req *request) (*buffer, error) {
	most := req.app.limits.Body
	if req.http.ContentLength > most {
		return nil, tooLarge(most)
	}
	b := buffers.Get().(*buffer)
	_, err := b.ReadFrom(http.MaxBytesReader(w, req.http.Body, most))
	var much *http.MaxBytesError
	switch {
	case errors.As(err, &much):
		b.free()
		return nil, tooLarge(most)
	case err != nil:
		b.free()
		return nil, refused(http.StatusRequestTimeout, "cut-short", "the request did not arrive whole, or too slowly")
	}
	return b, nil
}

func tooLarge(most int64) error {
	return refused(http.StatusRequestEntityTooLarge, "size", fmt.Sprintf("more than %d bytes, the app's limit", most))
}

var unzippers sync.Pool

// unzip is the content of a body.
func unzip(req *request, sent *buffer) (*buffer, error) {
	switch encoding := strings.ToLower(req.http.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
		if req.isGzipped(sent.Bytes()) {
			break
		}
		if int64(sent.Len()) > req.app.limits.Unzipped {
			return nil, tooLarge(req.app.limits.Unzipped)
		}
		plain := buffers.Get().(*buffer)
		plain.Write(sent.Bytes())
		return plain, nil
	case "gzip", "x-gzip":
	default:
		return nil, refused(http.StatusUnsupportedMediaType, "encoding", fmt.Sprintf("Content-Encoding %.20q is not known, only gzip and identity", encoding))
	}
	return gunzip(sent.Bytes(), req.app.limits.Unzipped)
}

// isGzipped says whether a body is gzipped without saying so, as pprof files always are.
func (*request) isGzipped(body []byte) bool { return bytes.HasPrefix(body, []byte("\x1f\x8b")) }

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
		return nil, tooLarge(most)
	case err != nil:
		plain.free()
		return nil, refused(http.StatusBadRequest, "gzip", "what is compressed is damaged, or cut short")
	}
	return plain, nil
}
