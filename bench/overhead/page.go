package overhead

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"path"
	"time"

	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/runtime"
)

const (
	// document is the page. It is isolated where memory is to be shared.
	document = `<!doctype html><meta charset="utf-8"><title>turns</title><script src="runtime.js"></script><script type="module" src="page.mjs"></script>`
	// maxResult bounds what the page may post, in bytes.
	maxResult = 64 << 20
	// patience is how long a page may take beyond what its phases do.
	patience = 2 * time.Minute
)

// invokePage runs one invocation in a page of a browser that is started for it.
func invokePage(ctx context.Context, name browser.Name, b *builds, order Order) (*Result, error) {
	order.Builds = [2]string{"clean.js", "checked.js"}
	text, err := json.Marshal(order)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"/": []byte(document), "/order.json": text, "/clean.js": b.clean, "/checked.js": b.checked}
	for _, name := range []string{"turns.mjs", "page.mjs"} {
		if files["/"+name], err = drivers.ReadFile("driver/" + name); err != nil {
			return nil, err
		}
	}
	for _, name := range pageFiles {
		if files["/"+name], err = fs.ReadFile(runtime.Files(), name); err != nil {
			return nil, err
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	results := make(chan []byte, 1)
	server := &http.Server{Handler: pageHandler(files, order.Clock != "poll", results), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	end, err := browser.Show(name, "http://"+listener.Addr().String()+"/")
	if err != nil {
		return nil, err
	}
	defer end()
	select {
	case text := <-results:
		return readResult(text, &order)
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(patience):
		return nil, fmt.Errorf("the page gave no result within %v", patience)
	}
}

// pageHandler serves files, and takes the first result that is posted.
func pageHandler(files map[string][]byte, isolated bool, results chan<- []byte) http.Handler {
	kinds := map[string]string{".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json"}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxResult))
			var large *http.MaxBytesError
			if errors.As(err, &large) {
				text, err = []byte(`{"failure":"the page posted too much"}`), nil
			}
			if err == nil {
				select {
				case results <- text:
				default:
				}
			}
			return
		}
		content, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		header := w.Header()
		header.Set("Content-Type", "text/html; charset=utf-8")
		if kind := kinds[path.Ext(r.URL.Path)]; kind != "" {
			header.Set("Content-Type", kind)
		}
		if isolated {
			header.Set("Cross-Origin-Opener-Policy", "same-origin")
			header.Set("Cross-Origin-Embedder-Policy", "require-corp")
		}
		_, _ = w.Write(content)
	})
}
