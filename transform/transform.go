package transform

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"sync"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
	"github.com/fieldprof/fieldprof/transform/training"
)

// Target is where the instrumented code will run.
type Target uint8

// The targets.
const (
	Web  Target = iota // browsers and Node: the flag is a word of shared memory
	Goja               // goja: the flag is a Go value
)

// Goal is the grammar of the source.
type Goal uint8

// The goals. Auto takes a source that uses import, export, import.meta or
// top-level await for a module, anything else for a script. For target goja a module
// must be asked for by Module: goja does not run it, but its fork sobek does.
const (
	Auto Goal = iota
	Script
	Module
	FunctionBody // CommonJS: the text runs as the body of a function
)

var scanGoals = [...]jsscan.Goal{Auto: jsscan.Auto, Script: jsscan.AsScript, Module: jsscan.AsModule, FunctionBody: jsscan.AsFunctionBody}

// Options chooses what Transform does. The zero value is valid: target web,
// inline form, preset balanced, goal auto.
type Options struct {
	Selection
	// File names the source in warnings and in the function table.
	File   string
	Target Target
	Goal   Goal
	// Keep, unless nil, reports whether functions of an original source may be
	// checked. It is called at most once for each source of the map, and with File
	// for what the map does not know or if there is no map.
	Keep func(source string) bool
	// Entered, unless nil, reports whether the host calls a function of the top level, by
	// its name, as the event loop calls others. It is then checked below N, too: nothing
	// else could have its time.
	Entered func(name string) bool
	// Bindings are the names that a classic script uses, or a source for goja; nil
	// chooses names that are absent from the source. Classic scripts of one page
	// need names that are absent from all of them: see Names. So do modules that are both
	// Preloaded and Acyclic, which use the same globals. Other modules and CommonJS bodies have
	// their own scope, and always choose their own names.
	Bindings *runtime.Bindings
	// SourceMap is the source's own map (JSON), if there is one. Result.Map is
	// then that map with its columns shifted, and the function table carries
	// original names and positions.
	SourceMap []byte
	// MapTo, if there is no SourceMap, asks for one: Result.Map then leads from
	// the code to src, under this name.
	MapTo string
	// Explain asks for the positions of Result.Reasons.
	Explain bool
	// ChecksModule is the module an ES module imports its bindings from;
	// empty means runtime.ChecksModule. For target goja it is what defines the global
	// names, and is imported only if it is not empty.
	ChecksModule string
	// Preloaded says that the runtime is loaded before this module, which then does
	// not import it.
	Preloaded bool
	// Acyclic says that neither this module nor any that imports it, directly or not, is in
	// an import cycle: none of its functions runs before its body does. It then binds by
	// const or, if it is Preloaded, by the global of classic scripts; else it imports its bindings, or
	// has functions in their place until its body runs if it is Preloaded.
	Acyclic bool
	// Loader is the URL from which a script in a worker without the runtime loads
	// it with importScripts; Require is the path from which a CommonJS module loads
	// it with require; with both, the file may be either. Without them, or if
	// loading fails, the checks of a file that finds no runtime are inert. For target
	// goja there is only Require, for a function body: the module that defines the global names.
	Loader, Require string
	// Embed is the runtime itself, as the text of a classic script in one line: a
	// script carries it before its checks, in place of Loader and Require. It does
	// not count towards MaxGzip. Modules ignore it.
	Embed string
	// Entry says that a worker starts with this source: it then loads the
	// runtime, from Embed, Loader or ChecksModule, even if there is nothing to check.
	Entry bool
	// Memory, unless nil, is from an earlier version of the same source: unchanged
	// parts are not scanned again. The result does not depend on it.
	Memory *Memory

	// Build identifies the build whose sites a counting build counts (training.BuildHash); empty
	// means src alone. Hash identifies src, if it is not the text that was hashed.
	// Unit names the source in counts, if File does not.
	Build, Hash, Unit string
	// Choice is what Selection.Choose gives for all sources of the build; nil finds it again.
	Choice *training.Choice

	fewestBound int // 0 except in tests
}

// Memory remembers a source from one call of Transform to the next. It serves one
// call at a time. The zero Memory is empty.
type Memory struct{ scanned, verified jsscan.Memory }

func (m *Memory) parts() (scanned, verified *jsscan.Memory) {
	if m == nil {
		return nil, nil
	}
	return &m.scanned, &m.verified
}

// Result is an instrumented source.
type Result struct {
	// Code is the source with insertions, or the source itself when nothing
	// was inserted.
	Code []byte
	// Map is Options.SourceMap shifted to Code, or what Options.MapTo asks for;
	// else nil.
	Map []byte
	// Table describes the functions of Code.
	Table *functable.Table
	// Reasons say why each function of the table is checked or not.
	Reasons []Reason
	// Insertions are the stretches of Code that are not in the source, in
	// order; Delete takes them out again.
	Insertions []Insertion
	// Imports is the module that Code now imports, "" if it imports none.
	Imports string
	// Bindings are the names the inserted text uses, absent from the source.
	Bindings runtime.Bindings
	Stats    Stats
	Warnings []Warning
}

// Insertion is a stretch of Result.Code that is not in the source.
type Insertion struct {
	Offset, Length int // bytes of Code
}

// Stats counts what was found and done.
type Stats struct {
	Functions         int `json:"functions"`
	CheckedFunctions  int `json:"checkedFunctions"`
	Statements        int `json:"statements"`
	CheckedStatements int `json:"checkedStatements"`
	Entries           int `json:"entries"` // functions with an entry check
	Loops             int `json:"loops"`   // loops with a check
	Exits             int `json:"exits"`   // functions with exit checks
	// Candidates are the sites that Selection.Counts chose from, counted as these three.
	Candidates int `json:"candidates,omitempty"`
}

// Add adds the counts of another source.
func (s *Stats) Add(other Stats) {
	s.Functions += other.Functions
	s.CheckedFunctions += other.CheckedFunctions
	s.Statements += other.Statements
	s.CheckedStatements += other.CheckedStatements
	s.Entries += other.Entries
	s.Loops += other.Loops
	s.Exits += other.Exits
	s.Candidates += other.Candidates
}

// Warning tells the user something about one place in one file.
type Warning struct {
	File   string
	Line   int // 1-based; 0 for the whole file
	Column int // 1-based, UTF-16
	Text   string
	Source string // the line in question, cut to a reasonable length
}

func (w Warning) String() string {
	if w.Line == 0 {
		return fmt.Sprintf("%s: %s", w.File, w.Text)
	}
	return fmt.Sprintf("%s:%d:%d: %s", w.File, w.Line, w.Column, w.Text)
}

// maxSource bounds a source so that offsets fit the function table.
const maxSource = 1 << 30

// Transform inserts checks into a script. It does no I/O, keeps no reference to src
// except in Options.Memory, and is safe for concurrent use.
//
// A source it cannot read comes back unchanged with a located warning, as does
// one that has nothing to check. The error is about the options: an unknown
// value, or an invalid source map.
func Transform(src []byte, options Options) (Result, error) {
	if err := options.check(); err != nil {
		return Result{}, err
	}
	if len(src) > maxSource {
		return unchanged(src, &options, newPositions(src[:maxSource]), jsscan.SyntaxError{Msg: "the file is larger than 1 GiB"}), nil
	}
	var at *positions
	var takings *takings
	finding := inBackground(func() {
		at = newPositions(src)
		if options.Target == Web {
			takings = findTakings(src)
		}
	})
	scanned, _ := options.Memory.parts()
	script, err := jsscan.Scan(src, jsscan.Options{Goal: scanGoals[options.Goal], Memory: scanned})
	finding.Wait()
	if err != nil {
		var syntax *jsscan.SyntaxError
		if !errors.As(err, &syntax) {
			return Result{}, err
		}
		return unchanged(src, &options, at, *syntax), nil
	}
	if options.isDecoded(script.Goal) {
		at.Text = at.Decoded()
	}
	if options.Train {
		options.Form = Inline
		if options.Hash == "" {
			options.Hash = training.Hash(src)
		}
	}
	if options.Target == Goja && script.Goal == jsscan.AsModule && options.Goal != Module {
		return Result{}, fmt.Errorf("%s is an ES module, which goja does not run: bundle it to a script first (sobek does run it: ask for the goal Module)", options.name())
	}
	return instrument(src, &options, script, at, takings)
}

// instrument plans, writes and applies the insertions.
func instrument(src []byte, options *Options, script *jsscan.Script, at *positions, takings *takings) (Result, error) {
	names, err := options.naming(src, script.Goal)
	if err != nil {
		return Result{}, err
	}
	criteria := options.criteria()
	if criteria.kept, err = askKeep(script, options, at); err != nil {
		return Result{}, err
	}
	if options.Target == Web && script.Goal != jsscan.AsModule && bytes.Contains(src, []byte("exports")) {
		criteria.exporting = src
	}
	criteria.takings = takings
	switch {
	case options.Target == Goja && script.Goal == jsscan.AsScript:
		criteria.fewest = 1
	case names.inner != nil:
		criteria.fewest, criteria.passes = cmp.Or(options.fewestBound, fewestBound), passesIn(src)
	}
	plan := makePlan(script, criteria)
	plan.brackets = &brackets{src: src}
	switch {
	case options.Train:
		plan.counting = options.newCounting(&plan, script, at)
	case options.Counts != nil:
		if err := plan.keepChosen(src, script, options, at); err != nil {
			return Result{}, err
		}
	}
	if options.MaxGzip > 0 {
		plan.fit(src, script, options, names)
	}
	e := emit(src, script, &plan, options, names)
	result := Result{Code: src, Imports: e.imported, Bindings: names.outer, Reasons: plan.reasons}
	if options.Explain {
		explain(result.Reasons, script, at)
	}
	code, edits := e.buffer.Apply(src)
	at.setEdits(edits)
	if len(edits) > 0 {
		result.Code = code
	}
	var trouble *jsscan.SyntaxError
	verifying := inBackground(func() {
		if len(edits) > 0 {
			_, verified := options.Memory.parts()
			trouble = verify(script, e, at, code, verified)
		}
	})
	var mapped *rewrittenMap
	mapping := inBackground(func() {
		if options.SourceMap != nil {
			mapped, err = rewriteMap(options.SourceMap, script, at)
		} else if options.MapTo != "" {
			result.Map = newMap(at, options, insertedStretches(at))
		}
	})
	result.Insertions = make([]Insertion, len(edits))
	for i := range edits {
		result.Insertions[i] = Insertion{edits[i].Output, len(edits[i].Text)}
	}
	result.Table = makeTable(script, &plan, options, at, e.tails)
	result.Stats = e.stats
	result.Stats.Candidates = plan.candidates
	countCoverage(&result.Stats, result.Table)
	mapping.Wait()
	if verifying.Wait(); trouble != nil {
		at.setEdits(nil)
		return unchanged(src, options, at, *trouble), nil
	}
	if err != nil {
		return Result{}, fmt.Errorf("source map of %s: %w", options.name(), err)
	}
	if mapped != nil {
		result.Map = mapped.json
		mapped.into(result.Table)
	}
	return result, nil
}

// inBackground does some work while the caller does other work, until it waits.
func inBackground(work func()) *sync.WaitGroup {
	var group sync.WaitGroup
	group.Go(work)
	return &group
}

// unchanged passes a source through with a warning that says why.
func unchanged(src []byte, options *Options, at *positions, why jsscan.SyntaxError) Result {
	offset := max(0, min(why.Offset, len(src)))
	place := at.source(offset)
	warning := Warning{
		File:   options.name(),
		Line:   int(place.Line),
		Column: int(place.Column),
		Text:   why.Msg + "; left uninstrumented",
		Source: at.excerpt(offset),
	}
	table := &functable.Table{File: options.name(), Functions: []functable.Function{wholeScript(at, 0, 0)}}
	return Result{Code: src, Map: options.SourceMap, Table: table, Reasons: []Reason{{Why: OutUnread}}, Warnings: []Warning{warning}}
}

func (o *Options) name() string {
	if o.File == "" {
		return "script"
	}
	return o.File
}

func (o *Options) check() error {
	switch {
	case o.Target > Goja:
		return fmt.Errorf("no target %d", o.Target)
	case int(o.Goal) >= len(scanGoals):
		return fmt.Errorf("no goal %d", o.Goal)
	case o.Form == Compact && o.Target == Goja:
		return errors.New("the compact form is for target web only: goja has the inline one")
	}
	if err := o.Selection.check(); err != nil {
		return err
	}
	return o.checkBindings()
}

// Delete removes the insertions from a result's code, which leaves the source, byte
// for byte.
func Delete(code []byte, insertions []Insertion) []byte {
	src := make([]byte, 0, len(code))
	at := 0
	for _, i := range insertions {
		src = append(src, code[at:i.Offset]...)
		at = i.Offset + i.Length
	}
	return append(src, code[at:]...)
}
