package api

import (
	_ "embed"
	"net/http"
)

//go:embed openapi.json
var openAPI []byte

// serveOpenAPI serves the description of this API.
func serveOpenAPI(r *request) error {
	r.w.Header().Set("Content-Type", "application/json")
	r.w.WriteHeader(http.StatusOK)
	_, err := r.w.Write(openAPI)
	return gone(err)
}
