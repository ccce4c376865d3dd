package jsscan

import "fmt"

// Offsets are bytes from the start of the source; ranges are half open.

// Kind is the syntactic kind of a function.
type Kind uint8

// The kinds of function, as in functable.Kind but for the script.
const (
	Declaration Kind = iota + 1
	Expression
	Arrow
	Method
	Getter
	Setter
	Constructor
	Initializer // class field initialiser or static block: never a place for checks
)

var kindNames = [...]string{"", "declaration", "expression", "arrow", "method", "getter", "setter", "constructor", "initializer"}

// String returns the kind in lower case.
func (k Kind) String() string {
	return nameOf(kindNames[:], uint8(k), "Kind")
}

// Goal is the grammar the source was read with.
type Goal uint8

// Auto reads a source as a module when it uses import or export declarations,
// import.meta or top-level await, as a function body when it returns at the
// top level, else as a script.
const (
	Auto Goal = iota
	AsScript
	AsModule
	AsFunctionBody // CommonJS: return, new.target and arguments at the top level
)

var goalNames = [...]string{"auto", "script", "module", "function body"}

// String returns the goal in lower case.
func (g Goal) String() string {
	return nameOf(goalNames[:], uint8(g), "Goal")
}

func nameOf(names []string, i uint8, of string) string {
	if int(i) < len(names) && names[i] != "" {
		return names[i]
	}
	return fmt.Sprintf("%s(%d)", of, i)
}

// Options chooses how Scan reads. The zero value is valid.
type Options struct {
	Goal Goal
	// Memory, unless nil, knows the source of the last Scan that it was given to:
	// unchanged parts are not read again. Afterwards it knows this source.
	Memory *Memory
}

// SyntaxError is a place that the scanner could not understand.
type SyntaxError struct {
	Offset int // in bytes of the source
	Msg    string
}

// Error returns the message with its offset; callers that know the file print
// line and column instead.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("offset %d: %s", e.Offset, e.Msg)
}

// Script is the structure of one source.
type Script struct {
	Goal     Goal // AsScript, AsModule or AsFunctionBody
	Strict   bool // module, or "use strict" at the top
	Hashbang int  // length of the #! line (and a byte order mark before it) without its newline, 0 without one
	// Insert is where a prologue can go: after the top-level directives, else after
	// the hashbang's newline or the byte order mark, else 0. In a source that is only
	// a hashbang it is the end. It is never before a --> comment on the first line,
	// but after it.
	Insert     int
	InsertSemi bool // a directive without a semicolon precedes Insert
	// Functions in order of Start. Parents precede their children.
	Functions []Function
	// Loops, Statements and Begun of the top level itself.
	Loops      []Loop
	Statements int
	Begun      int
	// HasWith: a with statement; names inside resolve dynamically.
	HasWith bool
	// UsesEval: a direct eval call, at the top level or in any function.
	UsesEval bool
	// OffFile: a comment `fieldprof: off file` asks to leave the file alone.
	OffFile bool

	mentions []mention // until they are resolved
}

// Function is one function and what the planner needs to know of it.
type Function struct {
	Kind             Kind
	Async, Generator bool
	Strict           bool
	// Parent is the index of the function whose parameters or body contain it, -1
	// at the top level. A function in a computed key or a class heritage
	// belongs to the function around the class or object.
	Parent int
	// Start and End: from `function`, `async`, an arrow's parameters, or for
	// members of classes and objects the key (or the static, async, get, set or
	// * before it; decorators excluded), to the end of the body. A static block
	// begins at `static`; a field initialiser is the value alone.
	Start, End int
	Params     int // the `(`, or an arrow's single parameter; Start for initialisers
	ParamsEnd  int // after the `)`, or the parameter; Start for initialisers
	// Name is the static name as V8 keeps it: the function's own name, a
	// method's key, "get k", "set k", a constructor's class,
	// <instance_members_initializer> and <static_initializer>; "" for
	// anonymous functions and computed keys.
	Name string
	// Inferred, for functions with an empty Name, is what they are first bound
	// to: "f" for f = function, "a.b.f", a property's key, a field's name,
	// "default" for a default export; "" when there is nothing.
	Inferred string
	// NameAt is where the text of Name or Inferred is, -1 without one.
	NameAt int
	// Body is the text between the braces, or the arrow's or field's expression
	// with the parentheses around it.
	BodyStart, BodyEnd int
	ExpressionBody     bool
	// BodyNames, for an expression body: it is an anonymous function or class,
	// which a plain assignment would name.
	BodyNames bool
	// Insert is after the directives of the body; InsertSemi: a directive
	// without a semicolon precedes it, so a check needs `;` first.
	Insert     int
	InsertSemi bool
	UseAsm     bool // "use asm": leave it and all inside alone
	Off        bool // the comment `fieldprof: off` precedes it, with no other function between
	// Statements of its own: nested blocks count, nested functions do not. A
	// block, an empty statement, a label, a directive and a function declaration
	// count nothing; each comma-joined expression of an expression statement, of
	// a return and of an expression body counts.
	Statements int
	// Begun counts the statements that begin in it, of any kind but blocks and
	// empty ones, without those of nested functions: an insertion that joins two
	// of them, or takes one apart, shows here.
	Begun    int
	Returns  []Return
	Suspends []Suspend // its own yields and awaits, in order of Start
	Loops    []Loop    // in order of Start
	// FallsThrough is false only when the body surely does not reach its end: a
	// statement of it returns, throws or loops forever without break, or is a
	// block, if with else, or try all of whose ways do.
	FallsThrough bool
	HasCalls     bool // calls, new, tagged templates, yield or await (own, parameters included, not nested)
	HasYield     bool // yield or await of its own
	// Iterates: it calls what loops in the engine for as long as its data are large (own, as
	// for HasCalls; iterations.go lists it): a method named sort, JSON.parse, a
	// method of arrays or strings that calls the function which is written or named as its argument,
	// or one that matches a regular expression, written there, which can go on as long as its
	// string does.
	Iterates bool
	// Entered: the event loop enters it, as far as its place tells: it is written as an
	// argument of what defers (then, on, setTimeout, app.get("/", …)), is a generator and
	// anything's argument, or is assigned to a handler's property (onload); or its name is
	// (byname.go).
	Entered bool
	// Things that the engine must fill before the body runs. UsesArguments: it, or an
	// arrow in it, refers to its arguments; false for arrows themselves.
	UsesArguments, HasRest, HasDestructuring, HasDefaults bool
	// ParamsWork: evaluating the parameters may take measurable time, because they
	// call something or copy what they take apart: a call, new, parentheses, a
	// template, or dots in a literal or pattern (nested functions excluded).
	ParamsWork bool
	// UsesEval: a direct eval call, in it or in a function inside it.
	UsesEval bool
	InWith   bool // it is inside a with statement
	HasWith  bool // a with statement of its own is in it
	// TryUnsafe: the body's top-level function declarations would mean
	// something else inside a block, so the body must not be wrapped in try{}:
	// the same name is declared twice, or also by var, a function in a nested
	// block or a parameter, or it is arguments; a label precedes one; or
	// the body calls eval directly.
	TryUnsafe bool
	// Derived: the constructor of a class with extends.
	Derived bool
	// Called is how an anonymous function outside of all functions and classes is called
	// where it is written, without new or spread: (function(){})(), !(()=>{})(). Zero if it is
	// not, if a computed key contains it, and if its parameter has no parentheses: x => x.
	Called Call
	// Parameters is how many it has; ParameterComma: a comma follows the last.
	Parameters     int
	ParameterComma bool
}

// Call is the call of a function expression.
type Call struct {
	Start, End int // of the arguments, the parentheses excluded
	Arguments  int
	Comma      bool // one follows the last
}

// Return is one return statement of a function.
type Return struct {
	Start    int // the r of return
	Keyword  int // after the keyword
	ArgStart int // the argument's range, parentheses included; -1 without one
	ArgEnd   int
	// Last is where the last of its comma-joined expressions begins: ArgStart
	// when it is one.
	Last int
	// Names: the argument is an anonymous function or class, which a plain
	// assignment would name.
	Names bool
	// Bare: the statement stands alone as the body of if, else, a loop, with
	// or a label, without a block around it.
	Bare bool
	// Breaks: a line break ends the statement, which has no semicolon, and the
	// next line begins with what would continue another value.
	Breaks bool
}

// Suspend is one yield, yield* or await, except for those of for await and await
// using.
type Suspend struct {
	Start    int // the y of yield, the a of await
	Keyword  int // after the keyword, or the * of yield*
	ArgStart int // the operand's range, parentheses included; -1 for a bare yield
	ArgEnd   int
	// Names: the operand is an anonymous function or class.
	Names bool
	// Delegates: it is a yield*.
	Delegates bool
	// Breaks: as in Return, of the outermost yield or await, yield* excluded, that
	// ends where the statement does.
	Breaks bool
}

// LoopKind tells the loops apart.
type LoopKind uint8

// The kinds of loop.
const (
	For LoopKind = iota + 1
	ForIn
	ForOf // for await too
	While
	DoWhile
)

var loopNames = [...]string{"", "for", "for-in", "for-of", "while", "do-while"}

// String returns the kind in lower case.
func (k LoopKind) String() string {
	return nameOf(loopNames[:], uint8(k), "LoopKind")
}

// Loop is one loop statement.
type Loop struct {
	Kind       LoopKind
	Start, End int
	// Body is the statement repeated, braces included when it is a block, and
	// its semicolon when it has one.
	BodyStart, BodyEnd int
	Block              bool // the body is a block
	// Calls: the loop (head or body, nested functions not) contains a call, new
	// or tagged template of anything but a member of a built-in namespace that
	// runs no code of the program (performance.now(), Date.now(), Math.x(),
	// Number.x(), String.fromCharCode(), Object.keys(), Array.isArray() …).
	Calls bool
	// Awaits: the loop contains yield or await of its function (for await too).
	Awaits bool
	InWith bool // it is inside a with statement
}
