package jsscan

import (
	"bytes"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// iterates reports whether the name before the current token, the parenthesis of a call,
// is of a method that loops in the engine for as long as its data are large, whatever its
// arguments: it calls a comparator, reads or writes JSON, is of a regular expression, or
// hashes, copies, writes, lays out or blocks; or that takes as long as dozens of checks
// anyway, since it formats by a locale.
func (s *scanner) iterates() bool {
	end := s.prevEnd
	if end < 3 || !partOfName[s.buf[end-1]] || !partOfName[s.buf[end-2]] || !partOfName[s.buf[end-3]] {
		return false // as most calls in minified code
	}
	text, member := s.calleeName(end)
	switch name := string(text); {
	case iteratesAnywhere[name], strings.HasSuffix(name, "Sync") && name != "Sync":
		return true
	case !member:
		return false
	case iteratesAlone[name]:
		return true
	case name == "parse", name == "stringify":
		return s.endsWith(end-len(name)-1, "JSON")
	case name == "test", name == "exec":
		return s.regular.end == end-len(".test") && s.patternLoops()
	}
	return false
}

// iteratesAlone are methods that loop so: of arrays, of Node's streams, responses and hashes, of
// the DOM where they lay out a page or copy pixels, and those that format by a locale.
var iteratesAlone = set("sort", "toSorted", "end", "write", "writeHead", "digest",
	"getBoundingClientRect", "getClientRects", "getImageData", "putImageData", "toDataURL",
	"toLocaleString", "toLocaleDateString", "toLocaleTimeString")

// iteratesAnywhere are functions that do so too, with or without an object before them. All
// whose names end with Sync are like them: they read a file, compress or render before they
// return.
var iteratesAnywhere = set("getComputedStyle", "structuredClone", "postMessage")

// defines reports whether the call whose callee ends at an offset is of defineProperty, and the
// current token begins a key that is computed: no string. Engines are slow at it, and
// compilers call a function that does it for each field of each object of a class. With a
// literal key it is done once, where a module or a class is made.
func (s *scanner) defines(callee int) bool {
	return s.tt != js.StringToken && bytes.HasSuffix(s.buf[:callee], []byte(".defineProperty"))
}

// endsWith reports whether the source before an offset ends with a text, and has
// something that is not part of a name before it.
func (s *scanner) endsWith(end int, text string) bool {
	at := end - len(text)
	return at > 0 && s.buf[end-1] == text[len(text)-1] && string(s.buf[at:end]) == text && !partOfName[s.buf[at-1]]
}

// patternLoops reports whether the regular expression that was read last may go on as long
// as its string does: it repeats something without a limit, or is global. One that does
// neither looks at most for its beginning, for which engines are quick; many functions that
// are small and often called do nothing else.
func (s *scanner) patternLoops() bool {
	text := s.buf[s.regular.start:s.regular.end]
	flags := text[bytes.LastIndexByte(text, '/')+1:]
	return bytes.ContainsAny(text, "*+") || bytes.Contains(text, []byte(",}")) || bytes.IndexByte(flags, 'g') >= 0
}

// methodName returns the name that ends at an offset if a dot precedes it, else "".
func (s *scanner) methodName(end int) string {
	name, member := s.calleeName(end)
	if !member {
		return ""
	}
	return string(name)
}

// calleeName returns the name that ends at an offset, and whether a dot precedes it.
func (s *scanner) calleeName(end int) (name []byte, member bool) {
	start := end
	for start > 0 && partOfName[s.buf[start-1]] {
		start--
	}
	return s.buf[start:end], start > 0 && s.buf[start-1] == '.'
}

// iteratesWith are methods of arrays and strings that call a function again and again.
// They count where one is written as an argument: jQuery's find takes a selector.
var iteratesWith = set("forEach", "map", "flatMap", "filter", "reduce", "reduceRight", "some", "every", "find", "findIndex",
	"findLast", "findLastIndex", "from", "replace", "replaceAll")

// matchesPattern are methods of strings that match the regular expression which is their
// first argument.
var matchesPattern = set("match", "matchAll", "search", "replace", "replaceAll", "split")
