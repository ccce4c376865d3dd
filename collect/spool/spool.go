package spool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// Errors of Append.
var (
	// ErrFull says that as much waits as may wait, or that the disk is full.
	ErrFull = errors.New("the spool is full")
	// ErrTooLong says that a record is longer than MaxRecord.
	ErrTooLong = errors.New("the record is too long")
	// ErrClosed says that the spool has been closed.
	ErrClosed = errors.New("the spool is closed")
)

// Options say how a spool is kept. Only Dir or Files is needed.
type Options struct {
	Dir     string
	Bytes   int64            // of records that wait; default 1 GiB
	Segment int64            // bytes after which a segment ends; default a 16th of Bytes, at most 16 MiB
	Files   Files            // instead of Dir
	Now     func() time.Time // default time.Now
}

// maxUnwritten bounds what waits in memory for a slow disk, in bytes.
const maxUnwritten = 32 << 20

// Spool is an open spool. It may be used by several goroutines.
type Spool struct {
	options Options
	files   Files
	lock    io.Closer
	written chan struct{} // has an element after records were written

	consumer sync.Mutex // of Next and Done, which write the position
	position *positionFile

	mu        sync.Mutex
	wake      *sync.Cond // of the writer: requests or closed changed
	requests  []*request
	unwritten int64 // bytes of requests, and of those being written
	closed    bool
	done      chan struct{} // closed when the writer has ended

	segments []*segment // the oldest first
	isOpen   bool       // the last one may grow
	latest   int64      // the highest number that a segment had
	state    state
	ages     []age // of what waits, the oldest first
	damaged  int64
	failures int64
	failing  bool // the latest group could not be written
}

// age says when the records up to an end were appended, to a second.
type age struct {
	end Position
	at  time.Time
}

// Stats are figures about a spool.
type Stats struct {
	Waiting  int64     // bytes that are not consumed
	Oldest   time.Time // when the oldest of them was appended; zero if there are none
	Segments int
	Damaged  int64 // bytes that could not be read, since Open
	Failures int64 // groups that could not be written, since Open
}

// Open opens the spool of a folder, or makes one.
func Open(o Options) (*Spool, error) {
	o.Bytes = cmp.Or(o.Bytes, 1<<30)
	o.Segment = cmp.Or(o.Segment, max(min(o.Bytes/16, 16<<20), 4<<10))
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Spool{options: o, files: o.Files, written: make(chan struct{}, 1), done: make(chan struct{})}
	s.wake = sync.NewCond(&s.mu)
	var err error
	if s.files == nil {
		if s.files, err = openFolder(o.Dir); err != nil {
			return nil, fmt.Errorf("spool: %w", err)
		}
	}
	if s.lock, err = s.files.Lock("lock"); err == nil {
		if err = s.restore(); err == nil {
			go s.write()
			return s, nil
		}
		s.closeFiles()
	}
	return nil, fmt.Errorf("spool: %w", err)
}

// restore finds the segments and where they end.
func (s *Spool) restore() error {
	names, err := s.files.List()
	if err != nil {
		return err
	}
	if s.position, s.state, err = openPosition(s.files, slices.Contains(names, positionName)); err != nil {
		return err
	}
	s.latest = max(s.state.consumed.Segment, s.state.planned.Segment)
	for _, name := range names {
		if segment, isSegment := parseSegment(name); isSegment {
			s.segments = append(s.segments, segment)
			s.latest = max(s.latest, segment.number)
		}
	}
	slices.SortFunc(s.segments, func(a, b *segment) int { return cmp.Compare(a.number, b.number) })
	for _, segment := range s.segments {
		if segment.file, err = s.files.Open(segment.name); err != nil {
			return err
		}
	}
	if err := s.findEnds(); err != nil {
		return err
	}
	if err := s.remove(s.takeConsumed()); err != nil {
		return err
	}
	return s.findAge()
}

// findEnds asks each segment which the previous one is and where it ends. Those between the two
// were abandoned before anything in them was acknowledged. The last segment is not mentioned
// by another, and ends with its last whole record.
func (s *Spool) findEnds() error {
	said := map[int64]int64{}
	abandoned := map[int64]bool{}
	for i, segment := range s.segments {
		previous, end, err := segment.readHeader()
		if err != nil {
			return err
		}
		if end < 0 {
			continue
		}
		said[previous] = end
		for _, between := range s.segments[:i] {
			if between.number > previous {
				abandoned[between.number] = true
			}
		}
	}
	for _, segment := range s.segments {
		size, err := s.files.Size(segment.name)
		if err != nil {
			return err
		}
		switch end, known := said[segment.number]; {
		case abandoned[segment.number]:
			segment.end = headerSize
		case known:
			segment.end = min(end, size)
		default:
			if err := segment.findEnd(size); err != nil {
				return err
			}
		}
	}
	return nil
}

// findAge finds when the oldest record that waits was appended.
func (s *Spool) findAge() error {
	for _, segment := range s.segments {
		c := s.cursor(segment)
		_, at, err := c.next()
		if err == nil {
			last := s.segments[len(s.segments)-1]
			s.ages = []age{{Position{last.number, last.end}, at}}
			return nil
		}
		if !errors.Is(err, io.EOF) {
			return err
		}
	}
	return nil
}

// cursor is one for the records of a segment that are not consumed.
func (s *Spool) cursor(of *segment) *cursor {
	return &cursor{segment: of, at: s.start(of), limit: of.end}
}

// start is where the records of a segment begin that are not consumed.
func (s *Spool) start(of *segment) int64 {
	switch consumed := s.state.consumed; {
	case of.number < consumed.Segment:
		return of.end
	case of.number == consumed.Segment:
		return min(max(consumed.Offset, headerSize), of.end)
	}
	return headerSize
}

// waiting is how many bytes are not consumed.
func (s *Spool) waiting() (bytes int64) {
	for _, segment := range s.segments {
		bytes += segment.end - s.start(segment)
	}
	return bytes
}

// Stats returns figures about the spool.
func (s *Spool) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	stats := Stats{Waiting: s.waiting(), Segments: len(s.segments), Damaged: s.damaged, Failures: s.failures}
	if stats.Waiting > 0 && len(s.ages) > 0 {
		stats.Oldest = s.ages[0].at
	}
	return stats
}

// Written has an element when records were written since the last one was received.
func (s *Spool) Written() <-chan struct{} { return s.written }

// Seal lets no more be appended, and waits for what is being appended.
func (s *Spool) Seal() {
	s.mu.Lock()
	s.closed = true
	s.wake.Signal()
	s.mu.Unlock()
	<-s.done
}

// Close waits for the requests that have been made, and closes the files. Records that are not
// consumed wait for the next Open.
func (s *Spool) Close() error {
	s.Seal()
	s.consumer.Lock()
	defer s.consumer.Unlock()
	return s.closeFiles()
}

func (s *Spool) closeFiles() error {
	if s.lock == nil {
		return nil
	}
	var errs []error
	for _, segment := range s.segments {
		if segment.file != nil {
			errs = append(errs, segment.file.Close())
		}
	}
	if s.position != nil {
		errs = append(errs, s.position.file.Close())
	}
	errs = append(errs, s.lock.Close())
	s.lock = nil
	return errors.Join(errs...)
}

// newSalt returns a salt that senders cannot know.
func newSalt() uint32 { return rand.Uint32() }

// request is records that are to be written together.
type request struct {
	records [][]byte
	bytes   int64
	answer  chan error
}

// Append returns when records are on disk, in this order. After an error, some of them may be on disk
// nevertheless.
func (s *Spool) Append(ctx context.Context, records ...[]byte) error {
	r := &request{records: records, answer: make(chan error, 1)}
	for _, record := range records {
		if len(record) > MaxRecord {
			return fmt.Errorf("%w: %d bytes of at most %d", ErrTooLong, len(record), int64(MaxRecord))
		}
		r.bytes += recordHead + int64(len(record))
	}
	if err := s.enqueue(r); err != nil {
		return err
	}
	select {
	case err := <-r.answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Spool) enqueue(r *request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return ErrClosed
	case s.waiting()+s.unwritten+r.bytes > s.options.Bytes:
		return fmt.Errorf("%w: %d MiB wait", ErrFull, s.waiting()>>20)
	case s.unwritten > 0 && s.unwritten+r.bytes > maxUnwritten:
		return fmt.Errorf("%w: the disk is slow", ErrFull)
	}
	s.requests = append(s.requests, r)
	s.unwritten += r.bytes
	s.wake.Signal()
	return nil
}
