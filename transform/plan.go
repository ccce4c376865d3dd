package transform

import (
	"cmp"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// A plan says where checks go; checks.go says what they look like.
type plan struct {
	functions []decision // parallel to jsscan.Script.Functions
	topLoops  []int      // loops of the top level, by index
	checks    bool       // there is at least one check
	closed    []bool     // functions left alone with everything inside
	reasons   []Reason   // of the top level, then parallel to functions
	called    [3]bool    // there is a check of this site kind
	outside   bool       // there is a check outside of the functions with bindings of their own
	brackets  *brackets  // of the source
	counting  *counting  // of a counting build, else nil
	// candidates are the sites before keepChosen.
	candidates int
	// fewest is how many functions with checks a function's body must contain for it to
	// have the bindings; with 0, none has them.
	fewest int
	passes passing
}

// decision is what the plan holds for one function.
type decision struct {
	sites functable.Sites // checks the function gets; without any it is left alone
	loops []int           // which of its loops are checked
	exit  exitForm
	binds bool // the function declares the bindings for itself and all inside, in goja
	gets  bool // it gets them as parameters (called.go)
	bound bool // it has them, or a function around it
}

// exitForm says how the exits of a function are checked.
type exitForm uint8

const (
	// byReturns checks on each return, value first, and where the body ends.
	// It misses exits by exception; the next check then takes the tick.
	byReturns exitForm = iota
	// byFinally wraps the body in try/finally: one check for every way out.
	// In goja it costs less than a check at each return, and sees exceptions.
	byFinally
)

// criteria decide which functions are checked.
type criteria struct {
	target        Target
	minStatements int
	checks        functable.Sites
	kept          kept
	// exporting is the source, if Node may look in it for names that it exports;
	// else nil.
	exporting []byte
	// takings, unless nil, knows which functions' text is taken.
	takings *takings
	entered func(name string) bool // see Options
	fewest  int                    // see plan, also of the next
	passes  passing
}

func (o *Options) criteria() criteria {
	return criteria{target: o.Target, minStatements: o.minStatements(), checks: o.sites(), entered: o.Entered}
}

// makePlan chooses the sites of a script.
func makePlan(script *jsscan.Script, by criteria) plan {
	p := plan{
		functions: make([]decision, len(script.Functions)),
		closed:    make([]bool, len(script.Functions)),
		reasons:   make([]Reason, len(script.Functions)+1),
		fewest:    by.fewest,
		passes:    by.passes,
	}
	if script.OffFile {
		for i := range p.reasons {
			p.reasons[i] = Reason{Why: OutByFileComment}
		}
		return p
	}
	p.topLoops, p.reasons[0] = decideTopLevel(script, by)
	for i := range script.Functions {
		f := &script.Functions[i]
		if why := closes(f); why != 0 {
			p.closed[i], p.reasons[i+1] = true, Reason{Why: why}
		} else if f.Parent >= 0 && p.closed[f.Parent] {
			p.closed[i], p.reasons[i+1] = true, p.reasons[f.Parent+1]
			p.reasons[i+1].Inside = true
		} else if by.exporting != nil && namesExports(by.exporting, f) {
			p.closed[i], p.reasons[i+1] = true, Reason{Why: OutExports}
		} else if by.takings != nil && by.takings.taken(f) {
			p.closed[i], p.reasons[i+1] = true, Reason{Why: OutText}
		} else if f.HasWith {
			p.reasons[i+1] = Reason{Why: OutWith}
		} else if f.Kind == jsscan.Initializer {
			p.reasons[i+1] = Reason{Why: OutInitializer}
		} else if !by.kept.function(i) {
			p.reasons[i+1] = Reason{Why: OutSource}
		} else {
			p.functions[i], p.reasons[i+1] = decide(f, by)
		}
	}
	p.settle(script)
	return p
}

// settle derives the rest of the plan from the choice of sites.
func (p *plan) settle(script *jsscan.Script) {
	p.called = [3]bool{siteLoop: len(p.topLoops) > 0}
	for i := range p.functions {
		d := &p.functions[i]
		d.binds, d.gets, d.bound = false, false, false
		p.called[siteEntry] = p.called[siteEntry] || d.sites&functable.Entry != 0
		p.called[siteLoop] = p.called[siteLoop] || len(d.loops) > 0
		p.called[siteExit] = p.called[siteExit] || d.sites&functable.Exit != 0
	}
	p.checks = p.called != [3]bool{}
	if p.fewest > 0 {
		p.placeBindings(script)
	}
	p.outside = len(p.topLoops) > 0
	for i := range p.functions {
		p.outside = p.outside || p.functions[i].sites != 0 && !p.functions[i].bound
	}
}

// closes returns why a function is left alone with everything inside, or 0.
func closes(f *jsscan.Function) Why {
	switch {
	case f.UseAsm:
		return OutUseAsm
	case f.Off:
		return OutByComment
	case f.InWith:
		return OutWith
	}
	return 0
}

// decideTopLevel picks the loops of the top level itself.
func decideTopLevel(script *jsscan.Script, by criteria) ([]int, Reason) {
	var picked []int
	excluded := false
	if by.checks&functable.Loop != 0 {
		for _, i := range checkedLoops(script.Loops, by.target) {
			if script.Loops[i].InWith {
				continue
			}
			if by.kept.topLoop(i) {
				picked = append(picked, i)
			} else {
				excluded = true
			}
		}
	}
	switch {
	case len(picked) > 0:
		return picked, Reason{Why: InByFreeLoop}
	case excluded:
		return nil, Reason{Why: OutSource}
	}
	return nil, Reason{Why: OutTopLevel}
}

// decide applies the knob N to one function.
func decide(f *jsscan.Function, by criteria) (decision, Reason) {
	loops := by.checks&functable.Loop != 0
	reason := Reason{Why: InByStatements, Statements: int32(f.Statements), N: int32(by.minStatements)}
	small := f.Statements < by.minStatements
	entered := (enters(f) || by.calls(f)) && by.checks&functable.Exit != 0
	if small && !entered && !(loops && (len(f.Loops) > 0 || f.Iterates)) {
		reason.Why = OutSmall
		return decision{}, reason
	}
	d := decision{sites: by.checks &^ functable.Loop, exit: byReturns}
	if loops {
		d.loops = checkedLoops(f.Loops, by.target)
		if len(d.loops) > 0 {
			d.sites |= functable.Loop
		}
	}
	switch {
	case d.sites == 0:
		reason.Why = OutNoSite
	case small && len(d.loops) > 0:
		reason.Why = InByFreeLoop
	case small && loops && len(f.Loops) > 0:
		reason.Why = InByLoop
	case small && loops && f.Iterates:
		reason.Why = InByIteration
	case small:
		reason.Why = InByEventLoop
	}
	if by.target == Goja && !f.TryUnsafe {
		d.exit = byFinally
	}
	return d, reason
}

// enters reports whether the event loop enters a function that can take time. Its time
// would have no checked caller to be counted in, and neither would the time of whatever it
// calls. An async function does not have one after it has awaited something. A function that
// calls nothing has no loop and is small, or is checked anyway.
func enters(f *jsscan.Function) bool {
	return (f.Async || f.Entered) && f.HasCalls && f.Statements > 0
}

// calls reports whether the host calls a function that can take time: see enters.
func (by *criteria) calls(f *jsscan.Function) bool {
	return by.entered != nil && f.Parent < 0 && f.HasCalls && f.Statements > 0 && by.entered(cmp.Or(f.Name, f.Inferred))
}

// checkedLoops picks the loops that can run long without meeting a check: a loop that
// calls is covered by its callees' checks. In goja, where a check takes as long as an operator,
// one inside a checked loop is covered by that one's: the ticks that wait until the outer
// loop goes on count in the same function.
func checkedLoops(loops []jsscan.Loop, target Target) []int {
	var picked []int
	covered := 0 // up to the end of the last one that was picked; loops are in order of their starts
	for i, l := range loops {
		if l.Calls || l.Awaits || target == Goja && l.Start < covered {
			continue
		}
		picked, covered = append(picked, i), l.End
	}
	return picked
}

// placeBindings chooses the outermost functions with the bindings whose body contains
// enough functions with checks, or all that there are. On the web those that can get them as
// parameters do; others read the global ones, which V8 folds into the code as it does with parameters: a
// local variable it loads in each check. Functions of goja declare them: there a local one
// costs a quarter of a global one.
func (p *plan) placeBindings(script *jsscan.Script) {
	functions := script.Functions
	checked := make([]int, len(functions)) // how many functions have checks: it and those in its body
	all := len(p.topLoops)
	for i := len(functions) - 1; i >= 0; i-- {
		if p.functions[i].sites != 0 {
			checked[i]++
			all++
		}
		if f := &functions[i]; f.Parent >= 0 && inBody(f, &functions[f.Parent]) {
			checked[f.Parent] += checked[i]
		}
	}
	getting := p.getting(functions)
	for i := range functions {
		f, d := &functions[i], &p.functions[i]
		if getting(i) && checked[i] > 0 && (checked[i] >= p.fewest || checked[i] == all) {
			d.gets, d.bound = true, true
			continue
		}
		// A closed function inherits nothing and declares nothing; functions in
		// the parameters of another do not see its body's variables.
		if f.Parent >= 0 && (inBody(f, &functions[f.Parent]) && p.functions[f.Parent].bound || p.boundOutside(functions, i)) {
			d.bound = true
			continue
		}
		if p.passes == passNone && checked[i] >= p.fewest && !p.closed[i] && f.Kind != jsscan.Initializer && (!f.ExpressionBody || d.sites != 0) {
			d.binds, d.bound = true, true
		}
	}
}

// boundOutside reports whether function i is in the parameters of another function
// for which the bindings are in scope.
func (p *plan) boundOutside(functions []jsscan.Function, i int) bool {
	outside := false
	for {
		parent := functions[i].Parent
		if parent < 0 {
			return false
		}
		if inBody(&functions[i], &functions[parent]) {
			return outside && p.functions[parent].bound
		}
		outside, i = true, parent
	}
}

func inBody(f, parent *jsscan.Function) bool { return f.Start >= parent.BodyStart }
