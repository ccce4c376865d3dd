package builddir

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/fieldprof/fieldprof/runtime"
)

// The runtime's object is mentioned by scripts of an earlier run, and by those in which a
// bundler has put the runtime itself (@fieldprof/runtime): these are to have checks like others,
// except for the runtime's own functions, whose work is no page's.

// A script with checks takes the object apart, passes what it has to a function, or asks it for
// what counts:
//
//	{flag:f=[0,0]}=globalThis.__fieldprof
//	{entry:e=v=>v,exit:x=v=>v}=globalThis.__fieldprof
//	{}=f&&f.c||(f=(globalThis.__fieldprof
//	{}=typeof f<"u"&&f.c||(globalThis.f=(globalThis.__fieldprof
//	,{}=(f||0).c||(f=(globalThis.__fieldprof (of earlier versions)
//	((globalThis.__fieldprof||0).flag||[0,0])
//	((globalThis.__fieldprof||0).entry||(v=>v))
//	(globalThis.__fieldprof||0).train
var (
	takesApart = regexp.MustCompile(`(?:\{(?:flag:[$\w]+=\[0,0\]|(?:(?:entry|loop|exit):[$\w]+=v=>v,?)*)\}=|\{\}=(?:(?:typeof )?[$\w]+(?:<"u")?&&[$\w]+|\([$\w]+\|\|0\))\.c\|\|\((?:globalThis\.)?[$\w]+=\()(?:globalThis\.|typeof\()?$`)
	loads      = regexp.MustCompile(`import"[^"\n]{0,1000}` + Folder + `/runtime\.js";`)
	asks       = regexp.MustCompile(`^\|\|0\)\.(?:train|flag\|\|\[0,0\]|(?:entry|loop|exit)\|\|\(v=>v\))`)
)

// longTaking and longAsking are longer than any text that does so.
const longTaking, longAsking = 256, 32

// instrumented recognises a script of an earlier run.
func instrumented(src []byte) bool {
	if bytes.Contains(src, []byte(Folder+"/checks.js\"")) || bytes.Contains(src, []byte(Folder+"/module.js\"")) || loads.Match(src) {
		return true
	}
	for at := 0; ; {
		next := bytes.Index(src[at:], []byte(runtime.Global))
		if next < 0 {
			return false
		}
		at += next
		before := src[max(0, at-longTaking):at]
		at += len(runtime.Global)
		if takesApart.Match(before) || asks.Match(src[at:min(len(src), at+longAsking)]) {
			return true
		}
	}
}

// bundlesRuntime reports whether a script may hold modules of @fieldprof/runtime.
func bundlesRuntime(src []byte) bool { return bytes.Contains(src, []byte(runtime.Global)) }

// exceptRuntime keeps what another function keeps, without the runtime's own modules, which a map names.
func exceptRuntime(keep func(source string) bool) func(source string) bool {
	return func(source string) bool {
		return !strings.Contains(source, "@fieldprof/runtime/") && (keep == nil || keep(source))
	}
}
