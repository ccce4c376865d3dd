// Package address chooses where a local server listens, and opens a browser there.
package address

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// DefaultPort is where a server listens if no port is given and it is free.
const DefaultPort = 8080

// tries is how many ports after the default one are tried.
const tries = 100

// Place is where a server listens.
type Place struct {
	Listeners []net.Listener
	Port      int
	// Hosts are the names and addresses under which it can be reached, the one to open
	// first. They are what a browser's Host header may say.
	Hosts []string
	// Beyond says that other machines can reach it.
	Beyond bool
}

// Listen listens on a host: a name or an address of this machine. Without one, or with
// "localhost", it is both loopback addresses, because browsers try either; "0.0.0.0" and
// "::" are all addresses. Without a port it is the default one, or the next one that is
// free.
func Listen(host string, port int) (*Place, error) {
	if port < 0 || port > 65535 {
		return nil, fmt.Errorf("no port %d: a port lies between 1 and 65535", port)
	}
	host = strings.Trim(host, "[]")
	if port != 0 {
		return listen(host, port)
	}
	var err error
	for port := DefaultPort; port <= DefaultPort+tries; port++ {
		var p *Place
		if p, err = listen(host, port); err == nil || !taken(err) {
			return p, err
		}
	}
	return nil, fmt.Errorf("no port from %d to %d is free: %w", DefaultPort, DefaultPort+tries, err)
}

func listen(host string, port int) (*Place, error) {
	p := &Place{Port: port}
	number := strconv.Itoa(port)
	addresses := []string{host}
	switch host {
	case "", "localhost":
		addresses = []string{"127.0.0.1", "::1"}
	case "0.0.0.0", "::", "*":
		addresses = []string{""}
	}
	for i, address := range addresses {
		l, err := net.Listen("tcp", net.JoinHostPort(address, number))
		if err != nil && len(addresses) > 1 && i > 0 && !taken(err) {
			continue // a machine without IPv6
		}
		if err != nil {
			p.Close()
			return nil, listening(host, port, err)
		}
		p.Listeners = append(p.Listeners, l)
	}
	p.name(host)
	return p, nil
}

func listening(host string, port int, err error) error {
	if taken(err) {
		return fmt.Errorf("port %d is in use: choose another with --port: %w", port, err)
	}
	return fmt.Errorf("cannot listen on %s: %w", cmp.Or(host, "localhost"), err)
}

// name finds out under which hosts the listeners can be reached.
func (p *Place) name(host string) {
	at := p.Listeners[0].Addr().(*net.TCPAddr).AddrPort().Addr().Unmap()
	switch {
	case host == "" || host == "localhost":
		p.Hosts = []string{"localhost"}
		for _, l := range p.Listeners {
			p.Hosts = append(p.Hosts, spell(l.Addr().(*net.TCPAddr).AddrPort().Addr()))
		}
	case at.IsUnspecified():
		p.Beyond = true
		p.Hosts = append(reachable(), "localhost", "127.0.0.1", "[::1]")
	default:
		p.Beyond = !at.IsLoopback()
		p.Hosts = []string{host}
		if ip, err := netip.ParseAddr(host); err == nil {
			p.Hosts[0] = spell(ip)
		} else {
			p.Hosts = append(p.Hosts, spell(at))
		}
		if at.IsLoopback() && at.Is4() {
			p.Hosts = append(p.Hosts, "localhost")
		}
	}
}

// spell writes an address as in a URL. A zone means nothing to another machine.
func spell(ip netip.Addr) string {
	ip = ip.Unmap().WithZone("")
	if ip.Is6() {
		return "[" + ip.String() + "]"
	}
	return ip.String()
}

// reachable lists the addresses by which other machines reach this one: those of local
// networks first, and IPv4 first, which is shorter to type.
func reachable() []string {
	found, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	var list []netip.Addr
	for _, a := range found {
		if prefix, err := netip.ParsePrefix(a.String()); err == nil && prefix.Addr().IsGlobalUnicast() {
			list = append(list, prefix.Addr().Unmap())
		}
	}
	rank := func(ip netip.Addr) int {
		switch {
		case ip.Is4() && ip.IsPrivate():
			return 0
		case ip.Is4():
			return 1
		}
		return 2
	}
	slices.SortStableFunc(list, func(x, y netip.Addr) int { return cmp.Compare(rank(x), rank(y)) })
	var hosts []string
	for _, ip := range list {
		hosts = append(hosts, spell(ip))
	}
	return hosts
}

// Origin is the origin of a host that the server has, such as http://localhost:8080.
func (p *Place) Origin(scheme, host string) string {
	standard := map[string]int{"http": 80, "https": 443}
	if standard[scheme] == p.Port {
		return scheme + "://" + host
	}
	return scheme + "://" + host + ":" + strconv.Itoa(p.Port)
}

// Close stops listening.
func (p *Place) Close() error {
	var all []error
	for _, l := range p.Listeners {
		all = append(all, l.Close())
	}
	return errors.Join(all...)
}
