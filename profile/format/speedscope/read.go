package speedscope

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/jsonstream"
)

// units in nanoseconds; 1 for those that are no times.
var units = map[string]float64{"nanoseconds": 1, "microseconds": 1e3, "milliseconds": 1e6, "seconds": 1e9, "none": 1, "bytes": 1, "": 1}

// Read reads a profile written by Write or by others.
func Read(r io.Reader) (*profile.Profile, error) {
	var p *profile.Profile
	f, err := readFile(r)
	if err == nil {
		p, err = f.profile()
	}
	return codec.Checked("speedscope", p, err)
}

type file struct {
	frames   []profile.Function
	profiles []timeline
	active   int64
	own      *codec.Extension
	name     string
}

// timeline is one profile of a file. A sampled one has samples and weights, an
// evented one events.
type timeline struct {
	form, name, unit string
	end              float64
	stacks           []int32 // of all samples, one after the other
	ends             []int   // where each sample's ends
	weights          []float64
	events           []event
}

type event struct {
	at    float64
	frame int32
	open  bool
}

func readFile(r io.Reader) (*file, error) {
	f := new(file)
	in := jsonstream.NewReader(r)
	frames := func() error { return in.Array(func(int) error { return f.readFrame(in) }) }
	err := in.Members(jsonstream.Members{
		{"shared", func() error { return in.Members(jsonstream.Members{{"frames", frames}}) }},
		{"profiles", func() error {
			return in.Array(func(int) error {
				t, err := readTimeline(in)
				f.profiles = append(f.profiles, t)
				return err
			})
		}},
		{"activeProfileIndex", &f.active},
		{"name", &f.name},
		{"fieldprof", func() (err error) {
			f.own, err = codec.ReadExtension(in)
			return err
		}},
	})
	return f, err
}

func (f *file) readFrame(in *jsonstream.Reader) error {
	var name, path string
	var line, column float64
	err := in.Members(jsonstream.Members{{"name", &name}, {"file", &path}, {"line", &line}, {"col", &column}})
	if err == nil {
		f.frames = append(f.frames, codec.Function(name, path, codec.Position(line), codec.Position(column)))
	}
	return err
}

func readTimeline(in *jsonstream.Reader) (t timeline, err error) {
	frame := func(v int64) (int32, error) {
		if v < 0 || v > math.MaxInt32 {
			return 0, in.Errorf("frame %d is out of range", v)
		}
		return int32(v), nil
	}
	err = in.Members(jsonstream.Members{
		{"type", &t.form}, {"name", &t.name}, {"unit", &t.unit}, {"endValue", &t.end},
		{"samples", func() error {
			return in.Array(func(int) error {
				err := in.Ints(func(v int64) error {
					f, err := frame(v)
					t.stacks = append(t.stacks, f)
					return err
				})
				t.ends = append(t.ends, len(t.stacks))
				return err
			})
		}},
		{"weights", func() error {
			return in.Floats(func(v float64) error { t.weights = append(t.weights, v); return nil })
		}},
		{"events", func() error {
			return in.Array(func(int) error {
				var e event
				err := in.Members(jsonstream.Members{
					{"type", func() error {
						kind, err := in.String()
						if e.open = kind == "O"; err == nil && kind != "O" && kind != "C" {
							err = in.Errorf("event type %.20q is neither O nor C", kind)
						}
						return err
					}},
					{"frame", func() error {
						v, err := in.Int()
						if err == nil {
							e.frame, err = frame(v)
						}
						return err
					}},
					{"at", &e.at},
				})
				t.events = append(t.events, e)
				return err
			})
		}},
	})
	return t, err
}

func (f *file) profile() (*profile.Profile, error) {
	if len(f.profiles) == 0 {
		return nil, errors.New(`"profiles" is missing or empty`)
	}
	if f.active < 0 || f.active >= int64(len(f.profiles)) {
		f.active = 0 // as speedscope has it
	}
	t := &f.profiles[f.active]
	scale, ok := units[t.unit]
	if !ok {
		return nil, fmt.Errorf("profiles[%d]: unknown unit %.40q", f.active, t.unit)
	}
	r := &reader{file: f, timed: scale > 1 || t.unit == "nanoseconds", scale: scale}
	r.b.Meta.Program = f.name
	if t.name != "" {
		r.b.Meta.Program = t.name
	}
	var err error
	switch t.form {
	case "sampled":
		err = r.sampled(t)
	case "evented":
		err = r.evented(t)
	default:
		err = fmt.Errorf("type %.40q is neither sampled nor evented", t.form)
	}
	if err == nil {
		err = r.settle()
	}
	if err != nil {
		return nil, fmt.Errorf("profiles[%d]: %w", f.active, err)
	}
	if f.own != nil {
		err = codec.AddMarks(&r.b, f.own.Marks)
	}
	return r.b.Profile(), err
}
