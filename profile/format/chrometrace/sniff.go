package chrometrace

import (
	"bytes"
	"regexp"

	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// DevTools writes the metadata first, and they may be larger than what Sniff sees: they hold the
// annotations, the source maps and field data of the page.
var beginsWithMetadata = regexp.MustCompile(`^\s*\{\s*"metadata"\s*:`)

// Sniff recognizes the key of the object form, the metadata before it, and an event.
func Sniff(head []byte) string {
	if why := codec.HasKey(head, "traceEvents"); why != "" {
		return why
	}
	if beginsWithMetadata.Match(head) {
		return "it begins with metadata, as traces do"
	}
	isArray := codec.Begins(head, "[")
	return codec.Because(isArray && bytes.Contains(head, []byte(`"ph"`)), "it is an array of trace events")
}
