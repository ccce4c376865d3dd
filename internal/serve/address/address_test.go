package address

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func place(t *testing.T, host string, port int) *Place {
	t.Helper()
	p, err := Listen(host, port)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// Unless told otherwise, other machines cannot reach it.
func TestLoopbackUnlessTold(t *testing.T) {
	for _, host := range []string{"", "localhost", "127.0.0.1"} {
		p := place(t, host, 0)
		if p.Beyond || p.Hosts[0] != map[bool]string{true: "127.0.0.1", false: "localhost"}[host == "127.0.0.1"] {
			t.Errorf("%q: %+v", host, p)
		}
		for _, l := range p.Listeners {
			if ip := l.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() {
				t.Errorf("%q listens on %v", host, ip)
			}
		}
	}
}

// Two servers have different ports; the second takes the next one that is free.
func TestNextPort(t *testing.T) {
	first, second := place(t, "", 0), place(t, "", 0)
	if first.Port < DefaultPort || second.Port <= first.Port {
		t.Errorf("ports %d and %d", first.Port, second.Port)
	}
	if _, err := Listen("", first.Port); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a port that was asked for is taken: %v", err)
	}
}

// A port of which another program has one of the two loopback addresses is taken: a
// browser would find either program.
func TestBothLoopbackAddresses(t *testing.T) {
	other, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skipf("SKIPPED: no IPv6: %v", err)
	}
	defer other.Close()
	if p, err := Listen("", other.Addr().(*net.TCPAddr).Port); err == nil {
		p.Close()
		t.Error("it listens beside another program")
	}
}

func TestAllAddresses(t *testing.T) {
	p := place(t, "0.0.0.0", 0)
	if !p.Beyond || !slices.Contains(p.Hosts, "localhost") || !slices.Contains(p.Hosts, "127.0.0.1") {
		t.Errorf("%+v", p)
	}
	connection, err := net.DialTimeout("tcp", "127.0.0.1:"+strconv.Itoa(p.Port), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	connection.Close()
}

func TestBadPlaces(t *testing.T) {
	for _, port := range []int{-1, 65536} {
		if _, err := Listen("", port); err == nil {
			t.Errorf("port %d", port)
		}
	}
	if _, err := Listen("192.0.2.1", 0); err == nil || !strings.Contains(err.Error(), "192.0.2.1") {
		t.Error(err)
	}
}

func TestOrigins(t *testing.T) {
	for want, o := range map[string]struct {
		scheme, host string
		port         int
	}{
		"http://localhost:8080": {"http", "localhost", 8080}, "https://[::1]:8443": {"https", "[::1]", 8443},
		"http://localhost": {"http", "localhost", 80}, "https://localhost": {"https", "localhost", 443}, "http://localhost:443": {"http", "localhost", 443},
	} {
		if got := (&Place{Port: o.port}).Origin(o.scheme, o.host); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestOpener(t *testing.T) {
	none := func(string) string { return "" }
	for system, want := range map[string]string{"linux": "xdg-open", "freebsd": "xdg-open", "darwin": "open", "windows": "rundll32"} {
		if got := opener(system, none, "http://x/"); got[0] != want || got[len(got)-1] != "http://x/" {
			t.Errorf("%s: %v", system, got)
		}
	}
	if got := opener("linux", func(string) string { return "Debian" }, "http://x/"); got[0] != "rundll32.exe" {
		t.Errorf("in WSL: %v", got)
	}
	for _, address := range []string{"", "-x", "file:///etc/passwd", "javascript:1", "http:", "calc.exe"} {
		if err := Open(address); err == nil || !strings.Contains(err.Error(), "is not the address") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// The browser gets the address as one argument.
func TestOpenStartsTheBrowser(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the program has another name here")
	}
	folder := t.TempDir()
	pipe := filepath.Join(folder, "opened")
	program := "#!/bin/sh\nprintf '%s|' \"$@\" >'" + pipe + ".part' && mv '" + pipe + ".part' '" + pipe + "'\n"
	if err := os.WriteFile(filepath.Join(folder, "xdg-open"), []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	t.Setenv("WSL_DISTRO_NAME", "")
	if err := Open("http://localhost:8080/?a=1&b=$(touch x) y"); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if got, err := os.ReadFile(pipe); err == nil {
			if string(got) != "http://localhost:8080/?a=1&b=$(touch x) y|" {
				t.Errorf("it got %s", got)
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("nothing was opened")
		}
	}
}
