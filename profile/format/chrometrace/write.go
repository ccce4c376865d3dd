package chrometrace

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/url"
	"strconv"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/calltree"
)

// Events of V8's sampler; the thread's own are those of a page.
const (
	sampler     = `"cat":"disabled-by-default-v8.cpu_profiler","id":"0x1","ph":"P","pid":1,"tid":1`
	mainThread  = "CrRendererMain"
	chunkLength = 5_000 // nodes or samples; DevTools passes them as arguments of a call

	// Up to so many ticks, each is a sample of its own; beyond, and where samples
	// have many ticks, a sample is a sample.
	maxSlots    = 1 << 20
	longSamples = 16 // ticks
)

// Write writes an attributed profile.
func Write(w io.Writer, p *profile.Profile) error {
	if err := p.CheckValid(); err != nil {
		return fmt.Errorf("chrometrace: %w", err)
	}
	tree := calltree.New(p)
	nodes := make([]int32, p.Len())
	ticks := int64(0)
	for i := range nodes {
		nodes[i] = tree.Take(i)
		ticks += int64(p.Samples.Weight[i])
	}
	out := &writer{Writer: bufio.NewWriterSize(w, 1<<16), p: p, interval: p.Meta.Interval, ticks: ticks, long: ticks > maxSlots && ticks > longSamples*int64(p.Len())}
	if out.interval == 0 {
		out.interval = time.Millisecond
	}
	if ticks > 0 && int64(out.interval) > math.MaxInt64/ticks {
		return fmt.Errorf("chrometrace: %d ticks of %v are more time than the format holds", ticks, out.interval)
	}
	if !p.Meta.Start.IsZero() {
		out.start = max(0, p.Meta.Start.UnixMicro())
	}
	meta, err := json.Marshal(p.Meta)
	if err != nil {
		return fmt.Errorf("chrometrace: %w", err)
	}
	out.text(`{"metadata":{"source":"DevTools","fieldprof":`).text(string(meta)).text("},\n" + `"traceEvents":[` + "\n")
	out.head()
	out.nodes(tree)
	out.samples(nodes)
	out.text("\n]}\n")
	return out.Flush()
}

// writer writes JSON by hand: the arrays are long. Errors surface in Flush.
type writer struct {
	*bufio.Writer
	p        *profile.Profile
	interval time.Duration
	start    int64 // microseconds
	long     bool
	ticks    int64 // of all samples
	slot     int64 // ticks so far
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

// micros is the time at which a tick begins, in whole microseconds.
func (w *writer) micros(tick int64) int64 { return tick * int64(w.interval) / 1000 }

// head writes the events that tell DevTools what it looks at.
func (w *writer) head() {
	w.text(`{"args":{"name":"Renderer"},"cat":"__metadata","name":"process_name","ph":"M","pid":1,"tid":1,"ts":0},` + "\n")
	w.text(`{"args":{"name":"` + mainThread + `"},"cat":"__metadata","name":"thread_name","ph":"M","pid":1,"tid":1,"ts":0},` + "\n")
	w.text(`{"args":{"data":{"frameTreeNodeId":1,"persistentIds":true,"frames":[{"frame":"1","name":"","processId":1,"isInPrimaryMainFrame":true,"isOutermostMainFrame":true,"url":`).quoted(pageURL(w.p.Meta.Program))
	w.text(`}]}},"cat":"disabled-by-default-devtools.timeline","name":"TracingStartedInBrowser","ph":"I","s":"t","pid":1,"tid":1,"ts":`).int(w.start).text("},\n")
	// DevTools shows calls only in what ran them: a task that evaluates a script.
	whole := `"ph":"X","pid":1,"tid":1,"ts":`
	w.text(`{"args":{},"cat":"disabled-by-default-devtools.timeline","name":"RunTask",` + whole).int(w.start).text(`,"dur":`).int(w.micros(w.ticks)).text("},\n")
	w.text(`{"args":{"data":{"frame":"1","url":`).quoted(pageURL(w.p.Meta.Program))
	w.text(`}},"cat":"devtools.timeline","name":"EvaluateScript",` + whole).int(w.start).text(`,"dur":`).int(w.micros(w.ticks)).text("},\n")
	w.text(`{"args":{"data":{"startTime":`).int(w.start).text(`}},` + sampler + `,"name":"Profile","ts":`).int(w.start).text("}")
}

// pageURL is the program as the URL of a page: DevTools passes over processes
// without a valid one.
func pageURL(program string) string {
	if u, err := url.Parse(program); err == nil && u.IsAbs() && u.Host != "" {
		return program
	}
	return (&url.URL{Scheme: "file", Path: "/" + program}).String()
}

// chunk writes a ProfileChunk around what data writes.
func (w *writer) chunk(at int64, data func()) {
	w.text(",\n" + `{"args":{"data":{`)
	data()
	w.text(`}},` + sampler + `,"name":"ProfileChunk","ts":`).int(w.start + w.micros(at)).text("}")
}

func (w *writer) nodes(t *calltree.Tree) {
	scripts := map[string]int64{"": 0}
	for first := 0; first < len(t.Nodes); first += chunkLength {
		w.chunk(0, func() {
			w.text(`"cpuProfile":{"nodes":[`)
			for i := first; i < min(first+chunkLength, len(t.Nodes)); i++ {
				if i > first {
					w.text(",\n")
				}
				f := t.Function(int32(i))
				if f.Flags&profile.TopLevel != 0 { // which is known by its place
					f.Line, f.Column = 1, 1
				}
				script, ok := scripts[f.File]
				if !ok {
					script = int64(len(scripts))
					scripts[f.File] = script
				}
				w.text(`{"callFrame":{"functionName":`).quoted(f.Name).text(`,"scriptId":`).int(script).text(`,"url":`).quoted(f.File)
				w.text(`,"lineNumber":`).int(int64(f.Line) - 1).text(`,"columnNumber":`).int(int64(f.Column) - 1)
				w.text(`},"id":`).int(int64(i) + 1).text(`,"hitCount":`).int(t.Nodes[i].Hits)
				if parent := t.Nodes[i].Parent; parent >= 0 {
					w.text(`,"parent":`).int(int64(parent) + 1)
				}
				w.text("}")
			}
			w.text(`],"samples":[]},"timeDeltas":[],"lines":[],"columns":[]`)
		})
	}
}

// entry is a sample of the trace.
type entry struct {
	node, line, column int64
	delta              int64 // to the one before
}

// samples writes the samples, and a closing one on (root) that ends the last.
func (w *writer) samples(nodes []int32) {
	p := w.p
	var chunk []entry
	gap := int64(0) // to the next entry
	add := func(e entry, ticks int64) {
		e.delta = gap
		gap = w.micros(w.slot+ticks) - w.micros(w.slot)
		w.slot += ticks
		if chunk = append(chunk, e); len(chunk) == chunkLength {
			w.entries(chunk)
			chunk = chunk[:0]
		}
	}
	for i, n := range nodes {
		e := entry{node: int64(n) + 1}
		if s := p.Samples.Stack[i]; s != profile.NoStack {
			e.line, e.column = int64(p.Frames.Line[p.Stacks.Frame[s]]), int64(p.Frames.Column[p.Stacks.Frame[s]])
		}
		if w.long {
			add(e, int64(p.Samples.Weight[i]))
			continue
		}
		for range p.Samples.Weight[i] {
			add(e, 1)
		}
	}
	if len(nodes) > 0 {
		add(entry{node: 1}, 0)
	}
	if len(chunk) > 0 {
		w.entries(chunk)
	}
	w.chunk(w.slot, func() { w.text(`"endTime":`).int(w.start + w.micros(w.slot)) })
}

func (w *writer) entries(chunk []entry) {
	list := func(key string, of func(entry) int64) {
		w.text(key)
		for i, e := range chunk {
			if i > 0 {
				w.text(",")
			}
			w.int(of(e))
		}
		w.text("]")
	}
	w.chunk(w.slot, func() {
		list(`"cpuProfile":{"samples":[`, func(e entry) int64 { return e.node })
		list(`},"timeDeltas":[`, func(e entry) int64 { return e.delta })
		list(`,"lines":[`, func(e entry) int64 { return e.line })
		list(`,"columns":[`, func(e entry) int64 { return e.column })
	})
}
