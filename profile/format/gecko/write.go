package gecko

import (
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
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
	layout
	graphics
)

var writtenCategories = []categories{
	{"Other", "grey", []string{"Other"}},
	{"Idle", "transparent", []string{"Other"}},
	{"JavaScript", "yellow", []string{"Other"}},
	{"GC / CC", "orange", []string{"Other"}},
	{"Native", "blue", []string{"Other"}},
	{"Layout", "purple", []string{"Other"}},
	{"Graphics", "green", []string{"Other"}},
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
	codec.Outgoing
	strings *codec.Numbering
}

func newWritten(p *profile.Profile) (*written, error) {
	o, err := codec.Prepare("gecko", p, time.Millisecond, codec.Never)
	if err != nil {
		return nil, err
	}
	w := &written{Profile: p, Outgoing: o, strings: codec.NewNumbering()}
	if slices.Contains(p.Samples.Stack, profile.NoStack) {
		w.giveStacks()
	}
	return w, nil
}

// giveStacks copies the profile, and gives each sample without a stack the stack of its
// pseudo-function.
func (w *written) giveStacks() {
	b := profile.Builder{Meta: w.Profile.Meta}
	stacks := make([]profile.StackID, len(w.Stacks.Parent))
	for s, up := range w.Stacks.Parent {
		f := w.Stacks.Frame[s]
		stacks[s] = b.Stack(codec.StackAt(stacks, up), b.Frame(b.Function(w.Profile.Function(w.Frames.Function[f])), w.Frames.Line[f], w.Frames.Column[f]))
	}
	for i := range w.Len() {
		s := w.Profile.Sample(i)
		if s.Stack = codec.StackAt(stacks, s.Stack); s.Stack == profile.NoStack {
			s.Stack = b.Pseudo(profile.NoStack, codec.LoneName(s.Kind))
		}
		b.Sample(s)
	}
	for _, m := range w.Marks {
		b.Mark(m)
	}
	w.Profile = b.Profile()
}

// extension is what the format has no room for.
func (w *written) extension() *extension {
	e := &extension{Version: extensionVersion, Meta: w.Profile.Meta, Functions: [][5]int32{}, Kinds: profile.KindNames(), Samples: codec.NewColumns(w.Profile), Marks: codec.NewMarks(w.Marks)}
	for i := range w.Functions.Name {
		f := w.Profile.Function(profile.FunctionID(i))
		e.Functions = append(e.Functions, [5]int32{w.strings.Of(f.Name), w.strings.Of(f.File), f.Line, f.Column, int32(f.Flags)})
	}
	e.Samples.Kind, e.Samples.Skid = unlessZero(e.Samples.Kind), unlessZero(e.Samples.Skid)
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

// object is a JSON object whose keys matter only to its reader.
type object = map[string]any

// meta is what both forms say about a profile.
func (w *written) meta() object {
	m := object{
		"version": versionRaw, "interval": milliseconds(int64(w.Interval)), "startTime": 0.0, "shutdownTime": nil,
		"processType": 0, "product": w.product(), "stackwalk": 0, "debug": 0, "gcpoison": 0, "asyncstack": 0,
		"categories": writtenCategories, "markerSchema": markerSchemas(),
		"importedFrom": "fieldprof", "sourceCodeIsNotOnSearchfox": true,
	}
	if !w.Profile.Meta.Start.IsZero() {
		m["startTime"] = float64(w.Profile.Meta.Start.UnixMicro()) / 1000
	}
	if n := w.Len(); n > 0 {
		m["profilingStartTime"] = 0.0
		m["profilingEndTime"] = milliseconds(max(int64(w.Profile.Meta.Duration), w.Samples.Time[n-1]))
	}
	return m
}

func (w *written) product() string {
	if w.Profile.Meta.Program != "" {
		return w.Profile.Meta.Program
	}
	return "fieldprof"
}

func milliseconds(ns int64) float64 { return float64(ns) / 1e6 }
