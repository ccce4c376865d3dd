package jsscan

import (
	"bytes"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// keywords has the words with a meaning, by their first letter: those that are reserved, and
// those that are in some places.
var keywords = func() (byLetter [256][]keywordType) {
	const words = `await break case catch class const continue debugger default delete do else enum export extends false
		finally for function if import in instanceof new null return super switch this throw true try typeof yield var void
		while with async from get let of set static`
	for _, word := range strings.Fields(words) {
		byLetter[word[0]] = append(byLetter[word[0]], keywordType{word, js.Keywords[word]})
	}
	return
}()

type keywordType struct {
	word string
	tt   js.TokenType
}

// keywordSizes has, by first letter, a bit for each length of keywords. Most names need no
// further look.
var keywordSizes = func() (sizes [256]uint16) {
	for letter, list := range keywords {
		for _, k := range list {
			sizes[letter] |= 1 << len(k.word)
		}
	}
	return
}()

// keyword returns the token type of a name, escapes excluded: the type of one of keywords, or of
// an identifier.
func keyword(b []byte) js.TokenType {
	for i := range keywords[b[0]] {
		if k := &keywords[b[0]][i]; string(b) == k.word {
			return k.tt
		}
	}
	return js.IdentifierToken
}

// operator reads the operator at pos, which begins with c.
func (t *tokens) operator(pos int, c byte) {
	tt, size := operatorAt(t.buf[pos+1:], c)
	t.tt, t.start, t.end = tt, pos, pos+size
}

// operators has, by their byte, the operators that are one byte once, twice or three times, and
// what they are with = after them.
var operators = [256][]struct{ plain, assigning js.TokenType }{
	'=': {{plain: js.EqToken}, {plain: js.EqEqToken}, {plain: js.EqEqEqToken}},
	'!': {{js.NotToken, js.NotEqToken}},
	'+': {{js.AddToken, js.AddEqToken}, {plain: js.IncrToken}},
	'-': {{js.SubToken, js.SubEqToken}, {plain: js.DecrToken}},
	'*': {{js.MulToken, js.MulEqToken}, {js.ExpToken, js.ExpEqToken}},
	'/': {{js.DivToken, js.DivEqToken}},
	'%': {{js.ModToken, js.ModEqToken}},
	'&': {{js.BitAndToken, js.BitAndEqToken}, {js.AndToken, js.AndEqToken}},
	'|': {{js.BitOrToken, js.BitOrEqToken}, {js.OrToken, js.OrEqToken}},
	'^': {{js.BitXorToken, js.BitXorEqToken}},
	'?': {{plain: js.QuestionToken}, {js.NullishToken, js.NullishEqToken}},
	'<': {{js.LtToken, js.LtEqToken}, {js.LtLtToken, js.LtLtEqToken}},
	'>': {{js.GtToken, js.GtEqToken}, {js.GtGtToken, js.GtGtEqToken}, {js.GtGtGtToken, js.GtGtGtEqToken}},
}

// operatorAt returns the longest operator that begins with c and goes on with
// b, which a NUL ends.
func operatorAt(b []byte, c byte) (js.TokenType, int) {
	forms, n := operators[c], 1
	for n < len(forms) && b[n-1] == c {
		n++
	}
	form := &forms[n-1]
	switch next := b[n-1]; {
	case next == '=' && c == '!' && b[n] == '=':
		return js.NotEqEqToken, 3
	case next == '=' && form.assigning != 0:
		return form.assigning, n + 1
	case next == '>' && c == '=' && n == 1:
		return js.ArrowToken, 2
	case next == '.' && c == '?' && n == 1 && (b[1] < '0' || '9' < b[1]):
		return js.OptChainToken, 2
	}
	return form.plain, n
}

// comment returns the end of the comment at pos, which is a slash, or pos if
// there is none; newline: it contains or is a whole line.
func (t *tokens) comment(pos int) (end int, newline bool) {
	switch t.buf[pos+1] {
	case '/':
		end = t.lineEnd(pos + 2)
		t.directive(end, t.buf[pos+2:end])
		return end, false
	case '*':
		body := t.buf[pos+2 : t.n]
		size := bytes.Index(body, []byte("*/"))
		if size < 0 {
			t.fail(pos, "unterminated comment")
			return t.n, false
		}
		body = body[:size]
		end = pos + size + 4
		t.directive(end, body)
		newline = bytes.IndexByte(body, '\n') >= 0 || bytes.IndexByte(body, '\r') >= 0 ||
			bytes.Contains(body, []byte("\u2028")) || bytes.Contains(body, []byte("\u2029"))
		return end, newline
	}
	return pos, false
}

// htmlLike returns the end of the HTML-like comment at pos, or pos if there is
// none. --> begins one only after nothing but comments on its line.
func (t *tokens) htmlLike(pos int, lineStart bool) int {
	b := t.buf[pos:]
	switch {
	case b[0] == '<' && b[1] == '!' && b[2] == '-' && b[3] == '-':
	case b[0] == '-' && b[1] == '-' && b[2] == '>' && lineStart:
	default:
		return pos
	}
	t.htmlComment = true
	if t.module {
		return pos
	}
	return t.lineEnd(pos)
}

// lineEnd returns the offset of the next line terminator or of the end.
func (t *tokens) lineEnd(pos int) int {
	for buf := t.buf; ; pos++ {
		switch c := buf[pos]; {
		case c == '\n' || c == '\r' || c == 0 && pos >= t.n:
			return pos
		case c == 0xE2 && buf[pos+1] == 0x80 && buf[pos+2]|1 == 0xA9:
			return pos
		}
	}
}

// directive notes a comment that speaks to fieldprof. Each comment counts once,
// however often it is looked at.
func (t *tokens) directive(end int, body []byte) {
	i := 0
	for i < len(body) && (class[body[i]] == blank || body[i] == '*' || body[i] == '!') {
		i++
	}
	body, ok := bytes.CutPrefix(body[i:], []byte("fieldprof:"))
	if !ok || len(t.offs) > 0 && t.offs[len(t.offs)-1] >= end {
		return
	}
	switch words := bytes.Fields(bytes.TrimRight(body, "*")); {
	case len(words) == 1 && string(words[0]) == "off":
		t.offs = append(t.offs, end)
	case len(words) == 2 && string(words[0]) == "off" && string(words[1]) == "file":
		t.offFile = true
	}
}

// skip returns the offset of the first byte at or after pos that is neither
// white space nor comment, and whether a line terminator precedes it.
func (t *tokens) skip(pos int) (at int, newline bool) {
	at, newline = t.skipped(pos)
	t.looked = max(t.looked, at+1)
	return at, newline
}

// skipped is skip without recording how far it looked.
func (t *tokens) skipped(pos int) (at int, newline bool) {
	for {
		c := t.buf[pos]
		switch {
		case class[c] == blank:
			pos++
			continue
		case class[c] == lineEnd:
			newline = true
			pos++
			continue
		case c == '/':
			end, nl := t.comment(pos)
			if end > pos {
				newline = newline || nl
				pos = end
				continue
			}
		case c == '<' || c == '-':
			if end := t.htmlLike(pos, newline); end > pos {
				pos = end
				continue
			}
		case c >= 0x80:
			if end, nl := t.wideSpace(pos); end > pos {
				newline = newline || nl
				pos = end
				continue
			}
		}
		return pos, newline
	}
}

// word returns the end of the name at pos, or pos if there is none.
func (t *tokens) word(pos int) int {
	end := t.wordEnd(pos)
	t.looked = max(t.looked, end+1)
	return end
}

// wordEnd is word, likewise.
func (t *tokens) wordEnd(pos int) int {
	end := pos
	for {
		switch c := t.buf[end]; {
		case partOfName[c]:
			if end == pos && class[c] == digit {
				return pos
			}
			end++
		case c == '\\':
			size := escapeLen(t.buf[end:])
			if size == 0 {
				return end
			}
			end += size
		case c >= 0x80:
			size := nameRune(t.buf[end:t.n], end == pos)
			if size == 0 {
				return end
			}
			end += size
		default:
			return end
		}
	}
}

// following returns the name after the current token, if one follows it on
// the same line (or any, with newlines), and the offset after that name.
func (t *tokens) following(newlines bool) (name []byte, end int) {
	at, newline := t.skip(t.end)
	if newline && !newlines {
		return nil, at
	}
	end = t.word(at)
	return t.buf[at:end], end
}

// follows returns the byte after the current token, 0 at the end of input.
func (t *tokens) follows() byte {
	at, _ := t.skip(t.end)
	return t.buf[at]
}
