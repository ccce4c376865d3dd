package mozilla

import (
	"regexp"

	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

var (
	hasCounts     = regexp.MustCompile(`^\s*\{(?s:.*)"(gcSamples|micros)"\s*:`)
	beginsSamples = regexp.MustCompile(`^\s*\[\s*(\]|\{\s*"(micros|weight|stack)"\s*:)`)
)

// Sniff recognizes results().
func Sniff(head []byte) string {
	return codec.Because(hasCounts.Match(head), "it has the counts of Mozilla's results()")
}

// SniffSamples recognizes samples().
func SniffSamples(head []byte) string {
	return codec.Because(beginsSamples.Match(head), "it begins as Mozilla's samples() do")
}
