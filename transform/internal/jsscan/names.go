package jsscan

import (
	"bytes"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// naming is where a function's names are in scanner.names; empty ranges are
// empty names.
type naming struct{ name, inferred span }

// setName gives the function being read the name that is at start.
func (s *scanner) setName(prefix string, start, end int) {
	s.setText(prefix, s.plainName(s.buf[start:end]))
	s.function().NameAt = start
}

// setText gives the function being read a name, in two parts.
func (s *scanner) setText(prefix string, name []byte) {
	from := len(s.names)
	s.names = append(append(s.names, prefix...), name...)
	s.named[s.f.fn].name = span{from, len(s.names)}
}

// infer names the function being read after what it is bound to.
func (s *scanner) infer(bind binding) {
	if bind.end <= bind.start {
		return
	}
	name, at := s.targetName(bind)
	if len(name) == 0 {
		return
	}
	from := len(s.names)
	s.names = append(s.names, name...)
	s.named[s.f.fn].inferred = span{from, len(s.names)}
	s.function().NameAt = at
}

// uninfer withdraws the inferred name: the function is only a part of what is bound.
func (s *scanner) uninfer(fn int) {
	n := &s.named[fn]
	n.inferred = span{}
	if n.name == (span{}) {
		s.script.Functions[fn].NameAt = -1
	}
}

// giveNames sets the names of all functions, which share one string.
func (s *scanner) giveNames() {
	all := string(s.names)
	for i, n := range s.named {
		s.script.Functions[i].Name = all[n.name.start:n.name.end]
		s.script.Functions[i].Inferred = all[n.inferred.start:n.inferred.end]
	}
}

// targetName returns the name of a binding and where it is: all of a dotted
// path of names, of anything else the dotted path at its end.
func (s *scanner) targetName(bind binding) (name []byte, at int) {
	text := s.buf[bind.start:bind.end]
	switch c := text[0]; {
	case class[c] == quote && len(text) >= 2 && text[len(text)-1] == c, class[c] == digit, c == '.':
		return s.plainName(text), bind.start
	}
	from := len(text)
	for from > 0 {
		if c := text[from-1]; !partOfName[c] && c != '.' && c != '#' && c != '\\' && c < 0x80 {
			break
		}
		from--
	}
	path := text[from:]
	for len(path) > 0 && path[0] == '.' {
		path, from = path[1:], from+1
	}
	if len(path) == 0 && text[len(text)-1] == ']' {
		// a["name"]
		if open := bytes.LastIndexByte(text, '['); open >= 0 && open+2 < len(text) && class[text[open+1]] == quote {
			literal := text[open+1 : len(text)-1]
			if len(literal) >= 2 && literal[len(literal)-1] == literal[0] {
				return s.plainName(literal), bind.start + open + 1
			}
		}
		return nil, 0
	}
	if bytes.IndexByte(path, '\\') >= 0 {
		path = unescape(path)
	}
	return path, bind.start + from
}

// plainName returns the string that a name, string or number in the source
// stands for.
func (s *scanner) plainName(text []byte) []byte {
	switch c := text[0]; {
	case class[c] == quote:
		text = text[1 : len(text)-1]
	case class[c] == digit, c == '.':
		return numberName(text)
	}
	if bytes.IndexByte(text, '\\') >= 0 {
		return unescape(text)
	}
	return text
}

// unescape replaces the escapes of a name or string.
func unescape(text []byte) []byte {
	out := make([]byte, 0, len(text))
	var high rune // the first half of a surrogate pair
	put := func(r rune) {
		if high != 0 {
			if pair := utf16.DecodeRune(high, r); pair != utf8.RuneError {
				out, high = utf8.AppendRune(out, pair), 0
				return
			}
			out, high = utf8.AppendRune(out, utf8.RuneError), 0
		}
		if 0xD800 <= r && r < 0xDC00 {
			high = r
			return
		}
		out = utf8.AppendRune(out, r)
	}
	for i := 0; i < len(text); {
		if text[i] != '\\' || i+1 == len(text) {
			r, size := utf8.DecodeRune(text[i:])
			put(r)
			i += size
			continue
		}
		r, size := escaped(text[i+1:])
		if r >= 0 {
			put(r)
		}
		i += 1 + size
	}
	if high != 0 {
		out = utf8.AppendRune(out, utf8.RuneError)
	}
	return out
}

// escaped returns the character of the escape at the head of b, which is
// after a backslash, and its length. A line continuation is character -1.
func escaped(b []byte) (r rune, size int) {
	const simple = "n\nt\tr\rb\bf\fv\v"
	c := b[0]
	if i := strings.IndexByte("ntrbfv", c); i >= 0 {
		return rune(simple[2*i+1]), 1
	}
	hex := func(digits []byte) rune {
		v, err := strconv.ParseUint(string(digits), 16, 32)
		if err != nil || v > utf8.MaxRune {
			return utf8.RuneError
		}
		return rune(v)
	}
	switch {
	case c == '\r' && len(b) > 1 && b[1] == '\n':
		return -1, 2
	case c == '\n' || c == '\r':
		return -1, 1
	case c == 'x' && len(b) >= 3:
		return hex(b[1:3]), 3
	case c == 'u' && len(b) > 1 && b[1] == '{':
		if end := bytes.IndexByte(b, '}'); end > 0 {
			return hex(b[2:end]), end + 1
		}
	case c == 'u' && len(b) >= 5:
		return hex(b[1:5]), 5
	case '0' <= c && c <= '7':
		v := rune(0)
		for size < len(b) && size < 3 && '0' <= b[size] && b[size] <= '7' && v*8+rune(b[size]-'0') < 256 {
			v = v*8 + rune(b[size]-'0')
			size++
		}
		return v, size
	}
	r, size = utf8.DecodeRune(b)
	if r == '\u2028' || r == '\u2029' {
		r = -1
	}
	return r, size
}

// numberName returns the property name of a numeric literal.
func numberName(text []byte) []byte {
	t := strings.ReplaceAll(string(text), "_", "")
	if bigint, ok := strings.CutSuffix(t, "n"); ok {
		if v, ok := new(big.Int).SetString(bigint, 0); ok {
			return []byte(v.String())
		}
		return text
	}
	var v float64
	if whole, ok := wholeNumber(t); ok {
		v, _ = new(big.Float).SetInt(whole).Float64()
	} else {
		v, _ = strconv.ParseFloat(t, 64) // out of range gives an infinity
	}
	if v != 0 && (v < 1e-6 || v >= 1e21) {
		s := strconv.FormatFloat(v, 'e', -1, 64)
		s = strings.Replace(strings.Replace(s, "e-0", "e-", 1), "e+0", "e+", 1)
		return []byte(strings.Replace(s, "+Inf", "Infinity", 1))
	}
	return strconv.AppendFloat(nil, v, 'f', -1, 64)
}

// wholeNumber returns the value of a hexadecimal, octal, binary or legacy octal
// literal.
func wholeNumber(t string) (*big.Int, bool) {
	if len(t) < 2 || t[0] != '0' || t[1] == '.' || t[1] == 'e' || t[1] == 'E' {
		return nil, false
	}
	if '0' <= t[1] && t[1] <= '9' {
		if strings.ContainsAny(t, "89.eE") {
			return nil, false
		}
		return new(big.Int).SetString(t, 8)
	}
	return new(big.Int).SetString(t, 0)
}
