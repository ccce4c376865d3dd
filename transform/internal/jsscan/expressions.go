package jsscan

import "github.com/tdewolff/parse/v2/js"

// Expressions are read by a machine of two states: an operand is wanted, or an
// operator may follow. Precedence does not matter to the structure of a script,
// so chains of any length, ternaries included, are a loop; only brackets,
// templates, arrow bodies and functions recurse.

// mode says where an expression is.
type mode uint8

const (
	comma mode = 1 << iota // a comma joins it to another
	noIn                   // in ends it: the head of a for
)

// operandKind is what an expression is, when it is one operand alone.
type operandKind uint8

const (
	plain     operandKind = iota // anything else
	anonymous                    // an anonymous function, class or arrow
	sequence                     // a parenthesised a, b
	evalName                     // the name eval
)

// builtin is how far the operand is towards a call that stays in the engine.
type builtin uint8

const (
	notBuiltin    builtin = iota
	namespaceName         // Math
	memberOf              // Math.max
)

// binding is the text that would name an anonymous function: its range.
type binding struct{ start, end int }

// result is what matters about an expression once it is read. A struct with more
// fields would be returned through memory, which is measurably slower.
type result struct {
	count    int // comma-joined expressions
	fn       int // the function that it is, or the constructor of the class; -1 for anything else
	kind     operandKind
	assigned bool // its first token is, or begins, the target of =
}

// expr is an expression being read.
type expr struct {
	mode       mode
	closed     bool // an arrow or a bare yield: nothing binds to it
	builtin    builtin
	kind       operandKind
	last       operandKind // of the last operand, whatever is before it
	suspends   bool        // has yields or awaits whose operand is being read
	prefix     bool        // a prefix operator precedes the operand
	constructs bool        // new is among them
	assign     bool        // = followed the first operand
	simple     bool        // no operator so far
	updated    bool        // ++ or -- follows the operand: no member, call or template can
	inner      int         // with kind sequence: how many
	callee     int         // the function behind an anonymous operand, whatever is before it, or -1
	fn         int
	count      int
	ternary    int // question marks that wait for their colon
	target     int // where the operand with its members begins
	joined     int // where the operand after the last comma begins, 0 without one
	handler    int // where the value assigned to a handler's property begins, 0 without one
	bind       binding
	open       int // with suspends: where its own begin in scanner.open
}

// begin sets what is not zero, in place.
func (x *expr) begin(m mode, bind binding, target int) {
	x.mode, x.simple = m, true
	x.fn, x.callee, x.count = -1, -1, 1
	x.target, x.bind = target, bind
}

// expression reads one expression up to the first token that cannot continue
// it. bind names the function it may be.
func (s *scanner) expression(m mode, bind binding) result {
	if s.tt == js.IdentifierToken {
		return s.fromName(m, bind)
	}
	if !s.enter() {
		return result{count: 1, fn: -1}
	}
	var x expr
	x.begin(m, bind, 0)
	s.operand(&x)
	return s.rest(&x)
}

// fromName reads an expression that begins with a name, most of which are no
// more than that.
func (s *scanner) fromName(m mode, bind binding) result {
	start, end := s.start, s.end
	what := s.meaning()
	s.next()
	switch s.tt {
	case js.CloseParenToken, js.SemicolonToken, js.CloseBraceToken, js.CloseBracketToken:
		if what == ordinary {
			return result{count: 1, fn: -1}
		}
	case js.CommaToken:
		if what == ordinary && m&comma == 0 {
			return result{count: 1, fn: -1}
		}
	}
	if !s.enter() {
		return result{count: 1, fn: -1}
	}
	var x expr
	x.begin(m, bind, start)
	s.afterName(&x, what, start, end)
	return s.rest(&x)
}

// resume goes on with an expression whose first operand, a literal that began
// at start, was read already.
func (s *scanner) resume(m mode, start int) result {
	if !s.enter() {
		return result{count: 1, fn: -1}
	}
	var x expr
	x.begin(m, binding{}, start)
	return s.rest(&x)
}

// rest reads an expression from just after its first operand.
func (s *scanner) rest(x *expr) result {
	for s.operators(x) {
		s.operand(x)
	}
	if x.suspends {
		s.closeSuspends(x)
	}
	s.settleHandler(x)
	if x.ternary > 0 {
		s.unexpected()
	}
	s.depth--
	s.joinedAt = x.joined
	switch {
	case x.count > 1 || !x.simple:
		return result{count: x.count, fn: -1, kind: plain, assigned: x.assign}
	case x.kind == sequence:
		return result{count: x.inner, fn: x.fn, kind: sequence, assigned: x.assign}
	}
	return result{count: x.count, fn: x.fn, kind: x.kind, assigned: x.assign}
}

// operators reads what may follow an operand. It reports whether it stopped
// after an operator that wants another one.
func (s *scanner) operators(x *expr) bool {
	switch s.tt {
	case js.SemicolonToken, js.CloseParenToken, js.CloseBraceToken, js.CloseBracketToken:
		return false
	}
	if x.closed {
		switch {
		case s.tt == js.CommaToken && x.mode&comma != 0 && x.ternary == 0:
			return s.joined(x)
		case s.tt == js.ColonToken && x.ternary > 0:
			return s.otherwise(x)
		}
		return false
	}
	for !x.updated && s.suffix(x) {
	}
	switch tt := s.tt; tt {
	case js.SemicolonToken, js.CloseParenToken, js.CloseBraceToken, js.CloseBracketToken,
		js.IncrToken, js.DecrToken, js.NotToken, js.BitNotToken:
		return false
	case js.QuestionToken:
		s.keepBinding(x)
		x.ternary++
		s.next()
	case js.ColonToken:
		if x.ternary == 0 {
			return false
		}
		return s.otherwise(x)
	case js.CommaToken:
		if x.mode&comma == 0 || x.ternary > 0 {
			return false
		}
		return s.joined(x)
	case js.EqToken:
		x.assign = x.assign || x.simple && !x.prefix
		s.assignment(x)
	case js.AndEqToken, js.OrEqToken, js.NullishEqToken:
		s.assignment(x)
	case js.AndToken, js.OrToken, js.NullishToken:
		s.keepBinding(x)
		s.next()
	case js.InToken:
		if x.mode&noIn != 0 && x.ternary == 0 {
			return false
		}
		s.binary(x)
	case js.InstanceofToken:
		s.binary(x)
	default:
		if !js.IsOperator(tt) {
			return false
		}
		s.binary(x)
	}
	return true
}

// suffix reads one thing that binds to the operand before it: a member, a call,
// a template, ++ or --. It reports whether there was one.
func (s *scanner) suffix(x *expr) bool {
	switch s.tt {
	case js.DotToken:
		s.notAlone(x)
		s.next()
		if x.builtin == namespaceName && s.callsNothing() {
			x.builtin = memberOf
		} else {
			x.builtin = notBuiltin
		}
		s.memberName()
		return true
	case js.OpenParenToken:
		s.call(x)
	case js.OpenBracketToken:
		s.notAlone(x)
		s.next()
		s.expression(comma, binding{})
		s.expect(js.CloseBracketToken)
	case js.OptChainToken:
		s.notAlone(x)
		s.next()
		if tt := s.tt; js.IsIdentifierName(tt) || tt == js.PrivateIdentifierToken {
			s.next()
		} else if tt != js.OpenParenToken && tt != js.OpenBracketToken {
			s.unexpected()
			return false
		}
	case js.TemplateToken, js.TemplateStartToken:
		s.notAlone(x)
		s.seen |= sawCall | sawOutsideCall
		s.template()
	case js.IncrToken, js.DecrToken:
		if s.newline {
			return false
		}
		s.notAlone(x)
		x.updated = true
		s.next()
	default:
		return false
	}
	x.builtin = notBuiltin
	return true
}

// otherwise reads the colon of a ternary.
func (s *scanner) otherwise(x *expr) bool {
	if x.suspends {
		s.closeYields(x, x.ternary)
	}
	s.settleHandler(x)
	x.ternary--
	x.closed = false
	s.next()
	return true
}

// binary reads an operator that makes the operand no function of its own name.
func (s *scanner) binary(x *expr) {
	if x.suspends {
		s.closeAwaits(x)
	}
	s.notAlone(x)
	x.simple = false
	x.bind = binding{}
	s.next()
}

// assignment reads = and its logical kin, which name a function to the right.
func (s *scanner) assignment(x *expr) {
	if x.suspends {
		s.closeAwaits(x)
	}
	handles := s.handles()
	x.bind = binding{x.target, s.prevEnd}
	x.kind, x.fn, x.simple = plain, -1, false
	s.next()
	if handles {
		x.handler = s.start
	}
}

// keepBinding notes an operator whose value may be its operand, so that people
// still know the operand by the name of what the whole is bound to.
func (s *scanner) keepBinding(x *expr) {
	if x.suspends {
		s.closeAwaits(x)
	}
	x.kind, x.fn, x.simple = plain, -1, false
}

// notAlone notes that something is done to the operand: if it is a function,
// it is not what the name will be bound to.
func (s *scanner) notAlone(x *expr) {
	if x.fn >= 0 {
		s.uninfer(x.fn)
		x.fn = -1
	}
	x.kind, x.last, x.callee, x.simple = plain, plain, -1, false
}

// joined reads a comma.
func (s *scanner) joined(x *expr) bool {
	if x.suspends {
		s.closeSuspends(x)
	}
	s.settleHandler(x)
	x.count++
	x.closed, x.kind, x.fn = false, plain, -1
	x.bind = binding{}
	s.next()
	x.joined = s.start
	return true
}

// memberName reads the name after a dot.
func (s *scanner) memberName() {
	if !js.IsIdentifierName(s.tt) && s.tt != js.PrivateIdentifierToken {
		s.unexpected()
		return
	}
	s.next()
}

// call reads the arguments of a call of x.
func (s *scanner) call(x *expr) {
	s.seen |= sawCall
	if x.builtin != memberOf {
		s.seen |= sawOutsideCall
	}
	if x.kind == evalName {
		s.seen |= sawEval
	}
	callee := x.callee
	s.notAlone(x)
	if s.iterates() {
		s.seen |= sawIteration
	}
	name := s.prevEnd
	c := Call{Start: s.end}
	s.next()
	quoted := s.tt == js.StringToken || s.tt == js.TemplateToken || s.tt == js.TemplateStartToken
	first := s.start
	for s.tt != js.CloseParenToken {
		if c.Arguments == 1 && s.defines(name) {
			s.seen |= sawIteration
		}
		spread := s.accept(js.EllipsisToken)
		if spread {
			callee = -1
		}
		from := s.start
		switch r := s.expression(0, binding{}); {
		case spread:
		case r.fn >= 0:
			s.handed(r.fn, name, quoted)
		case class[s.buf[from]] == letter:
			s.handedByName(from, name, quoted)
		}
		if s.regular == (span{first, s.prevEnd}) && s.patternLoops() && matchesPattern[s.methodName(name)] {
			s.seen |= sawIteration
		}
		c.Arguments++
		if c.Comma = s.accept(js.CommaToken); !c.Comma {
			break
		}
	}
	c.End = s.start
	s.expect(js.CloseParenToken)
	if callee < 0 || s.f.fn >= 0 || s.f.shown > 0 {
		return
	}
	if f := &s.script.Functions[callee]; f.Kind != Constructor && s.buf[f.Params] == '(' {
		f.Called = c
	}
}

// template reads a template from its first token.
func (s *scanner) template() {
	s.seen |= sawWork
	if s.accept(js.TemplateToken) {
		return
	}
	for {
		s.next()
		s.expression(comma, binding{})
		if s.tt != js.CloseBraceToken {
			s.unexpected()
			return
		}
		s.templateRest()
		if s.tt != js.TemplateMiddleToken {
			break
		}
	}
	if s.tt != js.TemplateEndToken {
		s.unexpected()
		return
	}
	s.next()
}
