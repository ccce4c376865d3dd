package htmlscan

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Attribute is an attribute of a tag.
type Attribute struct {
	Value string // as the browser sees it, entities decoded

	Start, End         int  // the raw value, inside the quotes; empty without a value
	Quote              byte // around the value, 0 for none
	AttrStart, AttrEnd int  // with the name and quotes

	Bare bool // only a name, without =
}

// Spell returns the text to put in place of the raw value, Start to End, for the
// attribute to have the given value. It keeps existing quotes and adds missing ones.
func (a *Attribute) Spell(value string) string {
	switch {
	case a.Bare:
		return `="` + EscapeAttribute(value, '"') + `"`
	case a.Quote == 0:
		return `"` + EscapeAttribute(value, '"') + `"`
	}
	return EscapeAttribute(value, a.Quote)
}

// EscapeAttribute escapes a value for the inside of the given quotes: ', " or 0 for
// none. NUL cannot be written and becomes U+FFFD, as in a page.
func EscapeAttribute(value string, quote byte) string {
	if value == "" && quote == 0 {
		return `""`
	}
	var b strings.Builder
	for i := range len(value) {
		c := value[i]
		switch {
		case c == 0:
			b.WriteRune(utf8.RuneError)
		case c == '&':
			b.WriteString("&amp;")
		case c == '\r', c == quote, quote == 0 && (isSpace(c) || strings.IndexByte("\"'`=<>", c) >= 0):
			b.WriteString("&#" + strconv.Itoa(int(c)) + ";")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// decode returns the value that a browser reads from a raw one.
func decode(raw []byte) string {
	s := normalize(string(raw))
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	var b strings.Builder
	for {
		at := strings.IndexByte(s, '&')
		if at < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:at])
		s = s[at:]
		text, length := reference(s)
		b.WriteString(text)
		s = s[length:]
	}
}

// reference decodes the character reference that s begins with, or only its &,
// and returns the text and the length of what it was read from. The rules are
// the rules for attributes: a name that lacks its semicolon is left alone before letters,
// digits and =.
func reference(s string) (text string, length int) {
	if strings.HasPrefix(s, "&#") {
		return numeric(s)
	}
	end := 1
	for end < len(s) && (isLetter(s[end]) || isDigit(s[end])) {
		end++
	}
	switch {
	case end == 1:
	case end < len(s) && s[end] == ';':
		// Package html decodes a prefix of the name where it knows no more, and
		// then the semicolon is left over.
		if text = missing[s[:end+1]]; text != "" {
			return text, end + 1
		}
		text = html.UnescapeString(s[:end+1])
		if text == ";" || !strings.HasSuffix(text, ";") {
			return text, end + 1
		}
	case end < len(s) && s[end] == '=':
	default:
		// All names without a semicolon stand for one character.
		text = html.UnescapeString(s[:end])
		if utf8.RuneCountInString(text) == 1 {
			return text, end
		}
	}
	return "&", 1
}

// missing are the references that package html lacks.
var missing = map[string]string{"&nLt;": "≪\u20D2", "&nGt;": "≫\u20D2"}

// numeric decodes the numeric reference that s begins with.
func numeric(s string) (text string, length int) {
	at, base := 2, 10
	if at < len(s) && (s[at] == 'x' || s[at] == 'X') {
		at, base = 3, 16
	}
	code, digits := 0, 0
	for ; at < len(s); at++ {
		d := digit(s[at])
		if d >= base {
			break
		}
		code = min(code*base+d, utf8.MaxRune+1)
		digits++
	}
	if digits == 0 {
		return "&", 1
	}
	if at < len(s) && s[at] == ';' {
		at++
	}
	// Package html knows which of these stand for another character.
	return html.UnescapeString("&#" + strconv.Itoa(code) + ";"), at
}

func digit(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return 16
}

// newlines replaces what no text of a page keeps.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD")

// normalize returns text as the browser sees it.
func normalize(text string) string {
	if strings.IndexByte(text, '\r') >= 0 || strings.IndexByte(text, 0) >= 0 {
		return newlines.Replace(text)
	}
	return text
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// lower returns s with A to Z in lower case and everything else unchanged.
func lower(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] |= 0x20
				}
			}
			return string(b)
		}
	}
	return s
}

// space is HTML's white space, for strings.Trim.
const space = " \t\n\f\r"

// words splits s at white space.
func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r < 0x80 && isSpace(byte(r)) })
}
