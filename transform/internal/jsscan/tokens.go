package jsscan

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// Token types beyond the lexer's own. The end of the source has the lexer's
// ErrorToken; nothing else does, because an error ends the source.
const (
	eof     = js.ErrorToken
	atToken = js.PunctuatorToken // @ before a decorator
)

// tokens is a stream of one token: its type and range, and the end of the one
// before. White space, comments, punctuation and ASCII names, most of any
// script, are read here from the bytes; numbers, strings, templates and regular
// expressions by js.Lexer, which is moved to where they begin. There is no
// token of lookahead, so that the reader of an operand can still decide what a slash
// or a closing brace means; questions about what follows are answered by the bytes.
type tokens struct {
	buf []byte // the source and a NUL after it
	n   int    // length of the source
	in  *parse.Input
	lex *js.Lexer

	tt         js.TokenType
	start, end int
	newline    bool // a line terminator precedes the token
	escaped    bool // a name with \u in it: never a keyword
	prevEnd    int  // end of the token before

	err *SyntaxError

	module      bool // HTML-like comments do not exist
	htmlComment bool // one was seen

	offs    []int // ends of comments that ask to leave the next function alone
	offFile bool

	looked int // the end of what was looked at beyond a token
}

// load takes a text: a source and a NUL after it, which the lexer wants.
func (t *tokens) load(text []byte) {
	t.n = len(text) - 1
	t.buf = text
	t.in = parse.NewInputBytes(text[:t.n])
}

// begin reads the first token, at or after offset. It can begin again.
func (t *tokens) begin(offset int) {
	t.lex = js.NewLexer(t.in)
	t.err = nil
	t.htmlComment, t.offFile = false, false
	t.offs = t.offs[:0]
	t.looked = offset
	t.prevEnd = offset
	t.newline = true
	t.read(offset)
}

// fail records the first error and ends the source, so that every loop ends.
func (t *tokens) fail(offset int, msg string) {
	if t.err == nil {
		t.err = &SyntaxError{Offset: offset, Msg: msg}
	}
	t.tt, t.start, t.end = eof, t.n, t.n
}

// unexpected fails at the current token.
func (t *tokens) unexpected() {
	if t.err != nil {
		return
	}
	if t.tt == eof {
		t.fail(t.n, "unexpected end of input")
		return
	}
	text := t.text()
	if len(text) > 20 {
		text = append(bytes.ToValidUTF8(text[:20:20], nil), "…"...)
	}
	t.fail(t.start, "unexpected "+string(text))
}

// expect reads a token of the given type, or fails.
func (t *tokens) expect(tt js.TokenType) {
	if t.tt != tt {
		if t.err == nil && t.tt == eof {
			t.fail(t.n, "unexpected end of input, expected "+tt.String())
		}
		t.unexpected()
		return
	}
	t.next()
}

// accept reads a token of the given type, if it is there.
func (t *tokens) accept(tt js.TokenType) bool {
	if t.tt != tt {
		return false
	}
	t.next()
	return true
}

// text returns the current token's bytes.
func (t *tokens) text() []byte { return t.buf[t.start:t.end] }

// next reads the next token.
func (t *tokens) next() {
	t.prevEnd = t.end
	t.newline = false
	t.read(t.end)
}

// single has the type of every punctuator that is one byte and begins no other.
var single = [256]js.TokenType{
	'(': js.OpenParenToken, ')': js.CloseParenToken,
	'[': js.OpenBracketToken, ']': js.CloseBracketToken,
	'{': js.OpenBraceToken, '}': js.CloseBraceToken,
	';': js.SemicolonToken, ',': js.CommaToken, ':': js.ColonToken,
	'~': js.BitNotToken, '@': atToken,
}

// Byte classes for read.
const (
	other = iota
	letter
	blank
	lineEnd
	punct
	operator
	digit
	quote
	period
)

var class, partOfName = func() (c [256]uint8, part [256]bool) {
	for b := 'a'; b <= 'z'; b++ {
		c[b], c[b-'a'+'A'] = letter, letter
	}
	c['$'], c['_'] = letter, letter
	c['.'] = period
	for b := range c {
		if single[b] != 0 {
			c[b] = punct
		}
		part[b] = c[b] == letter || '0' <= b && b <= '9'
	}
	for _, b := range " \t\v\f" {
		c[b] = blank
	}
	for _, b := range "\n\r" {
		c[b] = lineEnd
	}
	for _, b := range "=!+*%&|^?<>-" {
		c[b] = operator
	}
	for _, b := range "0123456789" {
		c[b] = digit
	}
	for _, b := range "'\"" {
		c[b] = quote
	}
	return
}()

// breaksString has what a string without escapes ends before.
var breaksString = [256]bool{'"': true, '\'': true, '\\': true, '\n': true, '\r': true, 0: true}

// read reads the token at or after pos.
func (t *tokens) read(pos int) {
	buf := t.buf
	for {
		c := buf[pos]
		switch class[c] {
		case letter:
			end := pos + 1
			for partOfName[buf[end]] {
				end++
			}
			if buf[end] >= 0x80 || buf[end] == '\\' {
				t.unusualName(pos, pos)
				return
			}
			t.start, t.end, t.escaped = pos, end, false
			t.tt = js.IdentifierToken
			if keywordSizes[c]&(1<<(end-pos)) != 0 {
				t.tt = keyword(buf[pos:end])
			}
			return
		case blank:
			for pos++; buf[pos] == ' '; {
				pos++
			}
			continue
		case lineEnd:
			t.newline = true
			pos++
			continue
		case punct:
			t.tt, t.start, t.end = single[c], pos, pos+1
			return
		case operator:
			if c == '<' || c == '-' {
				if end := t.htmlLike(pos, t.newline); end > pos {
					pos = end
					continue
				}
			}
			t.operator(pos, c)
			return
		case digit:
			t.number(pos)
			return
		case quote:
			end := pos + 1
			for !breaksString[buf[end]] {
				end++
			}
			if buf[end] == c {
				t.tt, t.start, t.end = js.StringToken, pos, end+1
				return
			}
			t.lexed(pos, "unterminated string")
			return
		case period:
			if next := buf[pos+1]; next != '.' && class[next] != digit {
				t.tt, t.start, t.end = js.DotToken, pos, pos+1
				return
			}
		}
		if pos = t.readRare(pos, c); pos < 0 {
			return
		}
	}
}

// readRare reads the token at pos, which begins with c as few tokens do, and
// returns -1; or the end of the comment or white space there.
func (t *tokens) readRare(pos int, c byte) int {
	next := t.buf[pos+1:]
	switch {
	case c == '/':
		if end, newline := t.comment(pos); end > pos {
			t.newline = t.newline || newline
			return end
		}
		t.operator(pos, c)
	case c == '.' && class[next[0]] == digit:
		t.number(pos)
	case c == '.' && next[1] == '.': // after a second one
		t.tt, t.start, t.end = js.EllipsisToken, pos, pos+3
	case c == '.':
		t.tt, t.start, t.end = js.DotToken, pos, pos+1
	case c == '`':
		t.lexed(pos, "unterminated template")
	case c == '#':
		t.unusualName(pos, pos+1)
	case c == 0 && pos >= t.n:
		t.tt, t.start, t.end = eof, t.n, t.n
	default:
		if end, newline := t.wideSpace(pos); end > pos {
			t.newline = t.newline || newline
			return end
		}
		t.unusualName(pos, pos)
	}
	return -1
}

// wideSpace returns the end of the non-ASCII white space or line terminator at
// pos, or pos.
func (t *tokens) wideSpace(pos int) (end int, newline bool) {
	if t.buf[pos] < 0x80 {
		return pos, false
	}
	r, size := utf8.DecodeRune(t.buf[pos:t.n])
	switch {
	case r == '\u2028' || r == '\u2029':
		return pos + size, true
	case r == '\uFEFF' || unicode.Is(unicode.Zs, r):
		return pos + size, false
	}
	return pos, false
}

// unusualName reads a name that begins at from (after the # of a private name
// that begins at pos) and has, or may have, escapes or letters beyond ASCII.
// Letters that are unassigned in Go's Unicode tables are taken for letters of a
// newer Unicode.
func (t *tokens) unusualName(pos, from int) {
	end := t.wordEnd(from)
	switch {
	case t.buf[end] == '\\':
		t.fail(end, "invalid escape in a name")
		return
	case end == from:
		t.fail(pos, "unexpected character")
		return
	}
	t.start, t.end, t.escaped = pos, end, bytes.IndexByte(t.buf[from:end], '\\') >= 0
	t.tt = keyword(t.buf[pos:end])
	if from > pos {
		t.tt = js.PrivateIdentifierToken
	}
}

// nameRune returns the length of the letter at the head of b, 0 if it is none.
func nameRune(b []byte, first bool) int {
	if js.IsIdentifierStart(b) || !first && js.IsIdentifierContinue(b) {
		_, size := utf8.DecodeRune(b)
		return size
	}
	r, size := utf8.DecodeRune(b)
	switch {
	case r == utf8.RuneError:
		return 0
	case !first && (r == '\u30FB' || r == '\uFF65'): // since Unicode 15.1
		return size
	case !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z,
		unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs):
		return size
	}
	return 0
}

// escapeLen returns the length of the \uXXXX or \u{X…} at the head of b, else 0.
func escapeLen(b []byte) int {
	if len(b) < 6 || b[1] != 'u' {
		return 0
	}
	if b[2] == '{' {
		i := 3
		for i < len(b) && isHex(b[i]) {
			i++
		}
		if i > 3 && i < len(b) && b[i] == '}' {
			return i + 1
		}
		return 0
	}
	for _, c := range b[2:6] {
		if !isHex(c) {
			return 0
		}
	}
	return 6
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// lexed lets the lexer read the token at pos.
func (t *tokens) lexed(pos int, msg string) {
	t.in.Move(pos - t.in.Offset())
	t.in.Skip()
	tt, _ := t.lex.Next()
	if tt == js.ErrorToken {
		t.fail(pos, msg)
		return
	}
	t.tt, t.start, t.end = tt, pos, t.in.Offset()
}

// regexp reads the current token, a slash, again as a regular expression.
func (t *tokens) regexp() {
	start := t.start
	t.in.Move(t.end - t.in.Offset())
	t.in.Skip()
	if tt, _ := t.lex.RegExp(); tt != js.RegExpToken {
		t.fail(start, "unterminated regular expression")
		return
	}
	t.tt, t.end = js.RegExpToken, t.in.Offset()
}

// templateRest reads the current token, a closing brace, again as the
// continuation of the template whose substitution it ends.
func (t *tokens) templateRest() {
	t.lexed(t.start, "unterminated template")
}

// number reads the numeric literal at pos, by hand if the lexer would not:
// legacy octals and decimals with a leading zero.
func (t *tokens) number(pos int) {
	buf := t.buf
	end := digitsEnd(buf, pos)
	c := buf[end]
	switch {
	case c != '.' && c != '_' && c != '\\' && c < 0x80 && !partOfName[c]:
		t.tt, t.start, t.end = js.IntegerToken, pos, end
		return
	case buf[pos] == '0' && end > pos+1:
		octal := bytes.IndexByte(buf[pos:end], '8') < 0 && bytes.IndexByte(buf[pos:end], '9') < 0
		if !octal {
			end = decimalTail(buf, end)
		}
		t.tt, t.start, t.end = js.DecimalToken, pos, end
	default:
		t.lexed(pos, "invalid number")
	}
	if c := buf[t.end]; t.err == nil && t.end < t.n && (partOfName[c] || c == '\\' || c >= 0x80 && nameRune(buf[t.end:t.n], true) > 0) {
		t.fail(t.end, "unexpected name or digit right behind a number")
	}
}

// decimalTail returns the end of the fraction and exponent at end.
func decimalTail(buf []byte, end int) int {
	if buf[end] == '.' {
		end = digitsEnd(buf, end+1)
	}
	if buf[end]|0x20 == 'e' {
		i := end + 1
		if buf[i] == '+' || buf[i] == '-' {
			i++
		}
		if last := digitsEnd(buf, i); last > i {
			return last
		}
	}
	return end
}

func digitsEnd(buf []byte, at int) int {
	for '0' <= buf[at] && buf[at] <= '9' {
		at++
	}
	return at
}
