package gojahost

import (
	"errors"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"

	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// script is one that the host compiled, or adopted.
type script struct {
	*instrumented.Script
	prefix int // bytes before the code on its first line
	back   Back
	id     textID // of one that was compiled
	users  int    // goja's files of it, and one forever if it was adopted
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

// CompileWith instruments a script as the options say and compiles it. The target is
// always goja. With the goal FunctionBody the program's value is a function with
// CommonJS's parameters (exports, require, module, __filename, __dirname) and the
// source as its body; with any other goal it is a classic script.
//
// The program runs in this host's runtime only, under options.File (further texts of
// that name as name?2, name?3 and so on); Pool.Compile is for any number of runtimes. A
// source that cannot be instrumented is compiled unchanged, with a warning in the result.
// A syntax error is located in the source.
func (h *Host) CompileWith(source []byte, options transform.Options) (*goja.Program, *instrumented.Script, error) {
	program, made, err := h.recording.compileSource(source, options)
	if err != nil {
		return nil, made, err
	}
	return program, made, h.Install(made.Bindings)
}

// compile compiles a script that has its checks, for this host.
func (h *Host) compile(made *instrumented.Script, body bool) (*goja.Program, error) {
	program, err := h.recording.compile(made, body)
	if err != nil {
		return nil, err
	}
	return program, h.Install(made.Bindings)
}

// compileSource instruments and compiles a script.
func (r *recording) compileSource(source []byte, options transform.Options) (*goja.Program, *instrumented.Script, error) {
	options.Target = transform.Goja
	body := options.Goal == transform.FunctionBody
	if !body {
		options.Goal = transform.Script
	}
	made, err := instrumented.Make(source, options)
	if err != nil {
		return nil, nil, err
	}
	program, err := r.compile(made, body)
	if err != nil {
		if plain := syntaxError(made.File(), source, body); plain != nil {
			err = plain
		}
		return nil, made, err
	}
	r.known.Lock()
	r.stats.Add(made.Stats)
	r.known.Unlock()
	return program, made, nil
}

// syntaxError is what goja says of a source that it does not compile, located in the text that
// its author knows. For a classic script it is the error of goja.Compile, whose type tells
// callers whose mistake it is.
func syntaxError(name string, source []byte, body bool) error {
	if body {
		_, err := parse(name, source, body)
		return err
	}
	parsed, err := goja.Parse(name, string(source), parser.WithDisableSourceMaps)
	if err == nil {
		_, err = goja.CompileAST(parsed, false)
	}
	return err
}

// compile compiles a script that has its checks, and remembers it by its file.
func (r *recording) compile(made *instrumented.Script, body bool) (*goja.Program, error) {
	s := &script{Script: made}
	if body {
		s.prefix = len(bodyPrefix)
	}
	name := r.register(s)
	program, f, err := s.compileAs(name, body)
	if err != nil {
		r.forget(name)
		return nil, err
	}
	r.forgetAfter(f, name)
	return program, nil
}

// compileAs compiles a script under the name that its frames carry, and returns the file
// that all of the program's code refers to.
func (s *script) compileAs(name string, body bool) (*goja.Program, *file.File, error) {
	parsed, err := parse(name, s.Code, body)
	if err != nil {
		return nil, nil, err
	}
	program, err := goja.CompileAST(parsed, false)
	return program, parsed.File, err
}

// register remembers a script, and returns the name by which goja is to know it.
func (r *recording) register(s *script) (name string) {
	r.known.Lock()
	defer r.known.Unlock()
	return r.scripts.add(s)
}

// parse parses a text without following its source map, which is done later. Errors
// have positions in the text.
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

// Install defines the names that checks use as non-enumerable properties of the global
// object. Compile does so itself; Install is for scripts that were instrumented
// elsewhere. Scripts cannot delete these properties, which those that run need; the host of
// the runtime that comes after this one can change them, unless the global object is frozen.
func (h *Host) Install(names runtime.Bindings) error {
	global := h.vm.GlobalObject()
	for name, value := range map[string]goja.Value{names.GlobalFlag: h.flag, names.GlobalCapture: h.capture} {
		if name == "" || global.Get(name) == value {
			continue
		}
		if err := global.DefineDataProperty(name, value, goja.FLAG_TRUE, goja.FLAG_FALSE, goja.FLAG_FALSE); err != nil {
			return err
		}
	}
	return nil
}

// column converts one of goja's columns, which are 1-based and count bytes, into a
// column of the code in UTF-16 units.
func (s *script) column(line, column int) int {
	if line == 1 {
		column = max(1, column-s.prefix)
	}
	return s.Column(line, column)
}
