// Package gzipped reads files that are gzipped or not.
package gzipped

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
)

// Bounds on the unzipped size of a file, since a small file can unzip to anything.
// Profiles shrink to a tenth or a thirtieth.
const (
	Free     = 16 << 20 // bytes that any file may hold
	MaxRatio = 100      // times the bytes that are gzipped, beyond these
	MaxSize  = 4 << 30  // bytes in all
)

// TooMuch is the error of a file that holds more than the bounds.
type TooMuch struct {
	Unzipped, Zipped int64 // bytes, when it was given up
}

func (e *TooMuch) Error() string {
	if e.Unzipped > MaxSize {
		return fmt.Sprintf("it unzips to more than %d MB, the limit", MaxSize>>20)
	}
	return fmt.Sprintf("%d bytes of it unzip to more than %d, and %d times is the limit", e.Zipped, e.Unzipped, MaxRatio)
}

var magic = []byte("\x1f\x8b")

// Is reports whether a file that begins like this is gzipped.
func Is(head []byte) bool { return bytes.HasPrefix(head, magic) }

// Plain is the content of a reader, unzipped within the bounds if it is gzipped.
func Plain(r io.Reader) (io.Reader, error) {
	in := bufio.NewReader(r)
	if head, _ := in.Peek(len(magic)); !Is(head) {
		return in, nil
	}
	return Unzip(in, false)
}

// Unzip unzips, within the bounds unless any size is allowed.
func Unzip(r io.Reader, anySize bool) (io.Reader, error) {
	zipped := &counted{in: r}
	plain, err := gzip.NewReader(bufio.NewReader(zipped))
	if err != nil || anySize {
		return plain, err
	}
	return &bounded{plain: plain, zipped: zipped}, nil
}

// counted counts what is read.
type counted struct {
	in io.Reader
	n  int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	return n, err
}

// bounded fails where there is more than the bounds allow.
type bounded struct {
	plain  io.Reader
	zipped *counted
	n      int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.plain.Read(p[:min(len(p), 64<<10)])
	b.n += int64(n)
	if b.n > MaxSize || b.n > Free && b.n/MaxRatio > b.zipped.n {
		return 0, &TooMuch{b.n, b.zipped.n}
	}
	return n, err
}
