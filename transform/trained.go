package transform

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
	"github.com/fieldprof/fieldprof/transform/training"
)

// keepChosen leaves in a plan the sites that Selection.Counts chose. Of functions that were not
// executed when sites were counted, those remain that balanced would check: nothing is known of
// their cost. The error is about counts that do not fit the source.
func (p *plan) keepChosen(src []byte, script *jsscan.Script, options *Options, at *positions) error {
	if err := options.countsFit(src); err != nil {
		return err
	}
	choice := options.Choice
	if choice == nil {
		choice = options.Choose(options.Target)
	}
	unit := choice.Of(options.counted(src))
	for _, index := range slices.Sorted(maps.Keys(unit.Functions)) {
		if c := unit.Functions[index]; !p.counts(c.Function, script, at) {
			return fmt.Errorf("%s: %s: %s is not there, or has other sites: these are not this build's counts, or another release's", options.Counts.From(), options.name(), c)
		}
	}
	p.candidates = p.sites()
	if c := unit.Functions[0]; c != nil && c.Sites == 0 && p.reasons[0].Why != OutSource {
		p.topLoops = nil
		p.reasons[0] = chosenReason(c)
	}
	for i := range p.functions {
		d := &p.functions[i]
		if d.sites == 0 {
			continue
		}
		c := unit.Functions[int32(i)+1]
		if c == nil {
			if f := &script.Functions[i]; f.Statements < Balanced.MinStatements() && len(f.Loops) == 0 && !f.Iterates || choice.Exceeds {
				*d = decision{}
				p.reasons[i+1] = Reason{Why: OutUnexecuted, Statements: int32(f.Statements), N: int32(Balanced.MinStatements())}
			}
			continue
		}
		d.sites &= c.Sites
		if d.sites&functable.Loop == 0 {
			d.loops = nil
		}
		p.reasons[i+1] = chosenReason(c)
	}
	p.settle(script)
	return nil
}

// countsFit checks what can be known of one source. A caller that transforms a tree has compared
// all of it, and gives the choice.
func (o *Options) countsFit(src []byte) error {
	if o.Choice != nil {
		return nil
	}
	scripts := []training.Script{o.counted(src)}
	return o.Counts.OfBuild(cmp.Or(o.Build, training.BuildHash(scripts)), o.Label(), scripts)
}

// counted is the source as counts know it.
func (o *Options) counted(src []byte) training.Script {
	hash := o.Hash
	if hash == "" {
		hash = training.Hash(src)
	}
	return training.Script{File: cmp.Or(o.Unit, o.name()), Hash: hash}
}

// counts reports whether a function that was counted is in the plan, with the same sites unless
// Options.Keep keeps none: a function that is counted may be excluded later.
func (p *plan) counts(c *training.Function, script *jsscan.Script, at *positions) bool {
	if c.Index == 0 {
		return c.Sites() == functable.Loop && len(c.Loops) >= len(p.topLoops)
	}
	i := int(c.Index) - 1
	if i >= len(p.functions) {
		return false
	}
	f, d := &script.Functions[i], &p.functions[i]
	place := at.source(f.Params)
	isPlanned := c.Sites() == d.sites && len(c.Loops) == len(d.loops) || p.reasons[c.Index].Why == OutSource
	name := string([]rune(displayName(f))) // as JSON has it: with U+FFFD for each byte that is not UTF-8
	return isPlanned && c.Name == name && c.Statements == int32(f.Statements) &&
		c.Line == place.Line && c.Column == place.Column
}

func chosenReason(c *training.Chosen) Reason {
	r := Reason{Why: OutOfOverhead, Statements: c.Statements, Executions: c.Executions(), Percent: c.Percent}
	switch {
	case c.Largest:
		r.Why = InLargest
	case c.Sites != 0:
		r.Why, r.LoopsOut = InByCounts, c.Sites != c.Function.Sites()
	}
	return r
}

// sites counts the sites of a plan, as Stats does.
func (p *plan) sites() int {
	n := len(p.topLoops)
	for i := range p.functions {
		d := &p.functions[i]
		n += len(d.loops) + int(d.sites&functable.Entry) + int(d.sites&functable.Exit)/int(functable.Exit)
	}
	return n
}
