package chrometrace

import (
	"bytes"

	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// Sniff recognizes the key of the object form, and an event.
func Sniff(head []byte) string {
	if why := codec.HasKey(head, "traceEvents"); why != "" {
		return why
	}
	isArray := bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("["))
	return codec.Because(isArray && bytes.Contains(head, []byte(`"ph"`)), "it is an array of trace events")
}
