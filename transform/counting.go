package transform

import (
	"cmp"
	"encoding/json"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
	"github.com/fieldprof/fieldprof/transform/training"
)

// In a counting build checks are those of the inline form, with the flag always up, and call
// with the number of their site in the script:
//
//	($f[1]=$f[0])&&$f.c.c(12)
//
// The flag is not the realm's: each script has its own flag, which counts its sites. It gets
// it from the runtime (runtime/src/counting) for a description of them.

// counting numbers the sites of one script.
type counting struct {
	target Target
	sites  []numberedSites // of the top level, then parallel to the functions
	unit   string          // the description, as JavaScript
}

// numberedSites are the sites of one function: its entry, its loops and its exit, in this order.
type numberedSites struct {
	first int
	kinds functable.Sites
	loops int
}

func (s numberedSites) entry() int { return s.first }

func (s numberedSites) loop(n int) int {
	if s.kinds&functable.Entry != 0 {
		n++
	}
	return s.first + n
}

func (s numberedSites) exit() int { return s.loop(s.loops) }

func (s numberedSites) next() int {
	if s.kinds&functable.Exit != 0 {
		return s.exit() + 1
	}
	return s.exit()
}

// newCounting numbers the sites of a plan and describes the functions that have any: index, line
// and column, name, kinds of sites, loops with a site, statements, and whether it calls what loops.
func (o *Options) newCounting(p *plan, script *jsscan.Script, at *positions) *counting {
	c := &counting{target: o.Target, sites: make([]numberedSites, 1+len(p.functions))}
	functions := [][]any{}
	next := 0
	add := func(i int, kinds functable.Sites, loops int) bool {
		c.sites[i] = numberedSites{next, kinds, loops}
		next = c.sites[i].next()
		return kinds != 0
	}
	if n := len(p.topLoops); n > 0 {
		add(0, functable.Loop, n)
		functions = append(functions, []any{0, 1, 1, "", functable.Loop, n, script.Statements, 0})
	}
	for i := range p.functions {
		f, d := &script.Functions[i], &p.functions[i]
		if add(i+1, d.sites, len(d.loops)) {
			place := at.source(f.Params)
			functions = append(functions, []any{i + 1, place.Line, place.Column, displayName(f), d.sites, len(d.loops), f.Statements, iterates(f)})
		}
	}
	label := o.Label()
	counted := o.counted(nil) // Transform has set the hash
	build := cmp.Or(o.Build, training.BuildHash([]training.Script{counted}))
	unit, _ := json.Marshal([]any{build, label, counted.File, counted.Hash, functions}) // strings and numbers
	c.unit = string(unit)
	return c
}

func displayName(f *jsscan.Function) string { return cmp.Or(f.Name, f.Inferred) }

func iterates(f *jsscan.Function) int {
	if f.Iterates {
		return 1
	}
	return 0
}

// numbered words the checks of function i, or of the top level for -1, and of its n-th loop. A
// build that does not count has its checks unchanged.
func (c *counting) numbered(d *dialect, i, n int) *dialect {
	if c == nil {
		return d
	}
	s := c.sites[i+1]
	scope := d.scope
	d = wordChecks(c.target, Inline, d.names, [3]int{s.entry(), s.loop(n), s.exit()})
	d.scope = scope
	return d
}

// registers is the prologue of a script in a counting build, which binds its flag:
//
//	script:        LOADS var f=REGISTERED;
//	module:        import"@fieldprof/runtime/checks";const f=REGISTERED;
//	in a cycle:    import"@fieldprof/runtime/checks";function f(){}f.c=(REGISTERED).c;f[0]=f.c?1:0;
//	function body: LOADS const f=REGISTERED;
//
// where REGISTERED is ((globalThis.__fieldprof||0).train||(v=>[0,0]))([…]). Functions of a module
// in a cycle, which may run before its body, find a function declaration: until the body runs,
// its element 0 is undefined, and nothing is counted.
func (e *emitter) registers(script *jsscan.Script, options *Options) string {
	flag := e.names.Flag
	registered := "((" + e.trainer() + ")||(v=>[0,0]))(" + e.counting.unit + ")"
	switch {
	case script.Goal != jsscan.AsModule:
		keyword := "const "
		if script.Goal == jsscan.AsScript || options.Loader != "" {
			keyword = "var "
		}
		return e.loadsTrainer(script, options) + keyword + flag + "=" + registered + ";"
	case !options.Acyclic:
		return e.loads(options.ChecksModule) + "function " + flag + "(){}" + flag + ".c=(" + registered + ").c;" + flag + "[0]=" + flag + ".c?1:0;"
	case options.Preloaded:
		return "const " + flag + "=" + registered + ";"
	}
	return e.loads(options.ChecksModule) + "const " + flag + "=" + registered + ";"
}

func (e *emitter) trainer() string { return "(" + e.realm() + "||0).train" }

// loadsTrainer loads what counts, if it is missing. If that fails, nothing is counted:
//
//	var{}=(()=>{try{(globalThis.__fieldprof||0).train||(globalThis.importScripts?importScripts("L"):require("U"))}catch{}return 0})();
func (e *emitter) loadsTrainer(script *jsscan.Script, options *Options) string {
	load := ""
	switch {
	case options.Embed != "" && script.Goal == jsscan.AsScript:
		return options.Embed
	case options.Require != "" && options.Loader != "":
		load = "(" + e.inWorker() + "?importScripts(" + quote(options.Loader) + "):" + e.requireOf(options.Require) + ")"
	case options.Require != "":
		load = e.requireOf(options.Require)
	case options.Loader != "" && script.Goal == jsscan.AsScript:
		load = e.inWorker() + "&&importScripts(" + quote(options.Loader) + ")"
	default:
		return ""
	}
	return "var{}=(()=>{try{" + e.trainer() + "||" + load + "}catch{}return 0})();" // see loadsFirst
}

// ofUnit gives a classic script names of its own: all scripts of a page share one scope, and each
// has its own flag.
func ofUnit(names runtime.Bindings, hash string) runtime.Bindings {
	suffix := "_" + hash[:min(8, len(hash))]
	names.Flag += suffix
	names.Value += suffix
	return names
}
