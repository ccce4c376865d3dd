package gojahost

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/gojahost/accounts"
	"github.com/fieldprof/fieldprof/profile"
)

// Usage says for whom runtimes worked, in a stretch of time; its rows are of type UsageOf.
type (
	Usage   = accounts.Usage
	UsageOf = accounts.UsageOf
)

// meters are the accounts by tags.
type meters struct {
	mu      sync.Mutex
	since   int64 // of the coordinator's time
	by      map[profile.TagsID]*account
	budgets []*budget
}

// account is the account of one set of tags.
type account struct {
	used
	tasks   int64
	ticks   int64
	squares float64 // of weights
}

func (m *meters) of(tags profile.TagsID) *account {
	a := m.by[tags]
	if a == nil {
		if m.by == nil {
			m.by = map[profile.TagsID]*account{}
		}
		a = &account{}
		m.by[tags] = a
	}
	return a
}

// begin changes a host's meter to that of a task.
func (m *meters) begin(of *meter, task meter) {
	m.mu.Lock()
	m.of(task.tags).tasks++
	*of = task
	m.mu.Unlock()
}

// end changes a meter to that of the outer task, if there is one, and reports whether the task
// that ended was interrupted.
func (m *meters) end(of *meter, outer meter) (stopped bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	stopped, *of = of.stopped, outer
	return stopped
}

// ending says that a host's task can no longer be interrupted.
func (m *meters) ending(task *meter) {
	m.mu.Lock()
	task.ended = true
	m.mu.Unlock()
}

// charge adds what a task used until now.
func (m *meters) charge(task *meter, now int64, spent time.Duration, waits bool) {
	m.mu.Lock()
	u := task.until(now, spent)
	m.of(task.tags).add(u)
	for _, b := range m.budgets {
		b.charge(task.tags, u, task.since, now)
	}
	task.single.used.add(u)
	task.since, task.cpu, task.waiting = now, spent, waits
	m.mu.Unlock()
}

func (m *meters) sampled(tags profile.TagsID, weight int32) {
	m.mu.Lock()
	a := m.of(tags)
	a.ticks += int64(weight)
	a.squares += float64(weight) * float64(weight)
	m.mu.Unlock()
}

// Usage returns what the host's tasks used since it was made, or since ResetUsage. Tasks
// that run count up to their last sample. Any goroutine may call it. A host of a pool
// returns the pool's.
func (h *Host) Usage() Usage { return h.recording.usage() }

// ResetUsage begins again, and returns the usage so far.
func (h *Host) ResetUsage() Usage { return h.recording.resetUsage() }

func (r *recording) usage() Usage {
	r.meters.mu.Lock()
	defer r.meters.mu.Unlock()
	return r.usageLocked()
}

func (r *recording) resetUsage() Usage {
	r.meters.mu.Lock()
	defer r.meters.mu.Unlock()
	u := r.usageLocked()
	r.meters.by, r.meters.since = nil, r.coordinator.Now()
	return u
}

func (r *recording) usageLocked() Usage {
	m, epoch := &r.meters, r.coordinator.Epoch()
	u := Usage{Since: epoch.Add(time.Duration(m.since)), Until: epoch.Add(time.Duration(r.coordinator.Now()))}
	interval := float64(r.coordinator.Interval())
	for tags, a := range m.by {
		around := 1.96 * math.Sqrt(a.squares) * interval
		at := float64(a.ticks) * interval
		u.Rows = append(u.Rows, UsageOf{
			Tags: slices.Clone(r.tagsOf(tags)), Tasks: a.tasks, Wall: a.wall, Waiting: a.waiting, CPU: a.cpu, CPUKnown: a.known,
			Ticks: a.ticks, Time: time.Duration(at), Low: time.Duration(max(at-around, 0)), High: time.Duration(at + around),
		})
	}
	slices.SortFunc(u.Rows, func(a, b UsageOf) int {
		if order := cmp.Compare(b.Work(), a.Work()); order != 0 {
			return order
		}
		return slices.CompareFunc(a.Tags, b.Tags, func(a, b profile.Tag) int {
			return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value))
		})
	})
	return u
}
