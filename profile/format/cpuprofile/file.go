package cpuprofile

import (
	"errors"
	"io"

	"github.com/fieldprof/fieldprof/profile/format/internal/jsonstream"
)

// File is a Profiler.Profile of the Chrome DevTools Protocol, as a .cpuprofile or
// a trace holds it: see Profile.
type File struct {
	Nodes              []Node
	StartTime, EndTime float64 // microseconds

	// Tick is how long a tick is, in nanoseconds, where the file gives it.
	Tick int64

	samples narrow[int64]   // ids of nodes
	deltas  narrow[float64] // microseconds
	lines   column[int32]   // where execution was, from 1; 0 is unknown
	cols    column[int32]

	chunks []chunk // in the order of the file

	own *extension
}

// Node is a function called by a chain of functions.
type Node struct {
	ID           int64
	Name, URL    string
	Line, Column float64 // from 0, −1: unknown
	Hits         int64
	Children     []int64
	Parent       int64 // some tools, and traces, write this instead of children
	HasParent    bool

	lines []lineHits
}

// AddDelta adds the microseconds from a sample to the one before.
func (f *File) AddDelta(microseconds float64) { f.deltas.add(microseconds) }

// AddLine and AddColumn add where execution was at a sample.
func (f *File) AddLine(line int32)     { f.lines.add(line) }
func (f *File) AddColumn(column int32) { f.cols.add(column) }

// Samples is the number of samples.
func (f *File) Samples() int { return f.samples.len() }

// Deltas is the number of deltas.
func (f *File) Deltas() int { return f.deltas.len() }

// FirstDelta is the time to the first sample, in microseconds.
func (f *File) FirstDelta() float64 { return f.deltas.at(0) }

var errOldForm = errors.New(`the old form, with a nested "head" instead of "nodes", is not supported`)

// readFile reads a .cpuprofile.
func readFile(r io.Reader) (*File, error) {
	f := new(File)
	in := jsonstream.NewReader(r)
	old := false
	err := in.Members(jsonstream.Members{
		{"nodes", func() error { return f.ReadNodes(in) }},
		{"head", func() error { old = true; return in.Skip() }},
		{"startTime", &f.StartTime}, {"endTime", &f.EndTime},
		{"samples", func() error { return f.ReadSamples(in) }},
		{"timeDeltas", func() error { return in.Floats(func(v float64) error { f.AddDelta(v); return nil }) }},
		{"fieldprof", func() (err error) {
			f.own, err = readExtension(in)
			return err
		}},
	})
	if err == nil && old && len(f.Nodes) == 0 {
		err = errOldForm
	}
	return f, err
}

// ReadNodes adds the nodes of an array.
func (f *File) ReadNodes(in *jsonstream.Reader) error {
	return in.Array(func(int) error {
		n, err := readNode(in)
		f.Nodes = append(f.Nodes, n)
		return err
	})
}

// ReadSamples adds the ids of samples' nodes.
func (f *File) ReadSamples(in *jsonstream.Reader) error {
	return in.Ints(func(v int64) error { f.samples.add(v); return nil })
}

func readNode(in *jsonstream.Reader) (n Node, err error) {
	hasID, hasFrame := false, false
	err = in.Members(jsonstream.Members{
		{"id", func() (err error) {
			hasID = true
			n.ID, err = in.Int()
			return err
		}},
		{"callFrame", func() error {
			hasFrame = true
			n.Line, n.Column = -1, -1
			return in.Members(jsonstream.Members{{"functionName", &n.Name}, {"url", &n.URL}, {"lineNumber", &n.Line}, {"columnNumber", &n.Column}})
		}},
		{"hitCount", &n.Hits},
		{"children", func() error {
			return in.Ints(func(v int64) error { n.Children = append(n.Children, v); return nil })
		}},
		{"positionTicks", func() error { return n.readLines(in) }},
		{"parent", func() (err error) {
			n.HasParent = in.Kind() == '0'
			n.Parent, err = in.Int()
			return err
		}},
	})
	if err == nil && !(hasID && hasFrame) {
		err = in.Errorf("a node without id or callFrame")
	}
	return n, err
}
