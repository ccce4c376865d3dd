package gojahost

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
	"weak"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/profile"
)

// moment is when budgets are looked at: in which task, and what clocks say.
type moment struct {
	task  int64 // its number
	now   int64
	spent time.Duration // of the processor
	late  bool          // the task has come to no check for long, and another goroutine looks
	of    *Overrun      // with which the task ends; nil: it goes on, or ends in another way
}

// seen is the moment of the last charge.
func (h *Host) seen() moment {
	return moment{task: h.meter.number, now: h.meter.since, spent: h.meter.cpu}
}

// watch brings the accounts up to date after a sample, and looks at the budgets.
func (h *Host) watch() {
	if !h.counter.Running() || h.meter.waiting {
		return // leave does it
	}
	h.charge(false)
	h.lookAtBudgets(h.seen())
}

// patience is how long a script may come to no check before another goroutine looks at its budgets.
const patience = 100 * time.Millisecond

// watchFromOutside has budgets looked at while a script comes to no check and the clock runs. It
// does not keep the host alive.
func (h *Host) watchFromOutside() {
	known := weak.Make(h)
	h.counter.WhenOverdue(max(2, int(patience/h.coordinator.Interval())), func() {
		if h := known.Value(); h != nil {
			h.overdue()
		}
	})
}

// overdue looks at the budgets, on another goroutine than the runtime's.
func (h *Host) overdue() {
	r := h.recording
	r.meters.mu.Lock()
	at, thread, known := moment{task: h.meter.number, spent: h.meter.cpu, late: true}, h.meter.thread, h.meter.known
	isBounded := len(r.meters.budgets) > 0
	r.meters.mu.Unlock()
	if at.task == 0 || !isBounded {
		return
	}
	if known {
		if at.spent, known = r.cpu.of(thread); !known {
			return // the task has ended, and its thread
		}
	}
	at.now = h.coordinator.Now()
	h.lookAtBudgets(at)
}

// overrunIn returns the overrun of this host for which a task ended; nil if it ended in another way.
func (h *Host) overrunIn(err error) *Overrun {
	var over *Overrun
	if !errors.As(err, &over) || over.host != h {
		return nil
	}
	return over
}

// interrupted returns the overrun that interrupted a script between checks, and the stack on which it
// was then: the ticks that it did not take fell there.
func (h *Host) interrupted(err error) (*Overrun, []goja.StackFrame) {
	over := h.overrunIn(err)
	var at *goja.InterruptedError
	if over == nil || !over.late || !errors.As(err, &at) {
		return nil, nil
	}
	frames := at.Stack()
	return over, frames[:min(len(frames), MaxDepth)]
}

// lookAtBudgets tells those that are over.
func (h *Host) lookAtBudgets(at moment) {
	r := h.recording
	r.meters.mu.Lock()
	budgets := r.meters.budgets
	r.meters.mu.Unlock()
	for _, b := range budgets {
		if over := h.over(b, at); over != nil {
			over.blame()
			b.Act(over)
		}
	}
}

// over returns what is over a budget and was not before.
func (h *Host) over(b *budget, at moment) *Overrun {
	m, r := &h.meter, h.recording
	r.meters.mu.Lock()
	defer r.meters.mu.Unlock()
	if m.number != at.task || at.late && (m.waiting || m.ended) {
		return nil // it was another moment
	}
	if slices.ContainsFunc(b.set, func(t profile.Tag) bool { return !slices.Contains(m.set, t) }) {
		return nil
	}
	s, more, task := b.of(m.tags), m.until(at.now, at.spent), m.single.used
	if passed := at.now - s.from; b.Per > 0 && passed >= int64(b.Per) {
		s.from += passed / int64(b.Per) * int64(b.Per)
		s.stretch, s.over = min(s.stretch, task.work(), time.Duration(at.now-s.from)), false
	}
	task.add(more)
	counted := b.counted(more, m.since, at.now)
	limit := time.Duration(b.Share * float64(b.Per))
	what, used, since := "", time.Duration(0), int64(0)
	switch {
	case b.Task > 0 && task.work() > b.Task && !m.single.isTold(b, m.number, at.of):
		m.single.tell(b)
		what, used, limit, since = aTask, task.work(), b.Task, m.single.began
	case limit > 0 && s.stretch+counted > limit && !s.over:
		s.over = true
		what, used, since = fmt.Sprintf("all tasks in %v", b.Per), s.stretch+counted, s.from
	case b.Total > 0 && s.total+counted > b.Total && !s.overAll:
		s.overAll = true
		what, used, limit, since = "all tasks", s.total+counted, b.Total, b.began
	default:
		return nil
	}
	return &Overrun{
		Tags: slices.Clone(m.set), What: what, Used: used, Limit: limit,
		host: h, of: b, in: m.single, task: m.number, tags: m.tags, since: since, late: at.late,
	}
}

// aTask is what a budget of single tasks is about.
const aTask = "a task"

// blame finds the function that used most.
func (o *Overrun) blame() {
	q := query{from: o.since, to: math.MaxInt64, tags: o.tags}
	if o.What == aTask {
		q.host = o.host.id
	}
	p := profile.Attribute(o.host.recording.profile(q), profile.BySite)
	ticks, all := map[profile.FunctionID]int64{}, int64(0)
	for i := range p.Len() {
		s := p.Sample(i)
		if s.Kind == profile.Lost || s.Stack == profile.NoStack {
			continue
		}
		ticks[p.Frames.Function[p.Stacks.Frame[s.Stack]]] += int64(s.Weight)
		all += int64(s.Weight)
	}
	most := profile.FunctionID(-1)
	for f := range profile.FunctionID(len(p.Functions.Name)) {
		if n := ticks[f]; n > 0 && (most < 0 || n > ticks[most]) {
			most = f
		}
	}
	if most >= 0 {
		o.Function, o.Share = p.Function(most), float64(ticks[most])/float64(all)
	}
}
