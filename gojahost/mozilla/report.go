package mozilla

import (
	"cmp"
	"math"
	"slices"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/gojahost"
	"github.com/fieldprof/fieldprof/profile"
)

// kindOf is a kind of sample as the class numbers it: the first is for all that have a
// stack.
func kindOf(k profile.Kind) int { return max(0, slices.Index(profile.RuntimeKinds[:], k)) }

// row is one sample of a report.
type row struct {
	time, skid, weight int64
	kind               int
	stack              profile.StackID
}

// report returns what the engine knows about some sessions, as columns.
func (e *engine) report(call goja.FunctionCall) goja.Value {
	var samples []gojahost.Sample
	var rows []row
	e.each(call.Argument(0), func(v goja.Value) {
		if s, ok := v.ToObject(e.vm).Get("session").Export().(*session); ok {
			samples = append(samples, s.kept()...)
			rows = e.addOutside(rows, s)
		}
	})
	count := len(samples)
	e.each(call.Argument(1), func(v goja.Value) {
		// It comes after all samples, and as kind Own it stays with its stack.
		mark := gojahost.Sample{Time: math.MaxInt64, Stack: gojahost.NoStack, Weight: 1, Kind: profile.Own}
		if i := v.ToInteger(); !goja.IsNull(v) && i >= 0 && i < int64(len(e.stacks)) {
			mark.Stack = e.stacks[i]
		}
		samples = append(samples, mark)
	})
	p := profile.Attribute(e.observer.Profile(samples), profile.BySite)
	var marks []any
	for i := range p.Len() {
		s := p.Sample(i)
		if i >= count {
			if s.Kind == profile.Program {
				s.Stack = profile.NoStack
			}
			marks = append(marks, int(s.Stack))
			continue
		}
		r := row{s.Time, s.Skid, int64(s.Weight), kindOf(s.Kind), s.Stack}
		if r.kind > 0 {
			r.stack = profile.NoStack
		}
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.time, b.time) })
	report := e.stackColumns(p)
	_ = report.Set("samples", e.sampleColumns(rows))
	_ = report.Set("pauses", e.vm.NewArray())
	_ = report.Set("marks", e.vm.NewArray(marks...))
	return report
}

// each calls see with every element of an array.
func (e *engine) each(array goja.Value, see func(goja.Value)) {
	object := array.ToObject(e.vm)
	for i, n := 0, int(object.Get("length").ToInteger()); i < n; i++ {
		see(object.Get(e.vm.ToValue(i).String()))
	}
}

// addOutside adds the ticks of a session that fell while no script ran.
func (e *engine) addOutside(rows []row, s *session) []row {
	interval := int64(e.clock.Interval())
	share := min(1, float64(interval)/float64(s.interval))
	var due float64 // of thinned ticks, exactly
	var taken int64
	for _, a := range e.observer.Outside(s.started, s.ended) {
		if a.Kind == profile.GC && !s.gc {
			continue
		}
		due += float64(a.Ticks) * share
		ticks := int64(due) - taken
		if taken += ticks; ticks == 0 {
			continue
		}
		lasted := a.Ticks * interval // about
		rows = append(rows, row{a.Time + lasted, lasted, ticks, kindOf(a.Kind), profile.NoStack})
	}
	return rows
}

func (e *engine) sampleColumns(rows []row) *goja.Object {
	column := func(of func(*row) any) *goja.Object {
		values := make([]any, len(rows))
		for i := range rows {
			values[i] = of(&rows[i])
		}
		return e.vm.NewArray(values...)
	}
	return e.object(map[string]any{
		"time":   column(func(r *row) any { return milliseconds(r.time) }),
		"skid":   column(func(r *row) any { return milliseconds(r.skid) }),
		"weight": column(func(r *row) any { return r.weight }),
		"kind":   column(func(r *row) any { return r.kind }),
		"stack":  column(func(r *row) any { return int(r.stack) }),
	})
}

// stackColumns returns the calls and stacks of a profile.
func (e *engine) stackColumns(p *profile.Profile) *goja.Object {
	calls := make([]any, len(p.Frames.Function))
	for i, f := range p.Frames.Function {
		calls[i] = e.call(p.Function(f), p.Frames.Line[i], p.Frames.Column[i])
	}
	parents, frames := make([]any, len(p.Stacks.Parent)), make([]any, len(p.Stacks.Frame))
	for i := range p.Stacks.Parent {
		parents[i], frames[i] = int(p.Stacks.Parent[i]), int(p.Stacks.Frame[i])
	}
	return e.object(map[string]any{
		"calls": e.vm.NewArray(calls...), "parents": e.vm.NewArray(parents...), "frames": e.vm.NewArray(frames...),
	})
}

// topLevel is what Mozilla calls the code of a script outside its functions.
const topLevel = "<top level>"

// call is a frame: the function, and the position of execution in it.
func (e *engine) call(f profile.Function, line, column int32) *goja.Object {
	function := e.place(f.File, f.Line, f.Column)
	if f.Flags&profile.TopLevel != 0 {
		f.Name = topLevel
	}
	if f.Name != "" {
		_ = function.Set("name", f.Name)
	}
	return e.object(map[string]any{"function": function, "site": e.place(f.File, line, column)})
}

func (e *engine) place(file string, line, column int32) *goja.Object {
	place := e.object(map[string]any{"file": file})
	if line > 0 {
		_ = place.Set("line", line)
		if column > 0 {
			_ = place.Set("column", column)
		}
	}
	return place
}
