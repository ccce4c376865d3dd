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

	// Tick is how long a tick is, in nanoseconds, where the file says so.
	Tick int64

	samples narrow[int64]   // ids of nodes
	deltas  narrow[float64] // microseconds
	lines   column[int32]   // where execution was, from 1; 0 is unknown
	cols    column[int32]

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
}

// AddSample adds the id of a sample's node.
func (f *File) AddSample(node int64) { f.samples.add(node) }

// AddDelta adds the microseconds from a sample to the one before.
func (f *File) AddDelta(microseconds float64) { f.deltas.add(microseconds) }

// AddLine and AddColumn add where execution was at a sample.
func (f *File) AddLine(line int32)     { f.lines.add(line) }
func (f *File) AddColumn(column int32) { f.cols.add(column) }

// EndChunk says that the samples so far have all the lines and columns that they
// will get: not every chunk of a trace has them.
func (f *File) EndChunk() {
	for f.lines.n < f.Samples() {
		f.lines.add(0)
	}
	for f.cols.n < f.Samples() {
		f.cols.add(0)
	}
}

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
	err := in.Object(func(key string) (err error) {
		switch key {
		case "nodes":
			return in.Array(func(int) error {
				n, err := ReadNode(in)
				f.Nodes = append(f.Nodes, n)
				return err
			})
		case "head":
			old = true
			return in.Skip()
		case "startTime":
			f.StartTime, err = in.Float()
		case "endTime":
			f.EndTime, err = in.Float()
		case "samples":
			return in.Ints(func(v int64) error { f.AddSample(v); return nil })
		case "timeDeltas":
			return in.Floats(func(v float64) error { f.AddDelta(v); return nil })
		case "fieldprof":
			f.own, err = readExtension(in)
		default:
			return in.Skip()
		}
		return err
	})
	if err == nil && old && len(f.Nodes) == 0 {
		err = errOldForm
	}
	return f, err
}

// ReadNode reads a node.
func ReadNode(in *jsonstream.Reader) (n Node, err error) {
	hasID, hasFrame := false, false
	err = in.Object(func(key string) (err error) {
		switch key {
		case "id":
			hasID = true
			n.ID, err = in.Int()
		case "callFrame":
			hasFrame = true
			return n.readCallFrame(in)
		case "hitCount":
			n.Hits, err = in.Int()
		case "children":
			return in.Ints(func(v int64) error { n.Children = append(n.Children, v); return nil })
		case "parent":
			n.HasParent = in.Kind() == '0'
			n.Parent, err = in.Int()
		default:
			return in.Skip()
		}
		return err
	})
	if err == nil && !(hasID && hasFrame) {
		err = in.Errorf("a node without id or callFrame")
	}
	return n, err
}

func (n *Node) readCallFrame(in *jsonstream.Reader) error {
	n.Line, n.Column = -1, -1
	return in.Object(func(key string) (err error) {
		switch key {
		case "functionName":
			n.Name, err = in.String()
		case "url":
			n.URL, err = in.String()
		case "lineNumber":
			n.Line, err = in.Float()
		case "columnNumber":
			n.Column, err = in.Float()
		default:
			return in.Skip()
		}
		return err
	})
}
