package k6

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"runtime"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/parser"
	"go.k6.io/k6/lib/fsext"

	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// source is a script as k6 will compile it.
type source struct {
	name    string // its URL
	code    []byte // without types
	ownMap  []byte // from the code to what it was made of; nil: the code is the source
	module  bool   // of ECMAScript, not of CommonJS
	main    bool   // k6 read it first
	program *ast.Program
	prefix  int // of the text that was parsed
}

// The text that k6 puts around a CommonJS module.
const (
	wrapHead = "(function(module, exports){"
	wrapTail = "\n})\n"
)

// instrument returns a script with its checks; or as it is, if it cannot have any: then
// k6 says what is wrong with it.
func (s *session) instrument(name string, text []byte) []byte {
	read, err := read(name, text)
	if err != nil {
		return text
	}
	s.mu.Lock()
	read.main = s.read == 0
	s.read++
	s.mu.Unlock()
	all := references(read.program, string(read.code), read.prefix)
	s.follow(name, all)
	if u, err := url.Parse(name); err == nil && s.isOpened(u) {
		s.warn(name, "scripts read it with open(), too")
		return text
	}
	if read.ownMap == nil {
		if read.ownMap, err = s.mapOf(read); err != nil {
			s.gs.Logger.WithError(err).Warnf("Couldn't load source map for %s", name)
		}
	}
	code, err := s.check(read, redirect(string(read.code), all))
	if err != nil {
		s.warn(name, err.Error())
	}
	if code == nil {
		return text
	}
	return code
}

// read finds out, as k6 does, what a script is: a module of ECMAScript or one of
// CommonJS, with types or without.
func read(name string, text []byte) (source, error) {
	s := source{name: name, code: text}
	if s.parse(true) == nil && s.module {
		return s, nil
	}
	typed := strings.HasSuffix(name, ".ts") || name == standardInputName
	var stripped source
	if typed && s.program == nil {
		var err error
		if stripped, err = strip(s); err == nil && stripped.parse(true) == nil && stripped.module {
			return stripped, nil
		}
	}
	if err := s.parse(false); err == nil || stripped.code == nil {
		return s, err
	}
	return stripped, stripped.parse(false)
}

// parse parses the code as a module of ECMAScript, or of CommonJS. Code that parses as the
// former is one only if it imports, exports or awaits something.
func (s *source) parse(esm bool) error {
	options := []parser.Option{parser.WithDisableSourceMaps}
	text := string(s.code)
	s.prefix = 0
	if esm {
		options = append(options, parser.IsModule)
	} else {
		text, s.prefix = wrapHead+text+wrapTail, len(wrapHead)
	}
	program, err := parser.ParseFile(nil, s.name, text, 0, options...)
	if err != nil {
		return err
	}
	s.program = program
	s.module = esm && (len(program.ExportEntries) > 0 || len(program.ImportEntries) > 0 || program.HasTLA)
	return nil
}

// strip takes the types out, as k6 does.
func strip(s source) (source, error) {
	result := api.Transform(string(s.code), api.TransformOptions{
		Loader: api.LoaderTS, Sourcefile: s.name, Target: api.ESNext, Sourcemap: api.SourceMapExternal,
		SourcesContent: api.SourcesContentInclude, LegalComments: api.LegalCommentsNone,
		Platform: api.PlatformNeutral, LogLevel: api.LogLevelSilent, Charset: api.CharsetUTF8,
	})
	if len(result.Errors) > 0 {
		return source{}, errors.New(result.Errors[0].Text)
	}
	return source{name: s.name, code: result.Code, ownMap: result.Map}, nil
}

// mapOf loads the source map that a script names on its last line, if it does.
func (s *session) mapOf(r source) ([]byte, error) {
	address := sourcemap.URL(r.code)
	if address == "" {
		return nil, nil
	}
	if strings.HasPrefix(address, "data:") {
		return sourcemap.Inline(r.code)
	}
	base, err := url.Parse(r.name)
	if err != nil {
		return nil, err
	}
	u, err := base.Parse(address)
	if err != nil {
		return nil, err
	}
	file, err := filePath(u)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u, err)
	}
	files := s.gs.FS
	if runtime.GOOS == "windows" { // as k6 does
		files = fsext.NewTrimFilePathSeparatorFs(files)
	}
	return fsext.ReadFile(files, file)
}

// check puts in the checks, a source map that k6 follows, and what else goes in. It returns
// nil if there is nothing to put in: then, too, profiles name the script's functions, which
// call others that have checks.
func (s *session) check(r source, additions []addition) ([]byte, error) {
	redirected, inserted := insert(r.code, additions)
	shown, err := r.shown(inserted)
	if err != nil {
		return nil, err
	}
	options := transform.Options{
		File: r.name, Target: transform.Goja, Goal: transform.FunctionBody, Require: checksModule, SourceMap: shown,
		Selection: transform.Selection{Preset: s.wanted.preset}, Entered: r.entered(),
	}
	if r.module {
		options.Goal, options.Require, options.ChecksModule = transform.Module, "", checksModule
	}
	result, err := transform.Transform(redirected, options)
	if err != nil {
		return nil, err
	}
	for _, w := range result.Warnings {
		return nil, errors.New(w.String())
	}
	checked := len(result.Insertions) > 0
	result.Insertions = merge(result.Insertions, inserted)
	made, err := instrumented.Of(result)
	if err != nil {
		return nil, err
	}
	positions, err := newPositions(r, made)
	if err != nil {
		return nil, err
	}
	if err := s.adopt(made, positions.back, checked); err != nil {
		return nil, err
	}
	if len(made.Insertions) == 0 {
		return nil, nil
	}
	code := append([]byte(nil), made.Code...)
	return append(code, "\n//# sourceMappingURL="+sourcemap.InlineURL(positions.engine)+"\n"...), nil
}

// entered says which functions k6 calls: the exports of the main script, which scenarios
// may name.
func (r source) entered() func(name string) bool {
	names := map[string]bool{"default": true, "setup": true, "teardown": true}
	for _, e := range r.program.ExportEntries {
		for _, name := range exported(e) {
			names[name] = names[name] || r.main
		}
	}
	return func(name string) bool {
		return names[name] || names[strings.TrimPrefix(strings.TrimPrefix(name, "module."), "exports.")] || r.main && !r.module && name == "module.exports"
	}
}

// insert puts texts in, and returns where they are then.
func insert(code []byte, additions []addition) (result []byte, inserted []transform.Insertion) {
	from := 0
	for _, a := range additions {
		result = append(result, code[from:a.at]...)
		inserted = append(inserted, transform.Insertion{Offset: len(result), Length: len(a.text)})
		result = append(result, a.text...)
		from = a.at
	}
	return append(result, code[from:]...), inserted
}

// merge adds insertions of the text in which others were made.
func merge(outer, inner []transform.Insertion) []transform.Insertion {
	var all []transform.Insertion
	shift := 0
	for _, i := range outer {
		for len(inner) > 0 && inner[0].Offset+shift < i.Offset {
			all = append(all, transform.Insertion{Offset: inner[0].Offset + shift, Length: inner[0].Length})
			inner = inner[1:]
		}
		all = append(all, i)
		shift += i.Length
	}
	for _, i := range inner {
		all = append(all, transform.Insertion{Offset: i.Offset + shift, Length: i.Length})
	}
	return all
}

// display is how profiles name a script or a source: files by their paths.
func display(name string) string {
	if u, err := url.Parse(name); err == nil && u.Scheme == "file" {
		return volume.ReplaceAllString(path.Clean(u.Path), "$1")
	}
	return name
}

// volume is how a path on Windows begins in a URL.
var volume = regexp.MustCompile(`^/([A-Za-z]:/)`)
