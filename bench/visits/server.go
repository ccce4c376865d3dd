package visits

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
)

// file is a file of a build as it is sent.
type file struct {
	kind    string // Content-Type
	content []byte
	gzipped bool
}

// files are a build by path.
type files map[string]file

// kinds are the files that a site publishes, and their types; those of text are compressed. The
// source maps are for developers, and stay.
var kinds = map[string]bool{".html": true, ".js": true, ".mjs": true, ".css": true, ".json": true, ".svg": true, ".png": false, ".woff2": false}

// read reads a build, and changes its page.
func read(dir string, edit func(page []byte) ([]byte, error)) (files, error) {
	all := files{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		text, published := kinds[path.Ext(name)]
		if err != nil || entry.IsDir() || !published {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err == nil && name == "index.html" {
			content, err = edit(content)
		}
		if err == nil {
			all["/"+name], err = newFile(name, content, text)
		}
		return err
	})
	if page, ok := all["/index.html"]; ok {
		all["/"] = page
	} else if err == nil {
		err = fmt.Errorf("%s has no index.html", dir)
	}
	return all, err
}

func newFile(name string, content []byte, compressed bool) (file, error) {
	f := file{kind: mime.TypeByExtension(path.Ext(name)), content: content, gzipped: compressed}
	if !compressed {
		return f, nil
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(content)
	err = errors.Join(err, w.Close())
	f.content = b.Bytes()
	return f, err
}

// host serves a build for one visit, at an origin that no cache has met.
type host struct {
	url      string
	server   *http.Server
	files    files
	requests atomic.Int64
	bytes    atomic.Int64
	mu       sync.Mutex
	refused  []string
}

// serve starts a host.
func serve(build files, n Network) (*host, error) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h := &host{url: fmt.Sprintf("http://%s/", inner.Addr()), files: build}
	h.server = &http.Server{Handler: h}
	go func() { _ = h.server.Serve(shape(&counting{inner, &h.bytes}, n)) }() // until it is closed
	return h, nil
}

// close ends the host and its connections.
func (h *host) close() { _ = h.server.Close() }

// ServeHTTP answers as a static host does: compressed, and to be kept for a year, since the names
// of files have hashes.
func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.requests.Add(1)
	f, ok := h.files[r.URL.Path]
	if !ok {
		h.mu.Lock()
		h.refused = append(h.refused, r.URL.Path)
		h.mu.Unlock()
		http.NotFound(w, r)
		return
	}
	header := w.Header()
	header.Set("Content-Type", f.kind)
	header.Set("Cache-Control", "public, max-age=31536000")
	header.Set("Content-Length", fmt.Sprint(len(f.content)))
	if f.gzipped {
		header.Set("Content-Encoding", "gzip")
	}
	_, _ = w.Write(f.content) // a browser that left needs no answer
}

// missing are the paths that were asked for and are not there.
func (h *host) missing() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.refused, ", ")
}

// counting counts what is sent over its connections.
type counting struct {
	net.Listener
	bytes *atomic.Int64
}

// Accept implements net.Listener.
func (c *counting) Accept() (net.Conn, error) {
	inner, err := c.Listener.Accept()
	return &counted{inner, c.bytes}, err
}

type counted struct {
	net.Conn
	bytes *atomic.Int64
}

// Write implements net.Conn.
func (c *counted) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.bytes.Add(int64(n))
	return n, err
}
