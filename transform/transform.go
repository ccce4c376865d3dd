package transform

import (
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/runtime"
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
// top-level await for a module, anything else for a script.
const (
	Auto Goal = iota
	Script
	Module
	FunctionBody // CommonJS: the text runs as the body of a function
)

// Options chooses what Transform does. The zero value is valid: target web,
// preset balanced, goal auto.
type Options struct {
	// File names the source in warnings and in the function table.
	File   string
	Target Target
	Goal   Goal
	Preset Preset
	// MinStatements overrides the preset's N when above 0.
	MinStatements int
	// Checks overrides the preset's sites when not 0.
	Checks functable.Sites
	// SourceMap is the source's own map (JSON), if there is one. Result.Map is
	// then that map with its columns shifted, and the function table carries
	// original names and positions.
	SourceMap []byte
}

// Result is an instrumented source.
type Result struct {
	// Code is the source with insertions, or the source itself when nothing
	// was inserted.
	Code []byte
	// Map is Options.SourceMap shifted to Code; nil without one.
	Map []byte
	// Table describes the functions of Code.
	Table *functable.Table
	// Insertions are the inserted texts, in order; deleting them from Code
	// (see Delete) gives the source back byte for byte.
	Insertions []Insertion
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
	Functions, CheckedFunctions   int
	Statements, CheckedStatements int
	Entries, Loops, Exits         int // checks inserted, by site kind
}

// Warning is something the user should know about one place of one file.
type Warning struct {
	File   string
	Line   int // 1-based
	Column int // 1-based, UTF-16
	Text   string
	Source string // the line it speaks of, cut to a reasonable length
}
