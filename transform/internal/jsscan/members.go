package jsscan

import "github.com/tdewolff/parse/v2/js"

// key is the name of a property or class member, where its text is.
type key struct {
	start, end int
	computed   bool
	private    bool
}

// binding returns the name a function gets as the key's value.
func (k key) binding() binding {
	if k.computed {
		return binding{}
	}
	return binding{k.start, k.end}
}

// key reads a property name.
func (s *scanner) key() key {
	k := key{start: s.start, end: s.end}
	switch {
	case s.tt == js.OpenBracketToken:
		k.computed = true
		s.next()
		s.f.shown++
		s.expression(comma, binding{})
		s.f.shown--
		s.expect(js.CloseBracketToken)
		return k
	case s.tt == js.PrivateIdentifierToken:
		k.private = true
	case js.IsIdentifierName(s.tt), s.tt == js.StringToken, js.IsNumeric(s.tt):
	default:
		s.unexpected()
		return k
	}
	s.next()
	return k
}

// member is what is known of a property or class member when its key is read.
type member struct {
	start            int // of the whole
	kind             Kind
	async, generator bool
	key              key
	shorthand        js.TokenType // the key's token, if the key may be a reference
}

// member reads a property or class member up to and with its key.
func (s *scanner) member(start int) member {
	m := member{start: start, kind: Method, shorthand: s.tt}
	switch s.tt {
	case js.AsyncToken, js.GetToken, js.SetToken:
		word := s.tt
		m.key = key{start: s.start, end: s.end}
		s.next()
		if s.endsKey() || s.newline && (word == js.AsyncToken || s.tt == js.MulToken) {
			return m
		}
		switch word {
		case js.AsyncToken:
			m.async = true
		case js.GetToken:
			m.kind = Getter
		default:
			m.kind = Setter
		}
		m.shorthand = eof
	}
	if s.tt == js.MulToken {
		m.generator, m.shorthand = true, eof
		s.next()
	}
	m.key = s.key()
	return m
}

// endsKey reports whether the current token can be after a key, so that the
// word before it was no modifier.
func (s *scanner) endsKey() bool {
	switch s.tt {
	case js.OpenParenToken, js.EqToken, js.SemicolonToken, js.CloseBraceToken, js.CommaToken, js.ColonToken, eof:
		return true
	}
	return false
}

// method reads the function of a member from its parameters.
func (s *scanner) method(m member) {
	outer := s.enterFunction(m.kind, m.start, m.async, m.generator)
	if !m.key.computed {
		prefix := ""
		switch m.kind {
		case Getter:
			prefix = "get "
		case Setter:
			prefix = "set "
		}
		s.setName(prefix, m.key.start, m.key.end)
	}
	s.parameters()
	s.body()
	s.leaveFunction(outer, s.prevEnd)
}

// object reads an object literal, which may be a pattern.
func (s *scanner) object() {
	s.next()
	for s.tt != js.CloseBraceToken {
		if s.tt == js.EllipsisToken {
			s.seen |= sawWork
			s.next()
			s.expression(0, binding{})
		} else {
			s.property()
		}
		if !s.accept(js.CommaToken) {
			break
		}
	}
	s.expect(js.CloseBraceToken)
}

// property reads one property of an object literal.
func (s *scanner) property() {
	what := ordinary
	if s.tt == js.IdentifierToken {
		what = s.meaning()
	}
	m := s.member(s.start)
	switch {
	case s.tt == js.OpenParenToken:
		s.method(m)
	case s.tt == js.ColonToken:
		s.next()
		s.expression(0, m.key.binding())
	case js.IsIdentifier(m.shorthand) || m.shorthand == js.YieldToken || m.shorthand == js.AwaitToken:
		if what == argumentsObject {
			s.seen |= sawArguments
		}
		if s.tt == js.EqToken { // a default: the literal is a pattern
			s.next()
			s.expression(0, m.key.binding())
		}
	default:
		s.unexpected()
	}
}
