package builddir

import (
	"bytes"
	"strings"
)

// A call's arguments are read only as far as needed to tell its strings from those
// around it: brackets, strings, templates and comments, not expressions.

// argument is one argument of a call.
type argument struct {
	strings []argumentString
	empty   bool // it is missing, or undefined
	plain   bool // it is an object literal with all its properties written out
	typed   bool // it mentions a type
	isName  bool // it is one string
}

// argumentString is a string, or a template without substitutions.
type argumentString struct {
	text string
	// first says that it is in the first argument of each call around it: a URL's
	// base is not.
	first bool
	// key is the property it is the whole value of, in an object literal.
	key string
	// option says that this object is the argument, or is put into it: by a spread,
	// Object.assign, a choice or parentheses.
	option bool
}

// bracket is one that is open.
type bracket struct {
	kind   byte // what it began with; '$' for a template's ${
	call   bool // a parenthesis after a name
	assign bool // of Object.assign
	spread bool // an object whose properties become those of the one around it
	index  int  // how many commas it has had
	key    string
}

// argumentReader reads the arguments of one call.
type argumentReader struct {
	src   []byte
	pos   int
	open  []bracket
	last  string // the last word, string or punctuator; strings are with their quote
	text  string // the last string's text
	list  []argument
	found []argumentString
	count int    // tokens of the argument
	first string // of them
	vague bool   // it has a spread, or a name that is computed
	typed bool
}

// readArguments reads the arguments of a call from just after its parenthesis. It
// returns false if the call does not end in the text, or is not understood.
func readArguments(src []byte) ([]argument, bool) {
	r := &argumentReader{src: src}
	for r.pos < len(src) {
		done, ok := r.token()
		if !ok {
			return nil, false
		}
		if done {
			return r.list, true
		}
	}
	return nil, false
}

// token reads one token. It is done with the parenthesis that ends the call.
func (r *argumentReader) token() (done, ok bool) {
	c := r.src[r.pos]
	rest := r.src[r.pos:]
	switch {
	case c <= ' ':
		r.pos++
		return false, true
	case bytes.HasPrefix(rest, []byte("//")):
		return false, r.skipPast("\n")
	case bytes.HasPrefix(rest, []byte("/*")):
		r.pos += 2
		return false, r.skipPast("*/")
	case c == '/' && !r.afterValue():
		return false, r.skipRegExp()
	case c == '"', c == '\'':
		return false, r.quoted(c)
	case c == '`':
		r.pos++
		return false, r.template("`")
	case isWord(c):
		r.word()
		return false, true
	}
	r.pos++
	return r.punctuator(c)
}

func (r *argumentReader) skipPast(end string) bool {
	i := bytes.Index(r.src[r.pos:], []byte(end))
	r.pos += i + len(end)
	return i >= 0
}

// afterValue reports whether a slash divides.
func (r *argumentReader) afterValue() bool {
	if r.last == "" {
		return false
	}
	c := r.last[len(r.last)-1]
	return isWord(c) && r.last != "return" && r.last != "typeof" || strings.IndexByte(")]}\"'`", c) >= 0
}

// skipRegExp skips a regular expression, whose class may hold a slash.
func (r *argumentReader) skipRegExp() bool {
	inClass := false
	for r.pos++; r.pos < len(r.src) && r.src[r.pos] != '\n'; r.pos++ {
		switch c := r.src[r.pos]; {
		case c == '\\':
			r.pos++
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '/' && !inClass:
			r.pos++
			r.note(")") // it is a value
			return true
		}
	}
	return false
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func (r *argumentReader) word() {
	start := r.pos
	for r.pos < len(r.src) && (isWord(r.src[r.pos]) || r.src[r.pos] == '.') {
		r.pos++
	}
	r.note(string(r.src[start:r.pos]))
	r.typed = r.typed || r.last == "type"
}

// note records a token.
func (r *argumentReader) note(token string) {
	if n := len(r.found); n > 0 && token != "," && token != "}" && (r.last == "''" || r.last == `""` || r.last == "``") {
		r.found[n-1].key = "" // a part of an expression
	}
	if r.count == 0 {
		r.first = token
	}
	r.last = token
	r.count++
}

// quoted reads a string. One with an escape is a string whose text is not known.
func (r *argumentReader) quoted(quote byte) bool {
	start := r.pos + 1
	for r.pos++; r.pos < len(r.src) && r.src[r.pos] != '\n'; r.pos++ {
		switch r.src[r.pos] {
		case '\\':
			r.pos++
		case quote:
			r.pos++
			r.string(string(r.src[start:r.pos-1]), quote)
			return true
		}
	}
	return false
}

// template reads a template from just after its quote or a substitution.
func (r *argumentReader) template(before string) bool {
	for start := r.pos; r.pos < len(r.src); r.pos++ {
		switch c := r.src[r.pos]; {
		case c == '\\':
			r.pos++
		case c == '`':
			r.pos++
			if before == "`" {
				r.string(string(r.src[start:r.pos-1]), '`')
			} else {
				r.note(")")
			}
			return true
		case c == '$' && r.pos+1 < len(r.src) && r.src[r.pos+1] == '{':
			r.pos += 2
			r.note("(")
			r.open = append(r.open, bracket{kind: '$', index: 1}) // no string in it is the URL
			return true
		}
	}
	return false
}

// string records a string.
func (r *argumentReader) string(text string, quote byte) {
	l := argumentString{text: text, first: true, option: true}
	for i, b := range r.open {
		l.first = l.first && b.index == 0
		switch {
		case b.kind == '{' && i == len(r.open)-1:
			if r.last == ":" {
				l.key = b.key
			}
		case b.kind == '{' && r.open[i+1].spread:
		case b.kind == '(' && (!b.call || b.assign):
		default:
			l.option = false
		}
	}
	r.note(string(quote) + string(quote))
	r.found = append(r.found, l)
	r.text = text
	r.typed = r.typed || text == "type"
}

// punctuator records a punctuator.
func (r *argumentReader) punctuator(c byte) (done, ok bool) {
	top := len(r.open) - 1
	switch c {
	case '(', '[', '{':
		call := c == '(' && r.afterValue()
		r.open = append(r.open, bracket{kind: c, call: call, assign: call && strings.HasSuffix(r.last, "Object.assign"), spread: c == '{' && r.last == "."})
		r.vague = r.vague || c == '['
	case ')', ']', '}':
		if top < 0 {
			if c == ')' {
				r.end()
			}
			return c == ')', c == ')'
		}
		kind := r.open[top].kind
		r.open = r.open[:top]
		if kind == '$' && c == '}' {
			return false, r.template("}")
		}
		if c != map[byte]byte{'(': ')', '[': ']', '{': '}'}[kind] {
			return false, false
		}
	case ',':
		if top < 0 {
			r.end()
			return false, true
		}
		r.open[top].index++
		r.open[top].key = ""
	case '.':
		r.vague = true
	case ':':
		switch {
		case top < 0 || r.open[top].kind != '{':
		case r.open[top].key == "":
			r.open[top].key = r.keyBefore()
		default:
			r.open[top].key = ":" // of a choice, which no property is called
		}
	}
	r.note(string(c))
	return false, true
}

// keyBefore returns the property before a colon.
func (r *argumentReader) keyBefore() string {
	switch {
	case r.last == "":
		return ""
	case isWord(r.last[0]):
		return r.last
	}
	return r.text
}

// end records a complete argument.
func (r *argumentReader) end() {
	a := argument{strings: r.found, empty: r.count == 0 || r.count == 1 && r.last == "undefined"}
	a.plain, a.typed = r.first == "{" && r.last == "}" && !r.vague, r.typed
	a.isName = r.count == 1 && len(r.found) == 1
	r.list = append(r.list, a)
	r.found, r.last, r.text, r.count = nil, "", "", 0
	r.first, r.vague, r.typed = "", false, false
}
