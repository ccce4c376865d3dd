package goja

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/engine/failure"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// failure explains an error that a task did not catch: with the stack at which it was
// created if it is an Error object, otherwise with the stack at which it was thrown.
func (r *run) failure(err error) error {
	var overflow *goja.StackOverflowError
	if errors.As(err, &overflow) {
		return &failure.Failure{What: "Uncaught RangeError: Maximum call stack size exceeded", Places: r.places(overflow.Stack())}
	}
	exception, ok := err.(*goja.Exception)
	if !ok {
		return err
	}
	f := r.describe("Uncaught ", exception.Value())
	if len(f.Places) == 0 {
		f.Places = r.places(exception.Stack())
	}
	return f
}

// rejection explains the reason of an unhandled rejection.
func (r *run) rejection(reason goja.Value) error {
	return r.describe("Uncaught (in promise) ", reason)
}

// place follows a position of the script to the sources. goja's columns count bytes.
func (r *run) place(line, column int) instrumented.Place {
	return r.script.Place(line, r.script.Column(line, column))
}

// places follows the frames of the script to the sources.
func (r *run) places(frames []goja.StackFrame) []instrumented.Place {
	var places []instrumented.Place
	for i := range frames {
		if frames[i].SrcName() == r.script.File() {
			p := frames[i].Position()
			places = append(places, r.place(p.Line, p.Column))
		}
	}
	return r.script.InSources(places)
}

func (r *run) describe(prefix string, value goja.Value) *failure.Failure {
	if value == nil {
		value = goja.Undefined()
	}
	f := &failure.Failure{What: prefix + safeString(value)}
	object, ok := value.(*goja.Object)
	if !ok {
		return f
	}
	var stack string
	if s := safeGet(object, "stack"); s != nil {
		stack = safeString(s)
	}
	for _, line := range strings.Split(stack, "\n") {
		m := stackLine.FindStringSubmatch(line)
		if m == nil || m[2] != r.script.File() {
			continue
		}
		row, _ := strconv.Atoi(m[3])
		column, _ := strconv.Atoi(m[4])
		f.Places = append(f.Places, r.place(row, column))
	}
	f.Places = r.script.InSources(f.Places)
	return f
}

// stackLine is a frame in goja's Error.stack: "\tat f (app.js:3:9(42))".
var stackLine = regexp.MustCompile(`^\s*at (?:(.*) \()?(.*?):(\d+):(\d+)\(\d+\)\)?$`)

// safeString returns a value's text, even if its toString throws.
func safeString(v goja.Value) (text string) {
	defer func() {
		if recover() != nil {
			text = "(a value that cannot be shown)"
		}
	}()
	return v.String()
}

func safeGet(o *goja.Object, name string) (value goja.Value) {
	defer func() {
		if recover() != nil {
			value = nil
		}
	}()
	return o.Get(name)
}
