package api

import "net/http"

// Readers admits requests with a token that reads all apps to what is served elsewhere. A guess
// there is a guess here: wrong tokens of both are counted together.
func (h *Handler) Readers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h.api.tokens.admitToAll(r, h.api.Address(r)); err != nil {
			h.api.metrics.denied()
			fail(w, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// admitToAll checks that a token reads all apps. A cookie is not enough: it is for the dashboard.
func (t *tokens) admitToAll(r *http.Request, address string) error {
	which, bearer, err := t.find(r, address)
	if err != nil {
		return err
	}
	if token := &t.list[which]; !bearer || !token.Read || len(token.Apps) > 0 {
		return &problem{http.StatusUnauthorized, "this needs a token that reads all apps: Authorization: Bearer TOKEN"}
	}
	return nil
}
