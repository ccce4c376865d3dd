package gojahost

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/gojahost/internal/crossing"
	"github.com/fieldprof/fieldprof/profile"
)

// goSamples are what Go's profiler found in calls of native functions.
type goSamples struct {
	each  time.Duration // that a sample stands for
	calls []goCall
}

// goCall is a call with Go's samples in it, and the stretch that has its stack.
type goCall struct {
	call
	stretch stretch
	samples []crossing.Sample
}

// spread is how the ticks of a place are spread over the Go stacks above it.
type spread struct {
	ticks  int64 // of the place
	stacks []profile.StackID
	counts []int64   // Go's samples, by stack
	share  []float64 // of the ticks that the first stacks have together
}

// spread prepares what deal does. It counts the ticks of each place first, because they
// are the time by the clock, of which Go's samples are a part.
func (w *part) spread(above *goSamples) {
	w.above = map[place]*spread{}
	for i := range above.calls {
		c := &above.calls[i]
		w.enter(c.stretch)
		at := w.place(c.stack, c.native, c.tags)
		if w.above[at] == nil {
			w.above[at] = &spread{}
		}
		w.above[at].collect(w.b, at.stack, c.samples)
	}
	for _, v := range w.s.stretches {
		w.enter(v)
		for _, chunk := range v.chunks {
			for i := range chunk {
				if s := &chunk[i]; s.kind == profile.Native && w.q.wants(s) {
					if found := w.above[w.place(s.stack, s.native, s.tags)]; found != nil {
						found.ticks += int64(s.weight)
					}
				}
			}
		}
	}
	met, unmet := int64(0), int64(0)
	for _, s := range w.above {
		s.settle(above.each, w.recording.coordinator.Interval())
		if s.ticks > 0 {
			met += s.all()
		} else {
			unmet += s.all()
		}
	}
	w.notes = append(w.notes, fmt.Sprintf("Go functions are in the proportion of %d samples of Go's, of %v each", met, above.each))
	if unmet > 0 {
		w.notes = append(w.notes, fmt.Sprintf("%d more of Go's samples fell in calls that had no tick", unmet))
	}
}

// collect adds Go's samples above a stack.
func (s *spread) collect(b *profile.Builder, stack profile.StackID, samples []crossing.Sample) {
	for _, one := range samples {
		top := stack
		for _, f := range one.Frames {
			function := b.Function(profile.Function{Name: f.Function, File: f.File, Line: f.Start, Flags: profile.NativeCode})
			top = b.Stack(top, b.Frame(function, f.Line, 0))
		}
		i := slices.Index(s.stacks, top)
		if i < 0 {
			i = len(s.stacks)
			s.stacks, s.counts = append(s.stacks, top), append(s.counts, 0)
		}
		s.counts[i] += one.Count
	}
}

func (s *spread) all() (count int64) {
	for _, n := range s.counts {
		count += n
	}
	return count
}

// settle decides the shares. Go's samples are time of a processor: if they are less than
// the ticks, the rest stays on the function itself.
func (s *spread) settle(each, interval time.Duration) {
	whole := max(float64(s.ticks)*float64(interval)/float64(each), float64(s.all()))
	sum := int64(0)
	for _, n := range s.counts {
		sum += n
		s.share = append(s.share, float64(sum)/whole)
	}
}

// golden is a step that visits all of an interval evenly, also if only every other visit
// counts, or every third.
var golden = (math.Sqrt(5) - 1) / 2

// deal writes a sample as samples of the stacks above its place, tick by tick.
func (w *part) deal(above *spread, one profile.Sample) {
	weights := make([]int32, len(above.stacks)+1) // the last is the weight of the place itself
	for range one.Weight {
		w.dealt++
		_, at := math.Modf(float64(w.dealt) * golden)
		i, _ := slices.BinarySearchFunc(above.share, at, func(share, at float64) int {
			if share <= at {
				return -1
			}
			return 1
		})
		weights[i]++
	}
	for i, stack := range append(slices.Clone(above.stacks), one.Stack) {
		if one.Stack, one.Weight = stack, weights[i]; one.Weight > 0 {
			w.b.Sample(one)
		}
	}
}
