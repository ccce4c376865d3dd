package xs

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/fieldprof/fieldprof/profile"
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
	if err := p.CheckValid(); err != nil {
		return fmt.Errorf("xs: %w", err)
	}
	var ticks int64
	for _, w := range p.Samples.Weight {
		ticks += int64(w)
	}
	interval := p.Meta.Interval
	if interval == 0 {
		interval = usual
	}
	if ticks > MaxTicks {
		return fmt.Errorf("xs: %d ticks: the format holds each as an entry, and %d are the limit", ticks, MaxTicks)
	}
	if ticks > 0 && int64(interval) > math.MaxInt64/ticks {
		return fmt.Errorf("xs: %d ticks of %v are more time than the format holds", ticks, interval)
	}
	g := newGraph(p)
	f := file{Samples: make([]int64, 0, ticks), TimeDeltas: make([]float64, 0, ticks), Fieldprof: newExtension(p)}
	for i := range p.Len() {
		id := g.of(i)
		g.nodes[id].hits += int64(p.Samples.Weight[i])
		for range p.Samples.Weight[i] {
			f.TimeDeltas = append(f.TimeDeltas, float64(delta(int64(len(f.Samples)), interval)))
			f.Samples = append(f.Samples, int64(id))
		}
	}
	f.Nodes = g.file()
	f.StartTime = start(p, interval)
	f.EndTime = f.StartTime + float64(ticks*int64(interval)/1000)
	buffered := bufio.NewWriterSize(out, 1<<16)
	enc := json.NewEncoder(buffered)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(f); err != nil {
		return fmt.Errorf("xs: %w", err)
	}
	return buffered.Flush()
}

// delta is how many microseconds the sample of a tick comes behind the one before.
func delta(tick int64, interval time.Duration) int64 {
	if tick == 0 {
		return 0
	}
	return tick*int64(interval)/1000 - (tick-1)*int64(interval)/1000
}

// start is the last point of the grid before the profile's own, in microseconds.
func start(p *profile.Profile, interval time.Duration) float64 {
	if p.Meta.Start.IsZero() {
		return 0
	}
	at := p.Meta.Start.UnixMicro()
	if grid := interval.Microseconds(); grid > 0 {
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
