package live

import (
	"github.com/fieldprof/fieldprof/profile"
)

// Stream turns the batches of a source, one by one, into those that panels get: of
// original functions, with the owner of its time on top of each sample's stack. Put
// together, they are what profile.Attribute makes of the whole. One goroutine at a time
// may use it.
type Stream struct {
	// Rule and Hide may be set before the first batch. Functions for which Hide is true
	// are part of their callers, as in profile.Fold.
	Rule profile.Rule
	Hide func(profile.Function) bool

	attributed bool
	symbols    *profile.Symbolizer
	seq        int64
	known
}

// known is what a stream knows of a profile.
type known struct {
	profile int
	records map[int32]Record
	stacks  []seen
	b       profile.Builder // of their stacks in original positions
	owners  *profile.Owners
	out     writer
}

// seen is what became of a stack of the source: its frames that are not hidden, and
// whether the one on top is.
type seen struct {
	stack  profile.StackID
	hidden bool
}

// NewStream makes a stream for one source. It asks for each script once.
func NewStream(attributed bool, scripts func(url string) (profile.Script, bool)) *Stream {
	return &Stream{attributed: attributed, symbols: profile.NewSymbolizer(scripts)}
}

// Batch returns what panels get for a batch that Recording.Add has accepted, in its own
// numbering of records and stacks. It costs what is in the batch. For one that came
// before it returns nil.
func (s *Stream) Batch(b *Batch) *Batch {
	if b.Seq <= s.seq {
		return nil
	}
	s.seq = b.Seq
	if b.Profile != s.profile {
		s.known = known{profile: b.Profile, records: newTables().records}
		s.out.b, s.owners = &s.b, s.b.Owners(s.Rule, true)
	}
	for _, r := range b.Records {
		s.records[r.ID] = r
	}
	for n := b.Stacks; len(n) >= 4; n = n[4:] {
		s.push(node{parent: n[0], record: n[1], line: n[2], column: n[3]})
	}
	out := *b
	out.Records, out.Stacks, out.Samples = nil, nil, Samples{Delta: b.Samples.Delta, Weight: b.Samples.Weight}
	if n := len(b.Samples.Stack); n > 0 {
		out.Samples.Stack = make([]int32, n)
	}
	for i := range b.Samples.Stack {
		kind, stack := b.Samples.kind(i, s.attributed)
		out.Samples.Stack[i] = s.out.stack(s.owner(stack, kind))
	}
	out.Records, out.Stacks = s.out.take()
	return &out
}

// Renew makes records and stacks of panels begin again: the next batch is for another of
// their profiles, although the source's goes on.
func (s *Stream) Renew() { s.out = writer{b: &s.b} }

// push adds a stack of the source.
func (s *Stream) push(n node) {
	caller := seen{stack: profile.NoStack}
	if n.parent >= 0 {
		caller = s.stacks[n.parent]
	}
	top := frame(&s.b, s.symbols, s.records[n.record], n, s.attributed)
	next := seen{s.b.Stack(caller.stack, top), false}
	if s.Hide != nil {
		if _, f, _, _ := s.b.Top(next.stack); s.Hide(s.b.Named(f)) {
			next = seen{caller.stack, true}
		}
	}
	s.stacks = append(s.stacks, next)
}

// owner is the stack that has the owner of a sample's time on top.
func (s *Stream) owner(stack int32, kind profile.Kind) profile.StackID {
	at := profile.NoStack
	if stack >= 0 {
		if at = s.stacks[stack].stack; s.stacks[stack].hidden {
			kind = profile.Own // of the caller
		}
		kind = ofNative(&s.b, at, kind)
	}
	at, kind = s.owners.Of(at, kind)
	if at == profile.NoStack {
		at = s.b.Pseudo(profile.NoStack, kind.PseudoName())
	}
	return at
}

// writer numbers the records and stacks of an attributed source as they are first needed.
type writer struct {
	b         *profile.Builder
	functions []int32 // their profile ids; 0 is none yet
	numbers   []int32 // of stacks, from 1 on; 0 is none yet
	last      int32   // number

	records []Record // since they were taken
	stacks  []int32
	ids     int32
	path    []profile.StackID
}

// stack returns the index of a stack of the builder.
func (w *writer) stack(s profile.StackID) int32 {
	w.path = w.path[:0]
	for ; s != profile.NoStack && *slot(&w.numbers, s) == 0; s, _, _, _ = w.b.Top(s) {
		w.path = append(w.path, s)
	}
	at := int32(0)
	if s != profile.NoStack {
		at = w.numbers[s]
	}
	for i := len(w.path) - 1; i >= 0; i-- {
		_, f, line, column := w.b.Top(w.path[i])
		w.stacks = append(w.stacks, at-1, w.record(f), line, column)
		w.last++
		at = w.last
		w.numbers[w.path[i]] = at
	}
	return at - 1
}

func (w *writer) record(f profile.FunctionID) int32 {
	id := slot(&w.functions, f)
	if *id == 0 {
		*id = FirstID + w.ids
		w.ids++
		w.records = append(w.records, recordOf(*id, w.b.Named(f)))
	}
	return *id
}

// take returns what is new.
func (w *writer) take() (records []Record, stacks []int32) {
	records, stacks = w.records, w.stacks
	w.records, w.stacks = nil, nil
	return records, stacks
}

// slot is the element of a column at an index, which may be beyond its end.
func slot[ID ~int32](column *[]int32, i ID) *int32 {
	for int(i) >= len(*column) {
		*column = append(*column, 0)
	}
	return &(*column)[i]
}
