package gojahost

import (
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/coordinator"
)

// model is what a pool must report, written as simply as can be: in each runtime, a tick belongs to
// the set of tags that it works for at the moment, and time to the set of tags that has it.
type model struct {
	clock     *coordinator.Coordinator // draws the same deadlines as the one that is tested
	reference *coordinator.Counter     // and sees each
	deadlines int64
	limit     int      // of sets of tags
	sets      []string // that are known
	seats     []*modelSeat
	usage     map[string]*modelUsage // by tags
	functions map[string]int64       // ticks while they ran
}

// modelSeat is a runtime.
type modelSeat struct {
	tasks   []modelTask // outermost first
	member  bool        // whether ticks reach it
	ticks   map[string]int64
	lost    int64
	since   int64 // deadlines before it was registered
	counted int64 // and while it was
}

// modelTask is a task that may wait; a wait within another one changes nothing.
type modelTask struct {
	tags  string
	waits int
}

// modelUsage is what tasks used.
type modelUsage struct {
	tasks, ticks  int64
	wall, waiting time.Duration
}

// nobody is the key of the ticks in which no script runs; no set of tags has that name.
const nobody = "(idle)"

func newModel(options coordinator.Options, limit int) *model {
	m := &model{clock: coordinator.New(options), limit: limit, usage: map[string]*modelUsage{}, functions: map[string]int64{}}
	m.reference = m.clock.Register()
	m.reference.Enter()
	return m
}

// pass lets a step of time pass, in which there is one deadline at most, in a function of a
// runtime.
func (m *model) pass(step time.Duration, in *modelSeat, function string) {
	m.reference.Poll()
	weight, _, _ := m.reference.Take()
	m.deadlines += int64(weight)
	for _, s := range m.seats {
		who := s.who()
		if s.member {
			s.ticks[who] += int64(weight)
			if who != nobody {
				m.of(who).ticks += int64(weight)
			}
			if s == in && who != nobody {
				m.functions[function] += int64(weight)
			}
		}
		if n := len(s.tasks); n > 0 {
			top := s.tasks[n-1]
			if top.waits > 0 {
				m.of(top.tags).waiting += step
			} else {
				m.of(top.tags).wall += step
			}
		}
	}
}

func (m *model) of(tags string) *modelUsage {
	if m.usage[tags] == nil {
		m.usage[tags] = &modelUsage{}
	}
	return m.usage[tags]
}

// tagged is the set of tags that a pool makes of one.
func (m *model) tagged(tags string) string {
	if tags == "" || slices.Contains(m.sets, tags) {
		return tags
	}
	if len(m.sets) >= m.limit {
		if tags = "tags=" + OtherTag; slices.Contains(m.sets, tags) {
			return tags
		}
	}
	m.sets = append(m.sets, tags)
	return tags
}

// who is for whom a runtime works.
func (s *modelSeat) who() string {
	if n := len(s.tasks); n > 0 && s.tasks[n-1].waits == 0 {
		return s.tasks[n-1].tags
	}
	return nobody
}

// tags are the tags of the task that runs.
func (s *modelSeat) tags() string {
	if n := len(s.tasks); n > 0 {
		return s.tasks[n-1].tags
	}
	return ""
}

// enter begins a task, and returns what ends it.
func (m *model) enter(s *modelSeat, tags string) (leave func()) {
	s.tasks = append(s.tasks, modelTask{tags: tags})
	m.of(tags).tasks++
	return func() { s.tasks = s.tasks[:len(s.tasks)-1] }
}

// wait begins to wait, and returns what ends it.
func (s *modelSeat) wait() (resume func()) {
	n := len(s.tasks)
	if n == 0 {
		return func() {}
	}
	s.tasks[n-1].waits++
	return func() { s.tasks[n-1].waits-- }
}

// join registers a runtime.
func (m *model) join(s *modelSeat) {
	s.member, s.since, s.counted = true, m.deadlines, 0
}

// leave unregisters it: ticks that wait to be taken are lost.
func (m *model) leave(s *modelSeat, waiting int64) {
	if s.member {
		s.member, s.counted = false, m.deadlines-s.since
		s.lost += waiting
		s.ticks[s.who()] -= waiting
		if s.who() != nobody {
			m.of(s.who()).ticks -= waiting
		}
	}
}

// empty forgets all ticks but those that still wait to be taken.
func (s *modelSeat) empty(waiting int64) {
	s.ticks, s.lost = map[string]int64{}, 0
	if waiting > 0 {
		s.ticks[s.who()] = waiting
	}
}
