package goja

import (
	"slices"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/internal/must"
)

// handLoop stands in for goja_nodejs's event loop, on a clock that it moves itself.
type handLoop struct {
	vm         *goja.Runtime
	now        time.Time
	wakes      []wake
	immediates []wake
	lastID     int64
}

// wake is one of the loop's own timers.
type wake struct {
	id  int64
	due time.Time
	fn  goja.Callable
}

// install gives the runtime the functions that tasks.install takes over.
func (l *handLoop) install() {
	_ = l.vm.Set("setTimeout", func(c goja.FunctionCall) goja.Value {
		fn, _ := goja.AssertFunction(c.Argument(0))
		l.lastID++
		l.wakes = append(l.wakes, wake{l.lastID, l.now.Add(time.Duration(c.Argument(1).ToInteger()) * time.Millisecond), fn})
		return l.vm.ToValue(l.lastID)
	})
	_ = l.vm.Set("clearTimeout", func(c goja.FunctionCall) goja.Value {
		id := c.Argument(0).ToInteger()
		l.wakes = slices.DeleteFunc(l.wakes, func(w wake) bool { return w.id == id })
		return nil
	})
	_ = l.vm.Set("setImmediate", func(c goja.FunctionCall) goja.Value {
		fn, _ := goja.AssertFunction(c.Argument(0))
		l.lastID++
		l.immediates = append(l.immediates, wake{id: l.lastID, fn: fn})
		return l.vm.ToValue(l.lastID)
	})
	_ = l.vm.Set("clearImmediate", func(c goja.FunctionCall) goja.Value {
		id := c.Argument(0).ToInteger()
		l.immediates = slices.DeleteFunc(l.immediates, func(w wake) bool { return w.id == id })
		return nil
	})
}

// run runs until nothing is left. In the loop, timers that are due at one time race;
// here the last one always wins.
func (l *handLoop) run(t *testing.T) {
	call := func(fn goja.Callable) {
		must.Get(fn(goja.Undefined()))(t)
	}
	for len(l.immediates) > 0 || len(l.wakes) > 0 {
		if len(l.immediates) > 0 {
			fn := l.immediates[0].fn
			l.immediates = l.immediates[1:]
			call(fn)
			continue
		}
		next := slices.MinFunc(l.wakes, func(a, b wake) int {
			if a.due.Equal(b.due) {
				return int(b.id - a.id)
			}
			return a.due.Compare(b.due)
		})
		l.wakes = slices.DeleteFunc(l.wakes, func(w wake) bool { return w.id == next.id })
		l.now = next.due
		call(next.fn)
	}
}

// Timers fire in the order of their time, then of their start.
func TestTimerOrder(t *testing.T) {
	want := "TypeError micro immediate7 soon 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 late iv12 iv12\n"
	must.Equal(t, printed(t, `
const log = [];
setTimeout(() => log.push('late'), 150);
for (let i = 0; i < 20; i++) setTimeout(() => log.push(i), 50);
const gone = setTimeout(() => log.push('never'), 1); clearTimeout(gone); clearTimeout(gone); clearTimeout(undefined);
let n = 0; const iv = setInterval((a, b) => { log.push('iv' + a + b); if (++n === 2) clearInterval(iv); }, 200, 1, 2);
setTimeout(() => log.push('soon'));
setImmediate(x => log.push('immediate' + x), 7);
queueMicrotask(() => log.push('micro'));
setTimeout(() => print(log.join(' ')), 600);
try { setTimeout('code') } catch (e) { log.push(e.name) }
`), want)
}

// Timers are objects, for which the program need not wait.
func TestTimerHandles(t *testing.T) {
	must.Equal(t, printed(t, `
const never = setTimeout(() => print('never'), 900).unref(), turns = setInterval(() => print('turn'), 200).unref();
const late = setTimeout(() => print('late'), 100);
print([never.hasRef(), late.hasRef(), turns.ref() === turns, turns.hasRef(), turns.unref().hasRef(), typeof +late, +late === Number(late)]);
setTimeout(() => late.refresh(), 50); // due at 150
clearTimeout(+setTimeout(() => print('cleared by its number'), 1));
clearTimeout(String(+setTimeout(() => print('cleared by a key'), 1)));
setTimeout(() => print('closed'), 1).close();
const cleared = setTimeout(() => print('cleared'), 1); clearTimeout(cleared); cleared.refresh();
clearImmediate(setImmediate(() => print('cleared immediate')));
print(setImmediate(() => print('immediate')).hasRef());
let left = 2;
const again = setTimeout(() => { print('again'); if (--left) again.refresh(); }, 160);
const own = setInterval(() => { print('own'); own.refresh(); clearInterval(own); }, 10);
clearTimeout({ get id() { print('asked'); } });
try { late.ref.call({}) } catch (e) { print(e.name) }
`), "false,true,true,true,false,number,true\ntrue\nTypeError\nimmediate\nown\nlate\nagain\nturn\nagain\n")
}

// printed is what a program prints whose timers are those of a loop with a clock of its own.
func printed(t *testing.T, source string) string {
	t.Helper()
	vm := goja.New()
	loop := &handLoop{vm: vm, now: time.Unix(0, 0)}
	loop.install()
	tasks := &tasks{
		vm: vm, now: func() time.Time { return loop.now }, settled: func() {},
		bracket: func(fn func() error) error { return fn() }, fail: func(err error) { t.Error(err) },
		rest: func() { loop.wakes, loop.immediates = nil, nil },
	}
	must.Do(t, tasks.install())
	var printed string
	_ = vm.Set("print", func(text string) { printed += text + "\n" })
	tasks.run(func() error {
		if _, err := vm.RunString(microtasks); err != nil {
			return err
		}
		_, err := vm.RunString(source)
		return err
	})
	loop.run(t)
	return printed
}
