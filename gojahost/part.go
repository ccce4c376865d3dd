package gojahost

import (
	"slices"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
)

// part writes a snapshot into a profile: each stack when it is first asked for, with
// its functions' names and positions in the sources. Equal frames of two segments are
// looked up once.
type part struct {
	recording *recording
	b         *profile.Builder
	q         *query
	s         *snapshot
	names     []string // of native functions
	sets      [][]profile.Tag
	tags      []profile.TagsID // in the profile, by the recording's; -1: not yet asked for
	known     map[goja.StackFrame]profile.FrameID
	symbols   *profile.Symbolizer
	start     int64
	ticks     profile.Ticks
	skid      coordinator.Histogram

	above map[place]*spread // of Go's samples; nil: Go was not recorded
	dealt int64             // ticks to them
	notes []string

	stretch stretch
	frames  []profile.FrameID // by the stretch's; unwritten until they are asked for
	stacks  []profile.StackID
}

// unwritten is not a valid id.
const unwritten = -2

func newPart(r *recording, b *profile.Builder, q *query, s *snapshot) *part {
	w := &part{recording: r, b: b, q: q, s: s, known: map[goja.StackFrame]profile.FrameID{}, start: s.from}
	w.symbols = profile.NewSymbolizer(func(file string) (profile.Script, bool) {
		if s := r.script(file); s != nil { // the stacks to write keep it
			return s.Symbols(), true
		}
		return profile.Script{}, false
	})
	r.known.RLock()
	w.names, w.sets = r.natives.names, r.tags.sets
	r.known.RUnlock()
	w.tags = slices.Repeat([]profile.TagsID{-1}, len(w.sets)+1)
	w.tags[0] = 0
	return w
}

// write writes everything.
func (w *part) write() {
	samples := 0
	for _, v := range w.s.stretches {
		for _, chunk := range v.chunks {
			samples += w.q.count(chunk)
		}
	}
	w.b.Grow(samples)
	outside := w.s.outside
	if !w.q.outside {
		outside = nil
	}
	for _, v := range w.s.stretches {
		w.enter(v)
		for _, chunk := range v.chunks {
			for i := range chunk {
				if s := &chunk[i]; w.q.wants(s) {
					outside = w.addOutside(outside, s.time)
					w.add(s)
				}
			}
		}
	}
	w.addOutside(outside, 1<<63-1)
	w.ticks.Missed, w.ticks.Dropped = w.s.missed, w.s.dropped
	if waiting := w.s.waiting; waiting > 0 {
		w.addOutside([]coordinator.Outside{{Kind: profile.Lost, Time: w.s.to, Ticks: waiting}}, 1<<63-1)
	}
	w.ticks.Raised = w.ticks.Taken + w.ticks.Idle + w.ticks.GC + w.ticks.Lost
}

// enter begins another stretch.
func (w *part) enter(v stretch) {
	w.stretch = v
	w.frames = slices.Repeat([]profile.FrameID{unwritten}, len(v.frames))
	w.stacks = slices.Repeat([]profile.StackID{unwritten}, len(v.nodes))
}

// add writes a sample.
func (w *part) add(s *sample) {
	at := w.place(s.stack, s.native, s.tags)
	one := profile.Sample{Time: max(s.time-w.start, 0), Stack: at.stack, Weight: s.weight, Kind: s.kind, Skid: s.skid, Tags: at.tags}
	if above := w.above[at]; above != nil && s.kind == profile.Native {
		w.deal(above, one)
	} else {
		w.b.Sample(one)
	}
	w.ticks.Taken += int64(s.weight)
	if !w.q.all {
		w.skid.Add(s.skid)
	}
}

// addOutside writes the ticks outside the program before a time, and returns the rest.
func (w *part) addOutside(outside []coordinator.Outside, before int64) []coordinator.Outside {
	for len(outside) > 0 && outside[0].Time < before {
		a := outside[0]
		w.b.Add(profile.Sample{Time: max(a.Time-w.start, 0), Stack: w.b.Pseudo(profile.NoStack, a.Kind.PseudoName()), Kind: a.Kind}, a.Ticks)
		switch a.Kind {
		case profile.GC:
			w.ticks.GC += a.Ticks
		case profile.Lost:
			w.ticks.Lost += a.Ticks
		default:
			w.ticks.Idle += a.Ticks
		}
		outside = outside[1:]
	}
	return outside
}

// place is where and for whom a sample was taken.
type place struct {
	stack profile.StackID
	tags  profile.TagsID
}

// place finds that of a stack of the stretch, with a native function on top unless its
// index is -1.
func (w *part) place(s stackID, native int32, tags profile.TagsID) place {
	stack := w.stack(s)
	if native >= 0 {
		stack = w.b.Stack(stack, nativeFrame(w.b, w.names[native]))
	}
	return place{stack, w.tagsOf(tags)}
}

func (w *part) tagsOf(id profile.TagsID) profile.TagsID {
	if w.tags[id] < 0 {
		w.tags[id] = w.b.Tags(w.sets[id-1])
	}
	return w.tags[id]
}

func (w *part) stack(s stackID) profile.StackID {
	if s == noStack {
		return profile.NoStack
	}
	if w.stacks[s] == unwritten {
		n := w.stretch.nodes[s]
		w.stacks[s] = w.b.Stack(w.stack(n.caller), w.frame(n.frame)) // MaxDepth bounds the recursion
	}
	return w.stacks[s]
}

func (w *part) frame(id frameID) profile.FrameID {
	if w.frames[id] != unwritten {
		return w.frames[id]
	}
	f := &w.stretch.frames[id]
	known, ok := w.known[*f]
	if !ok {
		function, line, column := w.recording.frame(f)
		function, at := w.symbols.Frame(function, functable.Position{Line: line, Column: column})
		known = w.b.Frame(w.b.Function(function), at.Line, at.Column)
		w.known[*f] = known
	}
	w.frames[id] = known
	return known
}
