package xs

import (
	"io"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// MaxTicks bounds what Write writes: each tick is an entry of its own.
const MaxTicks = 1 << 26

// usual is the interval that XS has.
const usual = 1250 * time.Microsecond

// file is a .cpuprofile of XS in JSON.
type file struct {
	Nodes      []fileNode `json:"nodes"`
	StartTime  float64    `json:"startTime"` // microseconds
	EndTime    float64    `json:"endTime"`
	Samples    []int64    `json:"samples"`    // node ids
	TimeDeltas []float64  `json:"timeDeltas"` // from the sample before
	Fieldprof  *extension `json:"fieldprof,omitempty"`
}

type fileNode struct {
	ID        int64     `json:"id"`
	CallFrame callFrame `json:"callFrame"`
	HitCount  int64     `json:"hitCount"`
	Children  []int64   `json:"children"`
}

type callFrame struct {
	FunctionName string  `json:"functionName"`
	ScriptID     string  `json:"scriptId"`
	URL          string  `json:"url"`
	LineNumber   float64 `json:"lineNumber"` // from 0, −1: unknown
	ColumnNumber float64 `json:"columnNumber"`
}

// Write writes an attributed profile.
func Write(out io.Writer, p *profile.Profile) error {
	o, err := codec.Prepare("xs", p, usual, codec.Never)
	if err == nil {
		err = o.AtMost(MaxTicks)
	}
	if err != nil {
		return err
	}
	g := newGraph(p)
	f := file{Samples: make([]int64, 0, o.Ticks), TimeDeltas: make([]float64, 0, o.Ticks), Fieldprof: newExtension(p)}
	for i := range p.Len() {
		id := g.of(i)
		g.nodes[id].hits += int64(p.Samples.Weight[i])
		for range p.Samples.Weight[i] {
			tick := int64(len(f.Samples))
			f.TimeDeltas = append(f.TimeDeltas, float64(o.Micros(tick)-o.Micros(max(0, tick-1))))
			f.Samples = append(f.Samples, int64(id))
		}
	}
	f.Nodes = g.file()
	f.StartTime = start(&o)
	f.EndTime = f.StartTime + float64(o.Micros(o.Ticks))
	return codec.Encode("xs", out, f)
}

// start is the last point of the grid before the profile's own start, in microseconds.
func start(o *codec.Outgoing) float64 {
	at := o.Start
	if grid := o.Interval.Microseconds(); grid > 0 {
		at -= at % grid
	}
	return float64(at)
}

func (g *graph) file() []fileNode {
	nodes := make([]fileNode, len(g.nodes))
	for i := range g.nodes {
		n := &g.nodes[i]
		f := n.function
		if f.Flags&profile.NativeCode != 0 {
			f.File, f.Line = "", 0
		}
		nodes[i] = fileNode{ID: int64(i), HitCount: n.hits, Children: make([]int64, len(n.children)),
			CallFrame: callFrame{n.name(int32(i)), "0", f.File, float64(f.Line) - 1, -1}}
		for j, c := range n.children {
			nodes[i].Children[j] = int64(c)
		}
	}
	return nodes
}
