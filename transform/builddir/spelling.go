package builddir

import (
	"html"
	"regexp"
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
	// integrity is a digest in plain letters, as all have it that bundlers write into scripts.
	integrity = regexp.MustCompile(`sha(?:256|384|512)-[A-Za-z0-9+/]{43,86}={0,2}`)
	// spelledIntegrity is a digest in any spelling.
	spelledIntegrity = regexp.MustCompile(`sha(?:256|384|512)-(?:[A-Za-z0-9+/]|` + escaped + `)+={0,2}`)
)

// spelling is a digest with how a text spells it.
type spelling struct {
	digest string
	letter map[string]string // +, / and =, if they are not spelled as themselves
}

func spellingOf(text string) spelling {
	if !strings.ContainsAny(text, `&\`) {
		return spelling{digest: text}
	}
	s := spelling{letter: map[string]string{}}
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
