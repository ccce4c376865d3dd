package goja

import (
	"sync/atomic"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/shown"
	"github.com/fieldprof/fieldprof/gojahost"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/live"
)

// show is the run as a source of live profiles. Like the host, it belongs to the goroutine
// that runs the program.
type show struct {
	source      *shown.Source
	observer    *gojahost.Observer
	coordinator *coordinator.Coordinator
	unfollow    func()
	tended      chan struct{} // closed at the end

	began, flushed int64 // of the coordinator's time
	batch          *live.Batch
	size           int   // of the batch, about, in bytes
	last           int64 // sample's time since the profile began, in microseconds
	ticks          profile.Ticks
	account        live.Account

	records map[profile.Function]int32
	stacks  map[gojahost.Stack]int32
	nodes   int32
}

// Bounds of what is sent.
const (
	largeBatch = 1 << 20 // bytes, about; a batch that has them is sent
	mostStacks = 1 << 17 // new ones lack their innermost calls
)

// show begins to show the program, as soon as the clock runs.
func (r *run) show() {
	if r.settings.Live == nil || r.mode != engine.Profile {
		return
	}
	w := &show{observer: r.host.Observer(""), coordinator: r.coordinator, tended: make(chan struct{}), batch: &live.Batch{},
		records: map[profile.Function]int32{}, stacks: map[gojahost.Stack]int32{gojahost.NoStack: -1}}
	w.began = r.coordinator.Now()
	w.flushed, w.ticks = w.began, w.observer.Ticks()
	origin := r.coordinator.Epoch().Add(time.Duration(w.began))
	w.source = shown.New(live.Hello{What: "goja", Engine: "goja", Clocks: []string{}, Origin: float64(origin.UnixMicro()) / 1000},
		r.program, &r.settings, r.script, nil)
	w.unfollow = w.observer.Follow(r.settings.Interval, w.see)
	r.shown = w
	go r.tend(w)
}

// tend sends what was sampled also while the program waits.
func (r *run) tend(w *show) {
	var waiting atomic.Bool
	ticker := time.NewTicker(shown.Every)
	defer ticker.Stop()
	for {
		select {
		case <-w.tended:
			return
		case <-ticker.C:
		}
		if !waiting.Swap(true) {
			r.loop.RunOnLoop(func(*goja.Runtime) {
				waiting.Store(false)
				w.flush()
			})
		}
	}
}

// end sends the rest.
func (w *show) end() {
	close(w.tended)
	w.unfollow()
	w.flush()
	w.source.Close()
}

// see adds a sample. It is called from within checks.
func (w *show) see(s gojahost.Sample) {
	at := s.Time - w.began
	w.outside(at - s.Skid)
	w.add(at, w.stack(s.Stack), s.Weight, kindOf(s.Kind), s.Skid/1000)
	if s.Kind == profile.Program {
		w.account.Program += int64(s.Weight)
	}
	if s.Time-w.flushed >= int64(shown.Every) || w.size >= largeBatch {
		w.flush()
	}
}

// The kinds of samples as messages number them.
const (
	idle      = 3
	program   = 4
	collector = 5
)

// kindOf is the number of a sample's kind. A native function on top has its own time,
// whatever the kind.
func kindOf(kind profile.Kind) int8 {
	switch kind {
	case profile.Entry:
		return 0
	case profile.Loop:
		return 1
	case profile.Program:
		return program
	}
	return 2
}

// outside adds the ticks that fell outside the program since the last time.
func (w *show) outside(at int64) {
	now := w.observer.Ticks()
	w.add(at, -1, int32(now.Idle-w.ticks.Idle), idle, 0)
	w.add(at, -1, int32(now.GC-w.ticks.GC), collector, 0)
	w.ticks = now
}

func (w *show) add(at int64, stack, weight int32, kind int8, skid int64) {
	if weight <= 0 {
		return
	}
	s := &w.batch.Samples
	at = max(at/1000, w.last)
	delta := at
	if len(s.Delta) > 0 {
		delta -= w.last
	}
	w.last = at
	s.Delta, s.Stack, s.Weight = append(s.Delta, delta), append(s.Stack, stack), append(s.Weight, weight)
	s.Kind, s.Skid = append(s.Kind, kind), append(s.Skid, skid)
	w.size += 24
}

// stack returns the index of a stack. It and its callers are sent if they are new.
func (w *show) stack(s gojahost.Stack) int32 {
	if id, known := w.stacks[s]; known {
		return id
	}
	caller, f, line, column := w.observer.Top(s)
	id := w.stack(caller) // gojahost.MaxDepth bounds the recursion
	if w.nodes < mostStacks {
		w.batch.Stacks = append(w.batch.Stacks, id, w.record(f), line, column)
		id = w.nodes
		w.nodes++
		w.size += 24
	} else if len(w.batch.Notes) == 0 {
		w.batch.Notes = append(w.batch.Notes, "stacks: there are too many different ones, so new ones lack their innermost calls")
	}
	w.stacks[s] = id
	return id
}

func (w *show) record(f profile.Function) int32 {
	id, known := w.records[f]
	if !known {
		id = live.FirstID + int32(len(w.records))
		w.records[f] = id
		w.batch.Records = append(w.batch.Records, live.Record{ID: id, Name: f.Name, File: f.File})
		w.size += 60 + len(f.Name) + len(f.File)
	}
	return id
}

// flush sends what is new.
func (w *show) flush() {
	w.flushed = w.coordinator.Now()
	w.outside(w.flushed - w.began)
	t := &w.ticks
	w.account = live.Account{Raised: t.Raised, Missed: t.Missed, Taken: t.Taken - w.account.Program, Idle: t.Idle,
		Program: w.account.Program, GC: t.GC, Lost: t.Lost}
	w.batch.Account = w.account
	w.source.Add(w.batch)
	w.batch, w.size = &live.Batch{}, 0
}
