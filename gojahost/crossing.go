package gojahost

import (
	"context"
	"fmt"
	"runtime/pprof"
	"sync"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/gojahost/internal/crossing"
	"github.com/fieldprof/fieldprof/profile"
)

// RecordGo records until stop is called, with Go's own CPU profiler, and keeps the clock
// running. In the profile that stop returns, ticks in Go functions that scripts called
// show what these did: Go functions are on top of them, in the proportion in which Go's
// profiler met them under the same script stack. Ticks that remain on a function itself are
// time in which it had no processor, or that no sample of Go's profiler shows.
//
// A process has one CPU profiler: RecordGo fails while it runs. Each call of a Go function
// takes some tenths of a microsecond longer meanwhile, and a goroutine in one has our
// label, then the labels of AsIn's context: other labels that it had are gone.
func (p *Pool) RecordGo() (stop func() (*profile.Profile, error), err error) {
	return p.recording.recordGo(0)
}

// RecordGo is Pool.RecordGo for one host.
func (h *Host) RecordGo() (stop func() (*profile.Profile, error), err error) {
	return h.recording.recordGo(h.id)
}

// border is where scripts call Go.
var border = crossing.Border{File: nativeFile(), Engine: "github.com/dop251/goja"}

// maxCalls bounds the calls of a host that Go's samples are told apart by. The calls
// beyond them have no label.
const maxCalls = 1 << 14

// goRecording is a recording together with Go's.
type goRecording struct {
	*crossing.Recording
	host  int32 // that is recorded; 0: all
	mu    sync.Mutex
	sides []*side
}

// side is a host's side of it.
type side struct {
	of   *goRecording
	host int32

	mu     sync.Mutex // guards what follows, which the host adds to
	stacks *stacks
	calls  []call
	labels map[call]context.Context
}

// call is what Go's samples are told apart by: the native function, the stack under it,
// and the tags of the task.
type call struct {
	stack  stackID
	native int32
	tags   profile.TagsID
}

func (r *recording) recordGo(host int32) (stop func() (*profile.Profile, error), err error) {
	started, err := crossing.Start()
	if err != nil {
		return nil, fmt.Errorf("gojahost: %w", err)
	}
	g := &goRecording{Recording: started, host: host}
	leave := r.coordinator.Join(0)
	q := everything(host)
	q.all, q.from = false, r.coordinator.Now()
	r.goSide.Store(g)
	return sync.OnceValues(func() (*profile.Profile, error) {
		r.goSide.Store(nil)
		q.to = r.coordinator.Now() + 1
		leave()
		samples, each, err := g.Stop(border)
		if err != nil {
			return nil, fmt.Errorf("gojahost: %w", err)
		}
		return r.profileAbove(q, g.above(samples, each)), nil
	}), nil
}

// above arranges Go's samples by the calls that they are in.
func (g *goRecording) above(samples []crossing.Sample, each time.Duration) *goSamples {
	all := &goSamples{each: each}
	byCall := map[string][]crossing.Sample{}
	for _, s := range samples {
		byCall[s.Call] = append(byCall[s.Call], s)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, s := range g.sides {
		s.mu.Lock()
		calls, stretch := s.calls, stretch{frames: s.stacks.frames, nodes: s.stacks.nodes}
		s.mu.Unlock()
		for i, c := range calls {
			if found := byCall[s.name(i)]; len(found) > 0 {
				all.calls = append(all.calls, goCall{call: c, stretch: stretch, samples: found})
			}
		}
	}
	return all
}

// name names the host's i-th call.
func (s *side) name(i int) string { return fmt.Sprint(s.host, ".", i) }

// cross begins a call of a native function: if Go is recorded for this host, the goroutine
// gets a label. It returns the labels that the end of the call brings back.
func (h *Host) cross(n *native) (outer context.Context, crossed bool) {
	g := h.recording.goSide.Load()
	if g == nil || g.host != 0 && g.host != h.id {
		h.goSide = nil // of the last one
		return nil, false
	}
	if !h.look() {
		return nil, false
	}
	labels := h.side(g).label(h.frames[n.own(1):], n.id, &h.meter)
	if labels == nil {
		return nil, false
	}
	outer, h.inside = h.inside, labels
	pprof.SetGoroutineLabels(labels)
	return outer, true
}

// back ends a call that cross began.
func (h *Host) back(outer context.Context) {
	h.inside = outer
	h.relabel(outer)
}

// relabel gives the goroutine labels, or those of the task if there are none.
func (h *Host) relabel(labels context.Context) {
	if labels == nil {
		labels = h.meter.context()
	}
	pprof.SetGoroutineLabels(labels)
}

// side returns the host's side of a recording.
func (h *Host) side(g *goRecording) *side {
	if h.goSide == nil || h.goSide.of != g {
		h.goSide = &side{of: g, host: h.id, stacks: newStacks(MaxStacks / parts), labels: map[call]context.Context{}}
		g.mu.Lock()
		g.sides = append(g.sides, h.goSide)
		g.mu.Unlock()
	}
	return h.goSide
}

// label returns the labels of a call, or nil if there are too many.
func (s *side) label(frames []goja.StackFrame, native int32, m *meter) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	stack, ok := s.stacks.intern(frames[:min(len(frames), MaxDepth)])
	if !ok {
		return nil
	}
	c := call{stack, native, m.tags}
	labels := s.labels[c]
	if labels == nil && len(s.calls) < maxCalls {
		labels = s.of.Label(m.context(), s.name(len(s.calls)))
		s.calls = append(s.calls, c)
		s.labels[c] = labels
	}
	return labels
}
