package report

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// content is the head of what the page holds; src/columns.ts reads it.
type content struct {
	Profile columns           `json:"profile"`
	Before  *columns          `json:"before,omitempty"`
	Sources map[string]string `json:"sources"`
}

// columns are a profile's.
type columns struct {
	Title     string    `json:"title"`
	About     []string  `json:"about"`
	Interval  float64   `json:"interval"` // the time of a tick, in milliseconds
	Strings   []string  `json:"strings"`
	Functions functions `json:"functions"`
	Nodes     nodes     `json:"nodes"`
	Samples   samples   `json:"samples"`
	Marks     []marked  `json:"marks"`
}

type functions struct {
	Name   column `json:"name"`
	File   column `json:"file"`
	Line   column `json:"line"`
	Column column `json:"column"`
	Kind   column `json:"kind"`
}

// nodes are the nodes of calls.
type nodes struct {
	Depth    column `json:"depth"`
	Function column `json:"function"`
}

type samples struct {
	Time   column `json:"time"` // microseconds since the sample before
	Node   column `json:"node"` // and one more: 0 is none
	Line   column `json:"line"` // where execution was, 0 if that is not known
	Weight column `json:"weight"`
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

// columnsOf adds a profile's columns to a packer.
func columnsOf(to *packer, p *profile.Profile, title string, holding holding) columns {
	tree := callsOf(p)
	c := columns{
		Title:    cmp.Or(title, p.Meta.Program, "Profile"),
		About:    about(p),
		Interval: float64(p.TickTime()) / float64(time.Millisecond),
	}
	begin := beginOf(p)
	if begin > 0 {
		c.About = append(c.About, fmt.Sprintf("times here count from %v after the start", begin.Round(time.Millisecond)))
	}
	c.Nodes = nodes{pack(to, tree.depth), pack(to, tree.fn)}
	c.Samples = samplesOf(to, p, &tree, begin)
	c.Strings, c.Functions = functionsOf(to, p, holding)
	c.Marks = marksOf(p, begin)
	if len(holding) > 0 {
		c.About = append(c.About, legend)
	}
	return c
}

// beginOf is where the axis of time begins: not at the start of a profile if most of the axis would be empty, as in
// what a page sends that has been open for a while.
func beginOf(p *profile.Profile) time.Duration {
	if lead := p.Lead(); p.TickTime() > 0 && lead > p.Extent()-lead {
		return lead
	}
	return 0
}

func samplesOf(to *packer, p *profile.Profile, tree *calls, begin time.Duration) samples {
	count := len(p.Samples.Stack)
	times, nodes, lines := make([]int64, count), make([]int32, count), make([]int32, count)
	last := begin.Microseconds()
	for i, stack := range p.Samples.Stack {
		at := max(last, p.Samples.Time[i]/int64(time.Microsecond))
		times[i], last = at-last, at
		if stack >= 0 {
			nodes[i], lines[i] = tree.node[stack]+1, p.Frames.Line[p.Stacks.Frame[stack]]
		}
	}
	return samples{pack(to, times), pack(to, nodes), pack(to, lines), pack(to, p.Samples.Weight)}
}

func functionsOf(to *packer, p *profile.Profile, holding holding) (strings []string, f functions) {
	strings = []string{}
	known := map[string]int32{}
	intern := func(s string) int32 {
		id, ok := known[s]
		if !ok {
			id = int32(len(strings))
			known[s], strings = id, append(strings, s)
		}
		return id
	}
	var names, files []int32
	var kinds []kind
	for i := range p.Functions.Name {
		name := p.DisplayName(profile.FunctionID(i))
		if holding[namedOf(p, i)] {
			name += mark
		}
		names = append(names, intern(name))
		files = append(files, intern(p.Strings[p.Functions.File[i]]))
		kinds = append(kinds, kindOf(p, i))
	}
	return strings, functions{pack(to, names), pack(to, files), pack(to, p.Functions.Line), pack(to, p.Functions.Column), pack(to, kinds)}
}

// mark follows the name of a function that holds others' time, and legend
// explains it.
const (
	mark   = " +"
	legend = "+ includes the time of functions without checks that it calls or contains"
)

// named is a function as a comparison tells functions apart.
type named struct{ name, file string }

// holding are the functions that hold others' time. Where two profiles are compared it
// has the functions of either, so that names stay the same.
type holding map[named]bool

func namedOf(p *profile.Profile, i int) named {
	return named{p.DisplayName(profile.FunctionID(i)), p.Strings[p.Functions.File[i]]}
}

func (h holding) add(p *profile.Profile) {
	for i, flags := range p.Functions.Flags {
		if flags&profile.HoldsOthers != 0 {
			h[namedOf(p, i)] = true
		}
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
	for _, note := range p.Health().Notes {
		lines = append(lines, "lost: "+note)
	}
	if advice := p.Advice(); advice != "" {
		lines = append(lines, "advice: "+advice)
	}
	if line := engineLine(p); line != "" {
		lines = append(lines, line)
	}
	var made []string
	for _, word := range []string{m.Program, m.Engine, m.Preset} {
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
