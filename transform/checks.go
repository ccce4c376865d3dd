package transform

import (
	"fmt"
	"strings"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform/internal/edit"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// emitter writes a plan into an edit buffer.
type emitter struct {
	*dialect                 // of the current function
	ofLeaves, ofOthers       *dialect
	innerLeaves, innerOthers *dialect // inside a function that has names of its own
	src                      []byte
	script                   *jsscan.Script
	buffer                   edit.Buffer
	stats                    Stats
	called                   [3]bool // there is a check of this site kind
	brackets                 *brackets
	counting                 *counting
	ended                    int // where endStatement last ended a statement
	// tails are the insertions that now end functions, or -1, parallel to those
	// of the script.
	tails []edit.ID

	imported string // Result.Imports

	ownGlobal  bool // see declaresGlobal
	setsGlobal bool // see naming

	// For verify: the text inserted at the top, and how many statements and returns
	// into each function and the top level; at is the current function, or -1.
	top            string
	at, topBegun   int
	begun, returns []int
}

// emit writes a plan.
func emit(src []byte, script *jsscan.Script, p *plan, options *Options, names naming) *emitter {
	e := &emitter{
		ofLeaves: newDialect(options, names.outer, true), ofOthers: newDialect(options, names.outer, false),
		src: src, ownGlobal: declaresGlobal(src), setsGlobal: names.setsGlobal, script: script, brackets: p.brackets, counting: p.counting, ended: -1, called: p.called,
		tails: make([]edit.ID, len(script.Functions)),
		begun: make([]int, len(script.Functions)), returns: make([]int, len(script.Functions)),
	}
	e.innerLeaves, e.innerOthers = e.ofLeaves, e.ofOthers
	if names.inner != nil {
		e.innerLeaves, e.innerOthers = newDialect(options, *names.inner, true), newDialect(options, *names.inner, false)
	}
	for i := range script.Functions {
		e.dialect = e.counting.numbered(e.dialectOf(&script.Functions[i], p.functions[i]), i, 0)
		e.at = i
		e.tails[i] = e.function(&script.Functions[i], p.functions[i])
	}
	e.dialect, e.at = e.ofOthers, -1
	if p.checks {
		e.topLevel(script, p, options)
	} else if text := e.loadsAnyway(script, options); text != "" {
		e.insertAtTop(text)
	}
	for i := range p.functions {
		if p.functions[i].gets {
			e.pass(&script.Functions[i], *names.inner, p.outside || options.Require != "")
		}
	}
	return e
}

func (e *emitter) dialectOf(f *jsscan.Function, d decision) *dialect {
	switch {
	case f.HasCalls && d.bound:
		return e.innerOthers
	case f.HasCalls:
		return e.ofOthers
	case d.bound:
		return e.innerLeaves
	}
	return e.ofLeaves
}

// function writes what the plan holds for one function. For an arrow with an
// expression for a body it returns the insertion that now ends the function,
// else -1.
func (e *emitter) function(f *jsscan.Function, d decision) edit.ID {
	tail := edit.ID(-1)
	if d.sites == 0 && !d.binds {
		return tail
	}
	switch {
	case f.ExpressionBody:
		tail = e.arrow(f, d)
	case d.sites&functable.Exit != 0 && d.exit == byFinally:
		e.exitByFinally(f, d)
	default:
		e.buffer.Open(f.Insert, e.head(f, d))
		if d.sites&functable.Exit != 0 {
			e.exitByReturns(f)
		}
	}
	e.count(d)
	e.beginsHead(f, d)
	for n, i := range d.loops {
		e.loop(&f.Loops[i], e.counting.numbered(e.dialect, e.at, n))
	}
	if d.sites&functable.Exit != 0 {
		for i := range f.Suspends {
			e.suspend(&f.Suspends[i])
		}
	}
	return tail
}

func (e *emitter) count(d decision) {
	if d.sites&functable.Entry != 0 {
		e.stats.Entries++
	}
	if d.sites&functable.Exit != 0 {
		e.stats.Exits++
	}
}

// head returns what goes at the start of a body: the bindings if the function declares
// them, the local for return values if it needs one, and the entry check.
//
//	web:     var r=(f[1]=f[0])&&c(0);
//	compact: e();
//	goja:    var f=F,c=C;if(f)c(0);
func (e *emitter) head(f *jsscan.Function, d decision) string {
	text := ""
	if f.InsertSemi && !f.ExpressionBody {
		text = e.ends() // the directive before lacks one
	}
	if d.binds {
		text += e.scope
	}
	entry := d.sites&functable.Entry != 0
	if !e.declaresValue(f, d) {
		if entry {
			text += e.statement[siteEntry] + ";"
		}
		return text
	}
	if entry {
		return text + "var " + e.names.Value + "=" + e.expression[siteEntry] + ";"
	}
	return text + "var " + e.names.Value + ";"
}

// declaresValue reports whether f declares the local for return values. For the web
// every function with exit checks does, used or not: it costs no time, and entry
// checks that are all alike compress better.
func (e *emitter) declaresValue(f *jsscan.Function, d decision) bool {
	switch {
	case d.sites&functable.Exit == 0 || e.form == Compact:
		return false
	case e.early != "":
		return true
	}
	for i := range f.Suspends {
		if f.Suspends[i].ArgStart >= 0 && !f.Suspends[i].Delegates {
			return true
		}
	}
	if d.exit == byFinally {
		return false
	}
	if f.ExpressionBody {
		return true
	}
	for i := range f.Returns {
		if f.Returns[i].ArgStart >= 0 {
			return true
		}
	}
	return false
}

// exitByFinally checks once for every way out, exceptions included:
//
//	{if(f)c(0);try{ … }finally{if(f)c(2)}}
func (e *emitter) exitByFinally(f *jsscan.Function, d decision) {
	e.begins(1 + e.statements)
	e.buffer.Wrap(f.Insert, f.BodyEnd, e.head(f, d)+"try{", "}finally{"+e.statement[siteExit]+"}")
}

// exitByReturns checks on each return and, where the body can run to its end,
// there:
//
//	{ … return r=(X),(f[1]=f[0])&&c(2),r … ;(f[1]=f[0])&&c(2)}
//	{ … return x(X) … ;x()}
func (e *emitter) exitByReturns(f *jsscan.Function) {
	for i := range f.Returns {
		r := &f.Returns[i]
		switch {
		case r.ArgStart < 0 && f.Async && f.Generator:
			e.returnAfter(r)
			continue
		case r.Breaks:
			e.endStatement(max(r.Keyword, r.ArgEnd), r.Start)
		}
		if r.ArgStart >= 0 {
			e.returnValue(r)
		} else {
			e.returnVoid(r)
		}
	}
	if f.FallsThrough {
		e.begins(1)
		e.buffer.Close(f.BodyEnd, f.Insert, ";"+e.expression[siteExit])
	}
}

// endStatement ends a statement that a line break ends in the source. After inserted
// text the break may no longer do so: the next line would call, index or continue that
// text. The statement, or its last part, began at from. endStatement must be called
// before that text is inserted.
//
//	return void((f[1]=f[0])&&c(2))/*f+0*/;
//	(function () { … })()
func (e *emitter) endStatement(at, from int) {
	if e.ended != at {
		e.buffer.Close(at, from+1, e.ends())
		e.ended = at
	}
}

// returnValue checks after the return value has been computed, or before if computing
// it takes no work. Of comma-joined expressions it holds the last; if a local holds it,
// the whole list, because then the text is always the same, which compresses better:
//
//	return r=(A,X),(f[1]=f[0])&&c(2),r
//	return A,(f[1]=f[0])&&c(2),x
//	return A,x(X)
func (e *emitter) returnValue(r *jsscan.Return) {
	if e.early != "" && e.effortless(r.Last, r.ArgEnd) {
		e.afterKeyword(r.Keyword, r.Last, r.ArgEnd, e.early, "")
		return
	}
	start := r.Last
	if e.form == Inline {
		start = r.ArgStart
	}
	e.afterKeyword(r.Keyword, start, r.ArgEnd, e.holding(r.Names), e.after)
}

// holding returns the text that begins to hold a value.
func (e *emitter) holding(anonymous bool) string {
	if anonymous {
		return e.holdAnonymous
	}
	return e.hold
}

// afterKeyword wraps a value that may follow its keyword. If it follows immediately,
// return[X], a space goes in, which the runtime recognizes in a function's text by the
// bracket or operator after it. If the source has a space before such a value,
// return [X], parentheses mark the difference:
//
//	return r=([X]),(f[1]=f[0])&&c(2),r
//	return (r=([X]),(f[1]=f[0])&&c(2),r)
func (e *emitter) afterKeyword(keyword, start, end int, open, after string) {
	switch {
	case start == keyword:
		open = " " + open
	case e.mark != "" && e.src[start-1] == ' ' && !e.showsWord(start, end):
		e.around(start, end, "("+open, after+")")
		return
	}
	switch {
	case after == "":
		e.buffer.Open(start, open)
	case e.form == Compact:
		e.around(start, end, open, after)
	default:
		e.buffer.Wrap(start, end, open, after) // its end is clear without brackets
	}
}

// showsWord reports whether a value begins with a letter or digit, and nothing marks
// its start.
func (e *emitter) showsWord(start, end int) bool {
	if e.form == Compact {
		if before, _ := e.brackets.missing(start, end); before > 0 {
			return false
		}
	}
	return isNamePart(e.src[start]) && e.src[start] != '$'
}

// around wraps a range in text that closes the brackets it opens. Marks say how many
// brackets those within the range, even in strings, need to be balanced. A mark is for
// the innermost open bracket that the runtime follows; where the compact form opens
// two, the other has one of its own:
//
//	{;;e();return x("("+a/*x-1*/)/*x-1*/}
func (e *emitter) around(start, end int, open, after string) edit.ID {
	if e.mark == "" {
		return e.buffer.Wrap(start, end, open, after)
	}
	before, missing := e.brackets.missing(start, end)
	if before > 0 {
		open += e.marked(fmt.Sprintf("%+d", before))
	}
	if e.form == Compact && len(after) > 1 && before != missing {
		after = after[:1] + e.marked(fmt.Sprintf("%+d", before-missing)) + after[1:]
	}
	if missing > 0 {
		after = e.marked(fmt.Sprintf("%+d", -missing)) + after
	}
	return e.buffer.Wrap(start, end, open, after)
}

// ends returns the text that ends a statement.
func (e *emitter) ends() string {
	if e.mark == "" {
		return ";"
	}
	return e.marked("+0") + ";"
}

func (e *emitter) marked(count string) string { return "/*" + e.mark + count + "*/" }

// returnVoid makes the check the operand of a bare return:
//
//	return(f[1]=f[0])&&c(2),void 0
//	return x()
//	return void(f&&c(2))
func (e *emitter) returnVoid(r *jsscan.Return) {
	e.buffer.Close(r.Keyword, r.Start+1, e.returnNothing)
}

// returnAfter checks before a bare return. An async generator awaits the
// operand of return, so giving one to a bare return would delay it by a turn. The
// leading semicolon ends a preceding statement that lacks one:
//
//	;(f[1]=f[0])&&c(2);return
//
// A return that is the whole body of an if has no room for a statement before it, and
// stays unchecked.
func (e *emitter) returnAfter(r *jsscan.Return) {
	if !r.Bare {
		e.begins(1)
		e.buffer.Open(r.Start, e.ends()+e.expression[siteExit]+";")
	}
}

// suspend checks before a function gives up control at yield or await, after
// the operand is computed, so that its work is not charged to the code that
// runs next:
//
//	yield (r=(X),(f[1]=f[0])&&c(2),r)
//	await ((f[1]=f[0])&&c(2),x)
//	await x(X)
//
// A bare yield becomes
//
//	yield void((f[1]=f[0])&&c(2))
//	yield x()
//
// A yield* stays as it is. The generator it delegates to has an entry check,
// which covers what came before; and engines locate a delegating generator at the
// beginning of the operand, which a check in it would move.
func (e *emitter) suspend(s *jsscan.Suspend) {
	if s.Delegates {
		return
	}
	if s.Breaks {
		e.endStatement(max(s.Keyword, s.ArgEnd), s.Start)
	}
	switch {
	case s.ArgStart < 0:
		e.buffer.Close(s.Keyword, s.Start+1, e.yieldNothing)
	case e.early != "" && atom(e.src[s.ArgStart:s.ArgEnd]):
		e.around(s.ArgStart, s.ArgEnd, "("+e.early, ")")
	case e.form == Compact:
		e.afterKeyword(s.Keyword, s.ArgStart, s.ArgEnd, e.hold, e.after)
	default:
		e.around(s.ArgStart, s.ArgEnd, "("+e.holding(s.Names), e.after+")")
	}
}

// loop checks at the head of each iteration. A block gets the check inside; any other
// body is put into a block:
//
//	for(…){(f[1]=f[0])&&c(1); … }
//	while(…){;l();X}
func (e *emitter) loop(l *jsscan.Loop, d *dialect) {
	e.stats.Loops++
	e.begins(d.statements)
	if l.Block {
		e.buffer.Open(l.BodyStart+1, d.statement[siteLoop]+";")
		return
	}
	e.around(l.BodyStart, l.BodyEnd, "{"+d.open+d.statement[siteLoop]+";", "}")
}

// arrow turns an arrow's expression into a body of statements. It returns the
// insertion that now ends the function.
//
//	x=>{if(f)c(0);try{return(X)}finally{if(f)c(2)}}
//	x=>{;var r=(f[1]=f[0])&&c(0);return r=(X),(f[1]=f[0])&&c(2),r}
//	x=>{;var r=(f[1]=f[0])&&c(0);return (f[1]=f[0])&&c(2),x}
//	x=>{;;e();return x(X)}
//	x=>{;;(f[1]=f[0])&&c(0);return X}
func (e *emitter) arrow(f *jsscan.Function, d decision) edit.ID {
	head := e.head(f, d)
	if e.open != "" && !strings.HasPrefix(head, "var") {
		// Two semicolons and a statement: no loop body begins like that.
		if head == "" {
			head = "0;"
			e.begins(1)
		}
		head = e.open + head
	}
	head = "{" + e.open + head
	start, end := f.BodyStart, f.BodyEnd
	e.begins(1)
	e.returns[e.at]++
	switch {
	case d.sites&functable.Exit == 0:
		return e.around(start, end, head+"return ", "}")
	case d.exit == byFinally:
		e.begins(1 + e.statements)
		return e.around(start, end, head+"try{return ", "}finally{"+e.statement[siteExit]+"}}")
	case e.early != "" && e.effortless(start, end):
		return e.around(start, end, head+"return "+e.early, "}")
	}
	return e.around(start, end, head+"return "+e.holding(f.BodyNames), e.after+"}")
}

// topLevel checks the script's own loops and binds the names for the whole of
// it, unless functions do.
func (e *emitter) topLevel(script *jsscan.Script, p *plan, options *Options) {
	local := e.dialect
	if options.Target == Goja && script.Goal == jsscan.AsScript {
		// A goja script declares nothing at its top level: its own loops read
		// the global names.
		names := runtime.Bindings{Flag: e.names.GlobalFlag, Capture: e.names.GlobalCapture}
		local = newDialect(options, names, false)
	}
	for n, i := range p.topLoops {
		d := e.counting.numbered(local, -1, n)
		if script.Goal == jsscan.AsScript {
			d = d.valueless()
		}
		e.loop(&script.Loops[i], d)
	}
	if text := e.prologue(script, options, p.outside); text != "" {
		e.insertAtTop(text)
	}
}

func (e *emitter) insertAtTop(text string) {
	e.top = text
	if e.script.InsertSemi {
		text = ";" + text
	}
	e.buffer.Open(e.script.Insert, text)
}
