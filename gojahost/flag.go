package gojahost

import (
	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
)

// flag is the flag as a JavaScript value. goja calls ToBoolean on an if's condition,
// which here loads the counter. In all other respects it is the empty string, which is
// false too: only values of goja's own types have a typeof, and of those only strings
// are recognized by an interface.
type flag struct {
	text
	counter *coordinator.Counter
}

// text is goja.String, under a name that does not hide the method String.
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
