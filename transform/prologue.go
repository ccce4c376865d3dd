package transform

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
	"unicode"

	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// prologue declares the bindings at the head of a script:
//
//	web script:    var f,{}=f&&f.c||(f=(globalThis.__fieldprof||0).flag||[0,0]);
//	  for workers: var f,{}=f&&f.c||(f=(globalThis.__fieldprof||LOAD||0).flag||[0,0]);
//	  compact:     var{entry:e=v=>v,loop:l=v=>v,exit:x=v=>v}=globalThis.__fieldprof||0;
//	  in functions: none, if all checks are in functions with bindings of their own
//	  embedded:    the runtime, then as above
//	web module:    import"@fieldprof/runtime/checks";const{flag:f=[0,0]}=globalThis.__fieldprof||0;
//	  preloaded:   var{}=typeof f<"u"&&f.c||(globalThis.f=(globalThis.__fieldprof||0).flag||[0,0]);
//	  compact:     const{entry:e=v=>v,loop:l=v=>v,exit:x=v=>v}=globalThis.__fieldprof||0;
//	  in a cycle:  import{flag as f}from"@fieldprof/runtime/checks";
//	  both:        function f(v){return v}({flag:f=[0,0]}=globalThis.__fieldprof||0);
//	function body: const{…}=globalThis.__fieldprof||0;
//	goja body:     require("R");var f=F,c=C;
//	goja module:   import"M";var f=F,c=C;
//
// If the source may have a globalThis of its own, another expression is in its place (realm).
//
// Without the runtime, a page gets a flag that never rises, or functions that do
// nothing. In an import cycle a module's functions can run before its own body, so only
// an import binds them in time, or a function of the module's own, which a flag never
// raises; else V8 folds a const into the code, and does not fold an import
// (docs/architecture.md). The compact form binds only what it calls.
func (e *emitter) prologue(script *jsscan.Script, options *Options, outside bool) string {
	realm, shared := e.realm()+"||0", ""
	if outside {
		shared = e.takesOnce(realm)
	}
	switch {
	case e.counting != nil && options.Target == Web:
		return e.registers(script, options)
	case options.Target == Goja:
		return e.definesThenReads(script, options)
	case script.Goal == jsscan.AsModule && !options.Acyclic && options.Preloaded:
		return e.takesOver()
	case script.Goal == jsscan.AsModule && !options.Acyclic:
		return e.imports(options.ChecksModule)
	case e.setsGlobal:
		return e.takesGlobal(realm)
	case script.Goal == jsscan.AsModule && options.Preloaded:
		return e.takesApart(realm)
	case script.Goal == jsscan.AsModule:
		return e.loads(options.ChecksModule) + e.takesApart(realm)
	case options.Embed != "" && script.Goal == jsscan.AsScript:
		return options.Embed + shared
	case options.Require != "":
		return e.requires(options.Require, options.Loader)
	case script.Goal == jsscan.AsFunctionBody:
		return e.takesApart(realm)
	case options.Loader != "" && script.Goal == jsscan.AsScript:
		return e.loadsFirst(options.Loader, outside)
	}
	return shared
}

// definesThenReads is the prologue for goja. In an import cycle a module's functions may
// run before its body: then the names are undefined, and the checks do nothing.
func (e *emitter) definesThenReads(script *jsscan.Script, options *Options) string {
	switch {
	case script.Goal == jsscan.AsScript:
		return ""
	case script.Goal == jsscan.AsModule && options.ChecksModule != "":
		return e.loads(options.ChecksModule) + e.scope
	case script.Goal == jsscan.AsFunctionBody && options.Require != "":
		return "require(" + quote(options.Require) + ");" + e.scope
	}
	return e.scope
}

// takesApart declares the bindings of a module or a function body, with or without a runtime. V8
// folds a const into the code.
func (e *emitter) takesApart(realm string) string { return "const" + e.pattern() + "=" + realm + ";" }

// takesOnce declares the bindings of a classic script, which are those of all scripts of a page.
// A script may be there twice, which only var allows. JSC folds a global variable into the code
// until it is written again, also with the same value: so a script keeps the flag that another
// has taken from a runtime. A declaration leaves the value of the script, which eval gives, as it is.
func (e *emitter) takesOnce(realm string) string {
	if e.ofOthers.form != Inline {
		return "var" + e.pattern() + "=" + realm + ";"
	}
	flag := e.bound(e.names)[0]
	return "var " + flag.name + ",{}=" + flag.once(flag.name, flag.name, realm) + ";"
}

// takesGlobal sets the same variable from a module. It begins with a keyword: a bracket would call a
// directive before it that ends without a semicolon.
func (e *emitter) takesGlobal(realm string) string {
	flag := e.bound(e.names)[0]
	return "var{}=" + flag.once("typeof "+flag.name+`<"u"`, "globalThis."+flag.name, realm) + ";"
}

// realm returns an expression that gives the runtime's object, or a false value.
//
//	globalThis.__fieldprof
//	typeof(__fieldprof)<"u"&&__fieldprof
func (e *emitter) realm() string {
	if e.ownGlobal {
		return "typeof(" + runtime.Global + `)<"u"&&` + runtime.Global
	}
	return "globalThis." + runtime.Global
}

// inWorker tests whether there is importScripts.
func (e *emitter) inWorker() string {
	if e.ownGlobal {
		return `typeof(importScripts)<"u"`
	}
	return "globalThis.importScripts"
}

// declaresGlobal reports whether a source may declare a variable globalThis of its own, as some
// sources for old engines do. At the prologue such a variable has no value yet, or is not the
// global object. The text after the name, or before it on its line, rules out the usual uses.
func declaresGlobal(src []byte) bool {
	const name = "globalThis"
	for at := range occurrences(src, name) {
		before, after := bytes.TrimRight(src[max(0, at-20):at], " \t"), bytes.TrimLeftFunc(src[at+len(name):], unicode.IsSpace)
		switch {
		case at > 0 && isNamePart(src[at-1]) || len(src) > at+len(name) && isNamePart(src[at+len(name)]): // another name
		case bytes.HasSuffix(before, []byte(".")) && !bytes.HasSuffix(before, []byte("...")):
		case bytes.HasSuffix(before, []byte("typeof")), bytes.HasSuffix(before, []byte("return")):
		case len(before) > 0 && bytes.IndexByte([]byte("?=&|!>"), before[len(before)-1]) >= 0:
		case len(after) > 0 && bytes.IndexByte([]byte(".[?&|"), after[0]) >= 0, bytes.HasPrefix(after, []byte("==")), bytes.HasPrefix(after, []byte("!=")):
		default:
			return true
		}
	}
	return false
}

// bound is one name that the prologue binds.
type bound struct {
	property, name string
	inert          string // what it is without a runtime; "" for undefined
}

// of returns an expression that takes it from the runtime's object, or is inert.
func (b bound) of(realm string) string {
	inert := b.inert
	if strings.Contains(inert, "=>") {
		inert = "(" + inert + ")"
	}
	return "(" + realm + ")." + b.property + "||" + inert
}

// once returns an expression that sets a global variable, written as target, to the binding, unless the
// variable has one from a runtime already. It asks no other value than the variable's for the flag's property:
// whatever else would take its place inherits from Object.prototype, where a page may have put such a property.
func (b bound) once(isSet, target, realm string) string {
	return isSet + "&&" + b.name + ".c||(" + target + "=" + b.of(realm) + ")"
}

func (e *emitter) bound(names runtime.Bindings) []bound {
	if e.ofOthers.form == Inline {
		return []bound{{"flag", names.Flag, "[0,0]"}}
	}
	var list []bound
	for k, b := range [3]bound{{property: "entry", name: names.Entry}, {property: "loop", name: names.Loop}, {property: "exit", name: names.Exit}} {
		if e.called[k] {
			b.inert = "v=>v"
			list = append(list, b)
		}
	}
	return list
}

// pattern takes the runtime's object apart: {flag:f=[0,0]}
func (e *emitter) pattern() string {
	var fields []string
	for _, b := range e.bound(e.names) {
		field := b.property + ":" + b.name
		if b.inert != "" {
			field += "=" + b.inert
		}
		fields = append(fields, field)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// loads is the import that loads the runtime.
func (e *emitter) loads(module string) string {
	e.imported = cmp.Or(module, runtime.ChecksModule)
	return "import" + quote(e.imported) + ";"
}

// imports is the prologue of a module in a cycle.
func (e *emitter) imports(module string) string {
	e.imported = cmp.Or(module, runtime.ChecksModule)
	var fields []string
	for _, b := range e.bound(e.names) {
		fields = append(fields, b.property+" as "+b.name)
	}
	return "import{" + strings.Join(fields, ",") + "}from" + quote(e.imported) + ";"
}

// takesOver is the prologue of a module in a cycle where the runtime is there already.
// Until its body runs, the bindings are functions: as a flag one is never up, and called,
// it gives what it gets.
func (e *emitter) takesOver() string {
	functions := ""
	for _, b := range e.bound(e.names) {
		functions += "function " + b.name + "(v){return v}"
	}
	return functions + "(" + e.pattern() + "=" + e.realm() + "||0);"
}

// loadsAnyway is the prologue of a worker's entry that has nothing to check and gets
// its Profiler nevertheless:
//
//	var{}=globalThis.__fieldprof||LOAD||0;
//	import"@fieldprof/runtime/checks";
//
// or the runtime itself.
func (e *emitter) loadsAnyway(script *jsscan.Script, options *Options) string {
	switch {
	case !options.Entry || options.Target != Web:
		return ""
	case script.Goal == jsscan.AsModule:
		return e.loads(options.ChecksModule)
	case script.Goal != jsscan.AsScript:
		return ""
	case options.Embed != "":
		return options.Embed
	case options.Loader != "":
		return e.loadsFirst(options.Loader, false)
	}
	return ""
}

// loadsFirst is the prologue of a script that loads the runtime if it is missing. Only
// workers can; in a page it does nothing. If loading fails, the checks are inert:
//
//	var f,{}=f&&f.c||(f=(globalThis.__fieldprof||LOAD||0).flag||[0,0]);
//
// where LOAD is (()=>{try{return globalThis.importScripts&&(importScripts("U"),__fieldprof)}catch{}})().
// A declaration leaves the value of the script, which eval gives, as it is.
func (e *emitter) loadsFirst(url string, outside bool) string {
	realm := e.realmOr(e.inWorker() + "&&(importScripts(" + quote(url) + ")," + runtime.Global + ")")
	if !outside {
		return "var{}=" + realm + ";"
	}
	return e.takesOnce(realm)
}

// realmOr returns an expression that gives the runtime's object. If there is no runtime yet, the
// expression evaluates load, which loads the runtime and gives its object. If load throws, the
// expression gives 0.
//
//	globalThis.__fieldprof||(()=>{try{return LOAD}catch{}})()||0
func (e *emitter) realmOr(load string) string {
	return e.realm() + "||(()=>{try{return " + load + "}catch{}})()||0"
}

// requires is the prologue of a CommonJS module that loads the runtime if it is
// missing. If loading fails, the checks are inert:
//
//	const{flag:f=[0,0]}=globalThis.__fieldprof||(()=>{try{return require("U")}catch{}})()||0;
//
// One that may be a script as well has what a script has: a page may load it, where others declare
// the same, and so may the text of a script that it evaluates. A module that may also be a
// worker's script tries that first:
//
//	var f,{}=f&&f.c||(f=(globalThis.__fieldprof||(()=>{try{return globalThis.importScripts?importScripts("L")||__fieldprof:require("U")}catch{}})()||0).flag||[0,0]);
//
// For module.require see requireOf.
func (e *emitter) requires(url, loader string) string {
	load := e.requireOf(url)
	switch {
	case loader != "":
		return e.takesOnce(e.realmOr(e.inWorker() + "?importScripts(" + quote(loader) + ")||" + runtime.Global + ":" + load))
	case e.script.Goal == jsscan.AsScript:
		return e.takesOnce(e.realmOr(load))
	}
	return e.takesApart(e.realmOr(load))
}

// requireOf returns the call that loads a file in a CommonJS module. A function require of the source's own is
// there already at the prologue, and must not be asked for a file that it does not know: it may count what it
// is asked for, or report it. Its file, if it is a module, has another way.
func (e *emitter) requireOf(url string) string {
	if declaresRequire(e.script) {
		return "module.require(" + quote(url) + ")"
	}
	return "require(" + quote(url) + ")"
}

// declaresRequire reports whether the top level of a script may declare a function require. A variable of this
// name has at the prologue the value of the module's, no value yet, or a page's.
func declaresRequire(script *jsscan.Script) bool {
	for i := range script.Functions {
		if f := &script.Functions[i]; f.Parent < 0 && f.Kind == jsscan.Declaration && f.Name == "require" {
			return true
		}
	}
	return false
}

// quote writes a string literal. A JSON string is a JavaScript one, and Go's encoder
// escapes the characters that could end a script element.
func quote(s string) string {
	quoted, _ := json.Marshal(s)
	return string(quoted)
}
