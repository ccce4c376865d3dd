package transform

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// prologue declares the bindings at the head of a script:
//
//	web script:    var{flag:f=[0,0],capture:c}=globalThis.__fieldprof||0;
//	  compact:     var{entry:e=v=>v,loop:l=v=>v,exit:x=v=>v}=globalThis.__fieldprof||0;
//	  in functions: none, if all checks are in functions that declare their own
//	  embedded:    the runtime, then as above
//	web module:    import{flag as f,capture as c}from"@fieldprof/runtime/checks";
//	  compact:     import{entry as e,loop as l,exit as x}from"@fieldprof/runtime/checks";
//	function body: as the script's, and for goja  var f=F,c=C;
//
// Without the runtime, a page gets a flag that never rises, or functions that do
// nothing. A module must import: in an import cycle its functions can run before its
// own body. A module that is never imported (Options.Unimported) is in no cycle. The
// compact form binds only what it calls.
func (e *emitter) prologue(script *jsscan.Script, options *Options, outside bool) string {
	takesApart := ""
	if outside {
		takesApart = e.takesApart(e.names)
	}
	switch {
	case options.Target == Goja && script.Goal == jsscan.AsFunctionBody:
		return e.scope
	case options.Target == Goja:
		return ""
	case script.Goal == jsscan.AsModule && !options.Unimported:
		return e.imports(options.ChecksModule)
	case options.Embed != "" && script.Goal == jsscan.AsScript:
		return options.Embed + takesApart
	case options.Require != "":
		return e.requires(options.Require, options.Loader)
	case options.Loader != "" && script.Goal == jsscan.AsScript:
		return loads(options.Loader) + takesApart
	}
	return takesApart
}

// takesApart declares the bindings of a script, with or without a runtime.
func (e *emitter) takesApart(names runtime.Bindings) string {
	return "var" + e.pattern(names) + "=globalThis." + runtime.Global + "||0;"
}

// bound is one name that the prologue binds.
type bound struct {
	property, name string
	inert          string // what it is without a runtime; "" for undefined
}

func (e *emitter) bound(names runtime.Bindings) []bound {
	if e.ofOthers.form == Inline {
		return []bound{{"flag", names.Flag, "[0,0]"}, {"capture", names.Capture, ""}}
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

// pattern takes the runtime's object apart: {flag:f=[0,0],capture:c}
func (e *emitter) pattern(names runtime.Bindings) string {
	var fields []string
	for _, b := range e.bound(names) {
		field := b.property + ":" + b.name
		if b.inert != "" {
			field += "=" + b.inert
		}
		fields = append(fields, field)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// declares returns what a large function of a classic script declares for everything
// inside. If all checks are in such functions, it is what the script would declare:
//
//	var $f=__fpf,$c=__fpc;
//	var{flag:$f=[0,0],capture:$c}=globalThis.__fieldprof||0;
func (e *emitter) declares(inner runtime.Bindings, outside bool) string {
	if !outside {
		return e.takesApart(inner)
	}
	var list []string
	for i, b := range e.bound(e.ofOthers.names) {
		list = append(list, e.bound(inner)[i].name+"="+b.name)
	}
	return "var " + strings.Join(list, ",") + ";"
}

// imports is the prologue of a module.
func (e *emitter) imports(module string) string {
	e.imported = cmp.Or(module, runtime.ChecksModule)
	var fields []string
	for _, b := range e.bound(e.names) {
		fields = append(fields, b.property+" as "+b.name)
	}
	return "import{" + strings.Join(fields, ",") + "}from" + quote(e.imported) + ";"
}

// loadsAnyway is the prologue of a worker's entry that has nothing to check and gets
// its Profiler nevertheless:
//
//	try{globalThis.__fieldprof||globalThis.importScripts&&importScripts("U")}catch{}
//	import"@fieldprof/runtime/checks";
//
// or the runtime itself.
func (e *emitter) loadsAnyway(script *jsscan.Script, options *Options) string {
	switch {
	case !options.Entry || options.Target != Web:
		return ""
	case script.Goal == jsscan.AsModule:
		e.imported = cmp.Or(options.ChecksModule, runtime.ChecksModule)
		return "import" + quote(e.imported) + ";"
	case script.Goal != jsscan.AsScript:
		return ""
	case options.Embed != "":
		return options.Embed
	case options.Loader != "":
		return loads(options.Loader)
	}
	return ""
}

// loads returns a statement that loads the runtime if it is missing. Only workers
// can; in a page the statement does nothing. If loading fails, the checks are inert:
//
//	try{globalThis.__fieldprof||globalThis.importScripts&&importScripts("U")}catch{}
func loads(url string) string {
	return "try{globalThis." + runtime.Global + "||globalThis.importScripts&&importScripts(" + quote(url) + ")}catch{}"
}

// requires is the prologue of a CommonJS module that loads the runtime if it is
// missing. If loading fails, the checks are inert:
//
//	try{var{flag:f=[0,0],capture:c}=globalThis.__fieldprof||require("U")}catch{f=[0,0]}
//
// A module that may also be a worker's script tries that first:
//
//	… =globalThis.__fieldprof||(globalThis.importScripts?importScripts("L")||__fieldprof:require("U")) …
func (e *emitter) requires(url, loader string) string {
	load := "require(" + quote(url) + ")"
	if loader != "" {
		load = "(globalThis.importScripts?importScripts(" + quote(loader) + ")||" + runtime.Global + ":" + load + ")"
	}
	inert := ""
	for _, b := range e.bound(e.names) {
		if b.inert != "" {
			inert += b.name + "=" + b.inert + ";"
		}
	}
	return "try{var" + e.pattern(e.names) + "=globalThis." + runtime.Global + "||" + load + "}catch{" + strings.TrimSuffix(inert, ";") + "}"
}

// quote writes a string literal. A JSON string is a JavaScript one, and Go's encoder
// escapes the characters that could end a script element.
func quote(s string) string {
	quoted, _ := json.Marshal(s)
	return string(quoted)
}
