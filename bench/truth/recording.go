package truth

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/engine/bundle"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// scriptName is what a recording calls the program's script, wherever the engine
// loaded it from.
const scriptName = "(clean)"

// describe makes a function table of a script without putting checks into it:
// the same functions and names as in its instrumented twin.
func describe(b *bundle.Bundle, target transform.Target, goal transform.Goal) (*instrumented.Script, error) {
	script, err := instrumented.Make(b.Code, transform.Options{
		File: scriptName, Target: target, Goal: goal, SourceMap: b.SourceMap,
		Keep: func(string) bool { return false },
	})
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(script.Code, b.Code) {
		return nil, errors.New("the transform changed a script that it should have left alone")
	}
	return script, nil
}

// recording makes a profile of a sampler's view of one script. Its stacks hold
// the script's own functions; the time of everything else (the engine's builtins and
// its own scripts) is their caller's, as in a profile taken by checks.
type recording struct {
	b       profile.Builder
	script  *instrumented.Script
	text    *textpos.Text
	samples []profile.Sample
	frames  map[place]profile.FrameID
	// wrapper is the function that a bundler put around everything, or 0.
	wrapper int
	// called are the stacks that end in a function of the sources, or in a
	// function called by one.
	called map[profile.StackID]bool
}

// place is a function, by its index in the table, and a position in it.
type place struct {
	function int
	at       functable.Position
}

func newRecording(script *instrumented.Script) *recording {
	r := &recording{script: script, text: textpos.Of(script.Code), frames: map[place]profile.FrameID{}, called: map[profile.StackID]bool{}}
	outer := 0
	for i := range script.Table.Functions {
		if f := &script.Table.Functions[i]; f.Parent == 0 {
			if outer++; f.Original == nil {
				r.wrapper = i
			}
		}
	}
	if outer != 1 {
		r.wrapper = 0
	}
	return r
}

// push puts a function on a stack, given its definition or any position in it. At is
// where it is executing, as far as that is known: a column of 0 is anywhere on the
// line.
func (r *recording) push(caller profile.StackID, definition, at functable.Position) profile.StackID {
	if definition == (functable.Position{Line: 1, Column: 1}) { // the engines' position of a script
		return r.pushFunction(caller, 0, at)
	}
	return r.pushFunction(caller, r.script.Table.Find(definition), at)
}

// pushFunction does the same by the function's index in the table.
func (r *recording) pushFunction(caller profile.StackID, function int, at functable.Position) profile.StackID {
	f := &r.script.Table.Functions[function]
	inSource := f.Kind != functable.Script && f.Original != nil
	if r.called[caller] && !inSource && (function == 0 || function == r.wrapper) {
		// No function calls the top level. Engines make a function of a class's
		// fields; the table does not have it if the fields have no value.
		return caller
	}
	key := place{function, at}
	frame, ok := r.frames[key]
	if !ok {
		frame = r.frame(function, at)
		r.frames[key] = frame
	}
	stack := r.b.Stack(caller, frame)
	r.called[stack] = inSource || r.called[caller]
	return stack
}

// frame is a function where it is defined. Code in no function of the sources, such as
// a bundle's top level, is identified by its position alone; if that is unknown, by
// the end of the bundle, where the file that starts the program is.
func (r *recording) frame(function int, at functable.Position) profile.FrameID {
	f := &r.script.Table.Functions[function]
	position := f.Definition
	if position.IsZero() {
		position = f.Start
	}
	if f.Kind == functable.Script || f.Original == nil {
		if found, ok := r.within(function, at); ok {
			position = found
		} else if found, ok := r.last(function); ok {
			position = found
		}
	}
	return r.b.Frame(r.b.Function(profile.Function{File: scriptName}), max(position.Line, 1), max(position.Column, 1))
}

// within finds where on a line a function is.
func (r *recording) within(function int, at functable.Position) (functable.Position, bool) {
	switch {
	case at.Line < 1 || int(at.Line) > r.text.Lines():
		return at, false
	case at.Column > 0:
		return at, r.script.Table.Find(at) == function
	}
	line := r.text.Line(int(at.Line) - 1)
	for at.Column = int32(1 + len(line) - len(bytes.TrimLeft(line, " \t"))); int(at.Column) <= len(line); at.Column++ {
		if r.script.Table.Find(at) == function {
			return at, true
		}
	}
	return at, false
}

// last is the last position of a function that the source map knows.
func (r *recording) last(function int) (functable.Position, bool) {
	f, to := &r.script.Table.Functions[function], r.script.Symbols().Map
	for line := min(int(f.End.Line), r.text.Lines()); to != nil && line >= int(f.Start.Line); line-- {
		if at, ok := r.within(function, functable.Position{Line: int32(line)}); ok {
			if _, ok := to.Find(line-1, int(at.Column)-1); ok {
				return at, true
			}
		}
	}
	return functable.Position{}, false
}

// The scripts of a browser's page: the program's, and the one that prints for it and
// blocks it meanwhile.
const (
	bundleScript = "/bundle.js"
	pageScript   = "/page.js"
)

// adopt adds the samples of a browser's profile, and reports whether any function on its
// stacks is the program's. The collector's time is charged to no function, whichever was
// running, nor is the time of the script that prints.
func (r *recording) adopt(p *profile.Profile) (found bool) {
	stacks := make([]profile.StackID, len(p.Stacks.Parent))
	prints := make([]bool, len(stacks))
	for i, parent := range p.Stacks.Parent { // callers come first
		if stacks[i] = profile.NoStack; parent != profile.NoStack {
			stacks[i], prints[i] = stacks[parent], prints[parent]
		}
		frame := p.Stacks.Frame[i]
		f := p.Function(p.Frames.Function[frame])
		switch {
		case strings.HasSuffix(f.File, bundleScript) && f.Line > 0:
			at := functable.Position{Line: p.Frames.Line[frame], Column: p.Frames.Column[frame]}
			stacks[i], prints[i], found = r.push(stacks[i], functable.Position{Line: f.Line, Column: f.Column}, at), false, true
		case strings.HasSuffix(f.File, pageScript):
			prints[i] = true
		}
	}
	for i := range p.Len() {
		s := p.Sample(i)
		stack, kind := profile.NoStack, profile.Program
		switch {
		case s.Kind == profile.Idle || s.Kind == profile.GC:
			kind = s.Kind
		case s.Stack != profile.NoStack && !prints[s.Stack]:
			stack = stacks[s.Stack]
		}
		r.add(time.Duration(s.Time), stack, s.Weight, kind)
	}
	return found
}

// add adds a sample. Without a stack in the script, its kind says what it is.
func (r *recording) add(time time.Duration, stack profile.StackID, weight int32, kind profile.Kind) {
	if stack != profile.NoStack {
		kind = profile.Own
	}
	r.samples = append(r.samples, profile.Sample{Time: int64(time), Stack: stack, Weight: weight, Kind: kind})
}

// profile is the recording from the first sample in the script to the last: the rest
// is the engine's start and end.
func (r *recording) profile(meta profile.Meta) (*profile.Profile, error) {
	first, last := -1, -1
	for i := range r.samples {
		if r.samples[i].Stack != profile.NoStack {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	r.b.Meta = meta
	if first >= 0 {
		began := r.samples[first].Time
		for _, s := range r.samples[first : last+1] {
			s.Time = max(0, s.Time-began)
			if name := s.Kind.PseudoName(); name != "" {
				s.Stack = r.b.Pseudo(profile.NoStack, name)
			}
			r.count(&s)
			r.b.Sample(s)
		}
		r.b.Meta.Duration = max(0, time.Duration(r.samples[last].Time-began))
	}
	p := profile.Symbolize(r.b.Profile(), map[string]profile.Script{scriptName: r.script.Symbols()})
	p = profile.Fold(p, r.script.Glue)
	return p, p.CheckValid()
}

func (r *recording) count(s *profile.Sample) {
	ticks, weight := &r.b.Meta.Ticks, int64(s.Weight)
	ticks.Raised += weight
	switch s.Kind {
	case profile.Idle:
		ticks.Idle += weight
	case profile.GC:
		ticks.GC += weight
	default:
		ticks.Taken += weight
	}
	r.b.Meta.IdleKnown = true
}
