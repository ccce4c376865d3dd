package browser

import (
	"bytes"
	_ "embed"
	"io/fs"
	"mime"
	"net/http"
	"net/http/httptest"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// Site is what a server serves.
type Site struct {
	Files fs.FS
	// Isolated sends the headers that make pages cross-origin isolated, so
	// that they have SharedArrayBuffer (in WebKitGTK they have none even so).
	Isolated bool
	// Header is sent with every answer, such as a Content-Security-Policy.
	Header http.Header
	// Handler answers what is not among the files; nil means not found.
	Handler http.Handler
}

// Server is a running server of a site, at an origin of its own. It stops at
// the end of its test.
type Server struct {
	URL string // without a slash at the end
}

// Serve starts a server.
func Serve(t *testing.T, site Site) *Server {
	t.Helper()
	server := httptest.NewServer(&site)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return &Server{URL: server.URL}
}

// Instrument instruments a built site, without measuring its sizes, and gives the folder
// of the output: a temporary one unless the options name it. A warning fails the test.
func Instrument(t *testing.T, options builddir.Options) string {
	t.Helper()
	if options.NoSizes = true; options.Output == "" {
		options.Output = filepath.Join(t.TempDir(), "site")
	}
	report := must.Get(builddir.Run(t.Context(), options))(t)
	for _, w := range report.Warnings {
		t.Error(w)
	}
	return report.Output
}

//go:embed collector.js
var collector []byte

const collectorPath = "/.collector.js"

func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	if s.Isolated {
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cross-Origin-Embedder-Policy", "require-corp")
	}
	for name, values := range s.Header {
		header[http.CanonicalHeaderKey(name)] = values
	}
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	content, err := fs.ReadFile(s.Files, name)
	switch {
	case r.URL.Path == collectorPath:
		name, content = "collector.js", collector
	case r.URL.Path == "/favicon.ico":
		w.WriteHeader(http.StatusNoContent)
		return
	case err != nil && s.Handler != nil:
		s.Handler.ServeHTTP(w, r)
		return
	case err != nil:
		http.NotFound(w, r)
		return
	}
	header.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	if path.Ext(name) == ".html" && browserOf(r.UserAgent()) == "webkit" {
		content = withCollector(content)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

var doctype = regexp.MustCompile(`(?i)^\s*<!doctype[^>]*>`)

// withCollector puts the collector before all else in a page, on the same line.
func withCollector(page []byte) []byte {
	at := len(doctype.Find(page))
	script := `<script src="` + collectorPath + `"></script>`
	return append(append(append([]byte{}, page[:at]...), script...), page[at:]...)
}
