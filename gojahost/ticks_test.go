package gojahost

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/internal/cputime"
	"github.com/fieldprof/fieldprof/internal/must"
)

// checked is a script that never rests. Its functions hold the flag as instrumented
// functions do.
const checked = `
function work(n) { var f = F, c = C; if (f) c(0); var s = 0; for (var i = 0; i < n; i++) { if (f) c(1); s = (s * 31 + i) % 65521; } if (f) c(2); return s; }
function until(over) { var s = 0; while (!over()) s += work(200); return s; }`

// A busy script gets every tick that the clock has, however it is divided into
// functions. The share of ticks that arrives by the machine's clock, with one processor
// and with two, is measured by BenchmarkTicks and `bench ticks`.
func TestBusyScriptsGetTheirTicks(t *testing.T) {
	for _, interval := range []time.Duration{time.Millisecond, 10 * time.Millisecond} {
		c := newHandClock(coordinator.Options{Interval: interval, Seed: 5})
		vm, h, co := newHost(t, c.options)
		must.Get(vm.RunString(checked))(t)
		until, _ := goja.AssertFunction(vm.Get("until"))
		turns := 0
		over := vm.ToValue(func(goja.FunctionCall) goja.Value {
			c.pass(interval/100, "")
			turns++
			return vm.ToValue(turns == 6000)
		})
		stop := co.Start()
		c.start()
		must.Get(h.Callable(until)(nil, over))(t)
		stop()
		ticks := h.counter.Ticks()
		if want := c.ticks[""]; ticks.Taken != want || ticks.Raised != want || ticks.Missed != 0 || want < 40 {
			t.Errorf("%+v of %d ticks at %v", ticks, want, interval)
		}
	}
}

// delivered is the share of the nominal ticks that a busy script got while it had a
// processor: a loaded machine suspends the whole process now and then, which no clock
// can prevent.
func delivered(b *testing.B, procs int, interval time.Duration, intervals int, seed uint64) float64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
	vm, h, co := newHost(b, coordinator.Options{Interval: interval, Seed: seed})
	must.Get(vm.RunString(checked))(b)
	var end time.Time
	over := vm.ToValue(func(goja.FunctionCall) goja.Value { return vm.ToValue(time.Now().After(end)) })
	until, _ := goja.AssertFunction(vm.Get("until"))
	stop := co.Start()
	began, spent := time.Now(), cpuTime(b)
	end = began.Add(time.Duration(intervals) * interval)
	must.Get(h.Callable(until)(nil, over))(b)
	nominal := float64(min(time.Since(began), cpuTime(b)-spent)) / float64(interval)
	stop()
	ticks := h.counter.Ticks()
	must.Equal(b, ticks.Raised, ticks.Taken+ticks.Idle+ticks.GC+ticks.Lost, ticks)
	return float64(ticks.Taken+ticks.GC) / nominal
}

// cpuTime returns the processor time that this process has used.
func cpuTime(b *testing.B) time.Duration {
	spent, known := cputime.Process()
	if !known {
		b.Skip("the system does not tell what processor time was used")
	}
	return spent
}

// BenchmarkTicks reports the share of the nominal ticks that arrives.
func BenchmarkTicks(b *testing.B) {
	for _, procs := range []int{1, 2} {
		for _, interval := range []time.Duration{time.Millisecond, 10 * time.Millisecond} {
			b.Run(fmt.Sprintf("procs=%d/interval=%v", procs, interval), func(b *testing.B) {
				sum := 0.0
				for range b.N {
					sum += delivered(b, procs, interval, 100, 1)
				}
				b.ReportMetric(100*sum/float64(b.N), "%delivered")
			})
		}
	}
}

// BenchmarkCheck measures the cost of ten checks that find the flag down: loops with
// them, minus the loop without. "false" tests a plain variable, "load" a flag that is
// just an atomic load; "stopped" is the host's flag, and so is "running", while the
// clock ticks each millisecond.
func BenchmarkCheck(b *testing.B) {
	loops := `function checks(n, f) { var c = C; for (var i = 0; i < n; i++) { ` + strings.Repeat("if (f) c(1);", 10) + ` } }
		function none(n) { for (var i = 0; i < n; i++) { } }`
	run := func(name, function string, flag func(*Host) goja.Value, running bool) {
		b.Run(name, func(b *testing.B) {
			vm, h, co := newHost(b, coordinator.Options{Interval: time.Millisecond})
			must.Get(vm.RunString(loops))(b)
			call, _ := goja.AssertFunction(vm.Get(function))
			if running {
				defer co.Start()()
			}
			must.Get(h.Callable(call)(nil, vm.ToValue(b.N), flag(h)))(b)
		})
	}
	run("none", "none", func(*Host) goja.Value { return goja.Undefined() }, false)
	run("false", "checks", func(h *Host) goja.Value { return h.vm.ToValue(false) }, false)
	run("load", "checks", func(*Host) goja.Value { return &loaded{text: goja.StringFromUTF16(nil)} }, false)
	run("stopped", "checks", func(h *Host) goja.Value { return h.flag }, false)
	run("running", "checks", func(h *Host) goja.Value { return h.flag }, true)
}

// loaded is a flag that is just an atomic load.
type loaded struct {
	text
	word atomic.Int32
}

func (f *loaded) ToBoolean() bool { return f.word.Load() != 0 }

// BenchmarkNative measures the cost of a call of a Go function, wrapped or not.
func BenchmarkNative(b *testing.B) {
	for _, wrapped := range []bool{false, true} {
		b.Run(fmt.Sprintf("wrapped=%v", wrapped), func(b *testing.B) {
			vm, h, co := newHost(b, coordinator.Options{Interval: time.Millisecond})
			fn := func(goja.FunctionCall) goja.Value { return nil }
			value := vm.ToValue(fn)
			if wrapped {
				value = h.Native("fn", fn)
			}
			_ = vm.Set("fn", value)
			must.Get(vm.RunString(`function calls(n, fn) { for (var i = 0; i < n; i++) fn() }`))(b)
			call, _ := goja.AssertFunction(vm.Get("calls"))
			defer co.Start()()
			must.Get(h.Callable(call)(nil, vm.ToValue(b.N), value))(b)
		})
	}
}
