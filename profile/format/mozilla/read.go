package mozilla

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// Read reads results() or samples().
func Read(r io.Reader) (*profile.Profile, error) {
	in := &reader{dec: json.NewDecoder(r)}
	p, err := in.read()
	if err == nil {
		err = p.CheckValid()
	}
	if err != nil {
		return nil, fmt.Errorf("mozilla: byte %d: %w", in.dec.InputOffset(), err)
	}
	return p, nil
}

// reader takes the file as a stream of tokens: trees nest deeper than
// encoding/json unmarshals.
type reader struct {
	dec   *json.Decoder
	b     profile.Builder
	ticks int64 // of the nodes that were read
}

func (r *reader) read() (*profile.Profile, error) {
	token, err := r.dec.Token()
	switch {
	case err == io.EOF:
		return nil, errors.New("the file is empty")
	case err != nil:
		return nil, err
	case token == json.Delim('['):
		return r.list()
	case token == json.Delim('{'):
		return r.results()
	}
	return nil, fmt.Errorf("%s is neither results() nor samples()", quoted(token))
}

// list reads samples(), after its bracket.
func (r *reader) list() (*profile.Profile, error) {
	var ticks, last int64
	for i := 0; r.dec.More(); i++ {
		in := listed{Weight: 1}
		if err := r.dec.Decode(&in); err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
		switch {
		case in.Weight < 1:
			return nil, fmt.Errorf("[%d].weight: %d", i, in.Weight)
		case in.Micros < 0 || in.Micros > math.MaxInt64/1000:
			return nil, fmt.Errorf("[%d].micros: %d is not a time", i, in.Micros)
		case len(in.Stack) == 0:
			return nil, fmt.Errorf("[%d].stack: empty", i)
		}
		s := profile.Sample{Time: in.Micros * 1000, Stack: profile.NoStack, Weight: in.Weight}
		for j := len(in.Stack) - 1; j >= 0; j-- {
			frame, f := in.Stack[j].frame(&r.b)
			s.Stack = r.b.Stack(s.Stack, frame)
			s.Kind = codec.Kind(f)
		}
		r.b.Sample(s)
		ticks, last = ticks+int64(in.Weight), max(last, s.Time)
	}
	if _, err := r.dec.Token(); err != nil {
		return nil, noEOF(err)
	}
	if ticks > 0 {
		r.b.Meta.Interval, r.b.Meta.Duration = time.Duration(last/ticks), time.Duration(last)
	}
	return r.b.Profile(), nil
}

// noEOF: the end of a file is no end of what it holds.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// results reads results(), after its brace.
func (r *reader) results() (*profile.Profile, error) {
	counts := map[string]*int64{"samples": new(int64), "micros": new(int64)}
	kinds := map[string]profile.Kind{"gcSamples": profile.GC, "idleSamples": profile.Idle, "programSamples": profile.Program, "lostSamples": profile.Lost}
	for name := range kinds {
		counts[name] = new(int64)
	}
	var own *meta
	tree := false
	for r.dec.More() {
		key, err := r.dec.Token()
		if err != nil {
			return nil, noEOF(err)
		}
		name, _ := key.(string)
		switch {
		case counts[name] != nil:
			err = r.count(name, counts[name])
		case name == "children":
			tree = true
			err = r.children()
		case name == "fieldprof":
			err = r.dec.Decode(&own)
		default:
			err = r.dec.Decode(new(json.RawMessage))
		}
		if err != nil {
			return nil, noEOF(err)
		}
	}
	if _, err := r.dec.Token(); err != nil {
		return nil, noEOF(err)
	}
	if !tree {
		return nil, errors.New(`"children" is missing`)
	}
	for _, name := range []string{"gcSamples", "idleSamples", "programSamples", "lostSamples"} {
		if n := *counts[name]; n > 0 {
			r.b.Add(profile.Sample{Stack: r.b.Pseudo(profile.NoStack, kinds[name].PseudoName()), Kind: kinds[name]}, n)
		}
	}
	if own != nil {
		if own.Version != 1 {
			return nil, fmt.Errorf("fieldprof: version %d is not supported, only 1", own.Version)
		}
		r.b.Meta = own.Meta
	} else {
		r.interval(*counts["micros"])
	}
	return r.b.Profile(), nil
}

// interval is the mean: the tree has no times.
func (r *reader) interval(micros int64) {
	if micros > math.MaxInt64/1000 {
		return
	}
	r.b.Meta.Duration = time.Duration(micros) * time.Microsecond
	if ticks := r.b.Profile().Samples.Ticks(); ticks > 0 {
		r.b.Meta.Interval = r.b.Meta.Duration / time.Duration(ticks)
	}
}

func (r *reader) count(name string, into *int64) error {
	if err := r.dec.Decode(into); err != nil {
		return err
	}
	if *into < 0 || name != "micros" && *into > codec.MaxTicks {
		return fmt.Errorf("%s: %d", name, *into)
	}
	return nil
}

// child is a node that is being read.
type child struct {
	call
	samples, self int64 // −1: not said
	below         int64 // ticks of the children that were read
	subtrees      []pending
}

// pending is a node that waits for its caller: JSON may name the function of
// a child after its children.
type pending struct {
	call
	self     int64
	subtrees []pending
}

// children reads an array of children, and theirs.
func (r *reader) children() error {
	if err := r.delim('['); err != nil {
		return err
	}
	open := []*child{{samples: -1, self: -1}} // the root, and the nodes down to where we are
	for {
		if !r.dec.More() { // the end of an array of children
			if err := r.delim(']'); err != nil {
				return err
			}
			if len(open) == 1 {
				r.build(open[0].subtrees)
				return nil
			}
		} else {
			if err := r.delim('{'); err != nil {
				return err
			}
			open = append(open, &child{samples: -1, self: -1})
		}
		if len(open) > maxDepth {
			return fmt.Errorf("%d functions call each other", maxDepth)
		}
		// In the innermost node: read its fields, up to its children or its end.
		top := open[len(open)-1]
		deeper, err := r.fields(top)
		if err != nil {
			return err
		}
		if deeper {
			continue
		}
		done, err := top.close()
		if err != nil {
			return err
		}
		if r.ticks += done.self; r.ticks > codec.MaxTicks {
			return fmt.Errorf("more than %d ticks in all", int64(codec.MaxTicks))
		}
		open = open[:len(open)-1]
		caller := open[len(open)-1]
		caller.below += top.total()
		caller.subtrees = append(caller.subtrees, done)
	}
}

// maxDepth bounds stacks: more than any engine's.
const maxDepth = 1 << 26

// fields reads a node's up to its children (true) or its end.
func (r *reader) fields(c *child) (deeper bool, err error) {
	for r.dec.More() {
		key, err := r.dec.Token()
		if err != nil {
			return false, noEOF(err)
		}
		switch name, _ := key.(string); name {
		case "children":
			return true, r.delim('[')
		case "function":
			err = r.dec.Decode(&c.Function)
		case "site":
			err = r.dec.Decode(&c.Site)
		case "samples":
			err = r.count(name, &c.samples)
		case "selfCount":
			err = r.count(name, &c.self)
		default:
			err = r.dec.Decode(new(json.RawMessage))
		}
		if err != nil {
			return false, noEOF(err)
		}
	}
	return false, r.delim('}')
}

func (r *reader) delim(want json.Delim) error {
	token, err := r.dec.Token()
	if err != nil {
		return noEOF(err)
	}
	if token != want {
		return fmt.Errorf("%s where %q should be", quoted(token), want.String())
	}
	return nil
}

// quoted is a token in an error. A text may hold anything.
func quoted(token json.Token) string {
	if text, ok := token.(string); ok {
		return fmt.Sprintf("%.20q", text)
	}
	return fmt.Sprintf("%.20v", token)
}

// total are the ticks with the node on the stack.
func (c *child) total() int64 {
	if c.samples >= 0 {
		return c.samples
	}
	return max(0, c.self) + c.below
}

func (c *child) close() (pending, error) {
	self := c.self
	switch {
	case c.samples >= 0 && c.samples < c.below:
		return pending{}, fmt.Errorf("samples: %d, less than the %d of its children", c.samples, c.below)
	case c.self < 0 && c.samples >= 0:
		self = c.samples - c.below
	case c.self >= 0 && c.samples >= 0 && c.samples != c.self+c.below:
		return pending{}, fmt.Errorf("samples: %d is not selfCount %d and the %d of its children", c.samples, c.self, c.below)
	}
	return pending{c.call, max(0, self), c.subtrees}, nil
}

// build makes the samples of trees, callers first, with no recursion.
func (r *reader) build(forest []pending) {
	type level struct {
		left   []pending
		caller profile.StackID
	}
	levels := []level{{forest, profile.NoStack}}
	for len(levels) > 0 {
		l := &levels[len(levels)-1]
		if len(l.left) == 0 {
			levels = levels[:len(levels)-1]
			continue
		}
		c := l.left[0]
		l.left = l.left[1:]
		frame, f := c.frame(&r.b)
		stack := r.b.Stack(l.caller, frame)
		r.b.Add(profile.Sample{Stack: stack, Kind: codec.Kind(f)}, c.self)
		if len(c.subtrees) > 0 {
			levels = append(levels, level{c.subtrees, stack})
		}
	}
}
