package htmlscan

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

// Hash returns the source expression, with its quotes, that lets a policy allow
// the inline script with the given content. The algorithm is sha256, sha384 or
// sha512; for any other Hash returns "". The hash is taken of the content as a
// browser reads it from a page in UTF-8.
func Hash(content []byte, algorithm string) string {
	if digest := Digest(seen(content), algorithm); digest != "" {
		return "'" + digest + "'"
	}
	return ""
}

// Digest returns the hash of a file as its integrity attributes spell it, "" for any other
// algorithm.
func Digest(content []byte, algorithm string) string {
	sum := sumOf(algorithm, content)
	if sum == nil {
		return ""
	}
	return algorithm + "-" + base64.StdEncoding.EncodeToString(sum)
}

// digest is a hash as integrity attributes and policies spell it.
type digest struct {
	algorithm string // in lower case
	prefix    string // the algorithm as spelled, with the dash
	sum       []byte
	url       bool // spelled with - and _
	open      bool // without the = that belong at its end
}

// key is the same for all spellings of a digest, and no source expression.
func (d digest) key() string { return d.algorithm + " " + string(d.sum) }

func (d digest) String() string {
	alphabet := base64.StdEncoding
	if d.url {
		alphabet = base64.URLEncoding
	}
	if d.open {
		alphabet = alphabet.WithPadding(base64.NoPadding)
	}
	return d.prefix + alphabet.EncodeToString(d.sum)
}

// standard maps the letters of the URL's alphabet to those of the usual one.
var standard = strings.NewReplacer("-", "+", "_", "/")

// parseDigest reads a hash such as sha256-… in either alphabet.
func parseDigest(s string) (d digest, ok bool) {
	algorithm, text, found := strings.Cut(s, "-")
	d.algorithm = lower(algorithm)
	d.prefix = algorithm + "-"
	if !found || sumOf(d.algorithm, nil) == nil {
		return d, false
	}
	bare := strings.TrimRight(text, "=")
	d.url = strings.ContainsAny(bare, "-_")
	sum, err := base64.RawStdEncoding.DecodeString(standard.Replace(bare))
	if err != nil || len(sum) != len(sumOf(d.algorithm, nil)) {
		return d, false
	}
	d.sum = sum
	d.open = len(text) == len(bare) && len(text)%4 != 0
	return d, true
}

// unquoteDigest reads a hash in single quotes.
func unquoteDigest(source string) (digest, bool) {
	if len(source) < 2 || source[0] != '\'' || source[len(source)-1] != '\'' {
		return digest{}, false
	}
	return parseDigest(source[1 : len(source)-1])
}

// sumOf hashes content; nil for an unknown algorithm.
func sumOf(algorithm string, content []byte) []byte {
	switch algorithm {
	case "sha256":
		sum := sha256.Sum256(content)
		return sum[:]
	case "sha384":
		sum := sha512.Sum384(content)
		return sum[:]
	case "sha512":
		sum := sha512.Sum512(content)
		return sum[:]
	}
	return nil
}

// seen returns content as the browser sees it and hashes it.
func seen(content []byte) []byte {
	return []byte(normalize(validUTF8(string(content))))
}

// validUTF8 replaces what is not UTF-8 by U+FFFD as browsers do: one for as
// many bytes as could have begun a character.
func validUTF8(s string) string {
	if !utf8.ValidString(s) {
		s, _ = unicode.UTF8.NewDecoder().String(s)
	}
	return s
}
