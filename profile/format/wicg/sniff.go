package wicg

import (
	"regexp"

	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

var (
	begins          = regexp.MustCompile(`^\s*\{\s*"(?:resources"\s*:\s*\[|(?:frames|stacks|samples)"\s*:\s*\[\s*[{\]])`)
	beginsVersion1  = regexp.MustCompile(`^\s*\{\s*"version"\s*:\s*1\s*,(?s:.*)"(strings|stackFrames|main-thread)"\s*:`)
	beginsEnvelope  = regexp.MustCompile(`^\s*\{\s*"version"\s*:\s*1\s*,\s*"session"\s*:`)
	beginsWithTrace = regexp.MustCompile(`^\s*\{\s*"trace"\s*:\s*\{\s*"(resources|frames|stacks|samples)"\s*:\s*\[`)
	envelopeKeys    = regexp.MustCompile(`"(session|chunk|page)"\s*:\s*["\d]`)
)

// Sniff recognizes the first key of a trace.
func Sniff(head []byte) string {
	return codec.Because(begins.Match(head), "it begins as a trace of the JS Self-Profiling API does")
}

// SniffVersion1 recognizes the explainer's form.
func SniffVersion1(head []byte) string {
	return codec.Because(beginsVersion1.Match(head), "it is version 1 of the JS Self-Profiling explainer")
}

// SniffEnvelope recognizes what a page sent, even if the server that stored it has
// reordered the keys.
func SniffEnvelope(head []byte) string {
	keys := make(map[string]bool)
	if codec.Begins(head, "{") {
		for _, found := range envelopeKeys.FindAllSubmatch(head, -1) {
			keys[string(found[1])] = true
		}
	}
	is := beginsEnvelope.Match(head) || beginsWithTrace.Match(head) || len(keys) == 3
	return codec.Because(is, "it is an envelope as pages send it, with a trace of the JS Self-Profiling API")
}
