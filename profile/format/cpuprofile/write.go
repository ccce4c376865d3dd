package cpuprofile

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/calltree"
	"github.com/fieldprof/fieldprof/profile/format/internal/jsonstream"
)

// Up to so many ticks, each is an entry of its own; beyond, and where samples have
// many ticks, an entry is a sample.
const (
	maxSlots    = 1 << 20
	longSamples = 16 // ticks
)

// rootID is the id of the (root) node, the first.
const rootID = 1

// Write writes an attributed profile.
func Write(w io.Writer, p *profile.Profile) error {
	if err := p.CheckValid(); err != nil {
		return fmt.Errorf("cpuprofile: %w", err)
	}
	t := calltree.New(p)
	nodes, ticks := t.Take()
	interval := p.Meta.Interval
	if interval == 0 {
		interval = time.Millisecond
	}
	if ticks > 0 && int64(interval) > math.MaxInt64/ticks {
		return fmt.Errorf("cpuprofile: %d ticks of %v are more time than the format holds", ticks, interval)
	}
	out := &writer{Writer: jsonstream.NewWriter(w)}
	out.tree(t)
	start := int64(0)
	if !p.Meta.Start.IsZero() {
		start = p.Meta.Start.UnixMicro()
	}
	out.Text(`,"startTime":`).Int(start)
	out.Text(`,"endTime":`).Int(start + micros(ticks, interval))
	long := ticks > maxSlots && ticks > longSamples*int64(p.Len())
	out.samples(p, nodes, long)
	out.deltas(p, interval, long)
	if err := out.extension(p, t, long); err != nil {
		return fmt.Errorf("cpuprofile: %w", err)
	}
	out.Text("}\n")
	return out.Flush()
}

// micros is the time at which a slot begins, in whole microseconds from the
// start.
func micros(slot int64, interval time.Duration) int64 {
	return slot * int64(interval) / 1000
}

// writer writes one profile. Errors surface in Flush.
type writer struct {
	*jsonstream.Writer
}

func (w *writer) tree(t *calltree.Tree) {
	scripts := map[string]int64{"": 0}
	w.Text(`{"nodes":[`)
	for i := range t.Nodes {
		n, f := &t.Nodes[i], t.Function(int32(i))
		script, ok := scripts[f.File]
		if !ok {
			script = int64(len(scripts))
			scripts[f.File] = script
		}
		if i > 0 {
			w.Text(",\n")
		}
		w.Text(`{"id":`).Int(int64(i) + rootID)
		w.Text(`,"callFrame":{"functionName":`).Quoted(f.Name).Text(`,"scriptId":"`).Int(script)
		w.Text(`","url":`).Quoted(f.File).Text(`,"lineNumber":`).Int(int64(f.Line) - 1)
		w.Text(`,"columnNumber":`).Int(int64(f.Column) - 1).Text(`},"hitCount":`).Int(n.Hits)
		w.Text(`,"children":[`)
		for j, c := range n.Children {
			if j > 0 {
				w.Text(",")
			}
			w.Int(int64(c) + rootID)
		}
		w.Text("]")
		if len(n.Lines) > 0 {
			w.Text(`,"positionTicks":[`)
			for j, line := range slices.Sorted(maps.Keys(n.Lines)) {
				if j > 0 {
					w.Text(",")
				}
				w.Text(`{"line":`).Int(int64(line)).Text(`,"ticks":`).Int(n.Lines[line]).Text("}")
			}
			w.Text("]")
		}
		w.Text("}")
	}
	w.Text("]")
}

// entries is how many entries a sample of weight n is, and how many ticks each.
func entries(n int32, long bool) (entries int32, ticks int64) {
	if long {
		return 1, int64(n)
	}
	return n, 1
}

func (w *writer) samples(p *profile.Profile, nodes []int32, long bool) {
	w.Text(`,"samples":[`)
	for i, n := range nodes {
		count, _ := entries(p.Samples.Weight[i], long)
		for range count {
			w.Int(int64(n) + rootID).Text(",")
		}
	}
	if p.Len() > 0 {
		w.Int(rootID) // closes the last slot
	}
	w.Text("]")
}

func (w *writer) deltas(p *profile.Profile, interval time.Duration, long bool) {
	w.Text(`,"timeDeltas":[`)
	if p.Len() > 0 {
		w.Text("0")
	}
	slot, begins := int64(0), int64(0)
	for _, weight := range p.Samples.Weight {
		count, ticks := entries(weight, long)
		for range count {
			slot += ticks
			ends := micros(slot, interval)
			w.Text(",").Int(ends - begins)
			begins = ends
		}
	}
	w.Text("]")
}
