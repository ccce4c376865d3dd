package devtools

import (
	"net/http"
	"path"
)

// Files are the page that is measured and its scripts, by path.
type Files map[string][]byte

// ServeHTTP answers with a file.
func (f Files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	content, ok := f[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if path.Ext(r.URL.Path) == ".js" {
		w.Header().Set("Content-Type", "text/javascript")
	}
	_, _ = w.Write(content) // a closed connection needs no answer
}
