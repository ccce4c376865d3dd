// Package instrumented makes the script that an engine runs, and leads back from it:
// from positions in that script to the functions and positions of the sources.
//
// Every engine instruments through Make, in whatever process the script runs.
package instrumented

import (
	"fmt"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
	"github.com/fieldprof/fieldprof/transform"
)

// Script is a script as it runs, with the way back to the sources.
type Script struct {
	transform.Result
	to   *sourcemap.Map // nil where there is none
	text *textpos.Text  // of Code
}

// Make instruments a source as the options say.
func Make(source []byte, options transform.Options) (*Script, error) {
	result, err := transform.Transform(source, options)
	if err != nil {
		return nil, err
	}
	return Of(result)
}

// Plain is a script that runs unchanged, without checks. The map (JSON) may be nil.
func Plain(file string, code, sourceMap []byte) (*Script, error) {
	return Of(transform.Result{
		Code: code, Map: sourceMap,
		Table: &functable.Table{File: file, Functions: []functable.Function{{Kind: functable.Script, Parent: -1}}},
	})
}

// Of is the script that a transform gave.
func Of(result transform.Result) (*Script, error) {
	s := &Script{Result: result, text: textpos.Of(result.Code)}
	if result.Map != nil {
		var err error
		if s.to, err = sourcemap.Parse(result.Map); err != nil {
			return nil, fmt.Errorf("source map of %s: %w", result.Table.File, err)
		}
	}
	return s, nil
}

// File is the name by which the engine knows the script.
func (s *Script) File() string { return s.Table.File }

// Coverage is how much of a program the checks can tell apart.
func Coverage(stats transform.Stats) profile.Coverage {
	return profile.Coverage{
		Functions: int64(stats.Functions), CheckedFunctions: int64(stats.CheckedFunctions),
		Statements: int64(stats.Statements), CheckedStatements: int64(stats.CheckedStatements),
	}
}

// Symbols returns what profile.Symbolize needs to know of the script.
func (s *Script) Symbols() profile.Script { return profile.Script{Table: s.Table, Map: s.to} }

// Glue reports whether a symbolized function is in no source: the bundler put it
// around them.
func (s *Script) Glue(f profile.Function) bool { return f.File == s.File() }
