package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Packed data are a byte for the version, the length of the content, and the content as a frame of
// zstd.
const version = 1

// MaxContent bounds what is unpacked.
const MaxContent = 1 << 30

// plausible is how far content may be expected to shrink. Content that claims more is unpacked bit by bit,
// so that it must prove it.
const plausible = 64

var (
	quick = compressor(zstd.SpeedFastest) // for the spool
	small = compressor(zstd.SpeedDefault) // for what is kept
	whole = must(zstd.NewReader(nil, zstd.WithDecoderMaxMemory(MaxContent), zstd.WithDecodeAllCapLimit(true)))
)

func compressor(level zstd.EncoderLevel) *zstd.Encoder {
	return must(zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithWindowSize(1<<20), zstd.WithLowerEncoderMem(true)))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err) // the options are wrong
	}
	return v
}

func pack(content []byte, by *zstd.Encoder) []byte {
	out := make([]byte, 1, len(content)/3+64)
	out[0] = version
	out = binary.AppendUvarint(out, uint64(len(content)))
	return by.EncodeAll(content, out)
}

func unpack(data []byte) ([]byte, error) {
	if len(data) == 0 || data[0] > version {
		return nil, errors.New("not written by this version, or an earlier one")
	}
	length, n := binary.Uvarint(data[1:])
	if data[0] != version || n <= 0 || length > MaxContent {
		return nil, errDamaged
	}
	frame := data[1+n:]
	var content []byte
	var err error
	if length <= plausible*uint64(len(frame)) {
		content, err = whole.DecodeAll(frame, make([]byte, 0, length))
	} else {
		content, err = unpackSlowly(frame, int64(length))
	}
	if err == nil && uint64(len(content)) != length {
		err = errDamaged
	}
	if err != nil {
		return nil, fmt.Errorf("unpacking %d bytes: %w", len(data), err)
	}
	return content, nil
}

// Unpacked is the length that packed data claim for their content.
func Unpacked(data []byte) uint64 {
	if len(data) == 0 {
		return 0
	}
	length, _ := binary.Uvarint(data[1:])
	return min(length, MaxContent)
}

// Parts divides chunks as Encode writes them, in their order, so that the contents of a part have at most
// so many bytes, or it has one chunk: a chunk takes some ten times its content when it is decoded.
func Parts(chunks [][]byte, most uint64) (parts [][][]byte) {
	size := uint64(0)
	for i, data := range chunks {
		length := Unpacked(data)
		if size += length; i == 0 || size > most {
			parts, size = append(parts, nil), length
		}
		last := len(parts) - 1
		parts[last] = append(parts[last], data)
	}
	return parts
}

func unpackSlowly(frame []byte, most int64) ([]byte, error) {
	z, err := zstd.NewReader(bytes.NewReader(frame), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxContent), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return io.ReadAll(io.LimitReader(z, most+1))
}
