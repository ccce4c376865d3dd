package transform

import (
	"path"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/sourcemap"
)

// newMap makes the map of a source that has none: it leads from the code to the
// source itself. A position in a map belongs to the segment before it, so there
// is a segment wherever an engine may say that something happened.
func newMap(src []byte, options *Options, insertions []sourcemap.Insertion) []byte {
	return sourcemap.Identity(path.Base(options.name()), options.MapTo, src, insertions, reported(src))
}

// reported are the places of a source that engines name in stacks: where a word
// begins, and the brackets of calls and look-ups. It takes no account of
// strings and comments, where a place too many does no harm.
func reported(src []byte) []sourcemap.Place {
	places := make([]sourcemap.Place, 0, len(src)/4+1)
	var at sourcemap.Place
	inWord := false
	for i := 0; i < len(src); i++ {
		c := src[i]
		switch {
		case c == '\n', c == '\r' && (i+1 == len(src) || src[i+1] != '\n'):
			at, inWord = sourcemap.Place{Line: at.Line + 1}, false
			continue
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(src[i:])
			if r == '\u2028' || r == '\u2029' {
				at, inWord = sourcemap.Place{Line: at.Line + 1}, false
				i += size - 1
				continue
			}
			if !inWord {
				places, inWord = append(places, at), true
			}
			if r > 0xffff {
				at.Column++
			}
			i += size - 1
		case wordByte[c]:
			if !inWord {
				places, inWord = append(places, at), true
			}
		default:
			if inWord = false; c == '(' || c == '[' || c == '`' {
				places = append(places, at)
			}
		}
		at.Column++
	}
	return places
}

var wordByte = func() (is [256]bool) {
	for c := range is {
		is[c] = isNamePart(byte(c)) || c == '$' || c == '#'
	}
	return is
}()
