package transform

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// effortless reports whether computing the expression in a range takes no work: a
// name, this, a number, a string, !0, void 0, or a function. A check before it sees
// the same as a check after it.
func (e *emitter) effortless(start, end int) bool {
	return atom(e.src[start:end]) || functionAt(e.script, start, end)
}

// atom reports whether an expression is a single name or literal, perhaps with
// a sign before it.
func atom(text []byte) bool {
	word := text
	switch text[0] {
	case '"', '\'':
		end := bytes.IndexByte(text[1:], text[0])
		return end == len(text)-2 && bytes.IndexByte(text, '\\') < 0
	case '!':
		word = text[1:]
	case '-':
		if word = text[1:]; len(word) == 0 || word[0] < '0' || '9' < word[0] {
			return false // a minus before an object calls valueOf
		}
	}
	if rest, ok := bytes.CutPrefix(text, []byte("void ")); ok {
		word = rest
	}
	for _, c := range word {
		if !isNamePart(c) {
			return false
		}
	}
	return len(word) > 0 && string(word) != "yield"
}

// functionAt reports whether a range is one function expression, which takes no work
// either.
func functionAt(script *jsscan.Script, start, end int) bool {
	i, found := slices.BinarySearchFunc(script.Functions, start, func(f jsscan.Function, at int) int { return cmp.Compare(f.Start, at) })
	return found && script.Functions[i].End == end
}
