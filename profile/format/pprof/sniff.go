package pprof

import (
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// Sniff recognizes the field that a profile starts with: a sample type, which is a
// short message of two numbers.
func Sniff(head []byte) string {
	is := len(head) > 2 && head[0] == 0x0a && head[1] < 16 && (head[2] == 0x08 || head[2] == 0x10)
	return codec.Because(is, "it starts as profile.proto does")
}
