package service

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Bounds of a frame. A longer one is an error, not an allocation.
const (
	MaxHead = 64 << 20
	MaxBody = 1 << 30
	// maxHello bounds the first head, so that a stream that is not for the service is
	// recognized at once.
	maxHello = 4 << 10
)

const prefix = 8 // bytes of the two lengths

// readFrame reads a frame whose parts are at most so long. The error is io.EOF
// where the stream ends between two frames.
func readFrame(r io.Reader, maxHead, maxBody int) (head, body []byte, err error) {
	var lengths [prefix]byte
	if _, err := io.ReadFull(r, lengths[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the stream ends inside a frame")
		}
		return nil, nil, err
	}
	headSize, bodySize := binary.LittleEndian.Uint32(lengths[:4]), binary.LittleEndian.Uint32(lengths[4:])
	switch {
	case headSize < 2 || uint64(headSize) > uint64(maxHead):
		return nil, nil, fmt.Errorf("a head of %d bytes; from 2 to %d are allowed", headSize, maxHead)
	case uint64(bodySize) > uint64(maxBody):
		return nil, nil, fmt.Errorf("a body of %d bytes; up to %d are allowed", bodySize, maxBody)
	}
	if head, err = readPart(r, int(headSize)); err != nil {
		return nil, nil, err
	}
	if body, err = readPart(r, int(bodySize)); err != nil {
		return nil, nil, err
	}
	return head, body, nil
}

// firstRead is how much memory an announced length gets before anything arrives.
const firstRead = 8 << 20

// readPart reads n bytes, into memory that grows as they come.
func readPart(r io.Reader, n int) ([]byte, error) {
	part := make([]byte, min(n, firstRead))
	for have := 0; ; {
		if _, err := io.ReadFull(r, part[have:]); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = errors.New("the stream ends inside a frame")
			}
			return nil, err
		}
		if have = len(part); have == n {
			return part, nil
		}
		grown := make([]byte, min(n, 4*have))
		copy(grown, part)
		part = grown
	}
}

// writeFrame writes a frame, its body from parts.
func writeFrame(w io.Writer, head any, body [][]byte) error {
	text := bytes.NewBuffer(make([]byte, prefix, 512))
	encoder := json.NewEncoder(text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(head); err != nil {
		return err
	}
	size := 0
	for _, part := range body {
		size += len(part)
	}
	headSize := text.Len() - prefix
	if headSize > MaxHead || size > MaxBody {
		return fmt.Errorf("%w: a head of %d bytes and a body of %d; up to %d and %d are allowed", errTooLarge, headSize, size, MaxHead, MaxBody)
	}
	frame := text.Bytes()
	binary.LittleEndian.PutUint32(frame[:4], uint32(headSize))
	binary.LittleEndian.PutUint32(frame[4:prefix], uint32(size))
	if _, err := w.Write(frame); err != nil {
		return err
	}
	for _, part := range body {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// errTooLarge says that nothing was written.
var errTooLarge = errors.New("too large for a frame")
