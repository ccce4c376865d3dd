package gojahost

import (
	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
)

// flag is the flag as a JavaScript value. goja asks an if's condition for
// ToBoolean, which here loads the counter. For all else it is the empty string,
// which is false too: a value must be of one of goja's own types to have a
// typeof, and strings alone are known by an interface.
type flag struct {
	text
	counter *coordinator.Counter
}

// text is goja.String, under a name that does not hide its method String.
type text = goja.String

func newFlag(counter *coordinator.Counter) goja.Value {
	return &flag{goja.StringFromUTF16(nil), counter}
}

// ToBoolean reports whether a tick is pending.
func (f *flag) ToBoolean() bool { return f.counter.Pending() }

// raised is a flag that is up at every check, for tests.
type raised struct{ text }

func newRaised() goja.Value { return &raised{goja.StringFromUTF16(nil)} }

func (*raised) ToBoolean() bool { return true }
