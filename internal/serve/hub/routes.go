package hub

import (
	"context"
	"net/http"
	"slices"
	"strings"
)

// routes are the hub's addresses.
func (h *Hub) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+Prefix+"{$}", h.servePage)
	mux.HandleFunc("GET "+Prefix+"source", h.serveSource)
	mux.HandleFunc("GET "+Prefix+"panel", h.servePanel)
	mux.HandleFunc("GET "+Prefix+"save", h.forPanels(h.serveSave))
	mux.HandleFunc("GET "+Prefix+"text", h.forPanels(h.serveText))
	mux.HandleFunc("GET "+Prefix+"before", h.forPanels(h.serveBefore))
	mux.HandleFunc("POST "+Prefix+"read", h.forPanels(h.serveRead))
	return mux
}

// Owns reports whether the hub answers a request; the rest below Prefix are the site's.
func (h *Hub) Owns(r *http.Request) bool {
	name, ok := strings.CutPrefix(r.URL.Path, Prefix)
	return ok && slices.Contains([]string{"", "source", "panel", "save", "text", "before", "read"}, name)
}

// ServeHTTP answers requests below Prefix. Nothing here may be framed, guessed to be
// something else, or read by another site, and no address with a token may leak.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Frame-Options", "DENY")
	header.Set("Content-Security-Policy", "frame-ancestors 'none'")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cache-Control", "no-store")
	h.mux.ServeHTTP(w, r)
}

// forPanels asks for the panel's token.
func (h *Hub) forPanels(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !sameOrigin(r):
			http.Error(w, "This is for pages of this server.", http.StatusForbidden)
		case !same(r.URL.Query().Get("token"), h.run.Panel):
			http.Error(w, "The token is wrong: reload the panel.", http.StatusForbidden)
		default:
			serve(w, r)
		}
	}
}

// servePage answers with the panel's page. It holds the token, so from elsewhere it takes a key.
func (h *Hub) servePage(w http.ResponseWriter, r *http.Request) {
	if !isLocal(r) && !same(r.URL.Query().Get("key"), h.run.Panel) {
		http.Error(w, "From another machine the panel needs its key: open the address that instrument serve printed.", http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := h.options.Page(w, h.run.Panel); err != nil {
		h.options.Log("the panel's page: " + err.Error())
	}
}

// serveSocket serves a socket from its handshake to its end.
func (h *Hub) serveSocket(w http.ResponseWriter, r *http.Request, limit int, serve func(context.Context, *socket) error) {
	if !h.enter() {
		http.Error(w, "Too many connections.", http.StatusServiceUnavailable)
		return
	}
	defer h.leave()
	socket, err := accept(w, r, h.options.timing, int64(limit))
	if err != nil {
		return // it has been told
	}
	socket.end(serve(h.context, socket))
}

// Bytes of a message.
const (
	maxFromSource = 4 << 20 // the default of live.Limits
	maxFromPanel  = 1 << 18
)

// enter counts a socket in, if there is room and the hub is not ending.
func (h *Hub) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ending || h.sockets >= maxSockets {
		return false
	}
	h.sockets++
	h.running.Add(1)
	return true
}

func (h *Hub) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sockets--
	h.running.Done()
}

// firstMessage reads a client's first message.
func (h *Hub) firstMessage(ctx context.Context, s *socket) (any, error) {
	data, err := s.first(ctx)
	if err != nil {
		return nil, err
	}
	message, err := h.options.Limits.Decode(data)
	if err != nil {
		return nil, refuse("%v", err)
	}
	return message, nil
}
