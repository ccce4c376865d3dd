package speedscope

import (
	"fmt"
	"math"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/durations"
)

// reader makes a profile of a timeline.
type reader struct {
	*file
	b     profile.Builder
	timed bool // values are times
	scale float64
	made  []made
}

// made is a sample whose ticks are not settled yet.
type made struct {
	stack    profile.StackID
	kind     profile.Kind
	duration int64 // nanoseconds, or ticks
}

func (r *reader) sampled(t *timeline) error {
	if len(t.weights) != len(t.ends) {
		return fmt.Errorf("weights: %d for %d samples", len(t.weights), len(t.ends))
	}
	var frames []int32
	var path []profile.StackID
	start := 0
	for i, end := range t.ends {
		stack := t.stacks[start:end]
		start = end
		same := 0
		for same < len(stack) && same < len(frames) && stack[same] == frames[same] {
			same++
		}
		path = path[:same]
		for j, f := range stack[same:] {
			if int(f) >= len(r.frames) {
				return fmt.Errorf("samples[%d][%d]: frame %d of %d", i, same+j, f, len(r.frames))
			}
			path = r.push(path, f)
		}
		frames = stack
		if err := r.add(path, stack, t.weights[i]); err != nil {
			return fmt.Errorf("weights[%d]: %w", i, err)
		}
	}
	return nil
}

// push calls a function from the top of a path.
func (r *reader) push(path []profile.StackID, frame int32) []profile.StackID {
	parent := profile.NoStack
	if len(path) > 0 {
		parent = path[len(path)-1]
	}
	return append(path, r.b.Stack(parent, r.b.Frame(r.b.Function(r.frames[frame]), 0, 0)))
}

// add adds a sample that lasts for some of the timeline's unit.
func (r *reader) add(path []profile.StackID, frames []int32, lasts float64) error {
	ns := math.Round(lasts * r.scale)
	if !(ns >= 0 && ns < durations.Limit) {
		return fmt.Errorf("%v is out of range", lasts)
	}
	if ns == 0 {
		return nil
	}
	s := made{stack: profile.NoStack, kind: profile.Program, duration: int64(ns)}
	if len(path) > 0 {
		s.stack, s.kind = path[len(path)-1], codec.Kind(r.frames[frames[len(frames)-1]])
	}
	r.made = append(r.made, s)
	return nil
}

// evented makes a sample of each stretch between two events.
func (r *reader) evented(t *timeline) error {
	var frames []int32
	var path []profile.StackID
	now := 0.0
	for i, e := range t.events {
		if i == 0 {
			now = e.at
		}
		if e.at < now {
			return fmt.Errorf("events[%d]: at %v, before the event before it, at %v", i, e.at, now)
		}
		if err := r.add(path, frames, e.at-now); err != nil {
			return fmt.Errorf("events[%d]: %w", i, err)
		}
		now = e.at
		switch {
		case int(e.frame) >= len(r.frames):
			return fmt.Errorf("events[%d]: frame %d of %d", i, e.frame, len(r.frames))
		case e.open:
			frames, path = append(frames, e.frame), r.push(path, e.frame)
		case len(frames) == 0 || frames[len(frames)-1] != e.frame:
			return fmt.Errorf("events[%d]: closes frame %d, which is not the one that was opened last", i, e.frame)
		default:
			frames, path = frames[:len(frames)-1], path[:len(path)-1]
		}
	}
	if len(frames) > 0 && t.end > now {
		return r.add(path, frames, t.end-now)
	}
	return nil
}

// settle gives the samples their ticks.
func (r *reader) settle() error {
	sum := int64(0)
	for _, s := range r.made {
		if sum += s.duration; sum > durations.Limit {
			return fmt.Errorf("the sum of weights is out of range")
		}
	}
	count := durations.Counter{Tick: 1}
	switch {
	case r.own != nil:
		r.b.Meta = r.own.Meta
		count.Tick = max(1, int64(r.own.Meta.Interval))
	case r.timed:
		count.Tick = durations.Tick(len(r.made), func(i int) int64 { return r.made[i].duration })
		r.b.Meta.Interval = time.Duration(count.Tick)
		r.b.Meta.Duration, r.b.Meta.Exact = time.Duration(sum), true
	}
	if count.Tick > 0 && sum/count.Tick > codec.MaxTicks {
		return fmt.Errorf("%d ticks are more than a profile holds", sum/count.Tick)
	}
	r.b.Grow(len(r.made))
	now := int64(0)
	for _, s := range r.made {
		stack := s.stack
		if stack == profile.NoStack {
			stack = r.b.Pseudo(profile.NoStack, profile.NameIdle)
			s.kind = profile.Idle
		}
		if r.timed || r.own != nil {
			now += s.duration
		} else {
			now++
		}
		r.b.Add(profile.Sample{Time: now, Stack: stack, Kind: s.kind}, count.Count(s.duration))
	}
	return nil
}
