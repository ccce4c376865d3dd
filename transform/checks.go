package transform

import (
	"encoding/json"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform/internal/edit"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// dialect is the wording of checks for one target and one choice of names.
// The docs below show texts with flag f, capture c and value r.
type dialect struct {
	names runtime.Bindings
	// statement and expression are one check of each site kind, by k.
	statement  [3]string
	expression [3]string
	scope      string // declares f and c at the head of a function or script
}

// The site kinds as the capture function gets them.
const (
	siteEntry = iota
	siteLoop
	siteExit
)

// newDialect words the checks.
//
//	web:  (f[1]=f[0])&&c(k)   reads shared memory; the write-back keeps engines
//	                          from hoisting the load out of hot loops
//	goja: if(f)c(k)  f&&c(k)  reads a Go value whose ToBoolean loads the flag
func newDialect(target Target, names runtime.Bindings) *dialect {
	d := &dialect{names: names}
	for k, digit := range [3]string{"0", "1", "2"} {
		call := names.Capture + "(" + digit + ")"
		switch target {
		case Goja:
			d.expression[k] = names.Flag + "&&" + call
			d.statement[k] = "if(" + names.Flag + ")" + call
		default:
			test := names.Flag + "[1]=" + names.Flag + "[0]"
			d.expression[k] = "(" + test + ")&&" + call
			d.statement[k] = d.expression[k]
		}
	}
	if target == Goja {
		d.scope = "var " + names.Flag + "=" + names.GlobalFlag + "," + names.Capture + "=" + names.GlobalCapture + ";"
	}
	return d
}

// emitter writes a plan into an edit buffer.
type emitter struct {
	*dialect
	buffer edit.Buffer
	stats  Stats
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
	for _, i := range d.loops {
		e.loop(&f.Loops[i], e.dialect)
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

// head is what stands at the start of a body: the bindings where the function
// declares them, the local for return values where it needs one, and the
// entry check.
//
//	web:  var r=(f[1]=f[0])&&c(0);
//	goja: var f=F,c=C;if(f)c(0);
func (e *emitter) head(f *jsscan.Function, d decision) string {
	text := ""
	if f.InsertSemi && !f.ExpressionBody {
		text = ";" // the directive before has none, and must stay a directive
	}
	if d.binds {
		text += e.scope
	}
	entry := d.sites&functable.Entry != 0
	if !needsValue(f, d) {
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

// needsValue reports whether some exit check of f must hold a value.
func needsValue(f *jsscan.Function, d decision) bool {
	if d.sites&functable.Exit == 0 {
		return false
	}
	for i := range f.Suspends {
		if f.Suspends[i].ArgStart >= 0 {
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
	e.buffer.Wrap(f.Insert, f.BodyEnd, e.head(f, d)+"try{", "}finally{"+e.statement[siteExit]+"}")
}

// exitByReturns checks on each return and, where the body can run to its end,
// there:
//
//	{ … return r=(X),(f[1]=f[0])&&c(2),r … ;(f[1]=f[0])&&c(2)}
func (e *emitter) exitByReturns(f *jsscan.Function) {
	for i := range f.Returns {
		r := &f.Returns[i]
		switch {
		case r.ArgStart >= 0:
			e.hold(r)
		case f.Async && f.Generator:
			e.returnAfter(r)
		default:
			e.returnVoid(r)
		}
	}
	if f.FallsThrough {
		e.buffer.Close(f.BodyEnd, f.Insert, ";"+e.expression[siteExit])
	}
}

// hold computes a value, checks, and returns the value, so that the work of
// computing it lies before the check:
//
//	return r=(X),(f[1]=f[0])&&c(2),r
//
// Where X may be an anonymous function or class, the assignment would name it
// r; a comma keeps it anonymous: r=(0,X).
func (e *emitter) hold(r *jsscan.Return) {
	open, value := "=(", e.names.Value
	if r.Names {
		open = "=(0,"
	}
	if r.ArgStart == r.Keyword { // return(X), return!0
		value = " " + value
	}
	e.buffer.Wrap(r.ArgStart, r.ArgEnd, value+open, "),"+e.expression[siteExit]+","+e.names.Value)
}

// returnVoid gives a bare return the check for an operand:
//
//	return void((f[1]=f[0])&&c(2))
func (e *emitter) returnVoid(r *jsscan.Return) {
	e.buffer.Close(r.Keyword, r.Start, " void("+e.expression[siteExit]+")")
}

// returnAfter checks before a bare return. An async generator awaits the
// operand of return, so giving one to a bare return would cost it a turn. The
// leading semicolon ends a statement before that has none:
//
//	;(f[1]=f[0])&&c(2);return
//
// A return that stands alone as the body of an if has no room for a statement
// before it and stays unchecked.
func (e *emitter) returnAfter(r *jsscan.Return) {
	if !r.Bare {
		e.buffer.Open(r.Start, ";"+e.expression[siteExit]+";")
	}
}

// suspend checks before a function gives up control at yield or await, after
// the operand is computed, so that its work is not charged to whoever runs
// next:
//
//	yield (r=(X),f&&c(2),r)
//	await (r=(X),f&&c(2),r)
//
// A bare yield becomes
//
//	yield void(f&&c(2))
func (e *emitter) suspend(s *jsscan.Suspend) {
	if s.ArgStart < 0 {
		e.buffer.Close(s.Keyword, s.Start, " void("+e.expression[siteExit]+")")
		return
	}
	open, r := "(", e.names.Value
	if s.Names {
		open = "(0,"
	}
	e.buffer.Wrap(s.ArgStart, s.ArgEnd, "("+r+"="+open, "),"+e.expression[siteExit]+","+r+")")
}

// loop checks at the head of each iteration. A body that is a block gets the
// check inside, another is put into a block:
//
//	for(…){if(f)c(1); … }
//	while(…){if(f)c(1);X}
func (e *emitter) loop(l *jsscan.Loop, d *dialect) {
	e.stats.Loops++
	if l.Block {
		e.buffer.Open(l.BodyStart+1, d.statement[siteLoop]+";")
		return
	}
	e.buffer.Wrap(l.BodyStart, l.BodyEnd, "{"+d.statement[siteLoop]+";", "}")
}

// arrow gives an arrow's expression a body of statements. It returns the
// insertion that now ends the function.
//
//	x=>{if(f)c(0);try{return(X)}finally{if(f)c(2)}}
//	x=>{var r=(f[1]=f[0])&&c(0);return r=(X),(f[1]=f[0])&&c(2),r}
//	x=>{if(f)c(0);return(X)}
func (e *emitter) arrow(f *jsscan.Function, d decision) edit.ID {
	head := "{" + e.head(f, d)
	start, end := f.BodyStart, f.BodyEnd
	switch {
	case d.sites&functable.Exit == 0:
		return e.buffer.Wrap(start, end, head+"return(", ")}")
	case d.exit == byFinally:
		return e.buffer.Wrap(start, end, head+"try{return(", ")}finally{"+e.statement[siteExit]+"}}")
	}
	open, r := "=(", e.names.Value
	if f.BodyNames {
		open = "=(0,"
	}
	return e.buffer.Wrap(start, end, head+"return "+r+open, "),"+e.expression[siteExit]+","+r+"}")
}

// topLevel binds the names for the whole script and checks its own loops.
func (e *emitter) topLevel(script *jsscan.Script, p *plan, options *Options) {
	local := e.dialect
	if text := e.prologue(script, options); text != "" {
		if script.InsertSemi {
			text = ";" + text
		}
		e.buffer.Open(script.Insert, text)
	} else {
		// A goja script declares nothing at its top level: its own loops read
		// the global names.
		names := runtime.Bindings{Flag: e.names.GlobalFlag, Capture: e.names.GlobalCapture}
		local = newDialect(options.Target, names)
	}
	for _, i := range p.topLoops {
		e.loop(&script.Loops[i], local)
	}
}

// prologue declares the bindings at the head of a script:
//
//	web script:    var f=(globalThis.__fieldprof||0).flag||[0,0],c=(globalThis.__fieldprof||0).capture;
//	web module:    import{flag as f,capture as c}from"@fieldprof/runtime/checks";
//	function body: as the script's, and for goja  var f=F,c=C;
//
// A page without the runtime gets a flag that never rises. A module must
// import: in an import cycle its functions can run before its own body.
func (e *emitter) prologue(script *jsscan.Script, options *Options) string {
	switch {
	case options.Target == Goja && script.Goal == jsscan.AsFunctionBody:
		return e.scope
	case options.Target == Goja:
		return ""
	case script.Goal == jsscan.AsModule:
		module := options.ChecksModule
		if module == "" {
			module = runtime.ChecksModule
		}
		quoted, _ := json.Marshal(module) // a JSON string is a JavaScript string
		return "import{flag as " + e.names.Flag + ",capture as " + e.names.Capture + "}from" + string(quoted) + ";"
	}
	object := "(globalThis." + runtime.Global + "||0)"
	return "var " + e.names.Flag + "=" + object + ".flag||[0,0]," + e.names.Capture + "=" + object + ".capture;"
}
