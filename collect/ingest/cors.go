package ingest

import "net/http"

// allowOrigin lets a page read the answer, if an app lets its origin send: the app of the key,
// or any if the key is in a header, which a preflight does not have.
func (h *handler) allowOrigin(w http.ResponseWriter, req *request, key string) {
	w.Header().Add("Vary", "Origin")
	origin := req.http.Header.Get("Origin")
	if origin == "" {
		return
	}
	for _, a := range h.apps {
		if (key == "" || a == req.app) && a.allows(origin) {
			w.Header().Set("Access-Control-Allow-Origin", origin)
			w.Header().Set("Access-Control-Expose-Headers", "Retry-After")
			return
		}
	}
}

// preflight answers the question whether a page may send. Without Allow-Origin it is a no.
func (h *handler) preflight(w http.ResponseWriter) {
	if w.Header().Get("Access-Control-Allow-Origin") != "" {
		w.Header().Set("Access-Control-Allow-Methods", "GET, POST")
		w.Header().Set("Access-Control-Allow-Headers", "Content-Type, Content-Encoding, X-Fieldprof-Key, X-Fieldprof-Request-Id, X-Sentry-Auth, Sentry-Trace, Baggage, DD-API-KEY, DD-CLIENT-TOKEN")
		w.Header().Set("Access-Control-Max-Age", "86400")
	}
	w.WriteHeader(http.StatusNoContent)
}
