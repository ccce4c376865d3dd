package jsscan

import "github.com/tdewolff/parse/v2/js"

// pattern reads what a declaration or parameter binds, without initialiser. It
// reports whether that is one name. Names that live in the whole function are
// remembered.
func (s *scanner) pattern(wholeFunction bool) bool {
	switch s.tt {
	case js.OpenBracketToken:
		if s.enter() {
			s.arrayPattern(wholeFunction)
			s.depth--
		}
		return false
	case js.OpenBraceToken:
		if s.enter() {
			s.objectPattern(wholeFunction)
			s.depth--
		}
		return false
	}
	if !s.isName() {
		s.unexpected()
		return true
	}
	s.bound(wholeFunction)
	s.next()
	return true
}

// bound notes that the current token is bound.
func (s *scanner) bound(wholeFunction bool) {
	if wholeFunction && s.f.fn >= 0 {
		s.vars = append(s.vars, span{s.start, s.end})
	}
}

// withDefault reads a pattern and its default.
func (s *scanner) withDefault(wholeFunction bool) {
	bind := binding{s.start, s.end}
	if !s.pattern(wholeFunction) {
		bind = binding{}
	}
	s.defaultValue(bind)
}

// defaultValue reads the default of what bind names, if there is one.
func (s *scanner) defaultValue(bind binding) {
	if s.accept(js.EqToken) {
		s.expression(0, bind)
	}
}

func (s *scanner) arrayPattern(wholeFunction bool) {
	s.next()
	for s.tt != js.CloseBracketToken {
		if s.accept(js.CommaToken) {
			continue
		}
		if s.tt == js.EllipsisToken {
			s.seen |= sawWork
			s.next()
		}
		s.withDefault(wholeFunction)
		if !s.accept(js.CommaToken) {
			break
		}
	}
	s.expect(js.CloseBracketToken)
}

func (s *scanner) objectPattern(wholeFunction bool) {
	s.next()
	for s.tt != js.CloseBraceToken {
		switch {
		case s.tt == js.EllipsisToken:
			s.seen |= sawWork
			s.next()
			s.pattern(wholeFunction)
		default:
			name := s.isName()
			key := s.key()
			switch {
			case s.tt == js.ColonToken:
				s.next()
				s.withDefault(wholeFunction)
			case name:
				if wholeFunction && s.f.fn >= 0 {
					s.vars = append(s.vars, span{key.start, key.end})
				}
				s.defaultValue(binding{key.start, key.end})
			default:
				s.unexpected()
			}
		}
		if !s.accept(js.CommaToken) {
			break
		}
	}
	s.expect(js.CloseBraceToken)
}
