package spool

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"time"
)

const (
	headerSize = 4 + 4 + 8 + 8 + 4 // magic, version, number and end of the previous segment, checksum
	recordHead = 4 + 4 + 4 + 8     // salt, length, checksum, time
	magic      = "FPSP"
	version    = 1
)

// MaxRecord is the length of the longest record.
const MaxRecord = 64 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// segment is a file of records.
type segment struct {
	number int64
	salt   uint32 // of its checksums, and the first bytes of each record
	name   string
	file   File
	end    int64 // of the last record that is known to be whole
}

func segmentName(number int64, salt uint32) string {
	return fmt.Sprintf("%016x-%08x.segment", number, salt)
}

// parseSegment reads the name of a segment.
func parseSegment(name string) (s *segment, isSegment bool) {
	s = &segment{name: name}
	if _, err := fmt.Sscanf(name, "%16x-%8x.segment", &s.number, &s.salt); err != nil || segmentName(s.number, s.salt) != name {
		return nil, false
	}
	return s, true
}

// header returns the header of a segment, which says where the previous one ends.
func (s *segment) header(previous *segment) []byte {
	b := append([]byte(magic), binary.LittleEndian.AppendUint32(nil, version)...)
	number, end := int64(0), int64(0)
	if previous != nil {
		number, end = previous.number, previous.end
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(number))
	b = binary.LittleEndian.AppendUint64(b, uint64(end))
	return binary.LittleEndian.AppendUint32(b, crc32.Update(s.salt, castagnoli, b))
}

// readHeader returns which segment was the previous one, and its end, or -1 if the header
// is damaged.
func (s *segment) readHeader() (previous, end int64, _ error) {
	b := make([]byte, headerSize)
	if _, err := s.file.ReadAt(b, 0); err != nil && !errors.Is(err, io.EOF) {
		return 0, 0, err
	}
	said := binary.LittleEndian.Uint32(b[headerSize-4:])
	if string(b[:4]) != magic || binary.LittleEndian.Uint32(b[4:]) != version || said != crc32.Update(s.salt, castagnoli, b[:headerSize-4]) {
		return 0, -1, nil
	}
	return int64(binary.LittleEndian.Uint64(b[8:])), int64(binary.LittleEndian.Uint64(b[16:])), nil
}

// findEnd finds the last whole record, and makes what is before it durable: the system may not have
// done so when the process ended.
func (s *segment) findEnd(size int64) error {
	c := cursor{segment: s, at: headerSize, limit: size}
	for s.end = headerSize; ; s.end = c.at {
		if _, _, err := c.next(); errors.Is(err, io.EOF) {
			return s.file.Sync()
		} else if err != nil {
			return err
		}
	}
}

// appendRecord appends a record as it is in the file.
func (s *segment) appendRecord(b, content []byte, at time.Time) []byte {
	start := len(b)
	b = binary.LittleEndian.AppendUint32(b, s.salt)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(content)))
	b = binary.LittleEndian.AppendUint32(b, 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(at.UnixMilli()))
	b = append(b, content...)
	binary.LittleEndian.PutUint32(b[start+8:], s.checksum(b[start:]))
	return b
}

// checksum covers the length, time and content of a record.
func (s *segment) checksum(record []byte) uint32 {
	sum := crc32.Update(s.salt, castagnoli, record[4:8])
	return crc32.Update(sum, castagnoli, record[12:])
}

// cursor reads the records of a segment between two offsets.
type cursor struct {
	*segment
	at, limit int64
	damaged   int64 // bytes that are in no whole record
	buffer    []byte
	from      int64 // offset of the buffer
}

const readAhead = 256 << 10

// bytes are those at the cursor, at least n of them unless the segment ends before.
func (c *cursor) bytes(n int64) ([]byte, error) {
	if c.at < c.from || c.at+n > c.from+int64(len(c.buffer)) {
		c.buffer = make([]byte, min(max(n, readAhead), c.limit-c.at))
		c.from = c.at
		read, err := c.file.ReadAt(c.buffer, c.at)
		c.buffer = c.buffer[:read]
		if err != nil && !errors.Is(err, io.EOF) && read < int(n) {
			return nil, err
		}
	}
	return c.buffer[c.at-c.from:], nil
}

// next returns the next whole record, or io.EOF. Its content stays valid.
func (c *cursor) next() (content []byte, at time.Time, _ error) {
	for c.at < c.limit {
		b, err := c.bytes(recordHead)
		if err != nil {
			return nil, time.Time{}, err
		}
		if int64(len(b)) >= recordHead && binary.LittleEndian.Uint32(b) == c.salt {
			if length := recordHead + int64(binary.LittleEndian.Uint32(b[4:])); length <= recordHead+MaxRecord && c.at+length <= c.limit {
				if b, err = c.bytes(length); err != nil {
					return nil, time.Time{}, err
				}
				if int64(len(b)) >= length && binary.LittleEndian.Uint32(b[8:]) == c.checksum(b[:length]) {
					c.at += length
					return b[recordHead:length], time.UnixMilli(int64(binary.LittleEndian.Uint64(b[12:]))), nil
				}
			}
		}
		if err := c.skip(); err != nil {
			return nil, time.Time{}, err
		}
	}
	return nil, time.Time{}, io.EOF
}

// skip goes to where the next record may begin.
func (c *cursor) skip() error {
	mark := binary.LittleEndian.AppendUint32(nil, c.salt)
	start := c.at
	c.at++
	for found := false; !found && c.at < c.limit; {
		b, err := c.bytes(int64(len(mark)))
		if err != nil {
			return err
		}
		i := bytes.Index(b, mark)
		switch {
		case i >= 0:
			c.at += int64(i)
			found = true
		case len(b) < len(mark): // the rest is not a record
			c.at = c.limit
		default:
			c.at += int64(len(b) - len(mark) + 1)
		}
	}
	c.damaged += c.at - start
	return nil
}
