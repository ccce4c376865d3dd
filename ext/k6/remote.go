package k6

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// errNoFile: the URL is a module's on another machine.
var errNoFile = errors.New("not a file")

// remote is the transport by which k6 loads modules from other machines. Requests of
// scripts take another one.
type remote struct {
	next    http.RoundTripper
	session *session
}

// RoundTrip puts checks into modules.
func (r *remote) RoundTrip(request *http.Request) (*http.Response, error) {
	next := r.next
	if next == nil {
		next = http.DefaultTransport
	}
	response, err := next.RoundTrip(request)
	if err != nil || response.StatusCode != http.StatusOK {
		return response, err
	}
	name := requested(request)
	if !r.session.isScript(name) {
		return response, nil
	}
	source, err := io.ReadAll(response.Body)
	if closeErr := response.Body.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, err
	}
	code := r.session.instrument(name, source)
	response.Body = io.NopCloser(bytes.NewReader(code))
	response.ContentLength = int64(len(code))
	response.Header.Set("Content-Length", strconv.Itoa(len(code)))
	return response, nil
}

// requested is the address of the module, before redirects and without k6's mark.
func requested(request *http.Request) string {
	for request.Response != nil && request.Response.Request != nil {
		request = request.Response.Request
	}
	address := request.URL.String()
	for _, mark := range []string{"?_k6=1", "&_k6=1"} {
		address = strings.TrimSuffix(address, mark)
	}
	return address
}
