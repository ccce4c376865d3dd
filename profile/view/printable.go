package view

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns a string that a terminal shows unchanged: control
// characters (escape sequences begin with one), line separators, invisible and
// direction-changing characters and broken UTF-8 are spelled as \x1b, \u202e.
func Printable(s string) string {
	clean := true
	for i, r := range s {
		if !shown(r) || r == utf8.RuneError && isBroken(s[i:]) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && isBroken(s[i:]), r < 0x80 && !shown(r):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case shown(r):
			b.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
	}
	return b.String()
}

// shown reports whether a rune has a glyph of its own, or modifies one.
func shown(r rune) bool { return unicode.IsPrint(r) }

func isBroken(s string) bool {
	_, size := utf8.DecodeRuneInString(s)
	return size == 1
}

// width is the number of terminal columns a printable string takes: two for
// the wide characters of East Asia and for emoji, none for combining marks.
func width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6,
		r >= 0x1f300 && r <= 0x1f64f, r >= 0x1f680 && r <= 0x1f6ff, r >= 0x1f900 && r <= 0x1f9ff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// fit cuts a printable string to a width, its end (or its beginning) replaced
// by an ellipsis. Marks take no width, but only so many are let through.
func fit(s string, limit int, keepEnd bool) string {
	runes := []rune(s)
	if width(s) <= limit && len(runes) <= 2*limit {
		return s
	}
	if keepEnd {
		runes = runes[max(0, len(runes)-2*limit):]
	} else {
		runes = runes[:min(len(runes), 2*limit)]
	}
	used := 1 // the ellipsis
	if keepEnd {
		i := len(runes)
		for i > 0 && used+runeWidth(runes[i-1]) <= limit {
			i--
			used += runeWidth(runes[i])
		}
		return "…" + string(runes[i:])
	}
	i := 0
	for i < len(runes) && used+runeWidth(runes[i]) <= limit {
		used += runeWidth(runes[i])
		i++
	}
	return string(runes[:i]) + "…"
}
