package transform

import (
	"strconv"

	"github.com/fieldprof/fieldprof/runtime"
)

// dialect is the wording of checks for one target and form and one choice of
// names. The docs of the emitter show texts with flag f, value r, for goja with capture c,
// and for the compact form with entry e, loop l and exit x.
type dialect struct {
	names runtime.Bindings
	form  Form
	sites [3]string // what checks pass to capture, by site kind
	// statement and expression are one check of each site kind, by k.
	statement  [3]string
	expression [3]string
	// hold and after go around a value that is returned after an exit check;
	// holdAnonymous is hold for a value that may be an anonymous function or class,
	// which must stay anonymous.
	hold, holdAnonymous, after string
	// early goes before a value that takes no work to compute; "" if such a value is
	// held like any other. returnNothing and yieldNothing are the operands of a
	// bare return and a bare yield.
	early                       string
	returnNothing, yieldNothing string
	scope                       string // declares the names in a function or script of goja
	statements                  int    // in one check of statement: goja's if contains another
	// The runtime removes insertions from a function's text (runtime/src/core/text.ts).
	// open follows the brace that opens a body for an arrow or a loop; mark is the name
	// in comments before an inserted semicolon, and where brackets do not mark the end
	// of what is wrapped. They are empty in goja, whose host does not need them.
	open, mark string
}

// The site kinds as passed to the capture function. On the web, the kinds of leaves
// (functions that call nothing) are siteLeaf higher.
const (
	siteEntry = iota
	siteLoop
	siteExit
	siteLeaf
)

// newDialect words the checks, of leaves or of all other functions.
//
// The polling clock treats the two separately. Nothing native runs in a leaf or in a
// loop without calls, so their checks, the most frequent, can be sparsely polled. The
// checks of other functions, which may follow a long call into native code, are then
// not lost among them.
func newDialect(options *Options, names runtime.Bindings, leaf bool) *dialect {
	sites := [3]int{siteEntry, siteLoop, siteExit}
	if leaf && options.Target == Web {
		sites[siteEntry] += siteLeaf
		sites[siteExit] += siteLeaf
	}
	return wordChecks(options.Target, options.Form, names, sites)
}

// wordChecks words checks that pass these numbers to capture.
func wordChecks(target Target, form Form, names runtime.Bindings, sites [3]int) *dialect {
	d := &dialect{names: names, form: form, statements: 1}
	for k, number := range sites {
		d.sites[k] = "(" + strconv.Itoa(number) + ")"
	}
	switch {
	case target == Goja:
		d.wordGoja()
	case form == Compact:
		d.wordCompact()
	default:
		d.wordInline()
	}
	return d
}

// wordInline reads shared memory in place. The write-back keeps engines from
// hoisting the load out of hot loops. The two properties let V8 forget that a
// check has ever called (runtime/src/core/flag.ts):
//
//	(f[1]=f[0])&&f.c.c(k)
//	r=(X),(f[1]=f[0])&&f.c.c(2),r
//	(f[1]=f[0])&&f.c.c(2),x
//	void((f[1]=f[0])&&f.c.c(2))
func (d *dialect) wordInline() {
	test := d.names.Flag + "[1]=" + d.names.Flag + "[0]"
	for k := range d.expression {
		d.expression[k] = "(" + test + ")&&" + d.names.Flag + ".c.c" + d.sites[k]
	}
	d.statement = d.expression
	d.wordValues()
	d.early = d.expression[siteExit] + ","
	d.returnNothing = d.yieldNothing
	d.open, d.mark = ";", d.names.Flag
}

// valueless words the loop checks of a script's top level. The value of the last statement
// is the value of the script, which eval gives; the value of an expression would be the flag where the rest of
// a loop's body, such as a declaration, has none. Calls of the compact form give undefined.
//
//	if(f[1]=f[0])f.c.c(1)
func (d *dialect) valueless() *dialect {
	if d.mark == "" || d.form == Compact {
		return d // goja's is such a statement
	}
	worded := *d
	worded.statement[siteLoop] = "if(" + d.names.Flag + "[1]=" + d.names.Flag + "[0])" + d.names.Flag + ".c.c" + d.sites[siteLoop]
	worded.statements = 2
	return &worded
}

// wordCompact calls the runtime, whose functions read the flag and which the
// engine may inline:
//
//	e()  l()  x()
//	x(X)
//	void(x())
func (d *dialect) wordCompact() {
	d.expression = [3]string{d.names.Entry + "()", d.names.Loop + "()", d.names.Exit + "()"}
	d.statement = d.expression
	d.returnNothing = " " + d.expression[siteExit]
	d.yieldNothing = " void(" + d.expression[siteExit] + ")"
	d.hold = d.names.Exit + "("
	d.holdAnonymous = d.hold
	d.after = ")"
	d.open, d.mark = ";", d.names.Exit
}

// wordGoja reads a Go value whose ToBoolean loads the flag:
//
//	if(f)c(k)  f&&c(k)
//	r=(X),f&&c(2),r
//	void(f&&c(2))
func (d *dialect) wordGoja() {
	d.statements = 2
	for k := range d.expression {
		d.expression[k] = d.names.Flag + "&&" + d.names.Capture + d.sites[k]
		d.statement[k] = "if(" + d.names.Flag + ")" + d.names.Capture + d.sites[k]
	}
	d.scope = "var " + d.names.Flag + "=" + d.names.GlobalFlag + "," + d.names.Capture + "=" + d.names.GlobalCapture + ";"
	d.wordValues()
	d.returnNothing = d.yieldNothing
}

// wordValues writes the text that holds a value in the local r during a check. If X
// may be an anonymous function or class, the assignment would name it r; a comma
// keeps it anonymous: r=(r,X).
func (d *dialect) wordValues() {
	d.hold = d.names.Value + "=("
	d.holdAnonymous = d.hold + d.names.Value + ","
	d.after = ")," + d.expression[siteExit] + "," + d.names.Value
	d.yieldNothing = " void(" + d.expression[siteExit] + ")"
}
