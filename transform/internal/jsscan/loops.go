package jsscan

import "github.com/tdewolff/parse/v2/js"

// enterLoop begins the loop at the current token.
func (s *scanner) enterLoop(kind LoopKind) loopFrame {
	f := loopFrame{index: len(s.loops), seen: s.seen, broken: s.f.broken}
	s.loops = append(s.loops, Loop{Kind: kind, Start: s.start, InWith: s.f.inWith})
	s.seen, s.f.broken = 0, false
	return f
}

// loopFrame is what is put aside while a loop is read.
type loopFrame struct {
	index  int
	seen   sighting
	broken bool
}

// loopBody reads the statement that a loop repeats.
func (s *scanner) loopBody(f loopFrame) {
	start, block := s.start, s.tt == js.OpenBraceToken
	s.statement(repeated)
	l := &s.loops[f.index]
	l.BodyStart, l.BodyEnd, l.Block = start, s.prevEnd, block
}

// leaveLoop completes a loop. endless: nothing but break ends it. It tells
// whether control surely does not get after it.
func (s *scanner) leaveLoop(f loopFrame, endless bool) bool {
	l := &s.loops[f.index]
	l.End = s.prevEnd
	l.Calls = s.seen&sawOutsideCall != 0
	l.Awaits = s.seen&sawYield != 0
	leaves := endless && !s.f.broken
	s.seen |= f.seen
	s.f.broken = f.broken
	return leaves
}

func (s *scanner) whileStatement() bool {
	f := s.enterLoop(While)
	s.next()
	endless := s.condition()
	s.loopBody(f)
	return s.leaveLoop(f, endless)
}

func (s *scanner) doStatement() bool {
	f := s.enterLoop(DoWhile)
	s.next()
	s.loopBody(f)
	s.expect(js.WhileToken)
	endless := s.condition()
	s.accept(js.SemicolonToken)
	return s.leaveLoop(f, endless)
}

func (s *scanner) forStatement() bool {
	f := s.enterLoop(For)
	s.next()
	if s.tt == js.AwaitToken {
		if s.f.fn < 0 {
			s.becomeModule()
		}
		s.seen |= sawCall | sawYield
		s.next()
	}
	s.expect(js.OpenParenToken)
	endless := false
	switch s.forInit() {
	case js.InToken:
		s.loops[f.index].Kind = ForIn
		s.next()
		s.expression(comma, binding{})
	case js.OfToken:
		s.loops[f.index].Kind = ForOf
		s.next()
		s.expression(0, binding{})
	default:
		s.expect(js.SemicolonToken)
		if endless = s.tt == js.SemicolonToken; !endless {
			s.expression(comma, binding{})
		}
		s.expect(js.SemicolonToken)
		if s.tt != js.CloseParenToken {
			s.expression(comma, binding{})
		}
	}
	s.expect(js.CloseParenToken)
	s.loopBody(f)
	return s.leaveLoop(f, endless)
}

// forInit reads the head of a for up to the first semicolon, in or of, and
// returns that token.
func (s *scanner) forInit() js.TokenType {
	switch {
	case s.tt == js.SemicolonToken:
	case s.tt == js.VarToken, s.tt == js.ConstToken:
		s.declarations(s.tt == js.VarToken, noIn)
	case s.declares(inBlock, true):
		s.declarations(false, noIn)
	default:
		s.expression(comma|noIn, binding{})
	}
	return s.tt
}
