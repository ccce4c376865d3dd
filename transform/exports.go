package transform

import (
	"bytes"

	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// Node finds the names that a CommonJS module exports in its text, before running it;
// import{a}from"./module.cjs" depends on that. Two kinds of function are part of what
// it looks for, and are left alone:
//
//	Object.defineProperty(exports,"a",{enumerable:true,get:function(){return b.a}})
//	Object.keys(b).forEach(function(k){ … exports[k]=b[k] … })

// reach is how far back from a function the rest of such a text may begin.
const reach = 200

// namesExports reports whether a function is part of such a text.
func namesExports(src []byte, f *jsscan.Function) bool {
	if f.Async || f.Generator || f.ExpressionBody {
		return false
	}
	before := bytes.TrimRight(src[max(0, f.Start-reach):f.Start], " \t\r\n")
	switch f.Kind {
	case jsscan.Method: // {get(){return b.a}}
		return f.Name == "get" && definesExport(before)
	case jsscan.Expression:
	default:
		return false
	}
	if head, ok := bytes.CutSuffix(before, []byte(".forEach(")); ok {
		return bytes.Contains(head, []byte("Object.keys(")) && bytes.Contains(src[f.BodyStart:f.BodyEnd], []byte("exports"))
	}
	head, ok := bytes.CutSuffix(before, []byte(":"))
	head, isGet := bytes.CutSuffix(bytes.TrimRight(head, " "), []byte("get"))
	return ok && isGet && definesExport(head)
}

// definesExport reports whether a text ends inside the call that defines one
// property of exports.
func definesExport(head []byte) bool {
	const call = "Object.defineProperty("
	at := bytes.LastIndex(head, []byte(call))
	if at < 0 {
		return false
	}
	arguments := bytes.TrimPrefix(head[at+len(call):], []byte("module."))
	return bytes.HasPrefix(arguments, []byte("exports,")) && bytes.IndexByte(arguments, ')') < 0
}
