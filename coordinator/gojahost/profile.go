package gojahost

import (
	"time"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/profile"
)

// Profile returns what was recorded so far: the stacks as captured, with their
// site kinds, in original positions where the scripts' maps know them.
// profile.Attribute makes time per function of it. Call it when no script runs.
func (h *Host) Profile() *profile.Profile {
	b := &profile.Builder{}
	b.Meta = h.meta()
	frames := h.frames(b)
	ids := make([]profile.StackID, len(h.stacks.nodes))
	stack := func(id stackID) profile.StackID {
		if id == noStack {
			return profile.NoStack
		}
		return ids[id]
	}
	for i, n := range h.stacks.nodes {
		ids[i] = b.Stack(stack(n.caller), frames[n.frame])
	}
	natives := h.nativeFrames(b)
	away := h.counter.Away()
	for _, chunk := range h.recorder.chunks {
		for i := range chunk {
			s := &chunk[i]
			away = h.addAway(b, away, s.time)
			id := stack(s.stack)
			if s.native >= 0 {
				id = b.Stack(id, natives[s.native])
			}
			b.Sample(profile.Sample{Time: s.time, Stack: id, Weight: s.weight, Kind: s.kind, Skid: s.skid})
		}
	}
	h.addAway(b, away, 1<<63-1)
	scripts := make(map[string]profile.Script, len(h.scripts))
	for name, s := range h.scripts {
		scripts[name] = s.symbols
	}
	return profile.Symbolize(b.Profile(), scripts)
}

// addAway adds the idle and collector ticks before a time.
func (h *Host) addAway(b *profile.Builder, away []coordinator.Away, before int64) []coordinator.Away {
	for len(away) > 0 && away[0].Time < before {
		a := away[0]
		b.Add(profile.Sample{Time: a.Time, Stack: b.Pseudo(profile.NoStack, a.Kind.PseudoName()), Kind: a.Kind}, a.Ticks)
		away = away[1:]
	}
	return away
}

// frames formats goja's frames. Functions are known by position later; what
// goja calls them stays for scripts we did not compile.
func (h *Host) frames(b *profile.Builder) []profile.FrameID {
	ids := make([]profile.FrameID, len(h.stacks.frames))
	for i := range h.stacks.frames {
		f := &h.stacks.frames[i]
		at := f.Position()
		line, column := at.Line, at.Column
		if s := h.scripts[at.Filename]; s != nil {
			column = s.column(line, column)
		}
		function := profile.Function{Name: f.FuncName(), File: f.SrcName()}
		if f.SrcName() == "<native>" {
			function.File, function.Flags = profile.NameNative, profile.NativeCode
		}
		ids[i] = b.Frame(b.Function(function), int32(line), int32(column))
	}
	return ids
}

func (h *Host) nativeFrames(b *profile.Builder) []profile.FrameID {
	ids := make([]profile.FrameID, len(h.natives))
	for i, name := range h.natives {
		ids[i] = b.Frame(b.Function(profile.Function{Name: name, File: profile.NameNative, Flags: profile.NativeCode}), 0, 0)
	}
	return ids
}

func (h *Host) meta() profile.Meta {
	return profile.Meta{
		Start:     h.coordinator.Epoch(),
		Duration:  time.Duration(h.coordinator.Now()),
		Interval:  h.coordinator.Interval(),
		Engine:    "goja",
		Clock:     "goroutine and checks",
		Seed:      h.coordinator.Seed(),
		IdleKnown: h.counter.Bracketed(),
		Ticks:     h.counter.Ticks(),
		Late:      h.coordinator.Late(),
		Skid:      h.skid.Spread(),
		Coverage:  h.coverage,
	}
}
