package hub

import "fmt"

// fit keeps memory and journal within their bounds.
func (h *Hub) fit() {
	if !h.fitting.TryLock() {
		return
	}
	defer h.fitting.Unlock()
	held := int64(0)
	sources := h.all()
	for _, s := range sources {
		held += s.held.Load()
	}
	for _, s := range sources {
		if held > maxHeld && !s.connected.Load() {
			held -= s.held.Load()
			s.unload()
		}
	}
	h.fitJournal()
}

// fitJournal keeps the journal within its bound. First it gives up the books of the
// oldest sources that are not connected, then the older half of the largest book, and
// then that whole book, if it is not samples that make it large.
func (h *Hub) fitJournal() {
	for h.journal.size.Load() > h.journal.max {
		s := h.leastNeeded()
		if s == nil {
			return
		}
		size := s.book.bytes()
		if s.connected.Load() {
			if err := s.book.shorten(h.options.Limits); err != nil {
				h.options.Log(fmt.Sprintf("the journal cannot be shortened: %v", err))
			} else if s.book.bytes() < size-size/8 {
				s.remark("The journal is full: if the server is killed, the oldest samples are lost.")
				continue
			}
		}
		s.book.remove()
		s.remark("The journal is full: save this profile before the server ends.")
	}
}

// leastNeeded is the oldest source with a book that is not connected, or else that with
// the largest book.
func (h *Hub) leastNeeded() (best *source) {
	for _, s := range h.all() {
		switch size := s.book.bytes(); {
		case size > 0 && !s.connected.Load():
			return s
		case best == nil || size > best.book.bytes():
			best = s
		}
	}
	return best
}

// remark adds a note of the server.
func (s *source) remark(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history.note(text)
}
