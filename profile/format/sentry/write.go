package sentry

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/calltree"
	"github.com/fieldprof/fieldprof/release"
)

const (
	version  = "2"
	threadID = "0"
	platform = "javascript"

	// MaxFrames bounds what Write writes: stacks are written out.
	MaxFrames = 1 << 30
)

// Write writes an attributed profile.
func Write(w io.Writer, p *profile.Profile) error {
	if err := p.CheckValid(); err != nil {
		return fmt.Errorf("sentry: %w", err)
	}
	if p.Len() == 0 {
		return errors.New("sentry: a chunk needs samples, and there are none")
	}
	interval := p.Meta.Interval
	if interval == 0 {
		interval = time.Millisecond
	}
	ticks := int64(0)
	for _, w := range p.Samples.Weight {
		ticks += int64(w)
	}
	if ticks > math.MaxInt64/4/int64(interval) {
		return fmt.Errorf("sentry: %d ticks of %v are more time than the format holds", ticks, interval)
	}
	meta, err := json.Marshal(p.Meta)
	if err != nil {
		return fmt.Errorf("sentry: %w", err)
	}
	sum := sha256.New()
	out := &writer{Writer: bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16), p: p, interval: interval}
	if !p.Meta.Start.IsZero() {
		out.start = max(0, p.Meta.Start.UnixMicro())
	}
	out.text(`{"version":`).quoted(version).text(`,"platform":`).quoted(platform).text(`,"release":"","environment":"production"`)
	out.text(`,"client_sdk":{"name":"fieldprof","version":`).quoted(release.Version).text(`},"debug_meta":{"images":[]}`)
	out.text(`,"fieldprof":{"meta":`).text(string(meta)).text(`},` + "\n" + `"profile":{`)
	out.frames()
	if err := out.stacks(); err != nil {
		return fmt.Errorf("sentry: %w", err)
	}
	out.samples()
	out.text("\n" + `"thread_metadata":{"` + threadID + `":{"name":"main"}}}`)
	if err := out.Flush(); err != nil {
		return err
	}
	id := fmt.Sprintf("%x", sum.Sum(nil))
	out.text(`,"profiler_id":`).quoted(id[:32]).text(`,"chunk_id":`).quoted(id[32:]).text("}\n")
	return out.Flush()
}

// writer writes JSON by hand: the arrays are long. Errors surface in Flush.
type writer struct {
	*bufio.Writer
	p        *profile.Profile
	interval time.Duration
	start    int64                  // microseconds
	lone     map[profile.Kind]int64 // stacks of samples without one
	idle     []bool                 // stacks that are nothing but (idle)
	number   []byte
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

// lonely are the kinds of samples that may have no stack, and still have a name.
var lonely = []profile.Kind{profile.Program, profile.GC, profile.Lost, profile.Native}

// frames writes a frame for each function, and behind them those of lone kinds.
func (w *writer) frames() {
	w.text(`"frames":[`)
	for f := range w.p.Functions.Name {
		fn := w.p.Function(profile.FunctionID(f))
		w.text(`{"function":`).quoted(fn.Label())
		if fn.File != "" {
			w.text(`,"abs_path":`).quoted(fn.File)
		}
		if fn.Line > 0 {
			w.text(`,"lineno":`).int(int64(fn.Line))
		}
		if fn.Column > 0 {
			w.text(`,"colno":`).int(int64(fn.Column))
		}
		w.text("},\n")
	}
	for i, k := range lonely {
		if i > 0 {
			w.text(",")
		}
		w.text(`{"function":`).quoted(k.PseudoName()).text("}")
	}
	w.text("],\n")
}

// stacks writes the stacks of the profile, the top of each first; behind them
// those of lone kinds, and an empty one.
func (w *writer) stacks() error {
	p := w.p
	frames := int64(0)
	for _, d := range calltree.Depths(p) {
		if frames += d; frames > MaxFrames {
			return fmt.Errorf("the stacks have more than %d frames in all, and the format writes them out", MaxFrames)
		}
	}
	w.idle = make([]bool, len(p.Stacks.Parent))
	w.text(`"stacks":[`)
	for s := range p.Stacks.Parent {
		top := p.Function(p.Frames.Function[p.Stacks.Frame[s]])
		w.idle[s] = p.Stacks.Parent[s] == profile.NoStack && top.Flags&profile.Pseudo != 0 && top.Name == profile.NameIdle
		w.text("[")
		for at := profile.StackID(s); at != profile.NoStack; at = p.Stacks.Parent[at] {
			if at != profile.StackID(s) {
				w.text(",")
			}
			w.int(int64(p.Frames.Function[p.Stacks.Frame[at]]))
		}
		w.text("],")
	}
	w.lone = make(map[profile.Kind]int64)
	for i, k := range lonely {
		w.lone[k] = int64(len(p.Stacks.Parent) + i)
		w.text("[").int(int64(len(p.Functions.Name) + i)).text("],")
	}
	w.text("[]],\n")
	return nil
}

func (w *writer) samples() {
	p := w.p
	empty := int64(len(p.Stacks.Parent) + len(lonely))
	w.text(`"samples":[`)
	slot := int64(0)
	for i, s := range p.Samples.Stack {
		stack := int64(s)
		switch k := p.Samples.Kind[i]; {
		case s == profile.NoStack && k == profile.Idle, s != profile.NoStack && w.idle[s]:
			stack = empty
		case s == profile.NoStack:
			var ok bool
			if stack, ok = w.lone[k]; !ok {
				stack = w.lone[profile.Program]
			}
		}
		w.sample(stack, slot).text(",\n")
		slot += int64(p.Samples.Weight[i])
	}
	w.sample(empty, slot).text("],")
}

func (w *writer) sample(stack, slot int64) *writer {
	at := w.start + slot*int64(w.interval)/1000
	w.text(`{"stack_id":`).int(stack).text(`,"thread_id":"` + threadID + `","timestamp":`).int(at / 1e6)
	return w.text(fmt.Sprintf(".%06d}", at%1e6))
}
