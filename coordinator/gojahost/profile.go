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
	frames := h.format(b)
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
	away := h.counter.Away()
	for _, chunk := range h.recorder.chunks {
		for i := range chunk {
			s := &chunk[i]
			away = h.addAway(b, away, s.time)
			id := stack(s.stack)
			if s.native >= 0 {
				id = b.Stack(id, nativeFrame(b, h.natives[s.native]))
			}
			b.Sample(profile.Sample{Time: s.time, Stack: id, Weight: s.weight, Kind: s.kind, Skid: s.skid})
		}
	}
	h.addAway(b, away, 1<<63-1)
	if lost := b.Meta.Ticks.Lost; lost > 0 {
		at := h.firstLost
		if at == 0 { // they wait to be taken
			at = h.coordinator.Reached()
		}
		b.Add(profile.Sample{Time: at, Stack: b.Pseudo(profile.NoStack, profile.NameLost), Kind: profile.Lost}, lost)
	}
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

// format makes frames of goja's. Functions are known by position later; what
// goja calls them stays for scripts we did not compile.
func (h *Host) format(b *profile.Builder) []profile.FrameID {
	ids := make([]profile.FrameID, len(h.stacks.frames))
	for i := range h.stacks.frames {
		f := &h.stacks.frames[i]
		if isNative(f) {
			ids[i] = nativeFrame(b, f.FuncName())
			continue
		}
		at := f.Position()
		if s := h.scripts[at.Filename]; s != nil {
			at.Column = s.column(at.Line, at.Column)
		}
		function := profile.Function{Name: f.FuncName(), File: at.Filename}
		if function.Name == "<anonymous>" {
			function.Name = ""
		}
		ids[i] = b.Frame(b.Function(function), int32(at.Line), int32(at.Column))
	}
	return ids
}

func nativeFrame(b *profile.Builder, name string) profile.FrameID {
	return b.Frame(b.Function(profile.Function{Name: name, File: profile.NameNative, Flags: profile.NativeCode}), 0, 0)
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
		Coverage:  h.coverage,
	}
}
