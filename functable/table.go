// Package functable describes the functions of one deployed file: where each
// begins and ends, what an engine calls it, where it is defined, where it came
// from, and which checks it carries.
//
// A profile captured in the field holds bare positions (file, line, column).
// The table turns a position into a function, with no help from the engine's
// own naming: engines disagree about names, and minified names say nothing.
// transform writes one table per file; profile.Symbolize reads it.
//
// Lines and columns count from 1, as engines print them; columns are UTF-16
// code units. Zero means unknown.
//
// # JSON form
//
// Encode and Decode speak a compact form, `*.functions.json`, that a few lines
// of JavaScript can read:
//
//	{"version":1, "file":"app.js", "strings":["", "parse", …], "functions":[…]}
//
// functions is one flat array of integers, for each function
//
//	head        kind + sites·16 + filledFirst·128 + inferred·256 + original·512 +
//	            ignored·1024
//	start       two numbers: a position relative to the previous function's start
//	end         a position relative to start
//	definition  a position relative to start
//	parent      the function's index minus its parent's (the script's parent is -1)
//	name        index into strings
//	statements
//	inferred    index into strings; present when head says so
//	original    source and name, indices into strings, and a position relative
//	            to the previous original position; present when head says so
//
// A relative position is the difference of lines, then the column: the
// difference of columns when the lines are equal, else the column itself. The
// first start and the first original position are relative to 0:0.
//
// Strings are UTF-8; half of a surrogate pair in a name becomes U+FFFD.
package functable

import (
	"strconv"
	"strings"
)

// Position is a place in a text: 1-based line, 1-based UTF-16 column.
// The zero Position means unknown.
type Position struct {
	Line, Column int32
}

// IsZero reports whether the position is unknown.
func (p Position) IsZero() bool { return p == Position{} }

// String is "line:column".
func (p Position) String() string {
	return strconv.Itoa(int(p.Line)) + ":" + strconv.Itoa(int(p.Column))
}

// Before reports whether p is before q in the text.
func (p Position) Before(q Position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Column < q.Column
}

// Kind says what sort of function an entry describes.
type Kind uint8

// The kinds of function. Script is the top level of the file, always entry 0.
const (
	Script Kind = iota
	Declaration
	Expression
	Arrow
	Method
	Getter
	Setter
	Constructor
	Initializer // class field initialiser or static block
)

// Sites is the set of site kinds that carry a check in one function.
type Sites uint8

// The site kinds (see profile.Kind for those a sample can have).
const (
	Entry Sites = 1 << iota // function prologue
	Loop                    // back-edge of a loop
	Exit                    // return, fall-through, finally
)

// String lists the site kinds, as in "entry,loop,exit"; "" for none.
func (s Sites) String() string {
	var names []string
	for i, name := range []string{"entry", "loop", "exit"} {
		if s&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// Function is one function of the deployed file.
type Function struct {
	// Name is the static name that V8 reports: "f", "method", "get size";
	// "" for an anonymous function and for the script itself.
	Name string
	// Inferred is a readable name for a function without a static one, taken
	// from what it is assigned to: "Parser.prototype.next". "" when there is none.
	Inferred string
	Kind     Kind
	// Start and End delimit the function in the deployed text, End exclusive:
	// from `function`, `async`, the method's name or the arrow's parameters to
	// after the closing brace or the arrow's expression.
	Start, End Position
	// Definition is where V8 says the function is defined: the `(` of its
	// parameters, or an arrow's first character.
	Definition Position
	// Parent is the index of the enclosing function, -1 for the script.
	Parent int32
	// Statements counts the function's own statements, nested blocks included,
	// nested functions not; each comma-joined expression counts.
	Statements int32
	// Sites are the checks the function carries; none means its time is
	// counted in the nearest checked caller.
	Sites Sites
	// FilledFirst means that the engine does measurable work (arguments object,
	// rest, destructuring, defaults) before an entry check can run, so a
	// sample taken at entry belongs to the function itself.
	FilledFirst bool
	// Original is where the function came from according to the file's source map,
	// or nil.
	Original *Original
	// Ignored means that the source is not the user's own, as one in node_modules or on the
	// map's ignore list.
	Ignored bool
}

// Original is a function's place in the sources.
type Original struct {
	Source string // as the map names it
	Name   string // "" when the map has no name for it
	Position
}

// Table describes one deployed file. Functions are sorted by Start;
// Functions[0] is the script itself and spans the file.
type Table struct {
	File      string
	Functions []Function
}
