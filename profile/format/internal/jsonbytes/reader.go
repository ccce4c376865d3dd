// Package jsonbytes reads JSON that is in memory, several times as fast as encoding/json: a
// collector reads hundreds of traces a second. As there, names that appear twice and broken
// UTF-8 are let through, and null is an absent value; unlike there, names must match exactly.
package jsonbytes

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// Reader reads one JSON text.
type Reader struct {
	data []byte
	at   int
}

// New returns a Reader of a text.
func New(data []byte) *Reader { return &Reader{data: data} }

// Left is the number of bytes that are left.
func (r *Reader) Left() int { return len(r.data) - r.at }

// Errorf is an error that says where the Reader is.
func (r *Reader) Errorf(format string, args ...any) error {
	return fmt.Errorf("byte %d: %w", r.at, fmt.Errorf(format, args...))
}

// Kind is the first byte of the next value: { [ " t f n, or of a number; 0 at the end.
func (r *Reader) Kind() byte {
	for ; r.at < len(r.data); r.at++ {
		switch c := r.data[r.at]; c {
		case ' ', '\n', '\r', '\t':
		default:
			return c
		}
	}
	return 0
}

// Null takes a null, if there is one.
func (r *Reader) Null() bool {
	if r.Kind() != 'n' || len(r.data)-r.at < 4 || string(r.data[r.at:r.at+4]) != "null" {
		return false
	}
	r.at += 4
	return true
}

// open takes the bracket that opens a value, or null.
func (r *Reader) open(bracket byte, wanted string) (null bool, err error) {
	switch {
	case r.Kind() == bracket:
		r.at++
		return false, nil
	case r.Null():
		return true, nil
	}
	return false, r.wrong(wanted)
}

func (r *Reader) wrong(wanted string) error {
	what := map[byte]string{0: "", '{': "an object", '[': "an array", '"': "a string", 't': "true", 'f': "false", 'n': "null"}
	c := r.Kind()
	found, known := what[c]
	switch {
	case c == 0 && r.at >= len(r.data) && len(r.data) == 0:
		return errors.New("the file is empty")
	case c == 0 && r.at >= len(r.data):
		return r.Errorf("the file is cut short")
	case c == '-' || c >= '0' && c <= '9':
		found = "a number"
	case !known:
		found = strconv.QuoteRune(rune(c))
	}
	return r.Errorf("%s where %s should be", found, wanted)
}

// next takes what separates the entries of a value; ended says that it was the end.
func (r *Reader) next(closing byte, first bool) (ended bool, err error) {
	switch c := r.Kind(); {
	case c == closing:
		r.at++
		return true, nil
	case first:
		return false, nil
	case c == ',':
		r.at++
		if r.Kind() != closing {
			return false, nil
		}
	}
	return false, r.wrong("a comma or " + strconv.QuoteRune(rune(closing)))
}

// Object calls member for each name of an object; it must read the value. The name holds until
// the call returns.
func (r *Reader) Object(member func(name []byte) error) error {
	null, err := r.open('{', "an object")
	if err != nil || null {
		return err
	}
	for first := true; ; first = false {
		if ended, err := r.next('}', first); ended || err != nil {
			return err
		}
		name, plain, err := r.quoted("a name")
		if err != nil {
			return err
		}
		if !plain {
			name = []byte(unquote(name))
		} else {
			name = name[1 : len(name)-1]
		}
		if r.Kind() != ':' {
			return r.wrong("a colon")
		}
		r.at++
		if err := member(name); err != nil {
			return err
		}
	}
}

// Array calls entry for each entry of an array; it must read the value.
func (r *Reader) Array(entry func(i int) error) error {
	null, err := r.open('[', "an array")
	if err != nil || null {
		return err
	}
	for i := 0; ; i++ {
		if ended, err := r.next(']', i == 0); ended || err != nil {
			return err
		}
		if err := entry(i); err != nil {
			return err
		}
	}
}

// quoted takes a string in its quotes. If it is plain, its text is what is between them.
func (r *Reader) quoted(wanted string) (text []byte, plain bool, err error) {
	if r.Kind() != '"' {
		return nil, false, r.wrong(wanted)
	}
	start := r.at
	plain, high := true, false
	for i := start + 1; i < len(r.data); i++ {
		switch c := r.data[i]; {
		case c == '"':
			r.at = i + 1
			text = r.data[start:r.at]
			if !plain && !json.Valid(text) {
				r.at = start
				return nil, false, r.Errorf("not a string: %.40q", text)
			}
			return text, plain && (!high || utf8.Valid(text)), nil
		case c == '\\':
			plain = false
			i++
		case c < ' ':
			r.at = i
			return nil, false, r.Errorf("a control character in a string")
		case c >= utf8.RuneSelf:
			high = true
		}
	}
	r.at = len(r.data)
	return nil, false, r.Errorf("the file is cut short")
}

func unquote(quoted []byte) string {
	var text string
	if err := json.Unmarshal(quoted, &text); err != nil {
		panic(err) // quoted has checked it
	}
	return text
}

// String reads a string.
func (r *Reader) String(into *string) error {
	if r.Null() {
		return nil
	}
	text, plain, err := r.quoted("a string")
	switch {
	case err != nil:
		return err
	case plain:
		*into = string(text[1 : len(text)-1])
	default:
		*into = unquote(text)
	}
	return nil
}

// Bool reads true or false.
func (r *Reader) Bool(into *bool) error {
	if r.Null() {
		return nil
	}
	start := r.at
	switch r.Kind() {
	case 't', 'f':
		*into = r.data[r.at] == 't'
		return r.Skip()
	}
	r.at = start
	return r.wrong("true or false")
}

// powers are the powers of ten that are exact.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// Float reads a number.
func (r *Reader) Float(into *float64) error {
	if r.Null() {
		return nil
	}
	c := r.Kind()
	if c != '-' && (c < '0' || c > '9') {
		return r.wrong("a number")
	}
	start, at := r.at, r.at
	if c == '-' {
		at++
	}
	mantissa, digits, scale, simple := uint64(0), 0, 0, true
	whole := at
	for ; at < len(r.data) && r.data[at]-'0' < 10; at++ {
		mantissa = mantissa*10 + uint64(r.data[at]-'0')
		digits++
	}
	if digits == 0 || digits > 1 && r.data[whole] == '0' {
		return r.Errorf("not a number: %.20q", r.data[start:min(len(r.data), at+1)])
	}
	if at < len(r.data) && r.data[at] == '.' {
		point := at
		for at++; at < len(r.data) && r.data[at]-'0' < 10; at++ {
			mantissa = mantissa*10 + uint64(r.data[at]-'0')
			digits++
		}
		if scale = at - point - 1; scale == 0 {
			return r.Errorf("not a number: %.20q", r.data[start:at])
		}
	}
	if at < len(r.data) && r.data[at]|0x20 == 'e' {
		simple = false
		at++
		if at < len(r.data) && (r.data[at] == '+' || r.data[at] == '-') {
			at++
		}
		first := at
		for ; at < len(r.data) && r.data[at]-'0' < 10; at++ {
		}
		if at == first {
			return r.Errorf("not a number: %.20q", r.data[start:at])
		}
	}
	// A quotient of two numbers that doubles hold exactly is correctly rounded.
	if simple && digits <= 19 && mantissa < 1<<53 && scale < len(powers) {
		v := float64(mantissa) / powers[scale]
		if c == '-' {
			v = -v
		}
		r.at, *into = at, v
		return nil
	}
	v, err := strconv.ParseFloat(string(r.data[start:at]), 64)
	if err != nil || math.IsInf(v, 0) {
		return r.Errorf("%.40s is out of range", r.data[start:at])
	}
	r.at, *into = at, v
	return nil
}

// Value takes a value of any kind verbatim.
func (r *Reader) Value() ([]byte, error) {
	r.Kind()
	start := r.at
	if err := r.Skip(); err != nil {
		return nil, err
	}
	return r.data[start:r.at], nil
}

// Decode reads a value of any type, of at most so many bytes, as encoding/json does.
func (r *Reader) Decode(into any, most int) error {
	start := r.at
	text, err := r.Value()
	if err != nil {
		return err
	}
	if len(text) > most {
		r.at = start
		return r.Errorf("a value of more than %d bytes", most)
	}
	if err := json.Unmarshal(text, into); err != nil {
		r.at = start
		return r.Errorf("%w", err)
	}
	return nil
}

// deepest is how deep values may be nested in one that is skipped.
const deepest = 1000

// Skip passes over a value.
func (r *Reader) Skip() error { return r.skip(0) }

func (r *Reader) skip(depth int) error {
	if depth > deepest {
		return r.Errorf("values are nested more than %d deep", deepest)
	}
	switch r.Kind() {
	case '{':
		return r.Object(func([]byte) error { return r.skip(depth + 1) })
	case '[':
		return r.Array(func(int) error { return r.skip(depth + 1) })
	case '"':
		_, _, err := r.quoted("a string")
		return err
	case 't':
		return r.word("true")
	case 'f':
		return r.word("false")
	case 'n':
		return r.word("null")
	}
	var number float64
	return r.Float(&number)
}

func (r *Reader) word(word string) error {
	if len(r.data)-r.at < len(word) || string(r.data[r.at:r.at+len(word)]) != word {
		return r.Errorf("%.5q where a value should be", r.data[r.at:])
	}
	r.at += len(word)
	return nil
}

// End says whether nothing follows.
func (r *Reader) End() error {
	if r.Kind() != 0 || r.at < len(r.data) {
		return r.Errorf("something follows the end")
	}
	return nil
}
