package cpuprofile

import (
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// Sniff recognizes the keys of a profile, which other formats may contain too.
func Sniff(head []byte) string {
	return codec.HasKey(head, "nodes", "head", "timeDeltas", "startTime")
}
