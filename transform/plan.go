package transform

import (
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// A plan says where checks go; checks.go says what they look like.
type plan struct {
	functions []decision // parallel to jsscan.Script.Functions
	topLoops  []int      // loops of the top level, by index
	checks    bool       // there is at least one check
	closed    []bool     // functions left alone with all inside
	reasons   []Reason   // of the top level, then parallel to functions
}

// decision is what the plan holds for one function.
type decision struct {
	sites functable.Sites // checks the function gets; none: leave it alone
	loops []int           // which of its loops are checked
	exit  exitForm
	binds bool // the function declares the bindings for itself and all inside
}

// exitForm says how the exits of a function are checked.
type exitForm uint8

const (
	// byReturns checks on each return, value first, and where the body ends.
	// An exception leaves unseen; the next check then takes the tick.
	byReturns exitForm = iota
	// byFinally wraps the body in try/finally: one check for every way out.
	// In goja it costs less than one check a return and sees exceptions.
	byFinally
)

// selection is Options with the preset resolved.
type selection struct {
	target        Target
	minStatements int
	checks        functable.Sites
	kept          kept
	// exporting is the source where Node may look for names that it exports;
	// nil elsewhere.
	exporting []byte
	// takings, unless nil, knows whose text is taken.
	takings *takings
}

func (o *Options) selection() selection {
	s := selection{target: o.Target, minStatements: o.MinStatements, checks: o.Checks}
	if s.minStatements <= 0 {
		s.minStatements = o.Preset.MinStatements()
	}
	if s.checks == 0 {
		s.checks = o.Preset.Checks()
	}
	return s
}

// makePlan chooses the sites of a script.
func makePlan(script *jsscan.Script, sel selection) plan {
	p := plan{
		functions: make([]decision, len(script.Functions)),
		closed:    make([]bool, len(script.Functions)),
		reasons:   make([]Reason, len(script.Functions)+1),
	}
	if script.OffFile {
		for i := range p.reasons {
			p.reasons[i] = Reason{Why: OutByFileComment}
		}
		return p
	}
	p.topLoops, p.reasons[0] = decideTopLevel(script, sel)
	for i := range script.Functions {
		f := &script.Functions[i]
		if why := closes(f); why != 0 {
			p.closed[i], p.reasons[i+1] = true, Reason{Why: why}
		} else if f.Parent >= 0 && p.closed[f.Parent] {
			p.closed[i], p.reasons[i+1] = true, p.reasons[f.Parent+1]
			p.reasons[i+1].Inside = true
		} else if sel.exporting != nil && namesExports(sel.exporting, f) {
			p.closed[i], p.reasons[i+1] = true, Reason{Why: OutExports}
		} else if sel.takings != nil && sel.takings.taken(f) {
			p.closed[i], p.reasons[i+1] = true, Reason{Why: OutText}
		} else if f.Kind == jsscan.Initializer {
			p.reasons[i+1] = Reason{Why: OutInitializer}
		} else if !sel.kept.function(i) {
			p.reasons[i+1] = Reason{Why: OutSource}
		} else {
			p.functions[i], p.reasons[i+1] = decide(f, sel)
		}
	}
	p.settle(script, sel.target)
	return p
}

// settle finds what follows from the choice of sites.
func (p *plan) settle(script *jsscan.Script, target Target) {
	p.checks = len(p.topLoops) > 0
	for i := range p.functions {
		p.functions[i].binds = false
		p.checks = p.checks || p.functions[i].sites != 0
	}
	if target == Goja && script.Goal != jsscan.AsFunctionBody {
		p.placeBindings(script)
	}
}

// closes tells why a function is to be left alone with all inside, if it is.
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
func decideTopLevel(script *jsscan.Script, sel selection) ([]int, Reason) {
	var picked []int
	excluded := false
	if sel.checks&functable.Loop != 0 {
		for _, i := range checkedLoops(script.Loops) {
			if sel.kept.topLoop(i) {
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
func decide(f *jsscan.Function, sel selection) (decision, Reason) {
	loops := sel.checks&functable.Loop != 0
	reason := Reason{Why: InByStatements, Statements: int32(f.Statements), N: int32(sel.minStatements)}
	small := f.Statements < sel.minStatements
	if small && !(loops && len(f.Loops) > 0) {
		reason.Why = OutSmall
		return decision{}, reason
	}
	d := decision{sites: sel.checks &^ functable.Loop, exit: byReturns}
	if loops {
		d.loops = checkedLoops(f.Loops)
		if len(d.loops) > 0 {
			d.sites |= functable.Loop
		}
	}
	switch {
	case d.sites == 0:
		reason.Why = OutNoSite
	case small && len(d.loops) > 0:
		reason.Why = InByFreeLoop
	case small:
		reason.Why = InByLoop
	}
	if sel.target == Goja && !f.TryUnsafe {
		d.exit = byFinally
	}
	return d, reason
}

// checkedLoops picks the loops that can run long without meeting a check: in a
// loop that calls, the callee's checks serve.
func checkedLoops(loops []jsscan.Loop) []int {
	var picked []int
	for i := range loops {
		if !loops[i].Calls && !loops[i].Awaits {
			picked = append(picked, i)
		}
	}
	return picked
}

// placeBindings chooses the functions that declare the bindings: the outermost
// ones with a body that checks run in. In goja a function's own variable is
// four times cheaper to read than a global one.
func (p *plan) placeBindings(script *jsscan.Script) {
	functions := script.Functions
	needed := make([]bool, len(functions)) // it, or something in its body, checks
	for i := len(functions) - 1; i >= 0; i-- {
		needed[i] = needed[i] || p.functions[i].sites != 0
		if f := &functions[i]; needed[i] && f.Parent >= 0 && inBody(f, &functions[f.Parent]) {
			needed[f.Parent] = true
		}
	}
	bound := make([]bool, len(functions)) // the bindings are in scope in its body
	for i := range functions {
		f := &functions[i]
		if f.Parent >= 0 && inBody(f, &functions[f.Parent]) && bound[f.Parent] {
			bound[i] = true
			continue
		}
		// A closed function inherits nothing and declares nothing; functions in
		// the parameters of another do not see its body's variables.
		if f.Parent >= 0 && !inBody(f, &functions[f.Parent]) && p.boundOutside(functions, bound, f.Parent) {
			bound[i] = true
			continue
		}
		if needed[i] && !p.closed[i] && f.Kind != jsscan.Initializer && (p.functions[i].sites != 0 || !f.ExpressionBody) {
			p.functions[i].binds = true
			bound[i] = true
		}
	}
}

// boundOutside reports whether the bindings are in scope where function i
// stands, which is what its parameters see.
func (p *plan) boundOutside(functions []jsscan.Function, bound []bool, i int) bool {
	for {
		parent := functions[i].Parent
		if parent < 0 {
			return false
		}
		if inBody(&functions[i], &functions[parent]) {
			return bound[parent]
		}
		i = parent
	}
}

func inBody(f, parent *jsscan.Function) bool { return f.Start >= parent.BodyStart }
