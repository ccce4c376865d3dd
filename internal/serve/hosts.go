package serve

import (
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/fieldprof/fieldprof/internal/serve/address"
)

// hosts are the names that the Host header may say. A site whose name was made to resolve to this
// machine (DNS rebinding) has a page with our address and port, but not our name. Any port will do: that
// of a browser is another one where the server's is forwarded, by ssh, a container or an editor.
type hosts map[string]bool

func hostsOf(place *address.Place) hosts {
	known := hosts{"localhost": true, "127.0.0.1": true, "[::1]": true} // no other site can have these
	for _, name := range place.Hosts {
		known[strings.ToLower(name)] = true
	}
	if name, err := os.Hostname(); err == nil && place.Beyond {
		known[strings.ToLower(name)], known[strings.ToLower(name)+".local"] = true, true
	}
	return known
}

// has reports whether a Host header says a known name.
func (h hosts) has(host string) bool {
	name := strings.TrimSuffix(host, ":"+(&url.URL{Host: host}).Port())
	return h[strings.ToLower(name)]
}

// only passes on requests for our hosts.
func (h hosts) only(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !h.has(r.Host) {
			w.Header().Set("X-Content-Type-Options", "nosniff")
			http.Error(w, "This server has another name: open the address that instrument serve printed, or give it this name with --host.", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}
