package profile

import (
	"math"
	"slices"
	"sort"
)

// Function is one row of Functions, spelled out.
type Function struct {
	Name, File   string
	Line, Column int32 // where it is defined, 1-based; 0 is unknown
	Flags        Flags
}

// Sample is one row of Samples.
type Sample struct {
	Time   int64
	Stack  StackID
	Weight int32
	Kind   Kind
	Skid   int64
	Marker Marker
	Tags   TagsID
}

// Builder makes a Profile. Each string, function, frame and stack is stored
// once, however often it is asked for. The zero Builder is ready for use, by
// one goroutine at a time.
type Builder struct {
	Meta Meta

	p         Profile
	strings   map[string]StringID
	functions map[functionKey]FunctionID
	frames    map[frameKey]FrameID
	callees   callees
	tags      map[string]TagsID // by their text
	unsorted  bool
}

// A function that is pseudo, native or a top level is never the same as one
// that is not; the other flags are what is known of one function, and add up.
const identityFlags = Pseudo | NativeCode | TopLevel

type functionKey struct {
	name, file   StringID
	line, column int32
	identity     Flags
}

type frameKey struct {
	function     FunctionID
	line, column int32
}

func (b *Builder) init() {
	if b.strings == nil {
		b.strings = map[string]StringID{"": 0}
		b.functions = make(map[functionKey]FunctionID)
		b.frames = make(map[frameKey]FrameID)
		b.p.Strings = []string{""}
	}
}

// like takes over what a profile has apart from its stacks and samples.
func (b *Builder) like(p *Profile) {
	b.Meta, b.p.Marks, b.p.Tags, b.p.tick, b.p.since = p.Meta, p.Marks, p.Tags, p.tick, p.since
}

// String interns a string.
func (b *Builder) String(s string) StringID {
	b.init()
	id, ok := b.strings[s]
	if !ok {
		id = StringID(len(b.p.Strings))
		b.strings[s] = id
		b.p.Strings = append(b.p.Strings, s)
	}
	return id
}

// Function interns a function. Asked again for a known one, it adds the flags.
func (b *Builder) Function(f Function) FunctionID {
	key := functionKey{b.String(f.Name), b.String(f.File), f.Line, f.Column, f.Flags & identityFlags}
	id, ok := b.functions[key]
	t := &b.p.Functions
	if !ok {
		id = FunctionID(len(t.Name))
		b.functions[key] = id
		t.Name, t.File = append(t.Name, key.name), append(t.File, key.file)
		t.Line, t.Column = append(t.Line, f.Line), append(t.Column, f.Column)
		t.Flags = append(t.Flags, f.Flags)
	}
	t.Flags[id] |= f.Flags
	return id
}

// Frame interns a frame: a function and where execution was in it (1-based;
// 0 is unknown).
func (b *Builder) Frame(f FunctionID, line, column int32) FrameID {
	b.init()
	key := frameKey{f, line, column}
	id, ok := b.frames[key]
	if !ok {
		t := &b.p.Frames
		id = FrameID(len(t.Function))
		b.frames[key] = id
		t.Function, t.Line, t.Column = append(t.Function, f), append(t.Line, line), append(t.Column, column)
	}
	return id
}

// Stack interns a stack: a frame called by the stack parent, or without a caller
// (NoStack). Build stacks from the outermost frame inwards.
func (b *Builder) Stack(parent StackID, frame FrameID) StackID {
	b.init()
	t := &b.p.Stacks
	id, listed := b.callees.find(t, parent, frame)
	if id == NoStack {
		id = StackID(len(t.Parent))
		t.Parent, t.Frame = append(t.Parent, parent), append(t.Frame, frame)
		b.callees.add(id, parent, frame, listed)
	}
	return id
}

// Pseudo is the stack of a pseudo-function (NameIdle, …) called by parent, or by
// without a caller (NoStack).
func (b *Builder) Pseudo(parent StackID, name string) StackID {
	return b.Stack(parent, b.Frame(b.Function(Function{Name: name, Flags: Pseudo}), 0, 0))
}

// Sample adds a sample. Samples may come out of order.
func (b *Builder) Sample(s Sample) {
	b.init()
	t := &b.p.Samples
	if n := len(t.Time); n > 0 && t.Time[n-1] > s.Time {
		b.unsorted = true
	}
	t.Time, t.Stack, t.Weight = append(t.Time, s.Time), append(t.Stack, s.Stack), append(t.Weight, s.Weight)
	t.Kind, t.Skid = append(t.Kind, s.Kind), append(t.Skid, s.Skid)
	if s.Marker != NoMarker && t.Marker == nil {
		t.Marker = make([]Marker, len(t.Time)-1, cap(t.Time))
	}
	if t.Marker != nil {
		t.Marker = append(t.Marker, s.Marker)
	}
	if s.Tags != 0 && t.Tags == nil {
		t.Tags = make([]TagsID, len(t.Time)-1, cap(t.Time))
	}
	if t.Tags != nil {
		t.Tags = append(t.Tags, s.Tags)
	}
}

// Mark adds a mark. Marks may come out of order.
func (b *Builder) Mark(m Mark) { b.p.Marks = append(b.p.Marks, m) }

// Add adds ticks that one stack stands for, in as many samples as weights of 31
// bits need. It does nothing when ticks is below 1.
func (b *Builder) Add(s Sample, ticks int64) {
	for ticks > 0 {
		s.Weight = int32(min(ticks, math.MaxInt32))
		ticks -= int64(s.Weight)
		b.Sample(s)
	}
}

// Grow makes room for n more samples, if the number is known.
func (b *Builder) Grow(n int) {
	t := &b.p.Samples
	t.Time, t.Stack, t.Weight = grow(t.Time, n), grow(t.Stack, n), grow(t.Weight, n)
	t.Kind, t.Skid = grow(t.Kind, n), grow(t.Skid, n)
}

// grow is slices.Grow, which writes zeros into all of the room; memory from the system has
// them already.
func grow[T any](column []T, n int) []T {
	if len(column) == 0 && cap(column) < n {
		return make([]T, 0, n)
	}
	return slices.Grow(column, n)
}

// Len is the number of samples so far.
func (b *Builder) Len() int { return len(b.p.Samples.Stack) }

// Stacks is the number of stacks so far.
func (b *Builder) Stacks() int { return len(b.p.Stacks.Parent) }

// Top is the last step of a stack: its caller, and the function on top with the position
// in it.
func (b *Builder) Top(s StackID) (caller StackID, f FunctionID, line, column int32) {
	t := &b.p.Frames
	frame := b.p.Stacks.Frame[s]
	return b.p.Stacks.Parent[s], t.Function[frame], t.Line[frame], t.Column[frame]
}

// Named is the function that has an ID.
func (b *Builder) Named(f FunctionID) Function { return b.p.Function(f) }

// Profile returns what was built, samples in order of time. The Builder may go
// on; its later additions are not in the profile.
func (b *Builder) Profile() *Profile {
	b.init()
	p := b.p
	p.Meta = b.Meta
	p.Functions.Flags = slices.Clone(p.Functions.Flags) // Function still adds to them
	if b.unsorted {
		p.Samples = p.Samples.sorted()
	}
	p.Marks = sortMarks(p.Marks)
	return &p
}

func (s Samples) sorted() Samples {
	order := make([]int, len(s.Time))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(x, y int) bool { return s.Time[order[x]] < s.Time[order[y]] })
	return s.pick(order)
}

// pick returns some of the samples, in the given order.
func (s Samples) pick(order []int) Samples {
	return Samples{
		Time: pick(s.Time, order), Stack: pick(s.Stack, order), Weight: pick(s.Weight, order),
		Kind: pick(s.Kind, order), Skid: pick(s.Skid, order), Marker: pick(s.Marker, order), Tags: pick(s.Tags, order),
	}
}

func pick[T any](column []T, order []int) []T {
	if column == nil {
		return nil
	}
	out := make([]T, len(order))
	for i, o := range order {
		out[i] = column[o]
	}
	return out
}

// Function is row f of the functions, spelled out.
func (p *Profile) Function(f FunctionID) Function {
	t := &p.Functions
	return Function{p.Strings[t.Name[f]], p.Strings[t.File[f]], t.Line[f], t.Column[f], t.Flags[f]}
}

// Sample is row i of the samples.
func (p *Profile) Sample(i int) Sample {
	s := &p.Samples
	marker := NoMarker
	if s.Marker != nil {
		marker = s.Marker[i]
	}
	tags := TagsID(0)
	if s.Tags != nil {
		tags = s.Tags[i]
	}
	return Sample{s.Time[i], s.Stack[i], s.Weight[i], s.Kind[i], s.Skid[i], marker, tags}
}
