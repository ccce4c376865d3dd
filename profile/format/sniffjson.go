package format

import (
	"bytes"
	"compress/gzip"
	"io"
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
	mozillaCounts        = regexp.MustCompile(`^\s*\{(?s:.*)"(gcSamples|micros)"\s*:`)
	beginsMozillaSamples = regexp.MustCompile(`^\s*\[\s*(\]|\{\s*"(micros|weight|stack)"\s*:)`)
)

func sniffXS(head []byte) bool { return beginsXS.Match(head) }
func isGecko(head []byte) bool {
	return beginsLibs.Match(head) || beginsGecko.Match(head) && geckoMeta.Match(head)
}
func sniffGecko5(head []byte) bool {
	return isGecko(head) && !sniffFirefox(head) && geckoVersion5.Match(head)
}
func sniffWICG(head []byte) bool           { return beginsWICG.Match(head) }
func sniffWICG1(head []byte) bool          { return beginsWICG1.Match(head) }
func sniffMozilla(head []byte) bool        { return mozillaCounts.Match(head) }
func sniffMozillaSamples(head []byte) bool { return beginsMozillaSamples.Match(head) }

func sniffFirefox(head []byte) bool {
	return isGecko(head) && bytes.Contains(head, []byte(`"preprocessedProfileVersion"`))
}

func sniffGecko(head []byte) bool {
	return isGecko(head) && !sniffFirefox(head) && !geckoVersion5.Match(head)
}

// sniffFirefoxGzip looks into what is gzipped, as far as the head goes.
func sniffFirefoxGzip(head []byte) bool {
	z, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return false
	}
	plain, _ := io.ReadAll(io.LimitReader(z, sniffLength)) // it ends too soon
	return isGecko(plain)
}
