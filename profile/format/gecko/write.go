package gecko

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// MaxTicks bounds what WriteRaw writes: each tick is a sample of its own.
const MaxTicks = 1 << 26

// The categories that are written, by index.
const (
	other = iota
	idle
	javaScript
	gc
	native
)

var writtenCategories = []categories{
	{"Other", "grey", []string{"Other"}},
	{"Idle", "transparent", []string{"Other"}},
	{"JavaScript", "yellow", []string{"Other"}},
	{"GC / CC", "orange", []string{"Other"}},
	{"Native", "blue", []string{"Other"}},
}

func categoryOf(f profile.Function) int {
	switch {
	case f.Flags&profile.Pseudo != 0 && f.Name == profile.NameIdle:
		return idle
	case f.Flags&profile.Pseudo != 0 && f.Name == profile.NameGC:
		return gc
	case f.Flags&profile.NativeCode != 0 || f.Flags&profile.Pseudo != 0 && f.Name == profile.NameNative:
		return native
	case f.Flags&profile.Pseudo != 0:
		return other
	}
	return javaScript
}

func isScript(f profile.Function) bool { return f.Flags&(profile.Pseudo|profile.NativeCode) == 0 }

// written is a profile ready to be written: every sample has a stack.
type written struct {
	*profile.Profile
	interval time.Duration // never 0
	strings  []string
	ids      map[string]int32
}

func newWritten(p *profile.Profile) (*written, error) {
	if err := p.CheckValid(); err != nil {
		return nil, err
	}
	w := &written{Profile: p, interval: p.Meta.Interval, ids: make(map[string]int32)}
	if w.interval == 0 {
		w.interval = time.Millisecond
	}
	var ticks int64
	for _, n := range p.Samples.Weight {
		ticks += int64(n)
	}
	if ticks > 0 && int64(w.interval) > math.MaxInt64/ticks {
		return nil, fmt.Errorf("%d ticks of %v are more time than the format holds", ticks, w.interval)
	}
	for i, s := range p.Samples.Stack {
		if s == profile.NoStack {
			return w, w.giveStacks(i)
		}
	}
	return w, nil
}

// giveStacks copies the profile, with the stack of a pseudo-function for each
// sample that has none, from the first such one.
func (w *written) giveStacks(from int) error {
	b := profile.Builder{Meta: w.Meta}
	stacks := make([]profile.StackID, len(w.Stacks.Parent))
	for s, up := range w.Stacks.Parent {
		f := w.Stacks.Frame[s]
		caller := profile.NoStack
		if up != profile.NoStack {
			caller = stacks[up]
		}
		stacks[s] = b.Stack(caller, b.Frame(b.Function(w.Profile.Function(w.Frames.Function[f])), w.Frames.Line[f], w.Frames.Column[f]))
	}
	for i := range w.Len() {
		s := w.Profile.Sample(i)
		if i >= from && s.Stack == profile.NoStack {
			name := s.Kind.PseudoName()
			if name == "" {
				name = profile.NameProgram
			}
			s.Stack = b.Pseudo(profile.NoStack, name)
		} else {
			s.Stack = stacks[s.Stack]
		}
		b.Sample(s)
	}
	w.Profile = b.Profile()
	return nil
}

// string is the index of a string in the table that is written.
func (w *written) string(s string) int32 {
	id, ok := w.ids[s]
	if !ok {
		id = int32(len(w.strings))
		w.ids[s] = id
		w.strings = append(w.strings, s)
	}
	return id
}

// extension is what the format has no room for.
func (w *written) extension() *extension {
	e := &extension{Version: extensionVersion, Meta: w.Meta, Functions: [][5]int32{}, Kinds: []string{}}
	for i := range w.Functions.Name {
		f := w.Profile.Function(profile.FunctionID(i))
		e.Functions = append(e.Functions, [5]int32{w.string(f.Name), w.string(f.File), f.Line, f.Column, int32(f.Flags)})
	}
	for k := profile.Own; k <= profile.Lost; k++ {
		e.Kinds = append(e.Kinds, k.String())
	}
	s := &e.Samples
	s.Weight = append([]int32{}, w.Samples.Weight...)
	s.Time, s.Kind = make([]int64, w.Len()), make([]int, w.Len())
	last := int64(0)
	for i, t := range w.Samples.Time {
		s.Time[i], last = t-last, t
		s.Kind[i] = int(w.Samples.Kind[i])
	}
	s.Kind, s.Skid = unlessZero(s.Kind), unlessZero(w.Samples.Skid)
	return e
}

// unlessZero is nil for a column of nothing but zeros.
func unlessZero[T comparable](column []T) []T {
	var zero T
	for _, v := range column {
		if v != zero {
			return column
		}
	}
	return nil
}

// object is a JSON object whose keys matter to nobody but its reader.
type object = map[string]any

// meta is what both forms say of a profile.
func (w *written) meta() object {
	m := object{
		"version": versionRaw, "interval": milliseconds(int64(w.interval)), "startTime": 0.0, "shutdownTime": nil,
		"processType": 0, "product": w.product(), "stackwalk": 0, "debug": 0, "gcpoison": 0, "asyncstack": 0,
		"categories": writtenCategories, "markerSchema": []object{gcSchema},
		"importedFrom": "fieldprof", "sourceCodeIsNotOnSearchfox": true,
	}
	if !w.Meta.Start.IsZero() {
		m["startTime"] = float64(w.Meta.Start.UnixMicro()) / 1000
	}
	if n := w.Len(); n > 0 {
		m["profilingStartTime"] = 0.0
		m["profilingEndTime"] = milliseconds(max(int64(w.Meta.Duration), w.Samples.Time[n-1]))
	}
	return m
}

func (w *written) product() string {
	if w.Meta.Program != "" {
		return w.Meta.Program
	}
	return "fieldprof"
}

func milliseconds(ns int64) float64 { return float64(ns) / 1e6 }

// encode writes JSON, and <, > and & as they are.
func encode(out io.Writer, v any) error {
	buffered := bufio.NewWriterSize(out, 1<<16)
	enc := json.NewEncoder(buffered)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("gecko: %w", err)
	}
	return buffered.Flush()
}
