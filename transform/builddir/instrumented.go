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

// The beginning of a script with checks takes the object apart, or asks it for what counts:
//
//	{flag:f=[0,0]}=globalThis.__fieldprof
//	{entry:e=v=>v,exit:x=v=>v}=globalThis.__fieldprof
//	(globalThis.__fieldprof||0).train
var (
	takesApart  = regexp.MustCompile(`\{(?:flag:[$\w]+=\[0,0\]|(?:(?:entry|loop|exit):[$\w]+=v=>v,?)*)\}=(?:globalThis\.|typeof\()?$`)
	asksToCount = []byte(runtime.Global + "||0).train")
)

// longTaking is longer than any text that takes the object apart.
const longTaking = 256

// instrumented recognises a script of an earlier run.
func instrumented(src []byte) bool {
	if bytes.Contains(src, []byte(Folder+"/checks.js\"")) || bytes.Contains(src, []byte(Folder+"/module.js\"")) || bytes.Contains(src, asksToCount) {
		return true
	}
	for at := 0; ; at += len(runtime.Global) {
		next := bytes.Index(src[at:], []byte(runtime.Global))
		if next < 0 {
			return false
		}
		at += next
		if takesApart.Match(src[max(0, at-longTaking):at]) {
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
