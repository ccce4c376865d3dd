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
}

func (o *Options) selection() selection {
	s := selection{o.Target, o.MinStatements, o.Checks}
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
	p := plan{functions: make([]decision, len(script.Functions))}
	if script.OffFile {
		return p
	}
	if sel.checks&functable.Loop != 0 {
		p.topLoops = checkedLoops(script.Loops)
		p.checks = len(p.topLoops) > 0
	}
	closed := make([]bool, len(script.Functions)) // left alone with all inside
	for i := range script.Functions {
		f := &script.Functions[i]
		closed[i] = f.UseAsm || f.Off || f.InWith || f.Parent >= 0 && closed[f.Parent]
		if closed[i] || f.Kind == jsscan.Initializer {
			continue
		}
		p.functions[i] = decide(f, sel)
		p.checks = p.checks || p.functions[i].sites != 0
	}
	if sel.target == Goja && script.Goal != jsscan.AsFunctionBody {
		p.placeBindings(script, closed)
	}
	return p
}

// decide applies the knob N to one function.
func decide(f *jsscan.Function, sel selection) decision {
	loops := sel.checks&functable.Loop != 0
	if f.Statements < sel.minStatements && !(loops && len(f.Loops) > 0) {
		return decision{}
	}
	d := decision{sites: sel.checks &^ functable.Loop, exit: byReturns}
	if loops {
		d.loops = checkedLoops(f.Loops)
		if len(d.loops) > 0 {
			d.sites |= functable.Loop
		}
	}
	if sel.target == Goja && !f.TryUnsafe {
		d.exit = byFinally
	}
	return d
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
func (p *plan) placeBindings(script *jsscan.Script, closed []bool) {
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
		if needed[i] && !closed[i] && f.Kind != jsscan.Initializer && (p.functions[i].sites != 0 || !f.ExpressionBody) {
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
