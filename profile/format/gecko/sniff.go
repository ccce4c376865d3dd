package gecko

import (
	"bytes"
	"regexp"

	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// How files begin: with a key of the profile, and soon after it one of its metadata.
var (
	begins         = regexp.MustCompile(`^\s*\{\s*"(meta|pages|shared|threads)"\s*:`)
	beginsWithLibs = regexp.MustCompile(`^\s*\{\s*"libs"\s*:`) // as Firefox writes it
	hasMeta        = regexp.MustCompile(`"(startTime|interval|categories|markerSchema|processType|preprocessedProfileVersion)"\s*:`)
	hasVersion5    = regexp.MustCompile(`"version"\s*:\s*5\b`)
)

// sniff reports whether a file is of the raw form, of the processed one, or of neither.
func sniff(head []byte) (raw, processed bool) {
	is := beginsWithLibs.Match(head) || begins.Match(head) && hasMeta.Match(head)
	processed = bytes.Contains(head, []byte(`"preprocessedProfileVersion"`))
	return is && !processed, is && processed
}

// Sniff recognizes the processed form.
func Sniff(head []byte) string {
	_, processed := sniff(head)
	return codec.Because(processed, `it has the key "preprocessedProfileVersion"`)
}

// SniffRaw recognizes the raw form of any version but 5.
func SniffRaw(head []byte) string {
	raw, _ := sniff(head)
	return codec.Because(raw && !hasVersion5.Match(head), "it begins as Firefox's profiles do")
}

// SniffVersion5 recognizes the raw form of version 5.
func SniffVersion5(head []byte) string {
	raw, _ := sniff(head)
	return codec.Because(raw && hasVersion5.Match(head), "it is Gecko's version 5")
}
