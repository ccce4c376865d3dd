package jsscan

import "github.com/tdewolff/parse/v2/js"

// operand reads prefix operators and one primary expression.
func (s *scanner) operand(x *expr) {
	x.prefix, x.constructs, x.updated, x.builtin, x.callee = false, false, false, notBuiltin, -1
	if s.start > s.giveUp {
		s.patient()
	}
	if s.tt == js.IdentifierToken { // as most are
		x.target, x.kind, x.fn = s.start, plain, -1
		s.name(x)
		x.last = x.kind
		return
	}
	for {
		tt := s.tt
		switch tt {
		case js.AddToken, js.SubToken, js.NotToken, js.BitNotToken, js.IncrToken, js.DecrToken,
			js.TypeofToken, js.VoidToken, js.DeleteToken:
			s.next()
		case js.NewToken:
			x.constructs = true
			s.next()
			if s.tt == js.DotToken { // new.target
				s.next()
				s.memberName()
				s.notAlone(x)
				return
			}
			s.seen |= sawCall | sawOutsideCall
		case js.AwaitToken:
			if !s.awaits() {
				s.lastOperand(x, tt)
				return
			}
			s.seen |= sawCall | sawYield
			start := s.start
			s.next()
			s.openSuspend(x, start, true)
		case js.YieldToken:
			if !s.f.generator {
				s.lastOperand(x, tt)
				return
			}
			s.seen |= sawCall | sawYield
			start := s.start
			s.next()
			if s.yieldsNothing() {
				s.suspends = append(s.suspends, Suspend{Start: start, Keyword: s.prevEnd, ArgStart: -1, ArgEnd: -1})
				s.notAlone(x)
				x.closed = true
				return
			}
			delegates := s.accept(js.MulToken)
			s.openSuspend(x, start, false)
			s.suspends[len(s.suspends)-1].Delegates = delegates
		default:
			s.lastOperand(x, tt)
			return
		}
		x.prefix = true
		x.bind = binding{}
	}
}

// lastOperand reads the primary expression after the prefix operators.
func (s *scanner) lastOperand(x *expr, tt js.TokenType) {
	x.target = s.start
	s.primary(x, tt)
	last, callee := x.kind, -1
	if last == anonymous {
		callee = x.fn
	}
	if !x.prefix {
		x.last, x.callee = last, callee
		return
	}
	if last != evalName {
		s.notAlone(x)
	}
	x.last, x.simple = last, false
	if !x.constructs {
		x.callee = callee
	}
}

// yieldsNothing reports whether the yield before the current token has no operand.
func (s *scanner) yieldsNothing() bool {
	switch s.tt {
	case js.CloseParenToken, js.CloseBracketToken, js.CloseBraceToken, js.CommaToken,
		js.SemicolonToken, js.ColonToken, js.InToken, eof:
		return true
	}
	return s.newline
}

// awaits reports whether the current token, await, is an operator here. At the
// top level of a source that may be a module or a script, the rest of its line
// decides: a name or a literal can only follow an operator.
func (s *scanner) awaits() bool {
	if s.f.async {
		return true
	}
	if s.f.fn >= 0 || s.goal == AsScript || s.goal == AsFunctionBody {
		return false
	}
	if s.goal == AsModule {
		return true
	}
	at, newline := s.skip(s.end)
	c := s.buf[at]
	end := s.word(at)
	word := string(s.buf[at:end])
	if !newline && (end > at && word != "in" && word != "instanceof" && word != "of" ||
		class[c] == quote || class[c] == digit || c == '{') {
		s.becomeModule()
		return true
	}
	s.ambiguous = true
	return false
}

// primary reads an operand that begins with the current token, of type tt.
func (s *scanner) primary(x *expr, tt js.TokenType) {
	x.kind, x.fn = plain, -1
	switch tt {
	case js.OpenParenToken:
		s.paren(x)
	case js.OpenBracketToken:
		s.array()
	case js.OpenBraceToken:
		s.object()
	case js.FunctionToken:
		s.functionExpression(x, s.start, false)
	case js.ClassToken, atToken:
		s.classExpression(x)
	case js.AsyncToken:
		s.async(x)
	case js.TemplateToken, js.TemplateStartToken:
		s.template()
	case js.DivToken, js.DivEqToken:
		s.regexp()
		s.regular = span{s.start, s.end}
		s.next()
	case js.StringToken, js.DecimalToken, js.BinaryToken, js.OctalToken, js.HexadecimalToken, js.IntegerToken,
		js.ThisToken, js.NullToken, js.TrueToken, js.FalseToken, js.SuperToken, js.PrivateIdentifierToken:
		s.next()
	case js.ImportToken:
		s.next()
		switch {
		case s.tt == js.DotToken:
			s.next()
			if string(s.text()) == "meta" && s.goal == Auto {
				s.becomeModule()
			}
			s.memberName()
		case s.tt != js.OpenParenToken:
			s.unexpected()
		}
	default:
		if !js.IsIdentifier(tt) && tt != js.AwaitToken && tt != js.YieldToken {
			s.unexpected()
			return
		}
		s.name(x)
	}
}

// name reads an identifier, or the arrow function whose parameter it is.
func (s *scanner) name(x *expr) {
	start, end := s.start, s.end
	what := s.meaning()
	s.next()
	s.afterName(x, what, start, end)
}

// afterName takes the identifier before the current token for an operand, or
// reads the arrow function whose parameter it is.
func (s *scanner) afterName(x *expr, what meaning, start, end int) {
	if s.tt == js.ArrowToken && !s.newline {
		s.arrow(x, arrowHead{start: start, params: start, paramsEnd: end, count: 1})
		return
	}
	switch what {
	case namespace:
		x.builtin = namespaceName
	case evalFunction:
		x.kind = evalName
	case argumentsObject:
		s.seen |= sawArguments
	}
}

// meaning is what an identifier may stand for.
type meaning uint8

const (
	ordinary meaning = iota
	namespace
	evalFunction
	argumentsObject
)

// meansSomething has the first letters of the names that meaning knows, and of
// those with escapes.
var meansSomething = [256]bool{'M': true, 'D': true, 'J': true, 'A': true, 'N': true, 'O': true, 'S': true, 'B': true, 'R': true,
	'p': true, 'e': true, 'a': true, '\\': true}

// meaning returns what the current token, an identifier, may stand for.
func (s *scanner) meaning() meaning {
	text := s.text()
	if len(text) < 4 || !meansSomething[text[0]] {
		return ordinary
	}
	if s.escaped {
		text = unescape(text)
	}
	switch string(text) {
	case "Math", "Date", "JSON", "Array", "Number", "Object", "String", "Symbol", "BigInt",
		"Reflect", "Atomics", "performance":
		return namespace
	case "eval":
		return evalFunction
	case "arguments":
		return argumentsObject
	}
	return ordinary
}

// callsNothing reports whether the current token names a member of a built-in
// namespace that runs no function of the program.
func (s *scanner) callsNothing() bool {
	switch string(s.text()) {
	case "apply", "construct", "from", "fromAsync", "groupBy", "fromEntries":
		return false
	}
	return true
}

// array reads an array literal, which may be a pattern.
func (s *scanner) array() {
	s.next()
	for s.tt != js.CloseBracketToken {
		if s.accept(js.CommaToken) {
			continue
		}
		if s.tt == js.EllipsisToken {
			s.seen |= sawWork
			s.next()
		}
		s.expression(0, binding{})
		if !s.accept(js.CommaToken) {
			break
		}
	}
	s.expect(js.CloseBracketToken)
}

// paren reads a parenthesised expression, or the arrow function whose
// parameters it is.
func (s *scanner) paren(x *expr) {
	head := arrowHead{start: s.start}
	last, count := s.list(&head, x.bind)
	if s.tt == js.ArrowToken && !s.newline {
		s.arrow(x, head)
		return
	}
	s.seen |= head.before | sawWork
	if count == 0 || head.rest || head.trailing {
		s.unexpected()
		return
	}
	x.kind, x.fn, x.inner = last.kind, last.fn, last.count
	if count > 1 {
		x.kind, x.fn, x.inner = sequence, -1, count
	}
}

// list reads a parenthesised list of what may be expressions or parameters. It
// returns the last and their number. s.seen is then of the list alone, and
// head.before what was seen until then.
func (s *scanner) list(head *arrowHead, bind binding) (last result, count int) {
	head.before, s.seen = s.seen, 0
	head.params = s.start
	s.next()
	for s.tt != js.CloseParenToken {
		head.trailing = false
		if s.tt == js.EllipsisToken {
			head.rest = true
			s.next()
		}
		if s.tt == js.OpenBraceToken || s.tt == js.OpenBracketToken {
			head.destructuring = true
		}
		last = s.expression(0, bind)
		bind = binding{}
		count++
		if last.assigned {
			head.defaults = true
		}
		if s.tt != js.CommaToken {
			break
		}
		head.trailing = true
		s.next()
	}
	s.expect(js.CloseParenToken)
	head.paramsEnd, head.count = s.prevEnd, count
	return last, count
}

// async reads an operand that begins with the name async.
func (s *scanner) async(x *expr) {
	start := s.start
	word, end := s.following(false)
	switch {
	case string(word) == "function":
		s.next()
		s.functionExpression(x, start, true)
		return
	case len(word) > 0:
		at, _ := s.skip(end)
		if s.buf[at] != '=' || s.buf[at+1] != '>' {
			break
		}
		s.next()
		head := arrowHead{start: start, async: true, params: s.start, paramsEnd: s.end, count: 1}
		s.next()
		s.arrow(x, head)
		return
	case s.buf[end] == '(':
		s.next()
		head := arrowHead{start: start, async: true}
		s.list(&head, binding{})
		if s.tt == js.ArrowToken && !s.newline {
			s.arrow(x, head)
			return
		}
		s.seen |= head.before | sawCall | sawOutsideCall
		return
	}
	s.name(x)
}
