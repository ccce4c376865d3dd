package format

import (
	"bytes"
	"regexp"
)

// How the files of JSON begin: the first key, as far as it tells, or one that
// stands early.
var (
	beginsGecko          = regexp.MustCompile(`^\s*\{\s*"(meta|pages|shared|threads)"\s*:`)
	beginsLibs           = regexp.MustCompile(`^\s*\{\s*"libs"\s*:`) // so Firefox writes it
	geckoMeta            = regexp.MustCompile(`"(startTime|interval|categories|markerSchema|processType|preprocessedProfileVersion)"\s*:`)
	geckoVersion5        = regexp.MustCompile(`"version"\s*:\s*5\b`)
	beginsXS             = regexp.MustCompile(`^\s*\{\s*"nodes"\s*:\s*\[\s*\{\s*"id"\s*:\s*0\s*,\s*"callFrame"\s*:\s*\{\s*"functionName"\s*:\s*"\(host\)"`)
	beginsWICG           = regexp.MustCompile(`^\s*\{\s*"(resources|frames|stacks|samples)"\s*:\s*\[`)
	beginsWICG1          = regexp.MustCompile(`^\s*\{\s*"version"\s*:\s*1\s*,(?s:.*)"(strings|stackFrames|main-thread)"\s*:`)
	beginsEnvelope       = regexp.MustCompile(`^\s*\{\s*"version"\s*:\s*1\s*,\s*"session"\s*:`)
	beginsWithTrace      = regexp.MustCompile(`^\s*\{\s*"trace"\s*:\s*\{\s*"(resources|frames|stacks|samples)"\s*:\s*\[`)
	envelopeKeys         = regexp.MustCompile(`"(session|chunk|page)"\s*:\s*["\d]`)
	mozillaCounts        = regexp.MustCompile(`^\s*\{(?s:.*)"(gcSamples|micros)"\s*:`)
	beginsMozillaSamples = regexp.MustCompile(`^\s*\[\s*(\]|\{\s*"(micros|weight|stack)"\s*:)`)
)

// because is why a file is taken for a format.
func because(is bool, why string) string {
	if is {
		return why
	}
	return ""
}

func sniffXS(head []byte) string {
	return because(beginsXS.Match(head), "its first node is XS's (host)")
}

func isGecko(head []byte) bool {
	return beginsLibs.Match(head) || beginsGecko.Match(head) && geckoMeta.Match(head)
}

func isProcessed(head []byte) bool {
	return isGecko(head) && bytes.Contains(head, []byte(`"preprocessedProfileVersion"`))
}

func sniffFirefox(head []byte) string {
	return because(isProcessed(head), `it has the key "preprocessedProfileVersion"`)
}

func sniffGecko5(head []byte) string {
	return because(isGecko(head) && !isProcessed(head) && geckoVersion5.Match(head), "it is Gecko's version 5")
}

func sniffGecko(head []byte) string {
	return because(isGecko(head) && !isProcessed(head) && !geckoVersion5.Match(head), "it begins as Firefox's profiles do")
}

func sniffWICG(head []byte) string {
	return because(beginsWICG.Match(head), "it begins as a trace of the JS Self-Profiling API does")
}

// sniffEnvelope knows what a page sent, also where whoever kept it put its keys in
// another order.
func sniffEnvelope(head []byte) string {
	keys := make(map[string]bool)
	if bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) {
		for _, found := range envelopeKeys.FindAllSubmatch(head, -1) {
			keys[string(found[1])] = true
		}
	}
	is := beginsEnvelope.Match(head) || beginsWithTrace.Match(head) || len(keys) == 3
	return because(is, "it is an envelope as pages send it, with a trace of the JS Self-Profiling API")
}

func sniffWICG1(head []byte) string {
	return because(beginsWICG1.Match(head), "it is version 1 of the JS Self-Profiling explainer")
}

func sniffMozilla(head []byte) string {
	return because(mozillaCounts.Match(head), "it has the counts of Mozilla's results()")
}

func sniffMozillaSamples(head []byte) string {
	return because(beginsMozillaSamples.Match(head), "it begins as Mozilla's samples() do")
}

// isOther reports whether a file is in one of these, whatever its names say.
func isOther(head []byte) bool {
	return isGecko(head) || sniffXS(head)+sniffWICG(head)+sniffWICG1(head)+sniffMozilla(head) != ""
}
