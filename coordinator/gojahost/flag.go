package gojahost

import (
	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
)

// flag is the flag as a JavaScript value. goja asks an if's condition for
// ToBoolean, which here loads the counter; for all else it is false. One thing
// goja cannot do with a value it does not know is typeof: it throws a
// TypeError. The names of flags are absent from the source, so only a script
// that reads every property of the global object by name can come to that.
type flag struct {
	goja.Value
	counter *coordinator.Counter
}

func newFlag(vm *goja.Runtime, counter *coordinator.Counter) goja.Value {
	return &flag{vm.ToValue(false), counter}
}

// ToBoolean reports whether a tick is pending.
func (f *flag) ToBoolean() bool { return f.counter.Pending() }

// raised is a flag that is up at every check, for tests.
type raised struct{ goja.Value }

func (raised) ToBoolean() bool { return true }
