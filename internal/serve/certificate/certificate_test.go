package certificate

import (
	"bytes"
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

var day = 24 * time.Hour

func local(t *testing.T, file string, now time.Time, hosts ...string) *tls.Certificate {
	t.Helper()
	c, err := Local(file, hosts, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range hosts {
		if err := c.Leaf.VerifyHostname(plain(host)); err != nil {
			t.Error(err)
		}
	}
	return c
}

func same(x, y *tls.Certificate) bool { return bytes.Equal(x.Leaf.Raw, y.Leaf.Raw) }

// A browser's exception is for one certificate, so it stays for as long as it will do.
func TestCertificateLasts(t *testing.T) {
	file, now := filepath.Join(t.TempDir(), "deep", "certificate.pem"), time.Now()
	first := local(t, file, now, "localhost", "127.0.0.1", "[::1]")
	for _, at := range []time.Duration{0, day, 300 * day} {
		if !same(first, local(t, file, now.Add(at), "localhost", "::1")) {
			t.Errorf("after %v it is another one", at)
		}
	}
	renewed := local(t, file, now.Add(340*day), "localhost")
	if same(first, renewed) || renewed.Leaf.NotAfter.Before(now.Add(600*day)) {
		t.Error("it was not renewed before its end")
	}
	wider := local(t, file, now.Add(340*day), "192.168.1.20", "fe80::1%eth0")
	if same(renewed, wider) {
		t.Error("a new address is not in the old certificate")
	}
	if err := wider.Leaf.VerifyHostname("127.0.0.1"); err != nil {
		t.Errorf("it lost what it had: %v", err)
	}
	if !same(wider, local(t, file, now.Add(341*day), "localhost", "127.0.0.1")) {
		t.Error("what it keeps will do again")
	}
}

func TestCertificateIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing here")
	}
	file, now := filepath.Join(t.TempDir(), "deep", "certificate.pem"), time.Now()
	first := local(t, file, now, "localhost")
	for path, want := range map[string]os.FileMode{file: 0o600, filepath.Dir(file): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	if same(first, local(t, file, now, "localhost")) {
		t.Error("a key that others could read is used")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".*")); left != nil {
		t.Errorf("%v was left behind", left)
	}
}

func TestDamagedFileIsReplaced(t *testing.T) {
	file := filepath.Join(t.TempDir(), "certificate.pem")
	for _, text := range []string{"", "x", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		local(t, file, time.Now(), "localhost")
	}
}

func TestCertificateThatCannotBeKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Local(filepath.Join(file, "certificate.pem"), []string{"localhost"}, time.Now())
	if err == nil || !strings.Contains(err.Error(), "cannot be kept") || c == nil {
		t.Errorf("%v, %v", c, err)
	}
}

// A client that trusts it, and nothing else, talks to a server that has it.
func TestCertificateServes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.pem")
	if Trusted(file) != nil {
		t.Error("there is no certificate yet")
	}
	c := local(t, file, time.Now(), "127.0.0.1", "example.com")
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.TLS = &tls.Config{Certificates: []tls.Certificate{*c}}
	server.StartTLS()
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: Trusted(file)}}}
	answer, err := client.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
}

func TestReadNamesItsFiles(t *testing.T) {
	if _, err := Read("no.pem", "no.key"); err == nil || !strings.Contains(err.Error(), "no.pem with the key no.key") {
		t.Error(err)
	}
}
