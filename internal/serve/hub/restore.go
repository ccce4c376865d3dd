package hub

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/fieldprof/fieldprof/profile/live"
)

// maxLine bounds the line of a book.
const maxLine = 64 << 20

// eachLine reads a book line by line, up to one that is not complete, as the last may be
// if the server was killed while it wrote. It returns the bytes before that.
func eachLine(r io.Reader, limits live.Limits, visit func(at int64, message any, line []byte) error) (good int64, err error) {
	limits.Bytes = maxLine // a message can be longer in the journal than it came
	in := bufio.NewReaderSize(r, 1<<16)
	for {
		line, err := wholeLine(in)
		if err != nil {
			return good, nil
		}
		message, err := limits.Decode(line[:len(line)-1])
		if err != nil {
			return good, err
		}
		if err := visit(good, message, line); err != nil {
			return good, err
		}
		good += int64(len(line))
	}
}

func wholeLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if err == nil || !errors.Is(err, bufio.ErrBufferFull) || len(line) > maxLine {
			return line, err
		}
	}
}

// restore makes sources of the books that there are.
func (h *Hub) restore() {
	for _, name := range h.journal.books() {
		s, good, err := h.read(name)
		if s == nil || s.book.name != name { // nothing in it, or another's
			h.journal.root.Remove(name)
			continue
		}
		if err != nil {
			h.options.Log(fmt.Sprintf("the journal of %q is damaged: what comes after %d bytes is lost: %v", s.hello.Name, good, err))
		}
		s.book.resume(good)
		s.why = "the server was started again"
		if s.gone = h.run.Ended; s.gone {
			s.why = "of an earlier run"
		}
		h.sources = append(h.sources, s)
		h.known.Store(int64(len(h.sources)))
	}
	slices.SortStableFunc(h.sources, func(a, b *source) int { return cmp.Compare(a.hello.Origin, b.hello.Origin) })
}

// read reads a book.
func (h *Hub) read(name string) (s *source, good int64, err error) {
	file, err := h.journal.root.Open(name)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	good, err = eachLine(file, h.options.Limits, func(_ int64, message any, _ []byte) error {
		if hello, ok := message.(*live.Hello); ok && s == nil {
			s = h.newSource(hello)
			return nil
		}
		if s == nil {
			return errors.New("it does not begin with a hello")
		}
		return s.recall(message)
	})
	return s, good, err
}

// recall takes a message from the journal.
func (s *source) recall(message any) error {
	switch m := message.(type) {
	case *live.Start:
		s.order, s.number, s.wanted = *m, m.Profile, true
		s.reset()
	case *live.Stop:
		s.wanted, s.stopped = false, true
	case *live.Ack:
		s.acked = m.Seq
	case *live.Batch:
		if s.recording == nil {
			return errors.New("a batch comes before the start of its profile")
		}
		return s.take(m)
	default:
		return errors.New("a message that does not belong there")
	}
	return nil
}
