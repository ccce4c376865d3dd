package otlp

import (
	"bytes"

	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// Sniff recognizes the message of resource profiles, or the dictionary. A first
// message of at most 15 bytes that begins with a number is a sample type of pprof. In JSON
// they have keys.
func Sniff(head []byte) string {
	if isJSON(head) {
		return codec.HasKey(head, "resourceProfiles", "locationTable", "mappingTable")
	}
	if len(head) <= 4 || head[0] == 0x0a && head[1] < 16 && (head[2] == 0x08 || head[2] == 0x10) {
		return ""
	}
	isBinary := bytes.ContainsFunc(head, func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' })
	is := (head[0] == 0x0a && head[1] >= 2 || head[0] == 0x12) && isBinary
	return codec.Because(is, "it starts as a message of OTLP profiles does")
}

// isJSON tells JSON from protocol buffers: no message of these begins with a bracket.
func isJSON(data []byte) bool { return codec.Begins(data, "{") }
