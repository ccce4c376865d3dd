package sourcemap

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/sourcemap/textpos"
)

// A mark begins what a comment at the end of a script says.
type mark struct {
	text string
	// rare is searched for in text that mostly lacks it: few bytes of a script
	// are an M, which makes the search fast.
	rare string
}

var urlMark = mark{"sourceMappingURL=", "MappingURL="}

// URL returns the URL of a script's last sourceMappingURL comment, or "". It follows
// JavaScriptExtractSourceMapURL of ECMA-426, without parsing: only comments and white
// space may follow the comment, which is `//# …` or `/*# …*/` on one line, with # or
// @; code may precede it. Unlike there, a comment inside quotes on its line does not
// count, as with a parser, and a URL has no quotes or backslashes, as in V8.
func URL(code []byte) string {
	url := findURL(code)
	return string(code[url.start:url.end])
}

// ReplaceURL puts another URL into the comment that URL reads, and changes nothing
// else. If URL finds none, it returns the code unchanged and false. Characters that
// are not allowed in such a comment are percent-encoded.
func ReplaceURL(code []byte, url string) ([]byte, bool) {
	old := findURL(code)
	if old.start == old.end {
		return code, false
	}
	b := make([]byte, 0, len(code)-(old.end-old.start)+len(url)+16)
	b = append(b, code[:old.start]...)
	b = appendURL(b, url)
	return append(b, code[old.end:]...), true
}

func appendURL(b []byte, url string) []byte {
	for i, r := range url {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(url[i:])
		}
		text := url[i : i+size]
		if r <= ' ' || r == 0x7f || isSpace(r) || size == 1 && r == utf8.RuneError || strings.ContainsRune("\"'`\\", r) ||
			r == '*' && strings.HasPrefix(url[i+1:], "/") {
			for _, c := range []byte(text) {
				b = fmt.Appendf(b, "%%%02X", c)
			}
			continue
		}
		b = append(b, text...)
	}
	return b
}

func findURL(code []byte) span {
	if !bytes.Contains(code, []byte(urlMark.rare)) {
		return span{}
	}
	return urlMark.find(code)
}

// find finds what follows the mark in the last comment with it. It reads lines backwards
// from the last one, until one decides.
func (m mark) find(code []byte) span {
	for {
		before, line := textpos.CutLastLine(code)
		start := len(code) - len(line)
		value, decided := m.inLine(line)
		if decided || start == 0 {
			return span{start + value.start, start + value.end}
		}
		code = before
	}
}

// inLine finds the value at the end of a line. Comments and white space alone decide
// nothing.
func (m mark) inLine(line []byte) (value span, decided bool) {
	marked := bytes.Contains(line, []byte(m.rare))
	quotes := true // until one does not end on the line
	for i := 0; i < len(line); {
		r, size := rune(line[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(line[i:])
		}
		if isSpace(r) {
			i += size
			continue
		}
		if next := i + 2; r == '/' && next <= len(line) && (line[i+1] == '/' || line[i+1] == '*') {
			end := len(line)
			if i = end; line[next-1] == '*' {
				n := bytes.Index(line[next:], []byte("*/"))
				if n < 0 {
					return value, decided
				}
				end = next + n
				i = end + 2
			}
			if found, ok := m.inComment(line[next:end]); ok {
				value, decided = span{next + found.start, next + found.end}, true
			}
			continue
		}
		// Code, which hides everything before it.
		if value, decided = (span{}), true; !marked {
			return value, decided
		}
		if i += size; quotes && (r == '"' || r == '\'' || r == '`') {
			var end int
			if end, quotes = afterQuote(line, i, byte(r)); quotes {
				i = end
			}
		}
	}
	return value, decided
}

// afterQuote finds the end of a string.
func afterQuote(line []byte, i int, quote byte) (int, bool) {
	for ; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case quote:
			return i + 1, true
		}
	}
	return 0, false
}

// inComment reads a comment's text: /^[@#]\s*MARK(\S*?)\s*$/.
func (m mark) inComment(comment []byte) (span, bool) {
	if len(comment) == 0 || comment[0] != '#' && comment[0] != '@' {
		return span{}, false
	}
	end := len(bytes.TrimRightFunc(comment, isSpace))
	text := bytes.TrimLeftFunc(comment[1:end], isSpace)
	value, ok := bytes.CutPrefix(text, []byte(m.text))
	if !ok || bytes.ContainsAny(value, "\"'`\\") || bytes.ContainsFunc(value, isSpace) {
		return span{}, false
	}
	return span{end - len(value), end}, true
}

// isSpace is JavaScript's \s.
func isSpace(r rune) bool {
	switch {
	case r >= '\t' && r <= '\r', r == ' ':
		return true
	case r < 0xa0:
		return false
	}
	return unicode.Is(unicode.Zs, r) || r == '\ufeff' || r == '\u2028' || r == '\u2029'
}
