package transform

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// mostToFill is the N up to which it counts that goja builds the arguments
// object and rest arrays: in programs with few checks callers do more since the
// check before (docs/accuracy.md).
const mostToFill = 3

// filledFirst reports whether the engine does measurable work in f before an
// entry check can run: more than its caller is likely to have done since the
// check before. Every engine evaluates defaults and takes patterns apart, and
// goja builds arguments and rest. But most of that is no work, and to charge what
// came before to such a function would take it from its caller.
func filledFirst(src []byte, script *jsscan.Script, f *jsscan.Function, options *Options) bool {
	if options.Target == Goja && (f.UsesArguments || f.HasRest) && options.selection().minStatements <= mostToFill {
		return true
	}
	return (f.HasDefaults || f.HasDestructuring) && laborious(src, script, f)
}

// laborious reports whether parameters call something, or copy what they take
// apart: there is a parenthesis, a template or new in them, or dots inside a
// pattern or a default. What is written in strings and comments, or belongs to
// functions, does not count.
func laborious(src []byte, script *jsscan.Script, f *jsscan.Function) bool {
	inner, _ := slices.BinarySearchFunc(script.Functions, f.Params+1, func(f jsscan.Function, at int) int { return cmp.Compare(f.Start, at) })
	depth := 0
	for at := f.Params; at < f.ParamsEnd; at++ {
		if inner < len(script.Functions) && script.Functions[inner].Start == at {
			at = script.Functions[inner].End
			for inner < len(script.Functions) && script.Functions[inner].Start < at {
				inner++
			}
			at--
			continue
		}
		rest := src[at:f.ParamsEnd]
		switch rest[0] {
		case '"', '\'':
			at += quoted(rest)
		case '/':
			at += comment(rest)
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '(':
			if at > f.Params {
				return true
			}
		case '`':
			return true
		case '.':
			if depth > 0 && bytes.HasPrefix(rest, []byte("...")) {
				return true
			}
		case 'n':
			if bytes.HasPrefix(rest, []byte("new ")) && !isNamePart(src[at-1]) {
				return true
			}
		}
	}
	return false
}

// quoted is how many bytes follow the quote in which a string begins.
func quoted(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i
		}
	}
	return len(text) - 1
}

// comment is how many bytes follow the slash in which a comment begins; 0 for
// another slash.
func comment(text []byte) int {
	end := -1
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		end = bytes.IndexAny(text, "\n\r\u2028\u2029")
	case bytes.HasPrefix(text, []byte("/*")):
		if end = bytes.Index(text[2:], []byte("*/")); end >= 0 {
			end += 3
		}
	default:
		return 0
	}
	if end < 0 {
		return len(text) - 1
	}
	return end
}
