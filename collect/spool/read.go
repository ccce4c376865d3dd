package spool

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Batch is records that are consumed together.
type Batch struct {
	// ID is the same when the batch is read again, also after a crash, and then the records are, too.
	ID       [16 + 4*8]byte // the spool's and both positions
	Records  [][]byte
	Damaged  int64 // bytes among them that could not be read
	from, to Position
}

// Reaches reports whether a batch has all that was appended up to a position.
func (b *Batch) Reaches(end Position) bool { return !b.to.Before(end) }

// End is the end of what was appended.
func (s *Spool) End() Position {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.segments) == 0 {
		return Position{}
	}
	last := s.segments[len(s.segments)-1]
	return Position{last.number, last.end}
}

// Next reads the batch that waits: records of at most so many bytes, and at least one. It returns
// nil if none waits. Until Done it returns the same batch, whatever is appended and however often the
// process is restarted; if the error is ErrUnplanned it may be another one after a restart.
func (s *Spool) Next(bytes int64) (*Batch, error) {
	s.consumer.Lock()
	defer s.consumer.Unlock()
	s.mu.Lock()
	from := s.state.consumed
	var cursors []*cursor
	for _, segment := range s.segments {
		if c := s.cursor(segment); c.at < c.limit {
			cursors = append(cursors, c)
		}
	}
	planned := s.state.planned
	s.mu.Unlock()
	if !from.Before(planned) {
		planned = Position{}
	}
	b := &Batch{from: from, to: from}
	if err := b.read(cursors, bytes, planned); err != nil {
		return nil, fmt.Errorf("spool: %w", err)
	}
	if !b.from.Before(b.to) {
		return nil, nil
	}
	b.identify(s.state.id)
	if b.to == planned {
		return b, nil
	}
	return b, s.plan(b)
}

// read reads records up to a planned position, or else up to so many bytes.
func (b *Batch) read(cursors []*cursor, bytes int64, planned Position) error {
	isPlanned := planned != Position{}
	for _, c := range cursors {
		if isPlanned && planned.Segment < c.number {
			break
		}
		if isPlanned && planned.Segment == c.number {
			c.limit = min(c.limit, planned.Offset)
		}
		for {
			start := c.at
			content, _, err := c.next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return err
			}
			if bytes -= int64(len(content)); bytes < 0 && !isPlanned && len(b.Records) > 0 {
				b.Damaged += c.damaged - (c.at - start - recordHead - int64(len(content)))
				return nil
			}
			b.Records = append(b.Records, content)
			b.to = Position{c.number, c.at}
		}
		b.Damaged += c.damaged
		b.to = Position{c.number, c.at}
	}
	if isPlanned {
		b.to = planned
	}
	return nil
}

func (b *Batch) identify(spool [16]byte) {
	id := append(b.ID[:0], spool[:]...)
	for _, n := range []int64{b.from.Segment, b.from.Offset, b.to.Segment, b.to.Offset} {
		id = binary.LittleEndian.AppendUint64(id, uint64(n))
	}
}

// ErrUnplanned says that it could not be made durable which records make a batch.
var ErrUnplanned = errors.New("the batch may be another one after a restart")

// plan makes durable which records are the batch.
func (s *Spool) plan(b *Batch) error {
	planned := state{s.state.id, b.from, b.to}
	if err := s.position.write(planned); err != nil {
		return fmt.Errorf("spool: %w: %w", ErrUnplanned, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = planned
	return nil
}

// Done consumes a batch, the latest that Next returned. If it returns an error the batch is
// consumed nevertheless, but may be returned again after a restart.
func (s *Spool) Done(b *Batch) error {
	s.consumer.Lock()
	defer s.consumer.Unlock()
	after := state{s.state.id, b.to, b.to}
	err := s.position.write(after)
	s.mu.Lock()
	s.state = after
	s.damaged += b.Damaged
	gone := 0
	for gone < len(s.ages) && !b.to.Before(s.ages[gone].end) {
		gone++
	}
	s.ages = slices.Delete(s.ages, 0, gone)
	var consumed []*segment
	if err == nil { // else what is on disk still says that the batch is to be read, whole
		consumed = s.takeConsumed()
	}
	s.mu.Unlock()
	if err == nil {
		err = s.remove(consumed)
	}
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	return nil
}

// takeConsumed takes out the segments that are neither read nor written any more.
func (s *Spool) takeConsumed() (consumed []*segment) {
	var kept []*segment
	for i, segment := range s.segments {
		if isOpen := s.isOpen && i == len(s.segments)-1; s.start(segment) < segment.end || isOpen {
			kept = append(kept, segment)
		} else {
			consumed = append(consumed, segment)
		}
	}
	s.segments = kept
	return consumed
}

func (s *Spool) remove(segments []*segment) error {
	var errs []error
	for _, segment := range segments {
		errs = append(errs, segment.file.Close(), s.files.Remove(segment.name))
	}
	return errors.Join(errs...)
}
