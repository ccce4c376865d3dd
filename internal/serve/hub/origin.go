package hub

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// sameOrigin reports whether a request comes from a page that this server serves. A
// program that is not a browser sends no Origin, and no other site can make a browser
// leave it out of a handshake or a POST.
func sameOrigin(r *http.Request) bool {
	origin := r.Header.Values("Origin")
	if len(origin) == 0 {
		return true
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return len(origin) == 1 && strings.EqualFold(origin[0], scheme+"://"+r.Host)
}

// isLocal reports whether a request comes from this machine and names it. A tunnel or a
// proxy on this machine that passes on requests from elsewhere names another host, or says that it does so.
func isLocal(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && peer.Addr().Unmap().IsLoopback() && IsLoopbackName(r.Host) && !isForwarded(r.Header)
}

func isForwarded(header http.Header) bool {
	return slices.ContainsFunc([]string{"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Cf-Connecting-Ip"}, func(name string) bool {
		return header.Get(name) != ""
	})
}

// IsLoopbackName reports whether a host, with or without a port, always means this machine.
func IsLoopbackName(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	address, err := netip.ParseAddr(name)
	return err == nil && address.Unmap().IsLoopback()
}
