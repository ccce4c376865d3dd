package slices

import (
	"net/url"
	"slices"
	"strings"
)

// Hosts makes a function for Options.FirstParty: scripts of these hosts, and of those below them, are
// the page's own, on any port.
func Hosts(names []string) func(script string) bool {
	return func(script string) bool {
		u, err := url.Parse("//" + hostOf(script))
		if err != nil {
			return false
		}
		of := strings.ToLower(u.Hostname())
		return slices.ContainsFunc(names, func(name string) bool {
			name = strings.ToLower(name)
			return of == name || strings.HasSuffix(of, "."+name)
		})
	}
}
