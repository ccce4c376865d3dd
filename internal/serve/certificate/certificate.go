// Package certificate makes the certificate with which a local server answers over HTTPS.
//
// No authority vouches for it, so a browser asks once whether to trust it and remembers
// the answer for this certificate. So it is kept in the user's cache directory, readable
// for that user only, and made again only when it must be: before it ends, and when the
// server has a name or an address that it lacks. It keeps the names that it had.
package certificate

import (
	"bytes"
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/internal/outfile"
)

const (
	lifetime = 365 * 24 * time.Hour // browsers refuse more than 398 days
	renewal  = 30 * 24 * time.Hour  // before the end
	most     = 64                   // names: a laptop that travels has many addresses
)

// Read reads a certificate and its key from PEM files of the user's own.
func Read(certificate, key string) (*tls.Certificate, error) {
	c, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("the certificate %s with the key %s: %w", certificate, key, err)
	}
	return &c, nil
}

// Local returns a certificate that is valid for hosts (names or IP addresses): the one
// kept in a file, or a new one. An empty file is the one in the user's cache directory. If
// a new one cannot be kept, it is returned with the error that says so.
func Local(file string, hosts []string, now time.Time) (*tls.Certificate, error) {
	file, err := whereKept(file)
	if err != nil {
		return create(hosts, now, nil)
	}
	kept := read(file)
	if kept != nil && serves(kept.Leaf, hosts, now) {
		return kept, nil
	}
	var had []string
	if kept != nil {
		had = namesOf(kept.Leaf)
	}
	return create(append(slices.Clone(hosts), had...), now, func(text []byte) error { return write(file, text) })
}

// Trusted are the system's certificates and the one that Local keeps, so that programs of this
// machine trust its servers; nil if there is none.
func Trusted(file string) *x509.CertPool {
	file, err := whereKept(file)
	if err != nil {
		return nil
	}
	kept := read(file)
	if kept == nil {
		return nil
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	roots.AddCert(kept.Leaf)
	return roots
}

func whereKept(file string) (string, error) {
	if file != "" {
		return file, nil
	}
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "fieldprof", "certificate.pem"), err
}

// read returns the certificate in a file, or nil if it is not there, is damaged, or could
// have been read by another user.
func read(file string) *tls.Certificate {
	info, err := os.Lstat(file)
	if err != nil || !private(info) {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	c, err := tls.X509KeyPair(text, text)
	if err != nil {
		return nil
	}
	return &c
}

// serves reports whether a certificate will do for these hosts.
func serves(leaf *x509.Certificate, hosts []string, now time.Time) bool {
	if leaf == nil || now.Before(leaf.NotBefore) || now.After(leaf.NotAfter.Add(-renewal)) {
		return false
	}
	return !slices.ContainsFunc(hosts, func(host string) bool { return leaf.VerifyHostname(plain(host)) != nil })
}

func namesOf(leaf *x509.Certificate) []string {
	names := slices.Clone(leaf.DNSNames)
	for _, ip := range leaf.IPAddresses {
		names = append(names, ip.String())
	}
	return names
}

// plain is a host without the brackets and the zone of an IPv6 address.
func plain(host string) string {
	host, _, _ = strings.Cut(strings.Trim(host, "[]"), "%")
	return host
}

// create makes a certificate and keeps it.
func create(hosts []string, now time.Time, keep func(text []byte) error) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: "fieldprof on " + cmp.Or(hostname(), "this machine")},
		NotBefore:    now.Add(-time.Hour), NotAfter: now.Add(lifetime),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}
	seen := map[string]bool{}
	for _, host := range hosts {
		host = plain(host)
		if host == "" || seen[host] || len(seen) == most {
			continue
		}
		seen[host] = true
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	pem.Encode(&text, &pem.Block{Type: "CERTIFICATE", Bytes: der})
	pem.Encode(&text, &pem.Block{Type: "PRIVATE KEY", Bytes: secret})
	c, err := tls.X509KeyPair(text.Bytes(), text.Bytes())
	if err != nil {
		return nil, err
	}
	if keep != nil {
		if err := keep(text.Bytes()); err != nil {
			return &c, fmt.Errorf("the certificate cannot be kept, so browsers will ask about it again: %w", err)
		}
	}
	return &c, nil
}

func hostname() string {
	name, _ := os.Hostname()
	return name[:min(len(name), 40)] // a common name has at most 64 characters
}

// write replaces a file in one step. No other user can read it at any time.
func write(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return outfile.WriteSecret(file, text)
}
