package speedscope

import (
	"io"
	"slices"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/jsonstream"
)

// Schema is what every file names.
const Schema = "https://www.speedscope.app/file-format-schema.json"

const exporter = "fieldprof"

// Write writes an attributed profile.
func Write(w io.Writer, p *profile.Profile) error {
	unit := "nanoseconds"
	if p.Meta.Interval == 0 {
		unit = "none"
	}
	o, err := codec.Prepare("speedscope", p, 1, codec.EachSample)
	if err != nil {
		return err
	}
	scale := int64(o.Interval)
	out := &writer{Writer: jsonstream.NewWriter(w), p: p, frames: make([]int, len(p.Functions.Name)), lone: make(map[string]int)}
	out.Text(`{"$schema":`).Quoted(Schema).Text(`,"exporter":`).Quoted(exporter).Text(`,"name":`).Quoted(p.Meta.Program)
	out.Text(`,"activeProfileIndex":0,"fieldprof":`).JSON(o.Extension(p))
	out.shared()
	out.Text(",\n" + `"profiles":[{"type":"sampled","name":`).Quoted(p.Meta.Program).Text(`,"unit":`).Quoted(unit)
	out.Text(`,"startValue":0,"endValue":`).Int(o.Ticks * scale)
	out.samples()
	out.Text(`,"weights":`).Ints(p.Len(), func(i int) int64 { return int64(p.Samples.Weight[i]) * scale })
	out.Text("}]}\n")
	return out.Flush()
}

// writer writes one profile. Errors surface in Flush.
type writer struct {
	*jsonstream.Writer
	p      *profile.Profile
	frames []int          // of functions
	lone   map[string]int // of pseudo-functions of samples without a stack
}

// shared writes the frames, in the order of functions.
func (w *writer) shared() {
	w.Text(",\n" + `"shared":{"frames":[`)
	n := 0
	add := func(f profile.Function) int {
		if n > 0 {
			w.Text(",\n")
		}
		w.Text(`{"name":`).Quoted(f.Label())
		if f.File != "" {
			w.Text(`,"file":`).Quoted(f.File)
		}
		if f.Line > 0 {
			w.Text(`,"line":`).Int(int64(f.Line))
		}
		if f.Column > 0 {
			w.Text(`,"col":`).Int(int64(f.Column))
		}
		w.Text("}")
		n++
		return n - 1
	}
	for f := range w.p.Functions.Name {
		w.frames[f] = add(w.p.Function(profile.FunctionID(f)))
	}
	for i, s := range w.p.Samples.Stack {
		if s == profile.NoStack {
			name := codec.LoneName(w.p.Samples.Kind[i])
			if _, ok := w.lone[name]; !ok {
				w.lone[name] = add(profile.Function{Name: name})
			}
		}
	}
	w.Text("]}")
}

func (w *writer) samples() {
	w.Text(",\n" + `"samples":[`)
	p := w.p
	var stack []int
	for i, s := range p.Samples.Stack {
		stack = stack[:0]
		if s == profile.NoStack {
			stack = append(stack, w.lone[codec.LoneName(p.Samples.Kind[i])])
		}
		for ; s != profile.NoStack; s = p.Stacks.Parent[s] {
			stack = append(stack, w.frames[p.Frames.Function[p.Stacks.Frame[s]]])
		}
		slices.Reverse(stack) // the format has the outermost first
		if i > 0 {
			w.Text(",")
		}
		w.Ints(len(stack), func(j int) int64 { return int64(stack[j]) })
	}
	w.Text("]")
}
