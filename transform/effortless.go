package transform

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// effortless reports whether the expression in a range is no work to compute: a
// name, this, a number, a string, !0, void 0, or a function. A check before it
// sees what a check behind it would.
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
			return false // of an object it would call valueOf
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

// functionAt tells whether a function is all that stands in a range: to make
// one is no work either.
func functionAt(script *jsscan.Script, start, end int) bool {
	i, found := slices.BinarySearchFunc(script.Functions, start, func(f jsscan.Function, at int) int { return cmp.Compare(f.Start, at) })
	return found && script.Functions[i].End == end
}
