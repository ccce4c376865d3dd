package sentry

import (
	"bytes"

	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// Sniff recognizes the keys of a chunk.
func Sniff(head []byte) string {
	if bytes.Contains(head, []byte(`"nodes"`)) {
		return ""
	}
	return codec.HasKey(head, "profiler_id", "chunk_id", "client_sdk")
}
