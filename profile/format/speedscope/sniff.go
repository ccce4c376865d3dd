package speedscope

import (
	"bytes"

	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// Sniff recognizes the schema that every file names.
func Sniff(head []byte) string {
	return codec.Because(bytes.Contains(head, []byte("speedscope.app/file-format-schema")), "it names speedscope's schema")
}
