package jsscan

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

// Goal is the grammar the source was read with.
type Goal uint8

// Auto reads a source as a module when it uses import, export, import.meta or
// top-level await, else as a script.
const (
	Auto Goal = iota
	AsScript
	AsModule
	AsFunctionBody // CommonJS: return, new.target and arguments at the top level
)

// Script is the structure of one source.
type Script struct {
	Goal       Goal // AsScript, AsModule or AsFunctionBody
	Strict     bool // module, or "use strict" at the top
	Hashbang   int  // length of the #! line without its newline, 0 without one
	Insert     int  // behind the top-level directives: where a prologue can stand
	InsertSemi bool // a directive without a semicolon stands before Insert
	// Functions in order of Start. Parents stand before their children.
	Functions []Function
	// Loops and Statements of the top level itself.
	Loops      []Loop
	Statements int
	// HasWith: a with statement; names inside resolve dynamically.
	HasWith bool
	// OffFile: the comment `/* fieldprof: off file */` stands in the source.
	OffFile bool
}

// Function is one function and what the planner needs to know of it.
type Function struct {
	Kind             Kind
	Async, Generator bool
	Strict           bool
	Parent           int // index of the enclosing function, -1 at the top level
	Start, End       int // as acorn: for methods the value's range begins at Params, so Start is the property's key (or static/async/get/set/*)
	Params           int // the `(`, or an arrow's single parameter
	ParamsEnd        int // behind the `)`, or the parameter
	// Name is the static name; NameAt where its text stands, -1 when inferred
	// from nothing. Computed keys and numbers: as V8 would print, "" if dynamic.
	Name   string
	NameAt int
	// Inferred is a readable name for a function without a static one, from
	// what it is assigned to: "f", "a.b.f", "default"; "" if nothing.
	Inferred string
	// Body is the text between the braces, or the arrow's expression.
	BodyStart, BodyEnd int
	ExpressionBody     bool
	// BodyNames: the expression is (or may be) an anonymous function or class,
	// which a plain assignment would name.
	BodyNames bool
	// Insert is behind the directives of the body; InsertSemi: a directive
	// without a semicolon stands before it, so a check needs `;` first.
	Insert     int
	InsertSemi bool
	UseAsm     bool // "use asm": leave it and all inside alone
	Off        bool // `/* fieldprof: off */` stands before it
	// Statements of its own: nested blocks count, nested functions do not; a
	// block or an empty statement itself counts nothing; each comma-joined
	// expression of an expression statement or return counts.
	Statements int
	Returns    []Return
	Suspends   []Suspend // its own yields and awaits, in order of Start
	Loops      []Loop
	// FallsThrough is false only when the last statement of the body surely
	// leaves it (return, throw, or an endless `for(;;)` without break).
	FallsThrough bool
	HasCalls     bool // calls, new, tagged templates, yield or await (own, not nested)
	HasYield     bool // yield or await of its own
	// What the engine must fill before the body runs.
	UsesArguments, HasRest, HasDestructuring, HasDefaults bool
	// UsesEval: a direct eval call, in it or in a function inside it.
	UsesEval bool
	InWith   bool // stands inside a with statement
	// TryUnsafe: the body's top-level function declarations would mean
	// something else inside a block (same name declared twice or also by var,
	// let, const or class or a parameter, or a strict-mode duplicate), so the
	// body must not be wrapped in try{}.
	TryUnsafe bool
	// Derived: the constructor of a class with extends.
	Derived bool
}

// Return is one return statement of a function.
type Return struct {
	Start    int // the r of return
	Keyword  int // behind the keyword
	ArgStart int // the argument's range; -1 without one
	ArgEnd   int
	// Names: the argument is (or may be) an anonymous function or class, which
	// a plain assignment would name.
	Names bool
	// Bare: the statement stands alone as the body of if, else, a loop, with
	// or a label, without a block around it.
	Bare bool
}

// Suspend is one yield, yield* or await (not the await of for await).
type Suspend struct {
	Start    int // the y of yield, the a of await
	Keyword  int // behind the keyword (and the * of yield*)
	ArgStart int // the operand's range, as acorn's argument; -1 for a bare yield
	ArgEnd   int
	// Names: the operand is (or may be) an anonymous function or class.
	Names bool
}

// LoopKind tells the loops apart.
type LoopKind uint8

// The kinds of loop.
const (
	For LoopKind = iota + 1
	ForIn
	ForOf
	While
	DoWhile
)

// Loop is one loop statement.
type Loop struct {
	Kind       LoopKind
	Start, End int
	// Body is the statement repeated, braces included when it is a block.
	BodyStart, BodyEnd int
	Block              bool // the body is a block
	// Calls: the loop (head or body, nested functions not) contains a call, new
	// or tagged template of anything but a member of a built-in namespace
	// (performance.now(), Date.now(), Math.x(), Number.x(), String.fromCharCode(),
	// Object.x(), Array.isArray() …).
	Calls bool
	// Awaits: the loop contains yield or await of its function (for await too).
	Awaits bool
}
