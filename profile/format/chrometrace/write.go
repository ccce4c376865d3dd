package chrometrace

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/calltree"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/jsonstream"
)

// Events of V8's sampler; the thread's own are a page's.
const (
	sampler     = `"cat":"disabled-by-default-v8.cpu_profiler","id":"0x1","ph":"P","pid":1,"tid":1`
	mainThread  = "CrRendererMain"
	chunkLength = 5_000 // nodes or samples; DevTools passes them as arguments of a call
)

// Write writes an attributed profile.
func Write(w io.Writer, p *profile.Profile) error {
	o, err := codec.Prepare("chrometrace", p, time.Millisecond, codec.Never)
	if err != nil {
		return err
	}
	tree := calltree.New(p)
	nodes := tree.Take()
	out := &writer{Writer: jsonstream.NewWriter(w), Outgoing: o, p: p, start: max(0, o.Start)}
	marks := o.Placed(p)
	own, err := json.Marshal(extension{p.Meta, codec.NewMarks(marks)})
	if err != nil {
		return fmt.Errorf("chrometrace: %w", err)
	}
	out.Text(`{"metadata":{"source":"DevTools","fieldprof":`).JSON(own).Text("},\n" + `"traceEvents":[` + "\n")
	out.head()
	for i := range marks {
		out.mark(i, &marks[i])
	}
	out.nodes(tree)
	out.samples(nodes)
	out.Text("\n]}\n")
	return out.Flush()
}

// writer writes one profile. Errors surface in Flush.
type writer struct {
	*jsonstream.Writer
	codec.Outgoing
	p     *profile.Profile
	start int64 // microseconds
	slot  int64 // ticks so far
}

// head writes the events that tell DevTools what it looks at.
func (w *writer) head() {
	w.Text(`{"args":{"name":"Renderer"},"cat":"__metadata","name":"process_name","ph":"M","pid":1,"tid":1,"ts":0},` + "\n")
	w.Text(`{"args":{"name":"` + mainThread + `"},"cat":"__metadata","name":"thread_name","ph":"M","pid":1,"tid":1,"ts":0},` + "\n")
	w.Text(`{"args":{"data":{"frameTreeNodeId":1,"persistentIds":true,"frames":[{"frame":"1","name":"","processId":1,"isInPrimaryMainFrame":true,"isOutermostMainFrame":true,"url":`).Quoted(pageURL(w.p.Meta.Program))
	w.Text(`}]}},"cat":"disabled-by-default-devtools.timeline","name":"TracingStartedInBrowser","ph":"I","s":"t","pid":1,"tid":1,"ts":`).Int(w.start).Text("},\n")
	// DevTools shows calls only in what ran them: a task that evaluates a script.
	whole := `"ph":"X","pid":1,"tid":1,"ts":`
	w.Text(`{"args":{},"cat":"disabled-by-default-devtools.timeline","name":"RunTask",` + whole).Int(w.start).Text(`,"dur":`).Int(w.Micros(w.Ticks)).Text("},\n")
	w.Text(`{"args":{"data":{"frame":"1","url":`).Quoted(pageURL(w.p.Meta.Program))
	w.Text(`}},"cat":"devtools.timeline","name":"EvaluateScript",` + whole).Int(w.start).Text(`,"dur":`).Int(w.Micros(w.Ticks)).Text("},\n")
	w.Text(`{"args":{"data":{"startTime":`).Int(w.start).Text(`}},` + sampler + `,"name":"Profile","ts":`).Int(w.start).Text("}")
}

// mark writes a mark as the events that DevTools shows: an interaction as an event of
// Event Timing, anything else as a user timing. Its kind comes before its name, so
// that no name is taken for the name of another event.
func (w *writer) mark(i int, m *profile.Mark) {
	at := func(phase string, t time.Duration) {
		w.Text(`"ph":"` + phase + `","pid":1,"tid":1,"ts":`).Int(w.start + t.Microseconds()).Text("}")
	}
	name := string(m.What) + ": " + m.Name
	switch {
	case m.What == profile.Interaction && m.Duration > 0:
		event := `"cat":"devtools.timeline","name":"` + eventTiming + `","id":"0x` + strconv.FormatInt(int64(i)+1, 16) + `",`
		begin := w.start/1000 + m.Time.Milliseconds()
		w.Text(",\n" + `{"args":{"data":{"type":`).Quoted(m.Name).Text(`,"cancelable":false,"frame":"1","nodeId":0,"interactionOffset":0,"interactionId":`).Int(int64(i) + 1)
		w.Text(`,"timeStamp":`).Int(begin).Text(`,"duration":`).Int(max(1, m.Duration.Milliseconds()))
		w.Text(`,"processingStart":`).Int(begin + m.InputDelay.Milliseconds())
		w.Text(`,"processingEnd":`).Int(begin + (m.InputDelay + m.Processing).Milliseconds()).Text(`}},` + event)
		at("b", m.Time)
		w.Text(",\n" + `{"args":{},` + event)
		at("e", m.End())
	case m.Duration == 0:
		w.Text(",\n" + `{"args":{"data":{}},"cat":"` + userTiming + `","s":"t","name":`).Quoted(name).Text(",")
		at("I", m.Time)
	default:
		for _, end := range []struct {
			phase string
			at    time.Duration
		}{{"b", m.Time}, {"e", m.End()}} {
			w.Text(",\n" + `{"args":{},"cat":"` + userTiming + `","id2":{"local":"0x`).Text(strconv.FormatInt(int64(i)+1, 16)).Text(`"},"name":`).Quoted(name).Text(",")
			at(end.phase, end.at)
		}
	}
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
	w.Text(",\n" + `{"args":{"data":{`)
	data()
	w.Text(`}},` + sampler + `,"name":"ProfileChunk","ts":`).Int(w.start + w.Micros(at)).Text("}")
}

func (w *writer) nodes(t *calltree.Tree) {
	scripts := codec.NewNumbering("")
	for first := 0; first < len(t.Nodes); first += chunkLength {
		w.chunk(0, func() {
			w.Text(`"cpuProfile":{"nodes":[`)
			for i := first; i < min(first+chunkLength, len(t.Nodes)); i++ {
				if i > first {
					w.Text(",\n")
				}
				f := t.Function(int32(i))
				if f.Flags&profile.TopLevel != 0 { // which is known by its place
					f.Line, f.Column = 1, 1
				}
				w.Text(`{"callFrame":{"functionName":`).Quoted(f.Name).Text(`,"scriptId":`).Int(int64(scripts.Of(f.File))).Text(`,"url":`).Quoted(f.File)
				w.Text(`,"lineNumber":`).Int(int64(f.Line) - 1).Text(`,"columnNumber":`).Int(int64(f.Column) - 1)
				w.Text(`},"id":`).Int(int64(i) + 1).Text(`,"hitCount":`).Int(t.Nodes[i].Hits)
				if parent := t.Nodes[i].Parent; parent >= 0 {
					w.Text(`,"parent":`).Int(int64(parent) + 1)
				}
				w.Text("}")
			}
			w.Text(`],"samples":[]},"timeDeltas":[],"lines":[],"columns":[]`)
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
		gap = w.Micros(w.slot+ticks) - w.Micros(w.slot)
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
		if w.Long {
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
	w.chunk(w.slot, func() { w.Text(`"endTime":`).Int(w.start + w.Micros(w.slot)) })
}

func (w *writer) entries(chunk []entry) {
	list := func(key string, of func(entry) int64) {
		w.Text(key).Ints(len(chunk), func(i int) int64 { return of(chunk[i]) })
	}
	w.chunk(w.slot, func() {
		list(`"cpuProfile":{"samples":`, func(e entry) int64 { return e.node })
		list(`},"timeDeltas":`, func(e entry) int64 { return e.delta })
		list(`,"lines":`, func(e entry) int64 { return e.line })
		list(`,"columns":`, func(e entry) int64 { return e.column })
	})
}
