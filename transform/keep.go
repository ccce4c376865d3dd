package transform

import (
	"fmt"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// kept is the answer of Options.Keep. The zero kept keeps everything.
type kept struct {
	functions, topLoops []bool // parallel to the script's functions and top-level loops
}

func (k kept) function(i int) bool { return k.functions == nil || k.functions[i] }
func (k kept) topLoop(i int) bool  { return k.topLoops == nil || k.topLoops[i] }

// askKeep asks about the original source of every function, and of every top-level
// loop: in a bundle those come from many sources. A position that the map does not
// know belongs to the file itself.
func askKeep(script *jsscan.Script, options *Options, at *positions) (kept, error) {
	if options.Keep == nil {
		return kept{}, nil
	}
	var m *sourcemap.Map
	if options.SourceMap != nil {
		var err error
		if m, err = sourcemap.Parse(options.SourceMap); err != nil {
			return kept{}, fmt.Errorf("source map of %s: %w", options.name(), err)
		}
	}
	answers := map[string]bool{}
	ask := func(places ...int) bool {
		source := options.File
		for _, place := range places {
			if m == nil {
				break
			}
			if found, ok := original(m, at.source(place)); ok {
				source = found.Source
				break
			}
		}
		answer, asked := answers[source]
		if !asked {
			answer = options.Keep(source)
			answers[source] = answer
		}
		return answer
	}
	k := kept{make([]bool, len(script.Functions)), make([]bool, len(script.Loops))}
	for i := range script.Functions {
		k.functions[i] = ask(script.Functions[i].Start, script.Functions[i].Params)
	}
	for i := range script.Loops {
		k.topLoops[i] = ask(script.Loops[i].Start)
	}
	return k, nil
}

func original(m *sourcemap.Map, p functable.Position) (sourcemap.Original, bool) {
	return m.Find(int(p.Line)-1, int(p.Column)-1)
}
