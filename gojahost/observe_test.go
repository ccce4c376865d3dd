package gojahost

import (
	"fmt"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/internal/must"
)

// An observer sees the samples from when it follows until it stops, and the frames of
// its own script are not taken for the program's.
func TestObserver(t *testing.T) {
	clock := newHandClock(coordinator.Options{Interval: time.Hour})
	vm, h, _ := newHost(t, clock.options)
	o := h.Observer("own.js")
	var seen []Sample
	var marks []Stack
	_ = vm.Set("flush", func(goja.FunctionCall) goja.Value { o.Flush(); return nil })
	_ = vm.Set("mark", func(goja.FunctionCall) goja.Value {
		if stack, ok := o.Stack(); ok {
			marks = append(marks, stack)
		}
		return nil
	})
	must.Get(vm.RunScript("own.js", "function ownFlush() { flush() } function ownMark() { mark() }"))(t)
	hand(t, h, "program.js", `function work() { tick(); if (F) C(1); tick(); ownFlush(); ownMark() }`)
	work, _ := goja.AssertFunction(vm.Get("work"))
	run := func() { must.Get(h.Callable(work)(nil))(t) }
	run()
	stop := o.Follow(time.Hour, func(s Sample) { seen = append(seen, s) })
	run()
	stop()
	run()
	if _, ok := o.Stack(); ok {
		t.Error("there is a stack outside of scripts")
	}
	if len(marks) != 3 || marks[0] != marks[2] {
		t.Fatalf("equal stacks differ: %v", marks)
	}
	p := o.Profile(append(seen, Sample{Stack: marks[1], Weight: 1}))
	var got []string
	for i := range p.Len() {
		s := p.Sample(i)
		f := p.Function(p.Frames.Function[p.Stacks.Frame[s.Stack]])
		got = append(got, fmt.Sprint(s.Weight, " ", f.File))
	}
	expect(t, got, "1 program.js", "1 program.js", "1 program.js") // a check, a flush, a mark
	must.Equal(t, len(taken(h)), 6, "the recording", taken(h))
}

// A follower may stop, or stop another one, when it sees a sample; the rest see it, too.
func TestFollowersThatStop(t *testing.T) {
	_, h, _ := newHost(t, newHandClock(coordinator.Options{Interval: time.Hour}).options)
	o := h.Observer("")
	var seen []string
	var stops [4]func()
	for i := range stops {
		stops[i] = o.Follow(time.Hour, func(Sample) {
			if seen = append(seen, fmt.Sprint(i)); i == 0 {
				stops[0]()
				stops[2]()
			}
		})
	}
	hand(t, h, "twice.js", `function f() { tick(); if (F) C(1); tick(); if (F) C(1) } f()`)
	expect(t, seen, "0", "1", "3", "1", "3")
	stops[1]()
	stops[3]()
}
