package builddir

import (
	"fmt"
	"html"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A digest in base64 may have +, / and =, which a text may spell otherwise: as template engines
// do in attributes, and writers of JSON or of strings in scripts:
//
//	sha256-Vd&#43;x/g=        html/template, as of Hugo
//	sha256-Vd+x/g&#x3D;       Handlebars
//	sha256-Vd\u002bx\/g=      html/template in a script, json_encode of PHP

// escaped is one of the three, spelled otherwise.
const escaped = `&(?:#0*(?:43|47|61)|#[xX]0*(?:2[bBfF]|3[dD])|plus|sol|equals);|\\(?:u00|x)(?:2[bBfF]|3[dD])|\\/`

var (
	escapes = regexp.MustCompile(escaped)
	// integrity is a digest in plain letters, as the values of attributes have it.
	integrity = regexp.MustCompile(`sha(?:256|384|512)-[A-Za-z0-9+/]{43,86}={0,2}`)
	// spelledIntegrity is a digest in any spelling.
	spelledIntegrity = regexp.MustCompile(`sha(?:256|384|512)-(?:[A-Za-z0-9+/]|` + escaped + `)+={0,2}`)
)

// spelling is a digest with how a text spells it.
type spelling struct {
	digest string
	letter map[string]string // +, / and =, if they are not spelled as themselves
	forms  []string          // how the text spells these, in order
}

// heldDigest is a digest in a text.
type heldDigest struct {
	spelling
	start, end int
}

// heldIn yields the digests that a pattern, or the group in it, finds in a text.
func heldIn(text []byte, pattern *regexp.Regexp) iter.Seq[heldDigest] {
	return func(yield func(heldDigest) bool) {
		for _, at := range pattern.FindAllSubmatchIndex(text, -1) {
			at = at[len(at)-2:]
			if !yield(heldDigest{spellingOf(string(text[at[0]:at[1]])), at[0], at[1]}) {
				return
			}
		}
	}
}

func spellingOf(text string) spelling {
	if !strings.ContainsAny(text, `&\`) {
		return spelling{digest: text}
	}
	s := spelling{letter: map[string]string{}, forms: escapes.FindAllString(text, -1)}
	s.digest = escapes.ReplaceAllStringFunc(text, func(spelled string) string {
		letter := unescaped(spelled)
		s.letter[letter] = spelled
		return letter
	})
	return s
}

// unescaped is the letter of one spelling.
func unescaped(spelled string) string {
	switch {
	case spelled == `\/`:
		return "/"
	case spelled[0] == '&':
		return html.UnescapeString(spelled)
	}
	code, _ := strconv.ParseUint(spelled[len(spelled)-2:], 16, 8) // the pattern has nothing else
	return string(rune(code))
}

// spell writes another digest in the same way. No spelling has a letter of another.
func (s spelling) spell(digest string) string {
	for letter, spelled := range s.letter {
		digest = strings.ReplaceAll(digest, letter, spelled)
	}
	return digest
}

// spellEvenly writes another digest in as many bytes, or returns "" if that is impossible. Where it has fewer letters that the text spells otherwise, capital letters
// are spelled otherwise, too:
//
//	sha256-Vd\/x\/g…  becomes  sha256-\Q7\/bT…
func (s spelling) spellEvenly(digest string) string {
	spelled := strings.Split(digest, "")
	first := strings.IndexByte(digest, '-') + 1
	plain := func(is func(letter string) bool) int { // the place of a letter that is not spelled yet
		return first + slices.IndexFunc(spelled[first:], func(letter string) bool { return len(letter) == 1 && is(letter) })
	}
	for _, form := range s.forms {
		letter := unescaped(form)
		if at := plain(func(l string) bool { return l == letter }); at >= first {
			spelled[at] = form
		} else if at := plain(func(l string) bool { return "A" <= l && l <= "Z" }); at >= first {
			spelled[at] = escapedLike(digest[at], form)
		} else {
			return ""
		}
	}
	return strings.Join(spelled, "")
}

// escapedLike spells a capital letter in as many bytes as another one is spelled in.
func escapedLike(letter byte, form string) string {
	switch {
	case form[0] == '&':
		return fmt.Sprintf("&#%0*d;", len(form)-len("&#;"), letter)
	case len(form) == len(`\/`):
		return `\` + string(rune(letter))
	case form[1] == 'x':
		return fmt.Sprintf(`\x%02x`, letter)
	}
	return fmt.Sprintf(`\u%04x`, letter)
}
