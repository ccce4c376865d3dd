package gojahost

import (
	"fmt"
	"unicode/utf8"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/transform"
)

// script is what the host remembers of one it compiled.
type script struct {
	symbols profile.Script
	// wide holds, by line, the text of lines with characters beyond ASCII:
	// goja counts their columns in bytes.
	wide map[int]string
}

// Compile instruments a classic script at preset balanced and compiles it.
func (h *Host) Compile(name string, source []byte) (*goja.Program, error) {
	program, _, err := h.CompileWith(source, transform.Options{File: name})
	return program, err
}

// CompileWith instruments a script as the options say (target and goal are
// chosen by the host) and compiles it. The script runs in this host's runtime
// only, under options.File; two scripts need two names. A source that cannot
// be instrumented is compiled as it is, with a warning in the result.
func (h *Host) CompileWith(source []byte, options transform.Options) (*goja.Program, transform.Result, error) {
	options.Target, options.Goal = transform.Goja, transform.Script
	result, err := transform.Transform(source, options)
	if err != nil {
		return nil, result, err
	}
	name := result.Table.File
	program, err := h.compileInstrumented(name, result.Code)
	if err != nil {
		return nil, result, err
	}
	var to *sourcemap.Map
	if result.Map != nil {
		if to, err = sourcemap.Parse(result.Map); err != nil {
			return nil, result, fmt.Errorf("source map of %s: %w", name, err)
		}
	}
	h.remember(name, result.Code, result.Table, to)
	if err := h.Install(result.Bindings); err != nil {
		return nil, result, err
	}
	h.coverage.Functions += int64(result.Stats.Functions)
	h.coverage.CheckedFunctions += int64(result.Stats.CheckedFunctions)
	h.coverage.Statements += int64(result.Stats.Statements)
	h.coverage.CheckedStatements += int64(result.Stats.CheckedStatements)
	return program, result, nil
}

// compileInstrumented compiles code with its positions as they are: source
// maps are ours to follow.
func (h *Host) compileInstrumented(name string, code []byte) (*goja.Program, error) {
	parsed, err := goja.Parse(name, string(code), parser.WithDisableSourceMaps)
	if err != nil {
		return nil, err
	}
	return goja.CompileAST(parsed, false)
}

// Install makes the names that checks use properties of the global object,
// which loops over it do not show. Compile does so by itself; it is for scripts
// that were instrumented elsewhere.
func (h *Host) Install(names runtime.Bindings) error {
	for name, value := range map[string]goja.Value{names.GlobalFlag: h.flag, names.GlobalCapture: h.capture} {
		if name == "" {
			continue
		}
		if err := h.vm.GlobalObject().DefineDataProperty(name, value, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
			return err
		}
	}
	return nil
}

func (h *Host) remember(name string, code []byte, table *functable.Table, to *sourcemap.Map) {
	s := &script{symbols: profile.Script{Table: table, Map: to}, wide: map[int]string{}}
	line, start, wide := 1, 0, false
	for i := 0; i <= len(code); i++ {
		if i == len(code) || code[i] == '\n' {
			if wide {
				s.wide[line] = string(code[start:i])
			}
			line, start, wide = line+1, i+1, false
		} else if code[i] >= utf8.RuneSelf {
			wide = true
		}
	}
	h.scripts[name] = s
}

// column turns a 1-based column of goja's into one in UTF-16 units.
func (s *script) column(line, column int) int {
	text, ok := s.wide[line]
	if !ok || column < 1 {
		return column
	}
	units := 1
	for _, r := range text[:min(column-1, len(text))] {
		if units++; r > 0xffff {
			units++
		}
	}
	return units
}
