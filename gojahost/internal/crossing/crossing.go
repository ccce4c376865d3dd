// Package crossing finds out what Go functions do that scripts call. Go's own CPU profiler
// samples the process, and a label on the goroutine says during which call it did.
package crossing

import (
	"bytes"
	"context"
	"fmt"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	pb "github.com/google/pprof/profile"
)

// label is the key of the label. Its values begin with the recording's number, because a
// goroutine that was started during a call keeps the label.
const label = "jsprofile.call"

// numbers counts recordings.
var numbers atomic.Uint64

// Recording is one run of Go's profiler, of which a process has one at a time.
type Recording struct {
	prefix string
	body   bytes.Buffer
}

// Start starts Go's profiler. It fails if that runs already.
func Start() (*Recording, error) {
	r := New()
	if err := pprof.StartCPUProfile(&r.body); err != nil {
		return nil, fmt.Errorf("recording Go: %w", err)
	}
	return r, nil
}

// New is a recording without Go's profiler, for tests.
func New() *Recording {
	return &Recording{prefix: strconv.FormatUint(numbers.Add(1), 10) + "."}
}

// Label returns the labels of a goroutine during a call that has its own name: the labels
// of a context, of which nothing else is kept, and our label.
func (r *Recording) Label(of context.Context, call string) context.Context {
	labels := []string{label, r.prefix + call}
	pprof.ForLabels(of, func(key, value string) bool {
		labels = append(labels, key, value)
		return true
	})
	return pprof.WithLabels(context.Background(), pprof.Labels(labels...))
}

// Frame is a Go function, and the line in it.
type Frame struct {
	Function, File string
	Start, Line    int32 // Start is the function's
}

// Sample is a stack of Go's below a call, outermost first, without the functions that make
// the call. It may be empty: the time belongs to the call itself.
type Sample struct {
	Call   string
	Frames []Frame
	Count  int64
}

// Border is where scripts call Go, as Go's stacks show it.
type Border struct {
	File   string // of the function that calls Go functions for scripts
	Engine string // the package of the engine, which runs scripts
}

// Stop ends the recording. It returns the samples, and what time each stands for.
func (r *Recording) Stop(b Border) (samples []Sample, each time.Duration, err error) {
	pprof.StopCPUProfile()
	p, err := pb.ParseData(r.body.Bytes())
	if err != nil {
		return nil, 0, fmt.Errorf("recording Go: %w", err)
	}
	return r.read(p, b), time.Duration(p.Period), nil
}

// read finds the samples of calls.
func (r *Recording) read(p *pb.Profile, b Border) (samples []Sample) {
	for _, s := range p.Sample {
		values := s.Label[label]
		if len(values) != 1 || len(s.Value) == 0 {
			continue
		}
		call, ours := strings.CutPrefix(values[0], r.prefix)
		if frames, ok := b.below(s); ours && ok {
			samples = append(samples, Sample{call, frames, s.Value[0]})
		}
	}
	return samples
}

// below returns the part of a stack that a script called. There is none where a script
// runs again, or in a goroutine that the call has started: its work is not where the call
// is.
func (b *Border) below(s *pb.Sample) (frames []Frame, ok bool) {
	for _, l := range s.Location {
		for _, line := range l.Line { // innermost first
			f := line.Function
			switch {
			case f == nil:
				continue
			case f.Filename == b.File:
				return b.outermostFirst(frames), true
			case f.Name == b.Engine+".(*vm).run":
				return nil, false
			}
			frames = append(frames, Frame{f.Name, f.Filename, int32(f.StartLine), int32(line.Line)})
		}
	}
	return nil, false
}

// outermostFirst turns a stack round, and drops what the engine does to call the function.
func (b *Border) outermostFirst(frames []Frame) []Frame {
	calls := func(f *Frame) bool {
		return strings.HasPrefix(f.Function, b.Engine+".") || strings.HasPrefix(f.Function, "reflect.")
	}
	for len(frames) > 0 && calls(&frames[len(frames)-1]) {
		frames = frames[:len(frames)-1]
	}
	turned := make([]Frame, 0, len(frames))
	for i := len(frames) - 1; i >= 0; i-- {
		turned = append(turned, frames[i])
	}
	return turned
}
