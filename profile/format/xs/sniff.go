package xs

import (
	"regexp"

	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

var begins = regexp.MustCompile(`^\s*\{\s*"nodes"\s*:\s*\[\s*\{\s*"id"\s*:\s*0\s*,\s*"callFrame"\s*:\s*\{\s*"functionName"\s*:\s*"\(host\)"`)

// Sniff recognizes the first node.
func Sniff(head []byte) string {
	return codec.Because(begins.Match(head), "its first node is XS's (host)")
}
