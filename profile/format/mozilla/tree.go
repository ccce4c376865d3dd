package mozilla

import (
	"encoding/json"
	"io"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/jsonstream"
)

// topLevel is what the draft calls the code of a script outside its functions.
const topLevel = "<top level>"

// position is the definition of a function, or where execution was in it.
type position struct {
	File   string `json:"file"`
	Line   int32  `json:"line,omitempty"`
	Column int32  `json:"column,omitempty"`
	Name   string `json:"name,omitempty"`
}

// call is a frame in JSON.
type call struct {
	Function position `json:"function"`
	Site     position `json:"site"`
}

func callOf(f profile.Function, line, column int32) call {
	c := call{position{f.File, f.Line, f.Column, f.Name}, position{File: f.File, Line: line, Column: column}}
	if f.Flags&profile.TopLevel != 0 && f.Name == "" {
		c.Function.Name = topLevel
	}
	if f.Flags&profile.NativeCode != 0 && f.File == "" {
		c.Function.File = profile.NameNative
	}
	return c
}

// frame is the inverse.
func (c *call) frame(b *profile.Builder) (profile.FrameID, profile.Function) {
	f := profile.Function{Name: c.Function.Name, File: c.Function.File, Line: max(0, c.Function.Line), Column: max(0, c.Function.Column)}
	switch {
	case f.Name == topLevel:
		f.Name, f.Flags = "", profile.TopLevel
	case f.File == profile.NameNative:
		f.Flags = profile.NativeCode
	case f.File == "" && f.Line == 0 && profile.IsPseudoName(f.Name):
		f.Flags = profile.Pseudo
	}
	return b.Frame(b.Function(f), max(0, c.Site.Line), max(0, c.Site.Column)), f
}

// Write writes an attributed profile as results() does.
func Write(out io.Writer, p *profile.Profile) error {
	o, err := codec.Prepare("mozilla", p, codec.NoTime, codec.Never)
	if err != nil {
		return err
	}
	t := newTree(p)
	w := &treeWriter{jsonstream.NewWriter(out)}
	var samples int64
	for _, s := range t.roots {
		samples += t.total[s]
	}
	duration := p.Meta.Duration
	if duration == 0 {
		duration = time.Duration(o.Ticks) * p.Meta.Interval
	}
	w.Text(`{"samples":`).Int(samples).Text(`,"gcSamples":`).Int(t.without[profile.GC])
	for _, k := range []profile.Kind{profile.Idle, profile.Program, profile.Lost} {
		if n := t.without[k]; n > 0 {
			w.Text(`,"` + k.String() + `Samples":`).Int(n)
		}
	}
	w.Text(`,"micros":`).Int(duration.Microseconds()).Text(`,"fieldprof":`).Text(`{"version":1,"meta":`).JSON(o.Meta).Text("}").Text(`,"children":[`)
	w.children(t)
	w.Text("]}\n")
	return w.Flush()
}

// meta is the value of the key "fieldprof".
type meta struct {
	Version int          `json:"version"`
	Meta    profile.Meta `json:"meta"`
}

// tree is the trie of stacks with its ticks, the way down.
type tree struct {
	p           *profile.Profile
	self, total []int64
	roots       []profile.StackID
	children    [][]profile.StackID
	without     map[profile.Kind]int64 // ticks of samples that had no stack
}

func newTree(p *profile.Profile) *tree {
	n := len(p.Stacks.Parent)
	t := &tree{p: p, self: make([]int64, n), total: make([]int64, n), children: make([][]profile.StackID, n), without: make(map[profile.Kind]int64)}
	for i, s := range p.Samples.Stack {
		w := int64(p.Samples.Weight[i])
		switch k := p.Samples.Kind[i]; {
		case k == profile.GC || k == profile.Idle || k == profile.Program || k == profile.Lost:
			t.without[k] += w
		case s == profile.NoStack:
			t.without[profile.Program] += w
		default:
			t.self[s] += w
		}
	}
	for s := n - 1; s >= 0; s-- {
		t.total[s] += t.self[s]
		if up := p.Stacks.Parent[s]; up != profile.NoStack {
			t.total[up] += t.total[s]
		}
	}
	for s := range n {
		if t.total[s] == 0 {
			continue
		}
		if up := p.Stacks.Parent[s]; up != profile.NoStack {
			t.children[up] = append(t.children[up], profile.StackID(s))
		} else {
			t.roots = append(t.roots, profile.StackID(s))
		}
	}
	return t
}

// treeWriter writes JSON by hand: the tree may be millions deep. Errors surface
// in Flush.
type treeWriter struct{ *jsonstream.Writer }

// children writes the forest, depth first.
func (w *treeWriter) children(t *tree) {
	type level struct {
		left []profile.StackID
	}
	levels := []level{{t.roots}}
	first := true
	for len(levels) > 0 {
		l := &levels[len(levels)-1]
		if len(l.left) == 0 {
			if levels = levels[:len(levels)-1]; len(levels) > 0 {
				w.Text("]}")
			}
			first = false
			continue
		}
		s := l.left[0]
		l.left = l.left[1:]
		if !first {
			w.Text(",")
		}
		w.child(t, s)
		if first = len(t.children[s]) > 0; first {
			w.Text(`,"children":[`)
			levels = append(levels, level{t.children[s]})
		} else {
			w.Text("}")
		}
	}
}

func (w *treeWriter) child(t *tree, s profile.StackID) {
	f := t.p.Stacks.Frame[s]
	c := callOf(t.p.Function(t.p.Frames.Function[f]), t.p.Frames.Line[f], t.p.Frames.Column[f])
	function, _ := json.Marshal(c.Function) // structs of strings and numbers: it cannot fail
	site, _ := json.Marshal(c.Site)
	w.Text(`{"function":`).JSON(function).Text(`,"site":`).JSON(site)
	w.Text(`,"samples":`).Int(t.total[s])
	if t.self[s] > 0 {
		w.Text(`,"selfCount":`).Int(t.self[s])
	}
}
