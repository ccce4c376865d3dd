package site

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/runtime"
)

// ownFiles are the runtime's, which are part of this program.
type ownFiles struct{ contents map[string]*content }

func newOwnFiles() *ownFiles {
	o := &ownFiles{map[string]*content{}}
	files := runtime.Files()
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		panic(err) // they are embedded
	}
	for _, entry := range entries {
		data, err := fs.ReadFile(files, entry.Name())
		if err != nil {
			panic(err)
		}
		o.contents[entry.Name()] = newContent(data)
	}
	return o
}

// serve answers with a file of the runtime. With the client, a page's console says what
// failed: an element of its own in the page would move positions.
func (o *ownFiles) serve(w http.ResponseWriter, r *http.Request, name, failed string) {
	c := o.contents[name]
	if c == nil || path.Ext(name) == ".cjs" {
		http.NotFound(w, r)
		return
	}
	if !reads(w, r) {
		return
	}
	if name == "live.js" && failed != "" {
		text, _ := json.Marshal("fieldprof: " + failed)
		c = newContent([]byte(string(c.data) + "\n;console.warn(" + string(text) + ");\n"))
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	c.serve(w, r, name, "")
}

// reads reports whether a request only reads, and refuses any other.
func reads(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
	return false
}

// serve answers with a content: all of it, a range, or that it has not changed; compressed
// if that is worth it and the browser takes it. A range is one of the content as it is.
func (c *content) serve(w http.ResponseWriter, r *http.Request, name, charset string) {
	header := w.Header()
	kind := typeOf(name, charset)
	header.Set("Content-Type", kind)
	header.Set("Cache-Control", "no-cache") // builds change
	tag := tagFor(header, c.tag)
	header.Set("ETag", `"`+tag+`"`)
	data := c.data
	if compressible(kind) {
		header.Add("Vary", "Accept-Encoding")
		if r.Header.Get("Range") == "" && accepts(r.Header.Get("Accept-Encoding"), "gzip") {
			if small := c.gzipped(); len(small) < len(data) {
				header.Set("Content-Encoding", "gzip")
				header.Set("ETag", `"`+tag+`-gzip"`)
				data = small
			}
		}
	}
	send(w, r, bytes.NewReader(data), int64(len(data)))
}

// tagFor makes the tag of a text depend on the isolation that goes with it: a browser that
// hears that it has the text keeps the headers that it had, too.
func tagFor(header http.Header, tag string) string {
	if policy := header.Get("Cross-Origin-Embedder-Policy"); policy != "" {
		return tag + "-" + policy
	}
	return tag
}

// send sends all or the range that was asked for. Of an empty file there are no ranges.
func send(w http.ResponseWriter, r *http.Request, data io.ReadSeeker, size int64) {
	if size == 0 && r.Header.Get("Range") != "" {
		r = r.Clone(r.Context())
		r.Header.Del("Range")
	}
	http.ServeContent(w, r, "", time.Time{}, data)
}

// accepts reports whether an Accept-Encoding header names an encoding, and not with a
// quality of 0.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(strings.ToLower(header), ",") {
		name, parameters, _ := strings.Cut(part, ";")
		if strings.TrimSpace(name) != encoding {
			continue
		}
		quality, ok := strings.CutPrefix(strings.ReplaceAll(parameters, " ", ""), "q=")
		return !ok || strings.Trim(quality, "0.") != ""
	}
	return false
}
