package profile

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A page in trouble, or a hostile one, may produce any number of notes.
const (
	mostNotes   = 20
	longestNote = 300 // in characters
)

// Notes merges lists of notes for people to read: each once, on one line, of bounded
// length, and few enough not to bury the profile.
func Notes(lists ...[]string) []string {
	var notes []string
	seen := make(map[string]bool)
	left := 0
	for _, text := range slices.Concat(lists...) {
		note := noteOf(text)
		switch {
		case note == "" || seen[note]:
		case len(notes) < mostNotes:
			seen[note] = true
			notes = append(notes, note)
		default:
			left++
		}
	}
	if left > 0 {
		notes[mostNotes-1] = fmt.Sprintf("%d more notes", left+1)
	}
	return notes
}

// noteOf is the beginning of a text on one line.
func noteOf(text string) string {
	runes := 0
	for i := range text {
		if runes++; runes > longestNote {
			text = text[:i] + "…"
			break
		}
	}
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")
}
