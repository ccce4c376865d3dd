package htmlscan

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/internal/must"
)

func TestHash(t *testing.T) {
	// From the examples of the standard for content security policies.
	const example = "alert('Hello, world.');"
	if got := Hash([]byte(example), "sha256"); got != "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='" {
		t.Error(got)
	}
	if got := Hash([]byte(example), "md5"); got != "" {
		t.Error(got)
	}
	for _, algorithm := range []string{"sha256", "sha384", "sha512"} {
		plain := Hash([]byte("a\nb\nc\uFFFD\u2028"), algorithm)
		if got := Hash([]byte("a\r\nb\rc\x00\u2028"), algorithm); got != plain || !strings.HasPrefix(got, "'"+algorithm+"-") {
			t.Error(got, "is not", plain)
		}
		if !matchesHash(plain, []byte("a\r\nb\rc\x00\u2028")) || !matchesHash("'"+inURL(plain)+"'", []byte("a\nb\nc\uFFFD\u2028")) {
			t.Error(plain, "matches not")
		}
		if matchesHash(plain, []byte("a")) || matchesHash(strings.Trim(plain, "'"), []byte("a\nb\nc\uFFFD\u2028")) {
			t.Error(plain, "matches all")
		}
	}
}

// matchesHash reports whether a source expression, with its quotes, is a hash of
// the content of an inline script.
func matchesHash(source string, content []byte) bool {
	d, ok := unquoteDigest(source)
	return ok && bytes.Equal(d.sum, sumOf(d.algorithm, seen(content)))
}

// TestDecodersAgree compares validUTF8 with the decoder that browsers have, in
// Node.
func TestDecodersAgree(t *testing.T) {
	edges := []byte{'a', 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF}
	var texts []byte
	for _, a := range edges {
		for _, b := range edges {
			for _, c := range edges {
				for _, d := range edges {
					texts = append(texts, a, b, c, d)
				}
				texts = append(texts, '\n')
			}
		}
	}
	want := must.AskNode(t, texts, "-e", `process.stdout.write(new TextDecoder().decode(require("fs").readFileSync(0)))`)
	if got := validUTF8(string(texts)); got != string(want) || !utf8.ValidString(got) {
		t.Errorf("%d bytes, want %d", len(got), len(want))
	}
}
