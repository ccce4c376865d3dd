package gojahost

import (
	"slices"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// Profile returns the recording so far: the stacks as captured, with their site kinds,
// in original positions where the scripts' maps know them. profile.Attribute turns it
// into time per function. Call it when no script is running.
func (h *Host) Profile() *profile.Profile {
	b := &profile.Builder{}
	b.Meta = h.meta()
	w := h.writeTo(b)
	away := h.counter.Away()
	for _, chunk := range h.recorder.chunks {
		for i := range chunk {
			s := &chunk[i]
			away = h.addAway(b, away, s.time)
			b.Sample(profile.Sample{Time: s.time, Stack: w.stack(Stack{s.stack, s.native}), Weight: s.weight, Kind: s.kind, Skid: s.skid})
		}
	}
	h.addAway(b, away, 1<<63-1)
	if lost := b.Meta.Ticks.Lost; lost > 0 {
		at := h.firstLost
		if at == 0 { // they are still waiting to be taken
			at = h.coordinator.Reached()
		}
		b.Add(profile.Sample{Time: at, Stack: b.Pseudo(profile.NoStack, profile.NameLost), Kind: profile.Lost}, lost)
	}
	return h.symbolize(b.Profile())
}

// writer writes each stack into a profile when it is first asked for.
type writer struct {
	host   *Host
	b      *profile.Builder
	frames []profile.FrameID
	stacks []profile.StackID // by the host's; unwritten until then
}

// unwritten is not a valid stack id.
const unwritten profile.StackID = -2

func (h *Host) writeTo(b *profile.Builder) *writer {
	return &writer{h, b, h.format(b), slices.Repeat([]profile.StackID{unwritten}, len(h.stacks.nodes))}
}

func (w *writer) stack(s Stack) profile.StackID {
	id := w.captured(s.id)
	if s.native >= 0 {
		id = w.b.Stack(id, nativeFrame(w.b, w.host.natives[s.native]))
	}
	return id
}

func (w *writer) captured(s stackID) profile.StackID {
	if s == noStack {
		return profile.NoStack
	}
	if w.stacks[s] == unwritten {
		n := w.host.stacks.nodes[s]
		w.stacks[s] = w.b.Stack(w.captured(n.caller), w.frames[n.frame]) // MaxDepth bounds the recursion
	}
	return w.stacks[s]
}

// symbolize adds what the scripts' tables and maps know about the frames.
func (h *Host) symbolize(p *profile.Profile) *profile.Profile {
	scripts := make(map[string]profile.Script, len(h.scripts))
	for name, s := range h.scripts {
		scripts[name] = s.Symbols()
	}
	return profile.Symbolize(p, scripts)
}

// addAway adds the idle and collector ticks before a time, and returns the rest.
func (h *Host) addAway(b *profile.Builder, away []coordinator.Away, before int64) []coordinator.Away {
	for len(away) > 0 && away[0].Time < before {
		a := away[0]
		b.Add(profile.Sample{Time: a.Time, Stack: b.Pseudo(profile.NoStack, a.Kind.PseudoName()), Kind: a.Kind}, a.Ticks)
		away = away[1:]
	}
	return away
}

// format converts goja's frames.
func (h *Host) format(b *profile.Builder) []profile.FrameID {
	ids := make([]profile.FrameID, len(h.stacks.frames))
	for i := range h.stacks.frames {
		f, line, column := h.frame(&h.stacks.frames[i])
		ids[i] = b.Frame(b.Function(f), line, column)
	}
	return ids
}

// frame says which function a frame is in, and where. Functions are later found by
// position; goja's names remain for scripts that the host did not compile.
func (h *Host) frame(f *goja.StackFrame) (function profile.Function, line, column int32) {
	if isNative(f) {
		return goFunction(f.FuncName()), 0, 0
	}
	at := f.Position()
	if s := h.scripts[at.Filename]; s != nil {
		at.Column = s.column(at.Line, at.Column)
	}
	function = profile.Function{Name: f.FuncName(), File: at.Filename}
	if function.Name == "<anonymous>" {
		function.Name = ""
	}
	return function, int32(at.Line), int32(at.Column)
}

// goFunction is a function of the host.
func goFunction(name string) profile.Function {
	return profile.Function{Name: name, File: profile.NameNative, Flags: profile.NativeCode}
}

func nativeFrame(b *profile.Builder, name string) profile.FrameID {
	return b.Frame(b.Function(goFunction(name)), 0, 0)
}

func (h *Host) meta() profile.Meta {
	return profile.Meta{
		Start:     h.coordinator.Epoch(),
		Duration:  time.Duration(h.coordinator.Reached()),
		Interval:  h.coordinator.Interval(),
		Engine:    "goja",
		Clock:     "goroutine and checks",
		Seed:      h.coordinator.Seed(),
		IdleKnown: h.counter.Bracketed(),
		Ticks:     h.counter.Ticks(),
		Late:      h.coordinator.Late(),
		Skid:      h.skid.Spread(),
		Coverage:  instrumented.Coverage(h.stats),
	}
}
