package cpuprofile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/durations"
)

func (t *reader) samples(self SelfTime) error {
	f := t.f
	if f.own != nil {
		if err := f.own.check(f); err != nil {
			return err
		}
	}
	if err := t.resolve(); err != nil {
		return err
	}
	if f.own != nil {
		t.ownSamples()
		return codec.AddMarks(&t.b, f.own.marks)
	}
	t.b.Meta.Duration = time.Duration((f.EndTime - f.StartTime) * 1e3)
	switch {
	case f.Samples() == 0:
		return t.hits()
	case f.Deltas() != 0 && f.Deltas() != f.Samples():
		return fmt.Errorf("timeDeltas: %d for %d samples", f.Deltas(), f.Samples())
	case self == ToNext && f.Deltas() > 0:
		return t.lastingSamples()
	}
	return t.tickingSamples()
}

// ownSamples takes the samples as the extension has them.
func (t *reader) ownSamples() {
	e := t.f.own
	t.b.Meta = e.meta
	t.b.Grow(e.weight.n)
	at, now := 0, int64(0)
	for i := range e.weight.n {
		n := t.node(at)
		w := e.weight.at(i)
		at += e.entries(w)
		now += e.time.at(i)
		kind, _ := profile.ParseKind(e.kinds[e.kind.at(i)])
		t.b.Sample(profile.Sample{Time: now, Stack: t.position(n, e.line.at(i), e.column.at(i)), Weight: w, Kind: kind, Skid: e.skid.at(i), Marker: profile.Marker(e.marker.at(i))})
	}
}

// resolve replaces the ids of nodes in the list of samples by their indices.
func (t *reader) resolve() error {
	if wide := t.f.samples.wide; wide != nil {
		return resolveAll(wide, &t.index)
	}
	return resolveAll(&t.f.samples.short, &t.index)
}

func resolveAll[T int32 | int64](samples *column[T], nodes *index) error {
	for i, part := range samples.parts {
		for j, id := range part {
			n, ok := nodes.of(int64(id))
			if !ok {
				return fmt.Errorf("samples[%d]: %d is not a node", i*partLength+j, id)
			}
			part[j] = T(n)
		}
	}
	return nil
}

// node is the node of a sample.
func (t *reader) node(i int) int32 { return int32(t.f.samples.at(i)) }

// position is the stack of a node in which execution was there. A sample of nothing but (root) is (program), which is
// what views can name.
func (t *reader) position(n, line, column int32) profile.StackID {
	if t.stacks[n] == profile.NoStack {
		return t.b.Pseudo(profile.NoStack, profile.NameProgram)
	}
	if line <= 0 && column <= 0 {
		return t.stacks[n]
	}
	return t.b.Stack(t.callers[n], t.b.Frame(t.functions[n], max(0, line), max(0, column)))
}

// stack is the stack of foreign sample i.
func (t *reader) stack(i int, n int32) profile.StackID {
	switch {
	case t.kinds[n] != profile.Own:
		return t.position(n, 0, 0)
	case t.f.lines.n == t.f.Samples():
	case t.deals != nil && t.deals[n] != nil:
		return t.position(n, t.deals[n].line(), 0)
	default:
		return t.position(n, 0, 0)
	}
	column := int32(0)
	if t.f.cols.n == t.f.Samples() {
		column = t.f.cols.at(i)
	}
	return t.position(n, t.f.lines.at(i), column)
}

// tickingSamples takes each entry for one tick of the mean interval.
func (t *reader) tickingSamples() error {
	f := t.f
	ticks, left := t.ticks()
	if left != nil {
		t.dealLines(left)
	}
	interval := (f.EndTime - f.StartTime) * 1e3 / float64(max(1, ticks))
	t.b.Meta.Interval = time.Duration(math.Round(interval))
	t.b.Grow(int(ticks))
	var room [batch]int64
	var deltas [batch]float64
	now := 0.0
	for first := 0; first < f.Samples(); {
		indices := f.samples.from(first, room[:])
		if f.Deltas() > 0 {
			f.deltas.from(first, deltas[:len(indices)])
		}
		for j, n := range indices {
			i := first + j
			if f.Deltas() > 0 {
				now += deltas[j] * 1e3
			} else {
				now = float64(i+1) * interval // the end of its tick
			}
			if !(math.Abs(now) < durations.Limit) {
				return fmt.Errorf("timeDeltas[%d]: the sum of deltas, %v, is out of range", i, now/1e3)
			}
			if left != nil {
				if left[n]--; left[n] < 0 {
					continue
				}
			}
			t.b.Sample(profile.Sample{Time: max(0, int64(now)), Stack: t.stack(i, int32(n)), Weight: 1, Kind: t.kinds[n]})
		}
		first += len(indices)
	}
	return nil
}

// batch is how many samples are looked at together: few enough to stay near.
const batch = 1 << 10

// ticks is the number of samples that are ticks, and how many of them each node
// has; nil when all samples are.
func (t *reader) ticks() (ticks int64, left []int64) {
	all := int64(t.f.Samples())
	left = t.count()
	for i := range left {
		hits := t.f.Nodes[i].Hits
		if hits < 0 || hits > left[i] {
			return all, nil // the counts are of something else
		}
		left[i] = hits
		ticks += hits
	}
	if ticks == 0 { // the file has no counts
		return all, nil
	}
	return ticks, left
}

// count is the number of samples of each node.
func (t *reader) count() []int64 {
	counts := make([]int64, len(t.f.Nodes))
	var room [batch]int64
	for first := 0; first < t.f.Samples(); {
		indices := t.f.samples.from(first, room[:])
		for _, n := range indices {
			counts[n]++
		}
		first += len(indices)
	}
	return counts
}

// lastingSamples gives each sample the time to the next one, and the last one
// that to the end of the file.
func (t *reader) lastingSamples() error {
	type lasting struct {
		at     int64 // nanoseconds from the start
		sample int
	}
	f := t.f
	order := make([]lasting, f.Samples())
	sum, sorted := 0.0, true
	for i := range order {
		sum += f.deltas.at(i) * 1e3
		if !(math.Abs(sum) < durations.Limit) {
			return fmt.Errorf("timeDeltas[%d]: the sum of deltas, %v, is out of range", i, sum/1e3)
		}
		order[i] = lasting{int64(math.Round(sum)), i}
		sorted = sorted && (i == 0 || order[i-1].at <= order[i].at)
	}
	if !sorted {
		slices.SortStableFunc(order, func(a, b lasting) int { return cmp.Compare(a.at, b.at) })
	}
	end := int64(math.Round((f.EndTime - f.StartTime) * 1e3))
	duration := func(i int) int64 {
		if i+1 < len(order) {
			return order[i+1].at - order[i].at
		}
		return end - order[i].at
	}
	count := durations.Counter{Tick: f.Tick}
	if count.Tick == 0 {
		count.Tick = durations.Tick(len(order), duration)
	}
	// The first sample may be long before the start, and the last one after the end.
	span := max(end, order[len(order)-1].at) - order[0].at
	if count.Tick > 0 && span/count.Tick > codec.MaxTicks {
		return fmt.Errorf("%d ticks are more than a profile holds", span/count.Tick)
	}
	t.b.Meta.Interval, t.b.Meta.Exact = time.Duration(count.Tick), true
	t.b.Grow(len(order))
	t.dealLines(t.count())
	for i, s := range order {
		n, lasts := t.node(s.sample), max(0, duration(i))
		if ticks := count.Count(lasts); ticks > 0 {
			t.b.Add(profile.Sample{Time: max(0, s.at+lasts), Stack: t.stack(s.sample, n), Kind: t.kinds[n]}, ticks)
		}
	}
	return nil
}

// hits takes the hit counts of a file without samples, in order of nodes.
func (t *reader) hits() error {
	var all int64
	for i := range t.f.Nodes {
		h := t.f.Nodes[i].Hits
		if h < 0 || h > math.MaxInt64-all {
			return fmt.Errorf("nodes[%d]: hitCount %d", i, h)
		}
		all += h
	}
	if all > codec.MaxTicks {
		return fmt.Errorf("%d hits are more than a profile holds", all)
	}
	t.b.Meta.Interval = time.Duration(math.Round((t.f.EndTime - t.f.StartTime) * 1e3 / float64(max(1, all))))
	for i := range t.f.Nodes {
		left := t.f.Nodes[i].Hits
		add := func(line int32, hits int64) {
			if hits > 0 {
				t.b.Add(profile.Sample{Stack: t.position(int32(i), line, 0), Kind: t.kinds[i]}, hits)
				left -= hits
			}
		}
		before := int64(0)
		for _, l := range t.f.Nodes[i].linesWithin(left) {
			add(l.line, l.until-before)
			before = l.until
		}
		add(0, left)
	}
	return nil
}
