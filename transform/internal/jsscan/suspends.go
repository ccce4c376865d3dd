package jsscan

// openSuspend is a yield or await whose operand is being read: an await ends
// before any binary operator, a yield with the assignment expression.
type openSuspend struct {
	index   int // in scanner.suspends
	await   bool
	ternary int // question marks that waited for their colon before it
}

// openSuspend begins the operand of a yield or await at the current token.
func (s *scanner) openSuspend(x *expr, start int, await bool) {
	if !x.suspends {
		x.suspends, x.open = true, len(s.open)
	}
	s.open = append(s.open, openSuspend{len(s.suspends), await, x.ternary})
	s.suspends = append(s.suspends, Suspend{Start: start, Keyword: s.prevEnd, ArgStart: s.start})
}

// closeLast ends the operand of the innermost open yield or await.
func (s *scanner) closeLast(x *expr) {
	last := len(s.open) - 1
	p := &s.suspends[s.open[last].index]
	p.ArgEnd = s.prevEnd
	p.Names = x.last == anonymous && x.target == p.ArgStart
	s.open = s.open[:last]
	x.suspends = last > x.open
}

// closeAwaits ends the awaits whose operand is the one before the current
// token.
func (s *scanner) closeAwaits(x *expr) {
	for x.suspends && s.open[len(s.open)-1].await {
		s.closeLast(x)
	}
}

// closeYields ends whatever began after the given number of question marks.
func (s *scanner) closeYields(x *expr, ternary int) {
	for x.suspends && (s.open[len(s.open)-1].await || s.open[len(s.open)-1].ternary >= ternary) {
		s.closeLast(x)
	}
}

// closeSuspends ends all of the expression.
func (s *scanner) closeSuspends(x *expr) {
	for x.suspends {
		s.closeLast(x)
	}
}
