package jsonstream

import (
	"bufio"
	"bytes"
	"io"
)

// source is the text that a decoder has not seen yet. It hands text out no further
// than to the next '[': the decoder takes that without asking for more, so the text
// after it is still here, and can be read without a decoder if it is numbers.
type source struct {
	*bufio.Reader
	past  int64 // bytes that the decoder has never seen
	ended bool
}

// sourceSize is the room for text, and the most that a number can be long.
const sourceSize = 64 << 10

func newSource(in io.Reader) *source {
	size := sourceSize
	if short, ok := in.(interface{ Len() int }); ok { // such as a part of another file
		size = min(size, short.Len()+1)
	}
	return &source{Reader: bufio.NewReaderSize(in, size)}
}

// Read implements io.Reader, for the decoder.
func (s *source) Read(p []byte) (n int, err error) {
	text, err := s.more(0)
	if len(text) == 0 {
		return 0, err
	}
	text = text[:min(len(text), len(p))]
	if i := bytes.IndexByte(text, '['); i >= 0 {
		text = text[:i+1]
	}
	n = copy(p, text)
	s.Discard(n) // of what is there: it cannot fail
	return n, nil
}

// more is the text that is there, of which there is more than the kept bytes unless
// it fails.
func (s *source) more(kept int) ([]byte, error) {
	if s.Buffered() <= kept {
		if _, err := s.Peek(kept + 1); err != nil {
			s.ended = err == io.EOF
			return nil, err
		}
	}
	return s.Peek(s.Buffered())
}

// pass passes over text.
func (s *source) pass(n int) {
	s.Discard(n)
	s.past += int64(n)
}
