package gojahost

import (
	"slices"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// writer writes the stacks that a host keeps for observers into a profile, each when it
// is first asked for.
type writer struct {
	host   *Host
	b      *profile.Builder
	frames []profile.FrameID
	stacks []profile.StackID // by the host's; unwritten until then
}

func (h *Host) writeTo(b *profile.Builder) *writer {
	return &writer{h, b, h.format(b), slices.Repeat([]profile.StackID{unwritten}, len(h.stacks.nodes))}
}

func (w *writer) stack(s Stack) profile.StackID {
	id := w.captured(s.id)
	if s.native >= 0 {
		id = w.b.Stack(id, nativeFrame(w.b, w.host.recording.nativeName(s.native)))
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

// format converts goja's frames.
func (h *Host) format(b *profile.Builder) []profile.FrameID {
	ids := make([]profile.FrameID, len(h.stacks.frames))
	for i := range h.stacks.frames {
		f, line, column := h.recording.frame(&h.stacks.frames[i])
		ids[i] = b.Frame(b.Function(f), line, column)
	}
	return ids
}

// frame says which function a frame is in, and where. Functions are later found by
// position; goja's names remain for scripts that the host did not compile.
func (r *recording) frame(f *goja.StackFrame) (function profile.Function, line, column int32) {
	if isNative(f) {
		return goFunction(f.FuncName()), 0, 0
	}
	at, name := f.Position(), f.FuncName()
	if name == "<anonymous>" {
		name = ""
	}
	if s := r.script(f.SrcName()); s != nil && s.back != nil {
		at.Line, at.Column = s.back(name, at.Filename, at.Line, at.Column)
		at.Filename = s.File()
	} else if s := r.script(at.Filename); s != nil {
		at.Column = s.column(at.Line, at.Column)
	}
	function = profile.Function{Name: name, File: at.Filename}
	return function, int32(at.Line), int32(at.Column)
}

// goFunction is a function of the host.
func goFunction(name string) profile.Function {
	return profile.Function{Name: name, File: profile.NameNative, Flags: profile.NativeCode}
}

func nativeFrame(b *profile.Builder, name string) profile.FrameID {
	return b.Frame(b.Function(goFunction(name)), 0, 0)
}

// coverage is how much of the scripts the checks can tell apart.
func (r *recording) coverage() profile.Coverage {
	r.known.RLock()
	defer r.known.RUnlock()
	return instrumented.Coverage(r.stats)
}
