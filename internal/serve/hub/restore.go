package hub

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/fieldprof/fieldprof/profile/live"
)

// maxLine bounds the line of a book.
const maxLine = 64 << 20

// eachLine reads a book line by line, up to one that is not complete, as the last may be
// if the server was killed while it wrote. It returns the bytes before that, or before a
// line that cannot be read.
func eachLine(r io.Reader, limits live.Limits, visit func(at int64, message any, line []byte) error) (good int64, err error) {
	limits.Bytes = maxLine // a message can be longer in the journal than it came
	in := bufio.NewReaderSize(r, 1<<16)
	for {
		line, err := wholeLine(in)
		if errors.Is(err, io.EOF) {
			return good, nil
		}
		if err != nil {
			return good, err
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
		switch {
		case len(line) > maxLine:
			return nil, fmt.Errorf("a line of more than %d bytes", maxLine)
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		}
	}
}

// restore makes sources of the books that there are. No text is lost that it cannot read: it may
// be of another version of this program, or on a disk that fails today.
func (h *Hub) restore() {
	for _, name := range h.journal.books() {
		s, good, err := h.read(name)
		switch {
		case err != nil:
			if !h.setAside(name, good, err) || s == nil {
				continue
			}
		case s == nil:
			h.journal.root.Remove(name) // it is empty
			continue
		}
		s.noteUnwritten(s.book.resume(good))
		s.why = "the server was started again"
		if s.gone = h.run.Ended; s.gone {
			s.why = "of an earlier run"
		}
		h.sources = append(h.sources, s)
		h.known.Store(int64(len(h.sources)))
	}
	slices.SortStableFunc(h.sources, func(a, b *source) int { return cmp.Compare(a.hello.Origin, b.hello.Origin) })
}

// setAside keeps a book that cannot be read to its end under another name, and reports whether
// there is one with what can be read.
func (h *Hub) setAside(name string, good int64, why error) bool {
	aside, err := h.journal.setAside(name, good)
	text := fmt.Sprintf("the journal %s cannot be read after %d bytes: %v", filepath.Join(h.journal.path, name), good, why)
	if aside != "" {
		text += "; all of it is kept as " + aside
		if !h.options.Keep {
			text += " until this server ends"
		}
	}
	if err != nil {
		text += fmt.Sprintf("; and what can be read is not shown: %v", err)
	}
	h.options.Log(text)
	return err == nil
}

// read reads a book: the source, up to what cannot be read, and so many bytes. There is no source in
// an empty one.
func (h *Hub) read(name string) (s *source, good int64, err error) {
	file, err := h.journal.root.Open(name)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	good, err = eachLine(file, h.options.Limits, func(_ int64, message any, _ []byte) error {
		if s != nil {
			return s.recall(message)
		}
		hello, ok := message.(*live.Hello)
		if !ok {
			return errors.New("it does not begin with a hello")
		}
		if h.journal.book(hello.ID).name != name {
			return errors.New("it has the name of another source's")
		}
		s = h.newSource(hello)
		return nil
	})
	if err == nil && s == nil {
		if info, failed := file.Stat(); failed != nil || info.Size() > 0 {
			err = cmp.Or(failed, errors.New("its first line is not complete"))
		}
	}
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
