// Package jsscan finds the functions, returns and loops of a JavaScript source
// and where text can be inserted, without building a tree.
//
// It reads what ES2025 and its Annex B allow, and decorators: tokens with their
// positions (tokens.go, over tdewolff's lexer), statements by recursive descent
// (statements.go, loops.go, modules.go), expressions by a machine of two states
// that ignores precedence (expressions.go, operands.go, suspends.go), and what they
// contain (functions.go, classes.go, members.go, patterns.go). All positions are byte
// offsets into the source.
//
// It is not a validator: it accepts many programs that an engine would refuse. The
// structure of a valid program is right, and a source that it cannot structure is
// refused with the offset of the problem. Time is linear in the length of the source, except
// that each name that is handed over is looked for in all functions around it. Nesting deeper than 5,000 brackets, blocks or
// functions is refused; chains of operators, calls, ternaries and else if may
// be as long as they like.
package jsscan

import (
	"bytes"
	"math"
	"slices"
	"sync"

	"github.com/tdewolff/parse/v2/js"
)

// maxDepth bounds the nesting, and so the stack.
const maxDepth = 5000

// sighting is a set of things seen in an expression or statement.
type sighting uint8

const (
	sawCall        sighting = 1 << iota // call, new, tagged template, yield or await
	sawOutsideCall                      // call, new or tagged template that may run functions of the program
	sawYield                            // yield or await
	sawEval                             // direct eval
	sawArguments                        // the arguments object
	sawWork                             // parentheses, a template, or a spread or rest in a literal or pattern
	sawIteration                        // a call of what loops in the engine
)

// scanner reads one source.
type scanner struct {
	tokens
	script Script
	goal   Goal // Auto until decided
	from   int  // where reading began
	limit  int  // about where to stop
	giveUp int  // how far a guess is worth reading
	gaveUp bool
	depth  int
	// joinedAt is expr.joined of the expression that was read last.
	joinedAt int
	regular  span     // the regular expression that was read last
	f        frame    // the function being read, or the top level
	seen     sighting // since the innermost function, loop or parenthesis began

	ambiguous bool // await was taken for a name, which a module would not allow
	restart   bool // the source is a module, and something before would be read otherwise in one

	modules []span // the strings that name modules, in import and export declarations

	names []byte // all names, one after the other
	named []naming

	// Stacks, of which the innermost function owns the end.
	returns  []Return
	suspends []Suspend
	loops    []Loop
	declared []span // names of function declarations at the top of the body
	vars     []span // names of parameters, var, and function declarations elsewhere

	// The yields and awaits whose operand is being read. Each expression owns
	// the end.
	open []openSuspend

	// Where finished functions keep theirs.
	keptReturns  []Return
	keptSuspends []Suspend
	keptLoops    []Loop
}

// span is a range of the source.
type span struct{ start, end int }

// Scan reads src. Its error is a *SyntaxError. src is not modified, and kept only
// by a Memory; Scan is safe for concurrent use.
func Scan(src []byte, opts Options) (*Script, error) {
	text := terminated(src)
	defer texts.Put(text)
	if script := opts.Memory.scan(src, *text, opts.Goal); script != nil {
		return script, nil
	}
	return scanWhole(*text, opts.Goal)
}

// texts are sources followed by a NUL. Large ones are worth keeping for the next
// Scan.
var texts = sync.Pool{New: func() any { return new([]byte) }}

// terminated copies a source into one of texts, to which the caller returns it.
func terminated(src []byte) *[]byte {
	text := texts.Get().(*[]byte)
	*text = append(append((*text)[:0], src...), 0)
	return text
}

func newScanner(text []byte) *scanner {
	s := &scanner{giveUp: math.MaxInt}
	s.load(text)
	return s
}

// scanWhole reads a text from the first byte to the last.
func scanWhole(text []byte, goal Goal) (*Script, error) {
	s := newScanner(text)
	s.goal = goal
	s.run()
	if s.restart || s.err != nil && s.goal == Auto && (s.ambiguous || s.htmlComment) {
		isModule, first := s.restart, s.err
		s.goal = AsModule
		if s.run(); s.err != nil && !isModule {
			s.err = first
		}
	}
	if s.err != nil {
		return nil, s.err
	}
	s.finish()
	s.script.resolve(text)
	s.script.turnOff(s.offs)
	return &s.script, nil
}

// run reads the whole source with s.goal.
func (s *scanner) run() {
	s.head(s.n)
	s.readTo(s.n)
}

// head begins at the first byte and reads up to the first statement that is no
// directive.
func (s *scanner) head(limit int) {
	s.reset(0, limit)
	offset := 0
	if string(s.buf[:min(s.n, 3)]) == "\uFEFF" {
		offset = 3
	}
	if s.buf[offset] == '#' && s.buf[offset+1] == '!' {
		s.script.Hashbang = s.lineEnd(offset)
		offset = s.afterNewline(s.script.Hashbang)
	}
	s.begin(offset)
	s.script.Insert = offset
	if line := s.lineEnd(offset); s.htmlComment && s.tt != eof && s.start > line && bytes.Contains(s.buf[offset:line], []byte("-->")) {
		// Text in front of a --> would make it an operator.
		s.script.Insert = s.start
	}
	insert, semi, _ := s.directives()
	if insert >= 0 {
		s.script.Insert, s.script.InsertSemi = insert, semi
	}
}

// reset discards everything that was read, and makes room for the contents of a range.
func (s *scanner) reset(from, limit int) {
	s.from, s.limit = from, limit
	s.script = Script{Functions: make([]Function, 0, (limit-from)/1024+8)}
	s.names, s.named = s.names[:0], slices.Grow(s.named[:0], cap(s.script.Functions))
	s.returns, s.suspends, s.loops = s.returns[:0], s.suspends[:0], s.loops[:0]
	s.declared, s.vars, s.open = s.declared[:0], s.vars[:0], s.open[:0]
	s.restart, s.ambiguous, s.gaveUp, s.depth, s.seen = false, false, false, 0, 0
	s.regular, s.modules = span{}, s.modules[:0]
	s.module = s.goal == AsModule
	s.f = frame{fn: -1, strict: s.module}
}

// readTo reads statements of the top level until one begins at the limit or
// after it.
func (s *scanner) readTo(limit int) {
	s.limit = limit
	for s.tt != eof && (s.start < limit || limit == s.n) {
		if s.tt == js.CloseBraceToken {
			s.unexpected()
			break
		}
		s.statement(atBody)
	}
}

// afterNewline returns the offset after the line terminator at pos.
func (s *scanner) afterNewline(pos int) int {
	switch c := s.buf[pos]; {
	case pos >= s.n:
		return s.n
	case c == '\r' && s.buf[pos+1] == '\n':
		return pos + 2
	case c == '\r' || c == '\n':
		return pos + 1
	}
	return pos + 3 // U+2028 or U+2029
}

// becomeModule notes syntax that only modules have. If something before it means
// something else in a module, reading starts again.
func (s *scanner) becomeModule() {
	if s.goal != Auto {
		return
	}
	if s.ambiguous || s.htmlComment {
		s.restart = true
		s.fail(s.start, "module syntax behind script syntax")
		return
	}
	s.goal = AsModule
	s.module = true
}

// finish completes the script from what was collected, except for turnOff.
func (s *scanner) finish() {
	c := &s.script
	if s.goal == Auto {
		s.goal = AsScript
	}
	c.Goal = s.goal
	c.Strict = s.f.strict || s.goal == AsModule
	c.Statements, c.Begun = s.f.statements, s.f.begun
	c.Loops = append(c.Loops, s.loops...)
	c.OffFile = s.offFile
	c.UsesEval = s.seen&sawEval != 0
	if s.goal == AsModule {
		for i := range c.Functions {
			c.Functions[i].Strict = true
		}
	}
	s.order()
	s.link()
	s.giveNames()
}

// patient fails when a region that was a guess has read far past its limit.
func (s *scanner) patient() bool {
	if s.start <= s.giveUp {
		return true
	}
	s.gaveUp = true
	s.fail(s.start, "too far behind the limit")
	return false
}

// enter counts a level of nesting; it fails past the limit. Its callers leave by
// s.depth--.
func (s *scanner) enter() bool {
	if s.depth >= maxDepth {
		s.fail(s.start, "nested too deeply")
		return false
	}
	s.depth++
	return true
}
