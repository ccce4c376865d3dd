package gojahost

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/transform"
)

// script is what the host remembers of one it compiled.
type script struct {
	code    []byte
	symbols profile.Script
	prefix  int            // bytes that stand before the code on its first line
	wide    map[int]string // by line, the text of lines with characters beyond ASCII
	// What was inserted and the name of the flag, where that is known.
	insertions []transform.Insertion
	flag       string
}

// Compile instruments a classic script at preset balanced and compiles it.
func (h *Host) Compile(name string, source []byte) (*goja.Program, error) {
	program, _, err := h.CompileWith(source, transform.Options{File: name})
	return program, err
}

// The text around a function body.
const (
	bodyPrefix = "(function(exports,require,module,__filename,__dirname){"
	bodySuffix = "\n})"
)

// CompileWith instruments a script as the options say and compiles it. The
// target is goja whatever they say. With the goal FunctionBody the program's
// value is a function of CommonJS's parameters (exports, require, module,
// __filename, __dirname) whose body the source is; with any other it is a
// classic script.
//
// The program runs in this host's runtime only, under options.File (a second
// text of that name as name?2, a third as name?3). A source that cannot be instrumented is compiled as it is,
// with a warning in the result. A syntax error is located in the source.
func (h *Host) CompileWith(source []byte, options transform.Options) (*goja.Program, transform.Result, error) {
	options.Target = transform.Goja
	if options.Goal != transform.FunctionBody {
		options.Goal = transform.Script
	}
	result, err := transform.Transform(source, options)
	if err != nil {
		return nil, result, err
	}
	var to *sourcemap.Map
	if result.Map != nil {
		if to, err = sourcemap.Parse(result.Map); err != nil {
			return nil, result, fmt.Errorf("source map of %s: %w", result.Table.File, err)
		}
	}
	program, compiled, err := h.compileInstrumented(result.Code, options.Goal == transform.FunctionBody, profile.Script{Table: result.Table, Map: to}, result.Bindings)
	if err != nil {
		// Tell where the error is in the text its author knows.
		if _, plain := parse(result.Table.File, source, options.Goal == transform.FunctionBody); plain != nil {
			err = plain
		}
		return nil, result, err
	}
	compiled.remember(&result)
	h.coverage.Functions += int64(result.Stats.Functions)
	h.coverage.CheckedFunctions += int64(result.Stats.CheckedFunctions)
	h.coverage.Statements += int64(result.Stats.Statements)
	h.coverage.CheckedStatements += int64(result.Stats.CheckedStatements)
	return program, result, nil
}

// compileInstrumented compiles a script that has its checks, and remembers it
// by the file of its table.
func (h *Host) compileInstrumented(code []byte, body bool, symbols profile.Script, names runtime.Bindings) (*goja.Program, *script, error) {
	s := &script{code: code, symbols: symbols, wide: wideLines(code)}
	if body {
		s.prefix = len(bodyPrefix)
	}
	name := h.nameFor(symbols.Table.File, s)
	parsed, err := parse(name, code, body)
	if err != nil {
		return nil, nil, err
	}
	program, err := goja.CompileAST(parsed, false)
	if err != nil {
		return nil, nil, err
	}
	if err := h.Install(names); err != nil {
		return nil, nil, err
	}
	h.scripts[name] = s
	return program, s, nil
}

// nameFor is the name that goja knows a script by, and frames carry. Nothing
// else in a frame tells scripts apart, so a second text under one name becomes
// name?2.
func (h *Host) nameFor(file string, s *script) string {
	name := file
	for n := 2; ; n++ {
		known := h.scripts[name]
		if known == nil || known.prefix == s.prefix && bytes.Equal(known.code, s.code) {
			return name
		}
		name = file + "?" + strconv.Itoa(n)
	}
}

// parse parses a text with its positions as they are: source maps are ours to
// follow. Errors have positions of the text.
func parse(name string, text []byte, body bool) (*ast.Program, error) {
	whole := string(text)
	if body {
		whole = bodyPrefix + whole + bodySuffix
	}
	parsed, err := parser.ParseFile(nil, name, whole, 0, parser.WithDisableSourceMaps)
	var list parser.ErrorList
	if !body || !errors.As(err, &list) {
		return parsed, err
	}
	end := file.NewFile(name, string(text), 1).Position(len(text))
	for _, e := range list {
		at := &e.Position
		if at.Line == 1 {
			at.Column = max(1, at.Column-len(bodyPrefix))
		}
		if at.Line > end.Line || at.Line == end.Line && at.Column > end.Column {
			*at, e.Message = end, "Unexpected end of input"
		}
	}
	return parsed, list
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

// wideLines finds the lines with characters beyond ASCII. A line ends as it
// does for goja: at LF, CR, both, U+2028 or U+2029.
func wideLines(code []byte) map[int]string {
	lines := map[int]string{}
	line, start, wide := 1, 0, false
	end := func(i, next int) {
		if wide {
			lines[line] = string(code[start:i])
		}
		line, start, wide = line+1, next, false
	}
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '\n', c == '\r' && (i+1 == len(code) || code[i+1] != '\n'):
			end(i, i+1)
		case c == 0xE2 && i+2 < len(code) && code[i+1] == 0x80 && code[i+2]&^1 == 0xA8:
			end(i, i+3)
			i += 2
		case c >= utf8.RuneSelf:
			wide = true
		}
	}
	end(len(code), len(code))
	return lines
}

// column turns a 1-based column of goja's, which counts bytes, into one of the
// code in UTF-16 units.
func (s *script) column(line, column int) int {
	if line == 1 {
		column = max(1, column-s.prefix)
	}
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
