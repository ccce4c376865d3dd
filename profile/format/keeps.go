package format

import (
	"fmt"

	"github.com/fieldprof/fieldprof/profile"
)

// Features are the contents of a profile besides names, stacks and ticks, which
// every format keeps.
type Features uint32

// The features. A format keeps one if its files give it back.
const (
	Times           Features = 1 << iota // when each sample was taken
	Samples                              // how many samples the ticks of a stack were taken in
	Weights                              // and how many ticks each had
	Skid                                 // how long after its tick each was taken
	Kinds                                // at which kind of site
	Interval                             // how long a tick is
	Files                                // files of functions
	Definitions                          // lines on which functions are defined
	Columns                              // and the columns
	Positions                            // where execution was in the function on top
	CallerPositions                      // and in its callers
	Flags                                // which functions are checked, native, or a top level
	Health                               // how the profile was made, and how well
	Marks                                // what has a name on the time axis
	Markers                              // what the engine was doing at each sample
	Tags                                 // for whom or what each sample's work was done
)

// everything is all that a profile can hold.
const everything = Tags<<1 - 1

// features lists the features in the order in which Drops reports them: what each is
// called, and how much of it a profile has.
var features = []struct {
	feature Features
	what    string // in a sentence, with the number before it
	count   func(*profile.Profile) int
}{
	{Interval, "interval", func(p *profile.Profile) int { return one(p.Meta.Interval > 0) }},
	{Times, "times of samples", func(p *profile.Profile) int {
		return countIf(p.Samples.Time, func(_ int, t int64) bool { return t > 0 })
	}},
	{Samples, "samples of several ticks", severalTicks},
	{Weights, "weights of single samples", severalTicks},
	{Skid, "skids of samples", func(p *profile.Profile) int {
		return countIf(p.Samples.Skid, func(_ int, s int64) bool { return s > 0 })
	}},
	{Kinds, "kinds of sites", kinds},
	{Files, "functions' files", named(func(f profile.Function) bool { return f.File != "" })},
	{Definitions, "lines of definitions", named(func(f profile.Function) bool { return f.Line > 0 })},
	{Columns, "columns of definitions", named(func(f profile.Function) bool { return f.Column > 0 })},
	{Positions, "positions in functions", positions(true)},
	{CallerPositions, "positions in callers", positions(false)},
	{Flags, "functions' flags (checked, native, top level, holding others' time)", named(func(f profile.Function) bool { return f.Flags&^profile.Pseudo != 0 })},
	{Health, "record of how it was made", func(p *profile.Profile) int { return one(p.Meta.Ticks != (profile.Ticks{}) || p.Meta.Clock != "") }},
	{Marks, "marks", func(p *profile.Profile) int { return len(p.Marks) }},
	{Markers, "markers of samples", func(p *profile.Profile) int {
		return countIf(p.Samples.Marker, func(_ int, m profile.Marker) bool { return m != profile.NoMarker })
	}},
	{Tags, "tags of samples", func(p *profile.Profile) int {
		return countIf(p.Samples.Tags, func(_ int, t profile.TagsID) bool { return t != 0 })
	}},
}

// Drops lists what the format loses of this profile, such as "1893 skids of samples".
func (f Format) Drops(p *profile.Profile) []string {
	var lost []string
	for _, x := range features {
		if f.Keeps&x.feature != 0 {
			continue
		}
		if n := x.count(p); n == 1 && (x.feature == Interval || x.feature == Health) {
			lost = append(lost, "the "+x.what)
		} else if n > 0 {
			lost = append(lost, fmt.Sprintf("%d %s", n, x.what))
		}
	}
	return lost
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

func countIf[T any](column []T, is func(i int, v T) bool) (n int) {
	for i, v := range column {
		n += one(is(i, v))
	}
	return n
}

// severalTicks counts the samples that a format of ticks, or of sums, cannot
// distinguish from others.
func severalTicks(p *profile.Profile) int {
	seen := make([]bool, len(p.Stacks.Parent)+1) // the last is for samples without a stack
	return countIf(p.Samples.Stack, func(i int, s profile.StackID) bool {
		if s == profile.NoStack {
			s = profile.StackID(len(seen) - 1)
		}
		again := seen[s]
		seen[s] = true
		return again || p.Samples.Weight[i] > 1
	})
}

// kinds counts the samples whose kind does not follow from their top frame.
func kinds(p *profile.Profile) int {
	return countIf(p.Samples.Stack, func(i int, s profile.StackID) bool {
		told := profile.Own
		if s == profile.NoStack {
			told = p.Samples.Kind[i]
		} else if f := p.Frames.Function[p.Stacks.Frame[s]]; p.Functions.Flags[f]&profile.Pseudo != 0 {
			told = profile.KindOfPseudo(p.Strings[p.Functions.Name[f]])
		}
		return told != p.Samples.Kind[i]
	})
}

func named(is func(profile.Function) bool) func(*profile.Profile) int {
	return func(p *profile.Profile) int {
		return countIf(p.Functions.Name, func(i int, _ profile.StringID) bool { return is(p.Function(profile.FunctionID(i))) })
	}
}

// positions counts the frames with a position that are on top of a sample's stack,
// or those that are not.
func positions(onTop bool) func(*profile.Profile) int {
	return func(p *profile.Profile) int {
		const top, below = 1, 2
		is := make([]uint8, len(p.Frames.Function))
		for _, s := range p.Samples.Stack {
			if s != profile.NoStack {
				is[p.Stacks.Frame[s]] |= top
			}
		}
		for _, parent := range p.Stacks.Parent {
			if parent != profile.NoStack {
				is[p.Stacks.Frame[parent]] |= below
			}
		}
		wanted := uint8(below)
		if onTop {
			wanted = top
		}
		return countIf(is, func(i int, at uint8) bool { return at&wanted != 0 && p.Frames.Line[i] > 0 })
	}
}
