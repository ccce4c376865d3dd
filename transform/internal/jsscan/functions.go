package jsscan

import (
	"cmp"
	"slices"

	"github.com/tdewolff/parse/v2/js"
)

// frame is the state of the function being read.
type frame struct {
	fn               int // its index, -1 at the top level
	async, generator bool
	strict           bool
	inWith           bool
	hasWith          bool // a with statement of its own was read
	tryUnsafe        bool
	broken           bool // a break without label was read in the innermost loop or switch
	statements       int
	begun            int // Function.Begun
	shown            int // classes and computed keys of its own that are open: a text shows what they contain

	suspended int // how many yields and awaits preceded the innermost statement

	// Where its part of the scanner's stacks begins.
	returns, suspends, loops, declared, vars int

	outerSeen sighting
}

// enterFunction begins a function and returns the frame around it.
func (s *scanner) enterFunction(kind Kind, start int, async, generator bool) frame {
	outer := s.f
	s.f = frame{
		fn:    len(s.script.Functions),
		async: async, generator: generator,
		strict: outer.strict, inWith: outer.inWith,
		returns: len(s.returns), suspends: len(s.suspends), loops: len(s.loops), declared: len(s.declared), vars: len(s.vars),
		outerSeen: s.seen,
	}
	s.seen = 0
	if len(s.script.Functions) == cap(s.script.Functions) {
		s.growFunctions(start)
	}
	s.script.Functions = append(s.script.Functions, Function{
		Kind: kind, Start: start, Async: async, Generator: generator, NameAt: -1, Parent: -1,
	})
	s.named = append(s.named, naming{})
	return outer
}

// growFunctions makes room for as many functions as there will be up to the limit
// if it goes on as it did until offset. A statement may go on after the limit.
func (s *scanner) growFunctions(offset int) {
	have := len(s.script.Functions)
	rest := float64(have) * float64(s.limit-offset) / float64(offset-s.from+1)
	more := min(int(rest*1.1), have*8) + 16
	if offset >= s.limit {
		more = have/2 + 16
	}
	s.script.Functions = slices.Grow(s.script.Functions, more)
	s.named = slices.Grow(s.named, more)
}

// function returns the one being read.
func (s *scanner) function() *Function { return &s.script.Functions[s.f.fn] }

// leaveFunction completes the function being read, which ends at end, and
// returns to the frame around it.
func (s *scanner) leaveFunction(outer frame, end int) {
	f, fn := &s.f, s.function()
	fn.End = end
	fn.Strict = f.strict
	fn.InWith, fn.HasWith = f.inWith, f.hasWith
	fn.Statements, fn.Begun = f.statements, f.begun
	fn.HasCalls = s.seen&sawCall != 0
	fn.HasYield = s.seen&sawYield != 0
	fn.UsesEval = s.seen&sawEval != 0
	fn.Iterates = s.seen&sawIteration != 0
	fn.Returns, s.keptReturns = keep(s.returns[f.returns:], s.keptReturns)
	fn.Suspends, s.keptSuspends = keep(s.suspends[f.suspends:], s.keptSuspends)
	fn.Loops, s.keptLoops = keep(s.loops[f.loops:], s.keptLoops)
	fn.TryUnsafe = f.tryUnsafe || s.tryUnsafe(fn)

	pass := sighting(0)
	switch fn.Kind {
	case Arrow, Initializer:
		pass = s.seen & sawArguments
	default:
		fn.UsesArguments = s.seen&sawArguments != 0
	}
	s.seen = f.outerSeen | pass
	s.returns = s.returns[:f.returns]
	s.suspends = s.suspends[:f.suspends]
	s.loops = s.loops[:f.loops]
	s.declared = s.declared[:f.declared]
	s.vars = s.vars[:f.vars]
	s.f = outer
}

// keep copies items to the end of a chunk that is never moved.
func keep[T any](items, chunk []T) (kept, rest []T) {
	if len(items) == 0 {
		return nil, chunk
	}
	if cap(chunk)-len(chunk) < len(items) {
		chunk = make([]T, 0, max(256, len(items)))
	}
	from := len(chunk)
	chunk = append(chunk, items...)
	return chunk[from:len(chunk):len(chunk)], chunk
}

// functionDeclaration reads a declaration from the keyword function. It has a name: a file that
// is only an expression, which some programs evaluate in parentheses, is no script.
func (s *scanner) functionDeclaration(where place, start int, async bool) {
	s.next()
	generator := s.accept(js.MulToken)
	if !s.isName() {
		s.unexpected()
		return
	}
	if s.f.fn >= 0 {
		name := span{s.start, s.end}
		if where == atBody {
			s.declared = append(s.declared, name)
		} else {
			s.vars = append(s.vars, name)
		}
	}
	s.plainFunction(Declaration, start, async, generator, binding{})
}

// functionExpression reads an expression from the keyword function.
func (s *scanner) functionExpression(x *expr, start int, async bool) {
	s.next()
	generator := s.accept(js.MulToken)
	x.fn = len(s.script.Functions)
	if !s.isName() {
		x.kind = anonymous
	}
	s.plainFunction(Expression, start, async, generator, x.bind)
}

// plainFunction reads a function from its name or parameters.
func (s *scanner) plainFunction(kind Kind, start int, async, generator bool, bind binding) {
	outer := s.enterFunction(kind, start, async, generator)
	if s.isName() {
		s.setName("", s.start, s.end)
		s.next()
	} else {
		s.infer(bind)
	}
	s.parameters()
	s.body()
	s.leaveFunction(outer, s.prevEnd)
}

// isName reports whether the current token can name a binding.
func (s *scanner) isName() bool {
	return js.IsIdentifier(s.tt) || s.tt == js.YieldToken || s.tt == js.AwaitToken
}

// parameters reads the parenthesised parameters of a function.
func (s *scanner) parameters() {
	s.function().Params = s.start
	if s.tt != js.OpenParenToken {
		s.unexpected()
		return
	}
	s.next()
	for s.tt != js.CloseParenToken {
		s.function().Parameters++
		s.decorators()
		if s.tt == js.EllipsisToken {
			s.function().HasRest = true
			s.next()
		}
		bind := binding{s.start, s.end}
		if !s.pattern(true) {
			s.function().HasDestructuring = true
			bind = binding{}
		}
		if s.tt == js.EqToken {
			s.function().HasDefaults = true
			s.next()
			s.expression(0, bind)
		}
		comma := s.accept(js.CommaToken)
		if s.function().ParameterComma = comma; !comma {
			break
		}
	}
	s.expect(js.CloseParenToken)
	fn := s.function()
	fn.ParamsEnd, fn.ParamsWork = s.prevEnd, s.seen&(sawCall|sawWork) != 0
}

// body reads the braces of a function and what is between.
func (s *scanner) body() {
	if s.tt != js.OpenBraceToken {
		s.unexpected()
		return
	}
	if !s.enter() {
		return
	}
	start := s.end
	s.next()
	insert, semi, asm := s.directives()
	if insert < 0 {
		insert = start
	}
	leaves := s.statements(atBody)
	fn := s.function()
	fn.BodyStart, fn.BodyEnd = start, s.start
	fn.Insert, fn.InsertSemi, fn.UseAsm = insert, semi, asm
	fn.FallsThrough = !leaves
	s.expect(js.CloseBraceToken)
	s.depth--
}

// directives reads the strings that a body begins with. It returns the offset
// after them, -1 without any, whether the last has no semicolon, and whether
// one is "use asm".
func (s *scanner) directives() (insert int, semi, asm bool) {
	insert = -1
	for s.tt == js.StringToken {
		start := s.start
		text := s.buf[s.start+1 : s.end-1]
		s.next()
		if !s.endsDirective() {
			r := s.resume(comma, start)
			s.f.statements += r.count
			s.f.begun++
			s.semicolon()
			return insert, semi, asm
		}
		switch string(text) {
		case "use strict":
			s.f.strict = true
		case "use asm":
			asm = true
		}
		semi = s.tt != js.SemicolonToken
		if !semi {
			s.next()
		}
		insert = s.prevEnd
	}
	return insert, semi, asm
}

// endsDirective reports whether the current token ends the statement of the
// string before it.
func (s *scanner) endsDirective() bool {
	switch s.tt {
	case js.SemicolonToken, js.CloseBraceToken, eof:
		return true
	case js.IncrToken, js.DecrToken, js.NotToken, js.BitNotToken:
		return s.newline
	case js.InToken, js.InstanceofToken, js.DotToken, js.OptChainToken, js.OpenParenToken, js.OpenBracketToken,
		js.TemplateToken, js.TemplateStartToken, js.QuestionToken, js.CommaToken:
		return false
	}
	return s.newline && !js.IsOperator(s.tt)
}

// arrowHead is what is before the => of an arrow function.
type arrowHead struct {
	start             int // the async, or the parameters
	params, paramsEnd int
	async             bool

	count                         int
	rest, destructuring, defaults bool
	trailing                      bool     // a comma precedes the closing parenthesis
	before                        sighting // what was seen before the parenthesis
}

// arrow reads an arrow function from its =>. s.seen holds what was seen in
// parenthesised parameters.
func (s *scanner) arrow(x *expr, head arrowHead) {
	inParams := sighting(0)
	if s.buf[head.params] == '(' {
		inParams = s.seen
		s.seen = head.before
	}
	outer := s.enterFunction(Arrow, head.start, head.async, false)
	s.claim(s.f.fn, outer.fn, head.params)
	s.seen = inParams
	s.infer(x.bind)
	fn := s.function()
	fn.Params, fn.ParamsEnd, fn.ParamsWork = head.params, head.paramsEnd, inParams&(sawCall|sawWork) != 0
	fn.Parameters, fn.ParameterComma = head.count, head.trailing
	fn.HasRest, fn.HasDestructuring, fn.HasDefaults = head.rest, head.destructuring, head.defaults
	x.kind, x.fn, x.closed = anonymous, s.f.fn, true
	s.next()
	if s.tt == js.OpenBraceToken {
		s.body()
	} else {
		s.expressionBody(x.mode&noIn, binding{})
	}
	s.leaveFunction(outer, s.prevEnd)
}

// expressionBody reads the expression that is the body of an arrow or a field.
func (s *scanner) expressionBody(m mode, bind binding) {
	start := s.start
	r := s.expression(m, bind)
	s.f.statements = r.count
	fn := s.function()
	fn.ExpressionBody = true
	fn.BodyStart, fn.BodyEnd, fn.Insert = start, s.prevEnd, start
	fn.BodyNames = r.kind == anonymous
	fn.FallsThrough = true
}

// order sorts the functions by Start. Only an arrow is found later than the
// functions in its parameters, and a member later than those in its key.
func (s *scanner) order() {
	fns := s.script.Functions
	byStart := func(a, b *Function) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	}
	sorted := true
	for i := 1; i < len(fns) && sorted; i++ {
		sorted = byStart(&fns[i-1], &fns[i]) <= 0
	}
	if sorted {
		return
	}
	index := make([]int32, len(fns))
	for i := range index {
		index[i] = int32(i)
	}
	slices.SortStableFunc(index, func(a, b int32) int { return byStart(&fns[a], &fns[b]) })
	inOrder := make([]Function, len(fns))
	named := make([]naming, len(fns))
	for i, from := range index {
		inOrder[i], named[i] = fns[from], s.named[from]
	}
	s.script.Functions, s.named = inOrder, named
	at := make([]int, len(fns))
	for to, from := range index {
		at[from] = to
	}
	for i := range s.script.mentions {
		if m := &s.script.mentions[i]; m.fn >= 0 {
			m.fn = at[m.fn]
		}
	}
}

// link finds the parents, and lets them know of eval inside them.
func (s *scanner) link() {
	fns := s.script.Functions
	var around []int
	for i := range fns {
		fn := &fns[i]
		for len(around) > 0 && fns[around[len(around)-1]].End <= fn.Start {
			around = around[:len(around)-1]
		}
		// The part of a method's range before its parameters is its key.
		up := len(around) - 1
		for up >= 0 && fns[around[up]].Params > fn.Start {
			up--
		}
		if up >= 0 {
			fn.Parent, fn.Called = around[up], Call{}
		}
		around = append(around, i)
	}
	for i := len(fns) - 1; i >= 0; i-- {
		if !fns[i].UsesEval {
			continue
		}
		s.script.UsesEval = true
		if p := fns[i].Parent; p >= 0 {
			fns[p].UsesEval = true
		}
	}
}

// turnOff marks the function after each comment that asks for it, unless the
// function that holds the comment ends before.
func (c *Script) turnOff(offs []int) {
	fns := c.Functions
	at := 0
	for _, off := range offs {
		for at < len(fns) && fns[at].Start < off {
			at++
		}
		if at == len(fns) {
			return
		}
		// The function at must be in whatever holds the comment.
		holder := at - 1
		for holder >= 0 && fns[holder].End <= off {
			holder = fns[holder].Parent
		}
		if holder < 0 || fns[at].Start < fns[holder].End {
			fns[at].Off = true
		}
	}
}
