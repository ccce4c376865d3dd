// Package contexts holds builds to generated programs, made of what scripts are in
// and beside: functions called where they are written, with all kinds of parameters and
// arguments, names like those that checks use, directives, code that only some places allow;
// graphs of modules with cycles; pages with scripts of every kind, in odd HTML.
//
// Each program runs as it is, instrumented with nothing profiling (idle), and with every
// check capturing (armed), and as a counting build, and must say the same. Scripts run once and twice, evaluated
// within a function, as the body of one, and as what they are. Node runs programs of
// scripts and modules; pages run in three browsers, many in frames of one page.
//
// The tests run a sample; FIELDPROF_FULL=1 (make contexts) runs many more.
package contexts
