package gojahost

import (
	"context"
	"errors"
	"runtime/pprof"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/profile"
)

// Task runs scripts for someone: a tenant, a rule, a route. Its samples have tags, which
// are pprof's labels, even where no checked function is on the stack. Make it once and
// use it often; like its host, it belongs to the runtime's goroutine.
type Task struct {
	host *Host
	whom
}

// whom is for whom scripts run.
type whom struct {
	tags   profile.TagsID  // as samples have them
	set    []profile.Tag   // as they were given, which samples may not have: Options.MaxTags
	labels context.Context // of runtime/pprof, for Go functions; nil: none
}

// As returns a task with tags, which come as keys and values: As("tenant", "acme"). The
// number of different sets of tags is bounded by Options.MaxTags. It panics if a value is
// missing.
func (h *Host) As(tags ...string) *Task {
	if len(tags)%2 != 0 {
		panic("gojahost: As takes keys and values: there is no value for " + tags[len(tags)-1])
	}
	var set []profile.Tag
	for i := 0; i < len(tags); i += 2 {
		set = append(set, profile.Tag{Key: tags[i], Value: tags[i+1]})
	}
	return &Task{h, h.recording.tagged(set, nil)}
}

// AsIn returns a task with the labels that runtime/pprof has put into a context, so that
// scripts have those of the Go code around them.
func (h *Host) AsIn(ctx context.Context) *Task {
	var set []profile.Tag
	pprof.ForLabels(ctx, func(key, value string) bool {
		set = append(set, profile.Tag{Key: key, Value: value})
		return true
	})
	return &Task{h, h.recording.tagged(set, ctx)}
}

// TagBy is for hosts that do not say by As for whom scripts run: samples that no task
// gave tags have those of the Task that of returns, or none if that is nil. It is called for
// each sample and must not run a script.
func (h *Host) TagBy(of func() *Task) { h.tagger = of }

// Run is Host.Run for the task. Within a task of other tags, these have the time of fn.
func (t *Task) Run(fn func() error) error { return t.host.run(t, fn) }

// RunProgram is Host.RunProgram for the task.
func (t *Task) RunProgram(program *goja.Program) (value goja.Value, err error) {
	err = t.Run(func() error {
		value, err = t.host.vm.RunProgram(program)
		return err
	})
	return value, err
}

// Callable is Host.Callable for the task.
func (t *Task) Callable(fn goja.Callable) goja.Callable {
	return func(this goja.Value, args ...goja.Value) (value goja.Value, err error) {
		err = t.Run(func() error {
			value, err = fn(this, args...)
			return err
		})
		return value, err
	}
}

// run brackets a task; nil is one like that around it.
func (h *Host) run(t *Task, fn func() error) (err error) {
	if h.counter.Waiting() { // a script runs within Waiting after all
		defer h.pause()()
	}
	nested := h.counter.Running()
	if nested {
		h.betweenNatives()
	}
	who := h.meter.whom // no tags outside of tasks
	if t != nil {
		who = t.whom
	}
	h.counter.Enter()
	outer := h.enter(who, nested)
	defer func() { h.finish(outer, nested, err) }()
	return fn()
}

// finish ends a task, which returned an error: ticks that are still pending belong to it.
func (h *Host) finish(outer meter, nested bool, err error) {
	h.recording.meters.ending(&h.meter)
	if nested && outer.tags != h.meter.tags && h.counter.Poll() && h.look() {
		h.take(profile.Own, h.frames, -1)
	}
	if weight, first, now := h.counter.Leave(); weight > 0 {
		if over, frames := h.interrupted(err); over != nil {
			h.keep(profile.Own, frames, -1, weight, first, now)
			over.blame()
		} else {
			h.keep(profile.Program, nil, -1, weight, first, now)
		}
	}
	if h.leave(outer, nested, err) && !isEmbedders(err) {
		h.vm.ClearInterrupt() // else it ends the task around this one, or the next, too
	}
}

// isEmbedders reports whether an error is of an interruption that is not ours.
func isEmbedders(err error) bool {
	var at *goja.InterruptedError
	var over *Overrun
	return errors.As(err, &at) && !errors.As(err, &over)
}
