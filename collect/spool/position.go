package spool

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// Position is a place in the spool.
type Position struct{ Segment, Offset int64 }

// Before reports whether a position comes before another.
func (p Position) Before(other Position) bool {
	return p.Segment < other.Segment || p.Segment == other.Segment && p.Offset < other.Offset
}

// state is what the file "position" says.
type state struct {
	id       [16]byte // of the spool
	consumed Position // up to here
	planned  Position // the records from consumed to here are one batch, if it is after consumed
}

const (
	slotSize = 8 + 16 + 4*8 + 4 // counter, id, positions, checksum
	slotGap  = 4096             // a sector is written whole, or not
)

// positionFile keeps the state in two slots.
type positionFile struct {
	file    File
	counter uint64 // of the latest slot that is whole
}

const positionName = "position"

// openPosition opens the file and reads the latest state, or makes a new one.
func openPosition(files Files, exists bool) (*positionFile, state, error) {
	open := files.Create
	if exists {
		open = files.Open
	}
	f, err := open(positionName)
	if err != nil {
		return nil, state{}, err
	}
	p := &positionFile{file: f}
	latest, err := p.read()
	if err == nil && p.counter == 0 { // new, or damaged
		rand.Read(latest.id[:])
		if _, err = f.WriteAt(make([]byte, 2*slotGap), 0); err == nil {
			err = p.write(latest)
		}
		if err == nil {
			err = files.Sync()
		}
	}
	if err != nil {
		f.Close()
		return nil, state{}, err
	}
	return p, latest, nil
}

func (p *positionFile) read() (latest state, _ error) {
	for slot := range int64(2) {
		b := make([]byte, slotSize)
		if _, err := p.file.ReadAt(b, slot*slotGap); err != nil && !errors.Is(err, io.EOF) {
			return state{}, err
		}
		if binary.LittleEndian.Uint32(b[slotSize-4:]) != crc32.Checksum(b[:slotSize-4], castagnoli) {
			continue
		}
		counter := binary.LittleEndian.Uint64(b)
		if counter <= p.counter {
			continue
		}
		p.counter = counter
		copy(latest.id[:], b[8:])
		at := func(i int) int64 { return int64(binary.LittleEndian.Uint64(b[24+8*i:])) }
		latest.consumed, latest.planned = Position{at(0), at(1)}, Position{at(2), at(3)}
	}
	return latest, nil
}

// write makes a state durable. If it fails the other slot has the previous state, and is not
// touched by the next attempt.
func (p *positionFile) write(s state) error {
	b := binary.LittleEndian.AppendUint64(nil, p.counter+1)
	b = append(b, s.id[:]...)
	for _, n := range []int64{s.consumed.Segment, s.consumed.Offset, s.planned.Segment, s.planned.Offset} {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	if _, err := p.file.WriteAt(b, int64((p.counter+1)%2)*slotGap); err != nil {
		return err
	}
	if err := p.file.Sync(); err != nil {
		return err
	}
	p.counter++
	return nil
}
