package jsscan

import "github.com/tdewolff/parse/v2/js"

// place says where a statement is.
type place uint8

const (
	atBody   place = iota // at the top of a function's body or of the script
	inBlock               // in a block or a case
	alone                 // as the body of if, else, with or a label
	repeated              // as the body of a loop, after labels or not
)

// statements reads statements up to a closing brace. It reports whether control
// surely leaves the function before their end.
func (s *scanner) statements(where place) (leaves bool) {
	for s.tt != js.CloseBraceToken && s.tt != eof {
		if s.statement(where) {
			leaves = true
		}
	}
	return leaves
}

// block reads braces and the statements between them.
func (s *scanner) block() (leaves bool) {
	s.expect(js.OpenBraceToken)
	leaves = s.statements(inBlock)
	s.expect(js.CloseBraceToken)
	return leaves
}

// statement reads one statement or declaration. It reports whether control surely
// does not get after it: returned, thrown or caught in an endless loop.
func (s *scanner) statement(where place) (leaves bool) {
	if !s.patient() || !s.enter() {
		return false
	}
	leaves = s.anyStatement(where)
	s.depth--
	return leaves
}

func (s *scanner) anyStatement(where place) bool {
	s.f.suspended = len(s.suspends)
	switch s.tt {
	case js.OpenBraceToken:
		return s.block()
	case js.SemicolonToken:
		s.next()
		return false
	}
	s.f.begun++
	switch s.tt {
	case js.FunctionToken:
		s.mayDeclare(where)
		s.functionDeclaration(where, s.start, false)
		return false
	case js.ImportToken:
		if c := s.follows(); c != '(' && c != '.' {
			s.importDeclaration()
			return false
		}
	case js.ExportToken:
		s.exportDeclaration()
		return false
	case atToken:
		s.decorators()
		if s.tt == js.ExportToken {
			s.exportDeclaration()
			return false
		}
		if s.tt != js.ClassToken {
			s.unexpected()
		}
		return s.anyStatement(where)
	case js.IdentifierToken, js.AsyncToken, js.LetToken, js.AwaitToken, js.YieldToken,
		js.FromToken, js.GetToken, js.OfToken, js.SetToken, js.StaticToken:
		if s.labelled() {
			return s.label(where)
		}
		if s.tt == js.AsyncToken {
			if word, _ := s.following(false); string(word) == "function" {
				s.mayDeclare(where)
				start := s.start
				s.next()
				s.functionDeclaration(where, start, true)
				return false
			}
		} else if s.declares(where, false) {
			s.f.statements++
			s.declarations(false, 0)
			s.semicolon()
			return false
		}
	}
	return s.countedStatement(where)
}

// countedStatement reads a statement that counts: one that begins with a
// keyword, or an expression.
func (s *scanner) countedStatement(where place) bool {
	switch s.tt {
	case js.VarToken:
		s.f.statements++
		s.declarations(true, 0)
		s.semicolon()
	case js.ConstToken:
		s.mayDeclare(where)
		s.f.statements++
		s.declarations(false, 0)
		s.semicolon()
	case js.ClassToken:
		s.mayDeclare(where)
		s.f.statements++
		s.class(binding{})
	case js.IfToken:
		return s.ifStatement()
	case js.ForToken:
		s.f.statements++
		return s.forStatement()
	case js.WhileToken:
		s.f.statements++
		return s.whileStatement()
	case js.DoToken:
		s.f.statements++
		return s.doStatement()
	case js.ReturnToken:
		s.returnStatement(where)
		return true
	case js.ThrowToken:
		s.f.statements++
		s.next()
		s.expression(comma, binding{})
		s.semicolon()
		return true
	case js.BreakToken, js.ContinueToken:
		s.f.statements++
		isBreak := s.tt == js.BreakToken
		s.next()
		if s.isName() && !s.newline {
			s.next()
		} else if isBreak {
			s.f.broken = true
		}
		s.semicolon()
	case js.TryToken:
		s.f.statements++
		return s.tryStatement()
	case js.SwitchToken:
		s.f.statements++
		s.switchStatement()
	case js.WithToken:
		s.f.statements++
		return s.withStatement()
	case js.DebuggerToken:
		s.f.statements++
		s.next()
		s.semicolon()
	default:
		r := s.expression(comma, binding{})
		s.f.statements += r.count
		s.semicolon()
	}
	return false
}

// mayDeclare fails if a declaration would be the body of a loop. Engines refuse that,
// but would accept it once a check puts the body into a block.
func (s *scanner) mayDeclare(where place) {
	if where == repeated {
		s.fail(s.start, "a declaration cannot be the body of a loop")
	}
}

// semicolon reads the end of a statement: a semicolon, or where one may be
// missing.
func (s *scanner) semicolon() {
	if s.breaks() {
		s.breakSuspend()
	}
	switch {
	case s.tt == js.SemicolonToken:
		s.next()
	case s.newline, s.tt == js.CloseBraceToken, s.tt == eof:
	default:
		s.unexpected()
	}
}

// breaks reports whether a line break ends the statement before the current token,
// which could continue another: the value of
//
//	return x = () => {}
//	(y)
//
// ends with the line, since an arrow with a body cannot be called. Put into
// parentheses it could.
func (s *scanner) breaks() bool {
	if !s.newline {
		return false
	}
	switch s.tt {
	case js.OpenParenToken, js.OpenBracketToken, js.TemplateToken, js.TemplateStartToken,
		js.AddToken, js.SubToken, js.DivToken, js.DivEqToken:
		return true
	}
	return false
}

// breakSuspend marks the outermost yield or await of the innermost statement
// that ends where it does, except for those that delegate.
func (s *scanner) breakSuspend() {
	for i := max(s.f.suspended, s.f.suspends); i < len(s.suspends); i++ {
		if p := &s.suspends[i]; !p.Delegates && max(p.Keyword, p.ArgEnd) == s.prevEnd {
			p.Breaks = true
			return
		}
	}
}

// labelled reports whether a colon follows the current token.
func (s *scanner) labelled() bool {
	c := s.buf[s.end]
	if c == ':' {
		return true
	}
	if k := class[c]; k == blank || k == lineEnd || c == '/' || c >= 0x80 {
		return s.follows() == ':'
	}
	return false
}

// label reads a chain of labels and the statement after it.
func (s *scanner) label(where place) bool {
	for {
		s.next()
		s.next()
		if !s.isName() || !s.labelled() {
			break
		}
	}
	if s.tt == js.FunctionToken && where == atBody {
		s.f.tryUnsafe = true
	}
	broken := s.f.broken
	if where != repeated {
		where = alone
	}
	s.statement(where)
	// A break with this label, which is not looked for, gets after it.
	s.f.broken = broken
	return false
}

// declares reports whether the current token begins a declaration by let, using
// or await using.
func (s *scanner) declares(where place, inFor bool) bool {
	switch {
	case where == repeated && s.tt == js.LetToken:
		if at, _ := s.skip(s.end); s.buf[at] == '[' {
			s.mayDeclare(where)
		}
		return false
	case where >= alone:
		return false
	case s.tt == js.LetToken:
		at, _ := s.skip(s.end)
		c := s.buf[at]
		return c == '[' || c == '{' || bindable(s.buf[at:s.word(at)])
	case s.tt == js.IdentifierToken && string(s.text()) == "using":
		word, end := s.following(false)
		if inFor && string(word) == "of" {
			// for (using of x) loops over x; for (using of = x;;) declares of.
			at, _ := s.skip(end)
			return s.buf[at] == '=' && s.buf[at+1] != '=' && s.buf[at+1] != '>'
		}
		return bindable(word)
	case s.tt == js.AwaitToken:
		word, end := s.following(false)
		if string(word) != "using" {
			return false
		}
		at, newline := s.skip(end)
		if newline || !bindable(s.buf[at:s.word(at)]) || !s.awaits() {
			return false
		}
		s.seen |= sawCall | sawYield
		s.next()
		return true
	}
	return false
}

// bindable reports whether a word can be the name of a binding.
func bindable(word []byte) bool {
	if len(word) == 0 {
		return false
	}
	tt := keyword(word)
	return !js.IsReservedWord(tt) || tt == js.YieldToken || tt == js.AwaitToken
}

// declarations reads the declarators after the current token, a keyword like
// var.
func (s *scanner) declarations(isVar bool, m mode) {
	for {
		s.next()
		bind := binding{s.start, s.end}
		if !s.pattern(isVar) {
			bind = binding{}
		}
		if s.accept(js.EqToken) {
			s.expression(m, bind)
		}
		if s.tt != js.CommaToken {
			return
		}
	}
}

// condition reads a parenthesised expression and tells whether it is true, 1 or !0.
func (s *scanner) condition() (always bool) {
	s.expect(js.OpenParenToken)
	start := s.start
	s.expression(comma, binding{})
	end := s.prevEnd
	s.expect(js.CloseParenToken)
	if s.err != nil {
		return false
	}
	switch string(s.buf[start:end]) {
	case "true", "1", "!0":
		return true
	}
	return false
}

func (s *scanner) ifStatement() bool {
	leaves := true
	for {
		s.f.statements++
		s.next()
		s.condition()
		leaves = s.statement(alone) && leaves
		if s.tt != js.ElseToken {
			return false
		}
		s.next()
		if s.tt != js.IfToken {
			return s.statement(alone) && leaves
		}
	}
}

func (s *scanner) returnStatement(where place) {
	r := Return{Start: s.start, Keyword: s.end, ArgStart: -1, ArgEnd: -1, Last: -1, Bare: where >= alone}
	if s.f.fn < 0 && s.goal != AsFunctionBody {
		if s.goal != Auto {
			s.fail(s.start, "return outside of a function")
			return
		}
		s.goal = AsFunctionBody
	}
	s.next()
	if s.newline || s.tt == js.SemicolonToken || s.tt == js.CloseBraceToken || s.tt == eof {
		s.f.statements++
	} else {
		r.ArgStart = s.start
		x := s.expression(comma, binding{})
		r.ArgEnd = s.prevEnd
		r.Names = x.kind == anonymous
		r.Last = r.ArgStart
		if x.kind == plain && x.count > 1 {
			r.Last = s.joinedAt
		}
		s.f.statements += x.count
	}
	r.Breaks = s.breaks()
	s.semicolon()
	if s.f.fn >= 0 {
		s.returns = append(s.returns, r)
	}
}

func (s *scanner) tryStatement() bool {
	s.next()
	leaves := s.block()
	if s.tt != js.CatchToken && s.tt != js.FinallyToken {
		s.unexpected()
		return false
	}
	if s.accept(js.CatchToken) {
		if s.accept(js.OpenParenToken) {
			s.pattern(false)
			s.expect(js.CloseParenToken)
		}
		leaves = s.block() && leaves
	}
	if s.accept(js.FinallyToken) {
		leaves = s.block() || leaves
	}
	return leaves
}

func (s *scanner) switchStatement() {
	s.next()
	s.condition()
	broken := s.f.broken
	s.expect(js.OpenBraceToken)
	for s.tt != js.CloseBraceToken && s.tt != eof {
		switch s.tt {
		case js.CaseToken:
			s.next()
			s.expression(comma, binding{})
			s.expect(js.ColonToken)
		case js.DefaultToken:
			s.next()
			s.expect(js.ColonToken)
		default:
			s.statement(inBlock)
		}
	}
	s.expect(js.CloseBraceToken)
	s.f.broken = broken
}

func (s *scanner) withStatement() bool {
	s.script.HasWith = true
	s.next()
	s.condition()
	inWith := s.f.inWith
	s.f.inWith, s.f.hasWith = true, true
	leaves := s.statement(alone)
	s.f.inWith = inWith
	return leaves
}
