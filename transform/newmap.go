package transform

import (
	"path"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
)

// newMap makes the map of a source that has none: it leads from the code to the
// source itself. A position in a map belongs to the segment before it, so there
// is a segment wherever an engine may report a position.
func newMap(at *positions, options *Options, insertions []sourcemap.Insertion) []byte {
	return sourcemap.Identity(path.Base(options.name()), options.MapTo, at.Text, insertions, reported(at.Text))
}

// reported lists the places of a source that engines name in stacks: where words
// begin, and the brackets of calls and look-ups. It ignores strings and comments:
// a place too many does no harm.
func reported(text *textpos.Text) []sourcemap.Place {
	places := make([]sourcemap.Place, 0, len(text.Bytes())/4+1)
	inWord := false
	for at, r := range text.Characters() {
		wasInWord := inWord
		inWord = r < utf8.RuneSelf && wordByte[r] || r >= utf8.RuneSelf && r != '\u2028' && r != '\u2029'
		if inWord && !wasInWord || r == '(' || r == '[' || r == '`' {
			places = append(places, sourcemap.Place(at))
		}
	}
	return places
}

var wordByte = func() (is [256]bool) {
	for c := range is {
		is[c] = isNamePart(byte(c)) || c == '$' || c == '#'
	}
	return is
}()
