package cpuprofile

import (
	"io"
	"maps"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/calltree"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/jsonstream"
)

// rootID is the id of the (root) node, the first.
const rootID = 1

// Write writes an attributed profile.
func Write(w io.Writer, p *profile.Profile) error {
	o, err := codec.Prepare("cpuprofile", p, time.Millisecond, codec.Never)
	if err != nil {
		return err
	}
	t := calltree.New(p)
	nodes := t.Take()
	out := &writer{jsonstream.NewWriter(w), o}
	out.tree(t)
	out.Text(`,"startTime":`).Int(o.Start)
	out.Text(`,"endTime":`).Int(o.Start + o.Micros(o.Ticks))
	out.samples(p, nodes)
	out.deltas(p)
	out.extension(p, t)
	out.Text("}\n")
	return out.Flush()
}

// writer writes one profile. Errors surface in Flush.
type writer struct {
	*jsonstream.Writer
	codec.Outgoing
}

func (w *writer) tree(t *calltree.Tree) {
	scripts := codec.NewNumbering("")
	w.Text(`{"nodes":[`)
	for i := range t.Nodes {
		n, f := &t.Nodes[i], t.Function(int32(i))
		if i > 0 {
			w.Text(",\n")
		}
		w.Text(`{"id":`).Int(int64(i) + rootID)
		w.Text(`,"callFrame":{"functionName":`).Quoted(f.Name).Text(`,"scriptId":"`).Int(int64(scripts.Of(f.File)))
		w.Text(`","url":`).Quoted(f.File).Text(`,"lineNumber":`).Int(int64(f.Line) - 1)
		w.Text(`,"columnNumber":`).Int(int64(f.Column) - 1).Text(`},"hitCount":`).Int(n.Hits)
		w.Text(`,"children":`).Ints(len(n.Children), func(j int) int64 { return int64(n.Children[j]) + rootID })
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
func (w *writer) entries(n int32) (entries int32, ticks int64) {
	if w.Long {
		return 1, int64(n)
	}
	return n, 1
}

func (w *writer) samples(p *profile.Profile, nodes []int32) {
	w.Text(`,"samples":[`)
	for i, n := range nodes {
		count, _ := w.entries(p.Samples.Weight[i])
		for range count {
			w.Int(int64(n) + rootID).Text(",")
		}
	}
	if p.Len() > 0 {
		w.Int(rootID) // closes the last slot
	}
	w.Text("]")
}

func (w *writer) deltas(p *profile.Profile) {
	w.Text(`,"timeDeltas":[`)
	if p.Len() > 0 {
		w.Text("0")
	}
	slot, begins := int64(0), int64(0)
	for _, weight := range p.Samples.Weight {
		count, ticks := w.entries(weight)
		for range count {
			slot += ticks
			ends := w.Micros(slot)
			w.Text(",").Int(ends - begins)
			begins = ends
		}
	}
	w.Text("]")
}
