package report

import (
	"cmp"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// content is what the page holds; src/columns.ts reads it.
type content struct {
	Profile columns           `json:"profile"`
	Before  *columns          `json:"before,omitempty"`
	Sources map[string]string `json:"sources"`
}

// columns are a profile's. Indices of none are -1.
type columns struct {
	Title     string    `json:"title"`
	About     []string  `json:"about"`
	Interval  float64   `json:"interval"` // milliseconds
	Strings   []string  `json:"strings"`
	Functions functions `json:"functions"`
	Frames    frames    `json:"frames"`
	Stacks    stacks    `json:"stacks"`
	Samples   samples   `json:"samples"`
}

type functions struct {
	Name []int32 `json:"name"`
	File []int32 `json:"file"`
	Line []int32 `json:"line"`
	Kind []kind  `json:"kind"`
}

type frames struct {
	Function []profile.FunctionID `json:"function"`
	Line     []int32              `json:"line"`
}

type stacks struct {
	Parent []profile.StackID `json:"parent"`
	Frame  []profile.FrameID `json:"frame"`
}

type samples struct {
	Time   []int64           `json:"time"` // microseconds since the sample before
	Stack  []profile.StackID `json:"stack"`
	Weight []int32           `json:"weight"`
}

// kind is what a function is, as far as colours go.
type kind int

const (
	scriptKind kind = iota
	nativeKind
	idleKind
	collectorKind
	programKind
	lostKind
)

func columnsOf(p *profile.Profile, title string) columns {
	c := columns{
		Title:    cmp.Or(title, p.Meta.Program, "Profile"),
		About:    about(p),
		Interval: p.Meta.Interval.Seconds() * 1000,
		Frames:   frames{p.Frames.Function, p.Frames.Line},
		Stacks:   stacks{p.Stacks.Parent, p.Stacks.Frame},
	}
	known := map[string]int32{}
	intern := func(s string) int32 {
		id, ok := known[s]
		if !ok {
			id = int32(len(c.Strings))
			known[s], c.Strings = id, append(c.Strings, s)
		}
		return id
	}
	for i := range p.Functions.Name {
		id := profile.FunctionID(i)
		c.Functions.Name = append(c.Functions.Name, intern(p.DisplayName(id)))
		c.Functions.File = append(c.Functions.File, intern(p.Strings[p.Functions.File[i]]))
		c.Functions.Kind = append(c.Functions.Kind, kindOf(p, i))
	}
	c.Functions.Line = p.Functions.Line
	last := int64(0)
	for _, t := range p.Samples.Time {
		at := t / int64(time.Microsecond)
		c.Samples.Time = append(c.Samples.Time, at-last)
		last = at
	}
	c.Samples.Stack, c.Samples.Weight = p.Samples.Stack, p.Samples.Weight
	c.fill()
	return c
}

// fill makes empty columns lists: the page knows no null.
func (c *columns) fill() {
	list(&c.About)
	list(&c.Strings)
	list(&c.Functions.Name)
	list(&c.Functions.File)
	list(&c.Functions.Line)
	list(&c.Functions.Kind)
	list(&c.Frames.Function)
	list(&c.Frames.Line)
	list(&c.Stacks.Parent)
	list(&c.Stacks.Frame)
	list(&c.Samples.Time)
	list(&c.Samples.Stack)
	list(&c.Samples.Weight)
}

func list[T any](column *[]T) {
	if *column == nil {
		*column = []T{}
	}
}

func kindOf(p *profile.Profile, i int) kind {
	flags := p.Functions.Flags[i]
	if flags&profile.Pseudo == 0 {
		if flags&profile.NativeCode != 0 {
			return nativeKind
		}
		return scriptKind
	}
	switch profile.KindOfPseudo(p.Strings[p.Functions.Name[i]]) {
	case profile.Idle:
		return idleKind
	case profile.GC:
		return collectorKind
	case profile.Lost:
		return lostKind
	case profile.Native:
		return nativeKind
	}
	return programKind
}

// about says how the profile was made and how well.
func about(p *profile.Profile) []string {
	m := &p.Meta
	lines := []string{p.HealthLine()}
	var made []string
	for _, word := range []string{m.Program, m.Engine, m.Preset, m.Clock} {
		if word != "" {
			made = append(made, word)
		}
	}
	if !m.Start.IsZero() {
		made = append(made, m.Start.UTC().Format(time.RFC3339))
	}
	if len(made) > 0 {
		lines = append(lines, strings.Join(made, ", "))
	}
	return lines
}
