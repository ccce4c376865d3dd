package transform

import (
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// kept tells what Options.Keep keeps. The zero kept keeps everything.
type kept struct {
	functions, topLoops []bool // parallel to those of the script
}

func (k kept) function(i int) bool { return k.functions == nil || k.functions[i] }
func (k kept) topLoop(i int) bool  { return k.topLoops == nil || k.topLoops[i] }

// askKeep asks about the original source of every function, and of every loop
// of the top level: a bundle has loops of many sources there. What the map does
// not know counts as the file's own.
func askKeep(script *jsscan.Script, options *Options, at *positions, m *sourcemap.Map) kept {
	if options.Keep == nil {
		return kept{}
	}
	answers := map[string]bool{}
	ask := func(places ...int) bool {
		source := options.File
		for _, place := range places {
			if m == nil {
				break
			}
			if found, ok := lookUp(m, at.source(place)); ok {
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
	return k
}
