package transform

import (
	"strings"

	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// Most large scripts are a function that is called where it is written. It gets the bindings
// as parameters: V8 folds a parameter that is never assigned into the code, and
// SpiderMonkey does not test it for a hole. Nothing sees one more parameter and
// argument in a function that has no name, unless it uses its arguments, or a function that it
// calls asks for its caller.

// passing says which functions can get the bindings as parameters.
type passing uint8

const (
	passNone   passing = iota
	passStrict         // only in strict mode, where a caller is not shown
	passAny
)

// passesIn returns what a classic script allows.
func passesIn(src []byte) passing {
	if usesName(src, "caller") || usesName(src, "getFunction") {
		return passStrict
	}
	return passAny
}

// getting returns a function that tells, for each function in order, whether it can get
// the bindings as parameters.
func (p *plan) getting(functions []jsscan.Function) func(i int) bool {
	covered := 0 // what is before this offset may be part of a function's text
	return func(i int) bool {
		f := &functions[i]
		outermost := f.Start >= covered
		covered = max(covered, f.End)
		return outermost && p.passes > passNone && !p.closed[i] && (f.Strict || p.passes == passAny) && canGet(f)
	}
}

// canGet reports whether nothing sees one more parameter and argument.
func canGet(f *jsscan.Function) bool {
	return f.Called.End > 0 && f.Called.Arguments <= f.Parameters &&
		!f.UsesArguments && !f.UsesEval && !f.HasRest && !f.HasDestructuring && !f.HasDefaults
}

// pass gives a function the bindings as its last parameters. They are what the script
// declares, if it does:
//
//	(function(a,$f){ … })(1,_$f)
//	(function(a,b,$f){ … })(1,void 0,_$f)
//	(($f)=>{ … })((globalThis.__fieldprof||0).flag||[0,0])
func (e *emitter) pass(f *jsscan.Function, inner runtime.Bindings, declared bool) {
	parameters, arguments := e.passed(inner, declared)
	missing := strings.Repeat("void 0,", f.Parameters-f.Called.Arguments)
	e.buffer.Open(f.ParamsEnd-1, after(f.Parameters, f.ParameterComma)+parameters)
	e.buffer.Close(f.Called.End, f.Called.Start-1, after(f.Called.Arguments, f.Called.Comma)+missing+arguments)
}

// after returns what separates the next from so many of a list.
func after(count int, comma bool) string {
	if count == 0 || comma {
		return ""
	}
	return ","
}

// passed returns the bindings as parameters, and as arguments.
func (e *emitter) passed(inner runtime.Bindings, declared bool) (parameters, arguments string) {
	var names, values []string
	outer := e.bound(e.ofOthers.names)
	for i, b := range e.bound(inner) {
		value := outer[i].name
		if !declared {
			value = b.of(e.realm() + "||0")
		}
		names, values = append(names, b.name), append(values, value)
	}
	return strings.Join(names, ","), strings.Join(values, ",")
}
