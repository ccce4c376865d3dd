package speedscope

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/calltree"
	"github.com/fieldprof/fieldprof/profile/format/internal/foreign"
)

// Schema is what every file names.
const Schema = "https://www.speedscope.app/file-format-schema.json"

const exporter = "fieldprof"

// Write writes an attributed profile.
func Write(w io.Writer, p *profile.Profile) error {
	if err := p.CheckValid(); err != nil {
		return fmt.Errorf("speedscope: %w", err)
	}
	unit, scale, ticks := "nanoseconds", int64(p.Meta.Interval), int64(0)
	if scale == 0 {
		unit, scale = "none", 1
	}
	for _, w := range p.Samples.Weight {
		ticks += int64(w)
	}
	if ticks > math.MaxInt64/scale {
		return fmt.Errorf("speedscope: %d ticks of %v are more time than the format holds", ticks, p.Meta.Interval)
	}
	if err := calltree.CheckFrames(p, false); err != nil {
		return fmt.Errorf("speedscope: %w", err)
	}
	meta, err := json.Marshal(p.Meta)
	if err != nil {
		return fmt.Errorf("speedscope: %w", err)
	}
	out := &writer{Writer: bufio.NewWriterSize(w, 1<<16), p: p, frames: make([]int, len(p.Functions.Name)), lone: make(map[string]int)}
	out.text(`{"$schema":`).quoted(Schema).text(`,"exporter":`).quoted(exporter).text(`,"name":`).quoted(p.Meta.Program)
	out.text(`,"activeProfileIndex":0,"fieldprof":{"meta":`).text(string(meta)).text("}")
	out.shared()
	out.text(",\n" + `"profiles":[{"type":"sampled","name":`).quoted(p.Meta.Program).text(`,"unit":`).quoted(unit)
	out.text(`,"startValue":0,"endValue":`).int(ticks * scale)
	out.samples()
	out.weights(scale)
	out.text("}]}\n")
	return out.Flush()
}

// writer writes JSON by hand: the arrays are long. Errors surface in Flush.
type writer struct {
	*bufio.Writer
	p      *profile.Profile
	frames []int          // of functions
	lone   map[string]int // of pseudo-functions of samples without a stack
	number []byte
}

func (w *writer) text(s string) *writer {
	w.WriteString(s)
	return w
}

func (w *writer) int(v int64) *writer {
	w.number = strconv.AppendInt(w.number[:0], v, 10)
	w.Write(w.number)
	return w
}

func (w *writer) quoted(s string) *writer {
	data, _ := json.Marshal(s) // a string always has a JSON form
	w.Write(data)
	return w
}

// shared writes the frames, in the order of functions.
func (w *writer) shared() {
	w.text(",\n" + `"shared":{"frames":[`)
	n := 0
	add := func(f profile.Function) int {
		if n > 0 {
			w.text(",\n")
		}
		w.text(`{"name":`).quoted(f.Label())
		if f.File != "" {
			w.text(`,"file":`).quoted(f.File)
		}
		if f.Line > 0 {
			w.text(`,"line":`).int(int64(f.Line))
		}
		if f.Column > 0 {
			w.text(`,"col":`).int(int64(f.Column))
		}
		w.text("}")
		n++
		return n - 1
	}
	for f := range w.p.Functions.Name {
		w.frames[f] = add(w.p.Function(profile.FunctionID(f)))
	}
	for i, s := range w.p.Samples.Stack {
		if s == profile.NoStack {
			name := foreign.LoneName(w.p.Samples.Kind[i])
			if _, ok := w.lone[name]; !ok {
				w.lone[name] = add(profile.Function{Name: name})
			}
		}
	}
	w.text("]}")
}

func (w *writer) samples() {
	w.text(",\n" + `"samples":[`)
	p := w.p
	var stack []int
	for i, s := range p.Samples.Stack {
		stack = stack[:0]
		if s == profile.NoStack {
			stack = append(stack, w.lone[foreign.LoneName(p.Samples.Kind[i])])
		}
		for ; s != profile.NoStack; s = p.Stacks.Parent[s] {
			stack = append(stack, w.frames[p.Frames.Function[p.Stacks.Frame[s]]])
		}
		slices.Reverse(stack) // the format has the outermost first
		if i > 0 {
			w.text(",")
		}
		for j, f := range stack {
			w.text([]string{"[", ","}[min(j, 1)]).int(int64(f))
		}
		w.text("]")
	}
	w.text("]")
}

func (w *writer) weights(scale int64) {
	w.text(`,"weights":[`)
	for i, weight := range w.p.Samples.Weight {
		if i > 0 {
			w.text(",")
		}
		w.int(int64(weight) * scale)
	}
	w.text("]")
}
