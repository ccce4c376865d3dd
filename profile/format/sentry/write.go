package sentry

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/fieldprof/fieldprof/internal/release"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/jsonstream"
)

const (
	version  = "2"
	threadID = "0"
	platform = "javascript"
)

// Write writes an attributed profile.
func Write(w io.Writer, p *profile.Profile) error {
	o, err := codec.Prepare("sentry", p, time.Millisecond, codec.Once)
	switch {
	case err != nil:
		return err
	case p.Len() == 0:
		return errors.New("sentry: a chunk needs samples, and there are none")
	case o.Ticks > math.MaxInt64/4/int64(o.Interval): // with the start, which counts from 1970
		return fmt.Errorf("sentry: %d ticks of %v are more time than the format holds", o.Ticks, o.Interval)
	}
	sum := sha256.New()
	out := &writer{Writer: jsonstream.NewWriter(io.MultiWriter(w, sum)), Outgoing: o, p: p, start: max(0, o.Start)}
	out.Text(`{"version":`).Quoted(version).Text(`,"platform":`).Quoted(platform).Text(`,"release":"","environment":"production"`)
	out.Text(`,"client_sdk":{"name":"fieldprof","version":`).Quoted(release.Version).Text(`},"debug_meta":{"images":`).JSON(images(p)).Text("}")
	out.Text(`,"fieldprof":`).JSON(o.Extension(p)).Text(`,` + "\n" + `"profile":{`)
	out.frames()
	out.stacks()
	out.samples()
	out.Text("\n" + `"thread_metadata":{"` + threadID + `":{"name":"main"}}}`)
	if err := out.Flush(); err != nil {
		return err
	}
	id := fmt.Sprintf("%x", sum.Sum(nil))
	out.Text(`,"profiler_id":`).Quoted(id[:32]).Text(`,"chunk_id":`).Quoted(id[32:]).Text("}\n")
	return out.Flush()
}

// writer writes one profile. Errors surface in Flush.
type writer struct {
	*jsonstream.Writer
	codec.Outgoing
	p     *profile.Profile
	start int64                  // microseconds
	lone  map[profile.Kind]int64 // stacks of samples without one
	ids   []int64                // of stacks, from 1; 0: not written
	empty int64                  // the empty stack, the last one
}

// lonely are the kinds of samples that may have no stack, and still have a name.
var lonely = []profile.Kind{profile.Program, profile.GC, profile.Lost, profile.Native}

// frames writes a frame for each function, and then those of lone kinds.
func (w *writer) frames() {
	w.Text(`"frames":[`)
	for f := range w.p.Functions.Name {
		fn := w.p.Function(profile.FunctionID(f))
		w.Text(`{"function":`).Quoted(fn.Label())
		if fn.File != "" {
			w.Text(`,"abs_path":`).Quoted(fn.File)
		}
		if fn.Line > 0 {
			w.Text(`,"lineno":`).Int(int64(fn.Line))
		}
		if fn.Column > 0 {
			w.Text(`,"colno":`).Int(int64(fn.Column))
		}
		w.Text("},\n")
	}
	for i, k := range lonely {
		if i > 0 {
			w.Text(",")
		}
		w.Text(`{"function":`).Quoted(k.PseudoName()).Text("}")
	}
	w.Text("],\n")
}

// stacks writes the stacks of samples, the top of each first; then those of
// lone kinds, and an empty one.
func (w *writer) stacks() {
	p := w.p
	w.ids = make([]int64, len(p.Stacks.Parent))
	w.lone = make(map[profile.Kind]int64)
	w.Text(`"stacks":[`)
	for _, s := range p.Samples.Stack {
		if s == profile.NoStack || w.ids[s] > 0 || w.isIdle(s) {
			continue
		}
		w.ids[s] = w.empty + 1
		w.empty++
		w.Text("[")
		for at := s; at != profile.NoStack; at = p.Stacks.Parent[at] {
			if at != s {
				w.Text(",")
			}
			w.Int(int64(p.Frames.Function[p.Stacks.Frame[at]]))
		}
		w.Text("],")
	}
	for i, k := range lonely {
		w.lone[k] = w.empty
		w.empty++
		w.Text("[").Int(int64(len(p.Functions.Name) + i)).Text("],")
	}
	w.Text("[]],\n")
}

// isIdle reports whether a stack is nothing but (idle).
func (w *writer) isIdle(s profile.StackID) bool {
	top := w.p.Function(w.p.Frames.Function[w.p.Stacks.Frame[s]])
	return w.p.Stacks.Parent[s] == profile.NoStack && top.Flags&profile.Pseudo != 0 && top.Name == profile.NameIdle
}

// stack is the index of a sample's stack.
func (w *writer) stack(i int) int64 {
	s, k := w.p.Samples.Stack[i], w.p.Samples.Kind[i]
	switch {
	case s == profile.NoStack && k == profile.Idle, s != profile.NoStack && w.isIdle(s):
		return w.empty
	case s != profile.NoStack:
		return w.ids[s] - 1
	}
	if lone, ok := w.lone[k]; ok {
		return lone
	}
	return w.lone[profile.Program]
}

func (w *writer) samples() {
	w.Text(`"samples":[`)
	slot := int64(0)
	for i, weight := range w.p.Samples.Weight {
		w.sample(w.stack(i), slot).Text(",\n")
		slot += int64(weight)
	}
	w.sample(w.empty, slot).Text("],")
}

func (w *writer) sample(stack, slot int64) *jsonstream.Writer {
	at := w.start + w.Micros(slot)
	w.Text(`{"stack_id":`).Int(stack).Text(`,"thread_id":"` + threadID + `","timestamp":`).Int(at / 1e6)
	return w.Text(fmt.Sprintf(".%06d}", at%1e6))
}
