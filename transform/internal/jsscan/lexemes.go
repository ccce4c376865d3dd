package jsscan

import (
	"bytes"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// keywordSizes has, by first letter, a bit for each length that a word known to
// keyword has. Most names need no further look.
var keywordSizes = func() (sizes [256]uint16) {
	const words = `await break case catch class const continue debugger default delete do else enum export extends false
		finally for function if import in instanceof new null return super switch this throw true try typeof yield var void
		while with async from get let of set static`
	for _, word := range strings.Fields(words) {
		sizes[word[0]] |= 1 << len(word)
	}
	return
}()

// keyword returns the token type of a name, escapes excluded: that of a reserved
// word, or of a name with a meaning in some places.
func keyword(b []byte) js.TokenType {
	switch string(b) {
	case "break":
		return js.BreakToken
	case "case":
		return js.CaseToken
	case "catch":
		return js.CatchToken
	case "class":
		return js.ClassToken
	case "const":
		return js.ConstToken
	case "continue":
		return js.ContinueToken
	case "debugger":
		return js.DebuggerToken
	case "default":
		return js.DefaultToken
	case "delete":
		return js.DeleteToken
	case "do":
		return js.DoToken
	case "else":
		return js.ElseToken
	case "enum":
		return js.EnumToken
	case "export":
		return js.ExportToken
	case "extends":
		return js.ExtendsToken
	case "false":
		return js.FalseToken
	case "finally":
		return js.FinallyToken
	case "for":
		return js.ForToken
	case "function":
		return js.FunctionToken
	case "if":
		return js.IfToken
	case "import":
		return js.ImportToken
	case "in":
		return js.InToken
	case "instanceof":
		return js.InstanceofToken
	case "new":
		return js.NewToken
	case "null":
		return js.NullToken
	case "return":
		return js.ReturnToken
	case "super":
		return js.SuperToken
	case "switch":
		return js.SwitchToken
	case "this":
		return js.ThisToken
	case "throw":
		return js.ThrowToken
	case "true":
		return js.TrueToken
	case "try":
		return js.TryToken
	case "typeof":
		return js.TypeofToken
	case "var":
		return js.VarToken
	case "void":
		return js.VoidToken
	case "while":
		return js.WhileToken
	case "with":
		return js.WithToken
	}
	return contextual(b)
}

// contextual returns the token type of a word that is reserved only in some places.
func contextual(b []byte) js.TokenType {
	switch string(b) {
	case "async":
		return js.AsyncToken
	case "await":
		return js.AwaitToken
	case "from":
		return js.FromToken
	case "get":
		return js.GetToken
	case "let":
		return js.LetToken
	case "of":
		return js.OfToken
	case "set":
		return js.SetToken
	case "static":
		return js.StaticToken
	case "yield":
		return js.YieldToken
	}
	return js.IdentifierToken
}

// operator reads the operator at pos, which begins with c.
func (t *tokens) operator(pos int, c byte) {
	tt, size := operatorAt(t.buf[pos+1:], c)
	t.tt, t.start, t.end = tt, pos, pos+size
}

// operatorAt returns the longest operator that begins with c and goes on with
// b, which a NUL ends.
func operatorAt(b []byte, c byte) (js.TokenType, int) {
	d := b[0]
	switch c {
	case '=':
		if d == '>' {
			return js.ArrowToken, 2
		}
		return equals(b, js.EqToken, js.EqEqToken, js.EqEqEqToken)
	case '!':
		return equals(b, js.NotToken, js.NotEqToken, js.NotEqEqToken)
	case '+':
		if d == '+' {
			return js.IncrToken, 2
		}
		return assigns(b, 1, js.AddToken, js.AddEqToken)
	case '-':
		if d == '-' {
			return js.DecrToken, 2
		}
		return assigns(b, 1, js.SubToken, js.SubEqToken)
	case '*':
		if d == '*' {
			return assigns(b[1:], 2, js.ExpToken, js.ExpEqToken)
		}
		return assigns(b, 1, js.MulToken, js.MulEqToken)
	case '/':
		return assigns(b, 1, js.DivToken, js.DivEqToken)
	case '%':
		return assigns(b, 1, js.ModToken, js.ModEqToken)
	case '&':
		if d == '&' {
			return assigns(b[1:], 2, js.AndToken, js.AndEqToken)
		}
		return assigns(b, 1, js.BitAndToken, js.BitAndEqToken)
	case '|':
		if d == '|' {
			return assigns(b[1:], 2, js.OrToken, js.OrEqToken)
		}
		return assigns(b, 1, js.BitOrToken, js.BitOrEqToken)
	case '^':
		return assigns(b, 1, js.BitXorToken, js.BitXorEqToken)
	case '?':
		if d == '?' {
			return assigns(b[1:], 2, js.NullishToken, js.NullishEqToken)
		}
		if d == '.' && (b[1] < '0' || b[1] > '9') {
			return js.OptChainToken, 2
		}
		return js.QuestionToken, 1
	case '<':
		if d == '<' {
			return assigns(b[1:], 2, js.LtLtToken, js.LtLtEqToken)
		}
		return assigns(b, 1, js.LtToken, js.LtEqToken)
	}
	// c is >
	if d == '>' {
		if b[1] == '>' {
			return assigns(b[2:], 3, js.GtGtGtToken, js.GtGtGtEqToken)
		}
		return assigns(b[1:], 2, js.GtGtToken, js.GtGtEqToken)
	}
	return assigns(b, 1, js.GtToken, js.GtEqToken)
}

func assigns(b []byte, size int, plain, withEq js.TokenType) (js.TokenType, int) {
	if b[0] == '=' {
		return withEq, size + 1
	}
	return plain, size
}

func equals(b []byte, one, two, three js.TokenType) (js.TokenType, int) {
	if b[0] != '=' {
		return one, 1
	}
	if b[1] != '=' {
		return two, 2
	}
	return three, 3
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
