package gojahost

import "slices"

// single is what a budget of single tasks counts as one: a task, and all tasks of the same tags
// within it, however deep they are and whosever tasks are between them. Otherwise a script could escape its
// budget through Go functions that call it back. The lock of the meters guards it.
type single struct {
	whom
	number int64 // of the outermost task
	began  int64
	used   used
	told   map[*budget]int64 // that it is over them; and the task that was interrupted for it, or 0
}

// isTold says whether a budget's Act knows already. An interruption ends one task, and those around it that end with
// its error: if the Go function that called it goes on to call the script instead, that is told again.
func (s *single) isTold(b *budget, task int64, with *Overrun) bool {
	interrupted, told := s.told[b]
	return told && (interrupted == 0 || interrupted == task || with != nil && with.of == b && with.in == s)
}

func (s *single) tell(b *budget) {
	if s.told == nil {
		s.told = map[*budget]int64{}
	}
	s.told[b] = 0
}

// interrupt notes that a task is interrupted for a budget. If another one runs by now, none is, and the
// next look at the budget tells again.
func (s *single) interrupt(b *budget, task, running int64) {
	if running == task {
		s.told[b] = task
	} else {
		delete(s.told, b)
	}
}

// joined returns what a task is counted with, which it begins if no task around it has these tags.
// Sets of tags beyond Options.MaxTags have one number, and are told apart by their tags.
func (h *Host) joined(task *meter) *single {
	for _, s := range h.singles {
		if s.tags == task.tags && slices.Equal(s.set, task.set) {
			return s
		}
	}
	s := &single{whom: task.whom, number: task.number, began: task.since}
	h.singles = append(h.singles, s)
	return s
}

// part ends what joined began for a task, if it did.
func (h *Host) part(task int64) {
	if last := len(h.singles) - 1; h.singles[last].number == task {
		h.singles = slices.Delete(h.singles, last, last+1)
	}
}
