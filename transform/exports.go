package transform

import (
	"bytes"
	"regexp"

	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// Node finds the names that a CommonJS module exports in its text, before running it;
// import{a}from"./module.cjs" depends on that. Two kinds of function are part of what
// it looks for, and are left alone:
//
//	Object.defineProperty(exports,"a",{enumerable:true,get:function(){return b.a}})
//	Object.keys(b).forEach(function(k){ … exports[k]=b[k] … })

// reach is how far back from a function the rest of such a text may begin.
const reach = 1000

// The beginnings of such texts, without white space and comments.
var (
	defines   = regexp.MustCompile(`^Object\.defineProperty\((?:module\.)?exports,(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'),[^)]*$`)
	reexports = regexp.MustCompile(`^Object\.keys\(.*\.forEach\($`)
)

// namesExports reports whether a function is part of such a text.
func namesExports(src []byte, f *jsscan.Function) bool {
	if f.Async || f.Generator || f.ExpressionBody {
		return false
	}
	before := src[max(0, f.Start-reach):f.Start]
	switch {
	case f.Kind == jsscan.Method && f.Name == "get": // {get(){return b.a}}
		return begins(before, defines.Match)
	case f.Kind == jsscan.Expression:
		isGetter := func(head []byte) bool { return bytes.HasSuffix(head, []byte("get:")) && defines.Match(head) }
		passesOn := bytes.Contains(src[f.BodyStart:f.BodyEnd], []byte("exports"))
		return begins(before, func(head []byte) bool { return isGetter(head) || passesOn && reexports.Match(head) })
	}
	return false
}

// begins reports whether a text, from one of its last few Objects on, is what is looked for.
func begins(text []byte, is func([]byte) bool) bool {
	const object = "Object"
	end := len(text)
	for range 4 {
		at := bytes.LastIndex(text[:end], []byte(object))
		if at < 0 {
			return false
		}
		if is(jsscan.Spaceless(text[at:])) {
			return true
		}
		end = at
	}
	return false
}
