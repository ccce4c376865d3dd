// Package gzipped reads files that are gzipped or not.
package gzipped

import (
	"bufio"
	"compress/gzip"
	"io"
)

// Plain gives what a reader has, unzipped if it is gzipped. It does not bound that:
// a small file may hold much.
func Plain(r io.Reader) (io.Reader, error) {
	in := bufio.NewReader(r)
	if magic, _ := in.Peek(2); string(magic) != "\x1f\x8b" {
		return in, nil
	}
	return gzip.NewReader(in)
}
