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

// fitJournal keeps the journal within its bound: first it forgets the books of the oldest sources that
// are not connected, then the older half of the largest.
func (h *Hub) fitJournal() {
	for h.journal.size.Load() > h.journal.max {
		var largest *source
		dropped := false
		for _, s := range h.all() {
			size := s.book.bytes()
			if size > 0 && !s.connected.Load() && !dropped {
				s.book.remove()
				s.remark("The journal is full: save this profile before the server ends.")
				dropped = true
			} else if largest == nil || size > largest.book.bytes() {
				largest = s
			}
		}
		if dropped {
			continue
		}
		before := h.journal.size.Load()
		if err := largest.book.shorten(h.options.Limits); err != nil {
			h.options.Log(fmt.Sprintf("the journal cannot be shortened: %v", err))
			return
		}
		largest.remark("The journal is full: if the server is killed, the oldest samples are lost.")
		if h.journal.size.Load() >= before {
			return
		}
	}
}

// remark adds a note of the server.
func (s *source) remark(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history.note(text)
}
