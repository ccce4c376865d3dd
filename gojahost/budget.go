package gojahost

import (
	"fmt"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Budget bounds the time of tasks: the processor's with Options.CPU, else the clock's,
// without what they waited. It is looked at with every sample and at the end of every task,
// so a script is over it by a few ticks. While a script comes to no check, as in a loop that only
// calls, the budget is looked at every tenth of a second, if the clock runs. A Go function is over it
// until it returns.
type Budget struct {
	// Tags are the keys and values that tasks must have, as for As; without any, the
	// budget is for all tasks. Each set of tags has it for its own; only the sets beyond
	// Options.MaxTags share Share and Total.
	Tags []string
	// Task is what one task may use, with the tasks of the same tags within it, also where tasks
	// of other tags are between them; 0: any.
	Task time.Duration
	// Share is which part of Per all tasks with the same tags may use together, in all
	// runtimes of a pool: 0.1 of a minute is six seconds in each minute. 0, and no Per: any.
	Share float64
	Per   time.Duration
	// Total is what they may use in all, since SetBudgets; 0: any.
	Total time.Duration
	// Act is called once for each task or stretch of Per that is over its budget, from
	// within a check or at the task's end, on the runtime's goroutine. If the script comes to no
	// check, it is called on another goroutine. It must run no script of that runtime. After
	// Interrupt it is called again if the Go code around the task goes on to run scripts for it.
	Act func(*Overrun)
}

// Overrun says who used more than a budget has. It is the error of a script that Interrupt
// interrupts: errors.As finds it.
type Overrun struct {
	Tags        []profile.Tag
	What        string // "a task", "all tasks in 1m0s", "all tasks"
	Used, Limit time.Duration
	// Function is the one that used most of it, as far as samples are kept; its name is
	// as in the sources. Share is its part of the samples.
	Function profile.Function
	Share    float64

	host  *Host
	of    *budget
	in    *single
	task  int64 // its number
	tags  profile.TagsID
	since int64 // when Used was 0
	late  bool  // the script came to no check: samples do not show what it does
}

// Error says who used too much, and in which function.
func (o *Overrun) Error() string {
	var who strings.Builder
	for _, tag := range o.Tags {
		fmt.Fprintf(&who, "%s=%s ", tag.Key, tag.Value)
	}
	text := fmt.Sprintf("%sused %v of %v that %s may", who.String(), o.Used.Round(time.Microsecond), o.Limit, o.What)
	if o.Share > 0 {
		at := ""
		if o.Function.File != "" && o.Function.Line > 0 {
			at = fmt.Sprintf(" (%s:%d)", o.Function.File, o.Function.Line)
		}
		text += fmt.Sprintf(": %.0f%% of it in %s%s", 100*o.Share, o.Function.Label(), at)
	}
	return text
}

// Interrupt ends the scripts of the task: the Go code that runs it gets an error that
// wraps an Overrun. A task around it goes on, if that code does. Where the task has ended by
// itself, there is nothing to interrupt. Only Act may call it.
func (o *Overrun) Interrupt() {
	h := o.host
	h.recording.meters.mu.Lock()
	defer h.recording.meters.mu.Unlock()
	if o.What == aTask {
		o.in.interrupt(o.of, o.task, h.meter.number)
	}
	if h.meter.number != o.task || h.meter.ended {
		return
	}
	h.meter.stopped = true
	thrown := *o // the runtime's goroutine may find more to say
	h.vm.Interrupt(&thrown)
}

// SetBudgets replaces the budgets of a host, or of all hosts of its pool. It panics if one of
// them has no limit, or no Act.
func (h *Host) SetBudgets(budgets ...Budget) { h.recording.setBudgets(budgets) }

// budget is a Budget with what was used of it.
type budget struct {
	Budget
	set   []profile.Tag
	began int64 // when it was set
	by    map[profile.TagsID]*spent
}

// spent is what tasks with the same tags used.
type spent struct {
	total, stretch time.Duration
	from           int64 // when the stretch began
	over, overAll  bool
}

func (r *recording) setBudgets(budgets []Budget) {
	var list []*budget
	for _, b := range budgets {
		if b.Act == nil || len(b.Tags)%2 != 0 {
			panic("gojahost: a Budget needs Act, and a value for each key in Tags")
		}
		if b.Task <= 0 && b.Total <= 0 && b.Per <= 0 || (b.Share > 0) != (b.Per > 0) {
			panic("gojahost: a Budget needs Task, Share with Per, or Total")
		}
		one := &budget{Budget: b, began: r.coordinator.Now(), by: map[profile.TagsID]*spent{}}
		for i := 0; i < len(b.Tags); i += 2 {
			one.set = append(one.set, profile.Tag{Key: cut(b.Tags[i]), Value: cut(b.Tags[i+1])})
		}
		list = append(list, one)
	}
	r.meters.mu.Lock()
	r.meters.budgets = list
	r.meters.mu.Unlock()
}

// charge adds what a task used in a stretch of time. The caller holds the lock of the meters.
func (b *budget) charge(tags profile.TagsID, u used, from, to int64) {
	s, work := b.of(tags), b.counted(u, from, to)
	s.total += work
	s.stretch += work
}

// counted is what was used in a stretch of time, as far as that came after the budget was set.
func (b *budget) counted(u used, from, to int64) time.Duration {
	work := u.work()
	switch {
	case to <= b.began:
		return 0
	case from < b.began:
		return time.Duration(float64(work) * float64(to-b.began) / float64(to-from))
	}
	return work
}

func (b *budget) of(tags profile.TagsID) *spent {
	s := b.by[tags]
	if s == nil {
		s = &spent{from: b.began}
		b.by[tags] = s
	}
	return s
}
