package jsprofile

import (
	"net"
	"net/http"
	"strings"
)

// FromThisMachine reports whether a request comes from a program on this machine that
// meant to ask this machine: not from a proxy that says that it asks for another, nor from a page
// whose name was made to lead here, nor from a page that has our address as the address of an
// image: it could read nothing, and yet keep the server at work. A proxy on this machine that
// adds no header cannot be told from other programs.
func FromThisMachine(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return false
	}
	for _, forwarded := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"} {
		if r.Header.Get(forwarded) != "" {
			return false
		}
	}
	from, _, err := net.SplitHostPort(r.RemoteAddr)
	return err == nil && isLoopback(from) && isLoopback(hostOf(r.Host))
}

// hostOf is a Host header's host, without its port.
func hostOf(header string) string {
	if host, _, err := net.SplitHostPort(header); err == nil {
		return host
	}
	return strings.Trim(header, "[]")
}

// isLoopback reports whether a host is this machine, by its name or address.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, _, _ := strings.Cut(host, "%")
	ip := net.ParseIP(address)
	return ip != nil && ip.IsLoopback()
}
