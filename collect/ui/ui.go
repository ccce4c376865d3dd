// Package ui is the dashboard of the collector: one page, its script and its style.
//
// The page holds no data. It asks the API (package api) for what its address says, with a cookie
// that the API has set, and shows profiles with the views of package report (src imports them).
// All its addresses are relative, so that a proxy may serve the collector below a prefix.
//
// The names of profiles, labels and files go into text nodes, with unprintable
// characters spelled out. The policy of the page allows its own script and style, and
// connections to its own origin, and forbids making markup from text.
package ui

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"path"
	"strings"

	"github.com/fieldprof/fieldprof/profile/format"
)

//go:generate go run ../../profile/report/build ui src/main.ts style.css

var (
	//go:embed dist/ui.js
	script []byte
	//go:embed dist/ui.css
	style []byte
	//go:embed page.html
	page string
)

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'"

// Handler serves the page at /, and its files below /ui/.
func Handler() http.Handler {
	code, look := newFile("ui.js", "text/javascript; charset=utf-8", script), newFile("ui.css", "text/css; charset=utf-8", style)
	text := strings.NewReplacer("FORMATS", formats(), "SCRIPT", code.name, "STYLE", look.name).Replace(page)
	index := newFile("", "text/html; charset=utf-8", []byte(text))
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", index)
	for _, f := range []*file{code, look} {
		mux.Handle("GET /ui/"+f.name, f)
	}
	return mux
}

// formats lists what a profile can be exported as, in JSON without letters that end an element.
func formats() string {
	type row struct {
		Name  string `json:"name"`
		Title string `json:"title"`
	}
	var rows []row
	for _, f := range format.All() {
		rows = append(rows, row{f.Name, f.Title})
	}
	text, err := json.Marshal(rows)
	if err != nil {
		panic(err) // it has strings only
	}
	return string(text)
}

// file is a file of the page. One with a name has the hash of its content in it and never
// changes; the page itself is asked for again each time.
type file struct {
	name, kind      string
	content, zipped []byte
}

func newFile(name, kind string, content []byte) *file {
	sum := sha256.Sum256(content)
	if ext := path.Ext(name); ext != "" {
		name = strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:6]) + ext
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, _ = w.Write(content) // a buffer takes everything
	_ = w.Close()
	return &file{name, kind, content, zipped.Bytes()}
}

func (f *file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", f.kind)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Vary", "Accept-Encoding")
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	if f.name == "" {
		header.Set("Cache-Control", "no-cache")
		header.Set("Content-Security-Policy", policy)
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("X-Frame-Options", "SAMEORIGIN")
	}
	content := f.content
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
		content = f.zipped
	}
	_, _ = w.Write(content) // a reader that leaves misses the rest
}
