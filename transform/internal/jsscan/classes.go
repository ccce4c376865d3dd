package jsscan

import "github.com/tdewolff/parse/v2/js"

// decorator reads a decorator, which has no effect on the structure.
func (s *scanner) decorator() {
	s.next()
	if s.accept(js.OpenParenToken) {
		s.expression(comma, binding{})
		s.expect(js.CloseParenToken)
		return
	}
	s.seen |= sawCall | sawOutsideCall
	s.memberName()
	for s.tt == js.DotToken {
		s.next()
		s.memberName()
	}
	if s.tt == js.OpenParenToken {
		x := expr{fn: -1, callee: -1}
		s.call(&x)
	}
}

// decorators reads all decorators that are here.
func (s *scanner) decorators() {
	for s.tt == atToken {
		s.decorator()
	}
}

// classExpression reads a class from its decorators or keyword.
func (s *scanner) classExpression(x *expr) {
	s.decorators()
	if s.tt != js.ClassToken {
		s.unexpected()
		return
	}
	named, constructor := s.class(x.bind)
	if !named {
		x.kind, x.fn = anonymous, constructor
	}
}

// class reads a class from its keyword. It reports whether the class has a name,
// and the index of its constructor, -1 without one.
func (s *scanner) class(bind binding) (named bool, constructor int) {
	constructor = -1
	if !s.enter() {
		return false, -1
	}
	strict := s.f.strict
	s.f.strict = true
	s.f.shown++
	c := classState{bind: bind}
	s.next()
	if s.isName() {
		c.named = true
		c.name = span{s.start, s.end}
		s.next()
	}
	if s.tt == js.ExtendsToken {
		c.derived = true
		s.next()
		s.expression(0, binding{})
	}
	s.expect(js.OpenBraceToken)
	for s.tt != js.CloseBraceToken && s.tt != eof {
		if s.accept(js.SemicolonToken) {
			continue
		}
		if fn := s.classMember(&c); fn >= 0 {
			constructor = fn
		}
	}
	s.expect(js.CloseBraceToken)
	s.f.strict = strict
	s.f.shown--
	s.depth--
	return c.named, constructor
}

// classState is the class being read.
type classState struct {
	named   bool
	name    span
	bind    binding
	derived bool
}

// classMember reads one element of a class body. It returns the function's
// index if that is the constructor, else -1.
func (s *scanner) classMember(c *classState) int {
	s.decorators()
	start := s.start
	static := false
	if s.tt == js.StaticToken {
		word := key{start: s.start, end: s.end}
		s.next()
		switch {
		case s.tt == js.OpenBraceToken:
			s.staticBlock(start)
			return -1
		case s.endsKey():
			s.memberRest(member{start: start, kind: Method, key: word}, false)
			return -1
		}
		static = true
	}
	if s.tt == js.IdentifierToken && string(s.text()) == "accessor" {
		word := key{start: s.start, end: s.end}
		s.next()
		if s.endsKey() || s.newline {
			s.memberRest(member{start: start, kind: Method, key: word}, static)
			return -1
		}
	}
	m := s.member(start)
	if s.tt == js.OpenParenToken && !static && m.kind == Method && !m.async && !m.generator && s.isConstructor(m.key) {
		return s.constructor(c, start)
	}
	s.memberRest(m, static)
	return -1
}

// isConstructor reports whether a key names the constructor of its class.
func (s *scanner) isConstructor(k key) bool {
	if k.computed || k.private {
		return false
	}
	text := s.buf[k.start:k.end]
	return string(text) == "constructor" || len(text) > len("constructor") && string(s.plainName(text)) == "constructor"
}

// constructor reads a constructor from its parameters and returns its index.
func (s *scanner) constructor(c *classState, start int) int {
	outer := s.enterFunction(Constructor, start, false, false)
	fn := s.f.fn
	s.function().Derived = c.derived
	if c.named {
		s.setName("", c.name.start, c.name.end)
	} else {
		s.infer(c.bind)
	}
	s.parameters()
	s.body()
	s.leaveFunction(outer, s.prevEnd)
	return fn
}

// memberRest reads a class element from just after its key.
func (s *scanner) memberRest(m member, static bool) {
	if s.tt == js.OpenParenToken {
		s.method(m)
		return
	}
	if s.accept(js.EqToken) {
		outer := s.initializer(s.start, static)
		s.expressionBody(0, m.key.binding())
		s.leaveFunction(outer, s.prevEnd)
	}
	s.semicolon()
}

// initializer begins the function that a field's value or a static block is.
func (s *scanner) initializer(start int, static bool) frame {
	outer := s.enterFunction(Initializer, start, false, false)
	fn := s.function()
	fn.Params, fn.ParamsEnd = start, start
	if static {
		s.setText("<static_initializer>", nil)
	} else {
		s.setText("<instance_members_initializer>", nil)
	}
	return outer
}

// staticBlock reads a static block from its brace.
func (s *scanner) staticBlock(start int) {
	outer := s.initializer(start, true)
	bodyStart := s.end
	if s.enter() {
		s.next()
		leaves := s.statements(atBody)
		fn := s.function()
		fn.BodyStart, fn.BodyEnd, fn.Insert = bodyStart, s.start, bodyStart
		fn.FallsThrough = !leaves
		s.expect(js.CloseBraceToken)
		s.depth--
	}
	s.leaveFunction(outer, s.prevEnd)
}
