package api

// Endpoint is an endpoint for tests.
type Endpoint struct {
	Method, Path string
	Parameters   []string
}

// Endpoints are all there are.
func Endpoints() (all []Endpoint) {
	for _, e := range (&api{}).endpoints() {
		all = append(all, Endpoint{e.method, e.path, append([]string{}, e.takes...)})
	}
	return all
}
