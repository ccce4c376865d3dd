package serve

import (
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/fieldprof/fieldprof/internal/serve/address"
)

// hosts are what the Host header may say. A site whose name was made to resolve to this
// machine (DNS rebinding) has a page with our address, but not our name.
type hosts map[string]bool

func hostsOf(place *address.Place, scheme string) hosts {
	names := place.Hosts
	if name, err := os.Hostname(); err == nil && place.Beyond {
		names = append(names[:len(names):len(names)], name, name+".local")
	}
	known := hosts{}
	for _, name := range names {
		name = strings.ToLower(name)
		known[name+":"+strconv.Itoa(place.Port)] = true
		if scheme == "http" && place.Port == 80 || scheme == "https" && place.Port == 443 {
			known[name] = true
		}
	}
	return known
}

// only passes on requests for our hosts.
func (h hosts) only(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !h[strings.ToLower(r.Host)] {
			w.Header().Set("X-Content-Type-Options", "nosniff")
			http.Error(w, "This server has another name: open the address that instrument serve printed, or give it this name with --host.", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}
