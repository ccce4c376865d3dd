package spool

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// maxGroup bounds what is written at once, in bytes, so that no request waits for all others.
const maxGroup = 4 << 20

// write writes requests until the spool is closed. While one group is written the next one
// gathers, so a lone request is written at once and many share the cost.
func (s *Spool) write() {
	defer close(s.done)
	for {
		group := s.nextGroup()
		if group == nil {
			return
		}
		err := s.writeGroup(group)
		if noRoom(err) {
			err = fmt.Errorf("%w: %w", ErrFull, err)
		}
		s.mu.Lock()
		for _, r := range group {
			s.unwritten -= r.bytes
		}
		if s.failing = err != nil; s.failing {
			s.failures++
		}
		s.mu.Unlock()
		select {
		case s.written <- struct{}{}:
		default:
		}
		for _, r := range group {
			r.answer <- err
		}
	}
}

// noRoom reports whether the disk, a quota or a limit of the process stopped a file from growing.
func noRoom(err error) bool {
	return slices.ContainsFunc(full, func(reason error) bool { return errors.Is(err, reason) })
}

// nextGroup waits for requests; it returns nil once the spool is closed and all are written.
func (s *Spool) nextGroup() []*request {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.requests) == 0 {
		if s.closed {
			return nil
		}
		s.wake.Wait()
	}
	n, bytes := 0, int64(0)
	for n < len(s.requests) && (n == 0 || bytes+s.requests[n].bytes <= maxGroup) {
		bytes += s.requests[n].bytes
		n++
	}
	group := s.requests[:n:n]
	s.requests = s.requests[n:]
	return group
}

// writeGroup writes a group and synchronizes it. Only the writer changes segments
// at the end of the list and their ends.
func (s *Spool) writeGroup(group []*request) error {
	now := s.options.Now()
	segment, isNew, err := s.openSegment()
	if err != nil {
		return err
	}
	var b []byte
	from := segment.end
	if isNew {
		b, from = segment.header(s.last()), 0
	}
	for _, r := range group {
		for _, record := range r.records {
			b = segment.appendRecord(b, record, now)
		}
	}
	if _, err = segment.file.WriteAt(b, from); err != nil && !isNew && segment.file.Truncate(from) == nil {
		return err // and the segment is as it was
	}
	if err == nil {
		err = segment.file.Sync()
	}
	if err == nil && isNew {
		err = s.files.Sync()
	}
	if err != nil {
		s.abandon(segment, isNew)
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	segment.end = from + int64(len(b))
	if isNew {
		s.segments, s.isOpen = append(s.segments, segment), true
	}
	s.noteAge(Position{segment.number, segment.end}, now)
	return nil
}

// last is the last segment, or nil.
func (s *Spool) last() *segment {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.segments) == 0 {
		return nil
	}
	return s.segments[len(s.segments)-1]
}

// openSegment is the segment that grows, or a new one.
func (s *Spool) openSegment() (_ *segment, isNew bool, _ error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isOpen {
		if last := s.segments[len(s.segments)-1]; last.end < s.options.Segment {
			return last, false, nil
		}
		s.isOpen = false
	}
	s.latest++
	segment := &segment{number: s.latest, salt: newSalt()}
	segment.name = segmentName(segment.number, segment.salt)
	var err error
	segment.file, err = s.files.Create(segment.name)
	return segment, true, err
}

// abandon leaves a segment as it is: its content after its end is unknown.
func (s *Spool) abandon(segment *segment, isNew bool) {
	if isNew {
		segment.file.Close()
		_ = s.files.Remove(segment.name) // else it is read after a restart, and its chunks are known by their IDs
		return
	}
	s.mu.Lock()
	s.isOpen = false
	s.mu.Unlock()
}

// noteAge remembers when records were appended.
func (s *Spool) noteAge(end Position, at time.Time) {
	if n := len(s.ages); n > 0 && at.Sub(s.ages[n-1].at) < time.Second {
		s.ages[n-1].end = end
		return
	}
	s.ages = append(s.ages, age{end, at})
}
