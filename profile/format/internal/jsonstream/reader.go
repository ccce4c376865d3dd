// Package jsonstream reads the JSON of profiles in one pass, without holding
// more of it than a token: they are arrays of millions of numbers.
//
// It is a thin layer over jsontext, the decoder that is to become Go's own, which
// does the reading and checking; here the caller says which value he expects next
// and gets an error that says at which byte and under which key there is another.
// Arrays of numbers, which are most of a large file, go past the decoder (numbers.go):
// it takes three times as long for each. Anything that it refuses in them is refused here, too.
//
// Where an array or object is expected, null is an empty one; null is also "", 0
// and false. Names that appear twice in an object and broken UTF-8 are let
// through, as other readers do.
package jsonstream

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Reader reads a JSON text.
type Reader struct {
	source *source
	dec    *jsontext.Decoder
	list   *numbers // that are being read past the decoder
}

// NewReader returns a Reader of in.
func NewReader(in io.Reader) *Reader {
	s := newSource(in)
	return &Reader{source: s, dec: jsontext.NewDecoder(s, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
}

// Offset is the number of bytes that have been taken.
func (r *Reader) Offset() int64 {
	at := r.dec.InputOffset() + r.source.past
	if r.list != nil {
		at += int64(r.list.at)
	}
	return at
}

// pointer is the key at which the Reader is.
func (r *Reader) pointer() string {
	at := string(r.dec.StackPointer())
	if r.list != nil && r.list.index >= 0 {
		at += "/" + strconv.Itoa(r.list.index)
	}
	return at
}

// Errorf is an error that says where the Reader is.
func (r *Reader) Errorf(format string, args ...any) error {
	return r.located(fmt.Errorf(format, args...))
}

func (r *Reader) located(err error) error {
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.EOF) && r.Offset() == 0:
		return errors.New("the file is empty")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("byte %d: %w", r.Offset(), errCut)
	case errors.As(err, &syntactic):
		err = syntactic.Err
	}
	if at := r.pointer(); at != "" {
		return fmt.Errorf("byte %d, %.100q: %w", r.Offset(), at, err)
	}
	return fmt.Errorf("byte %d: %w", r.Offset(), err)
}

var errCut = errors.New("the file is cut short")

// IsEnd reports whether an error says that the text ended too soon, and not that it could not be read any further.
func (r *Reader) IsEnd(err error) bool { return errors.Is(err, errCut) && r.source.ended }

// Kind is the first byte of the next value: { [ " t f n, 0 for a number; ] and }
// at the end of an array or object; 0 where there is none.
func (r *Reader) Kind() byte { return byte(r.dec.PeekKind()) }

// begin takes the bracket that opens a value, or null.
func (r *Reader) begin(kind jsontext.Kind, wanted string) (null bool, err error) {
	token, err := r.dec.ReadToken()
	switch {
	case err != nil:
		return false, r.located(err)
	case token.Kind() == 'n':
		return true, nil
	case token.Kind() != kind:
		return false, r.Errorf("%s where %s should be", token.Kind(), wanted)
	}
	return false, nil
}

// Object calls member for each key of an object; it must read the value.
func (r *Reader) Object(member func(key string) error) error {
	null, err := r.begin('{', "an object")
	if err != nil || null {
		return err
	}
	for {
		switch key, err := r.dec.ReadToken(); {
		case err != nil:
			return r.located(err)
		case key.Kind() == '}':
			return nil
		default:
			if err := member(key.String()); err != nil {
				return err
			}
		}
	}
}

// Members are the members of an object that are read. Into is a *string, *float64,
// *int64 or *bool, or a func() error that reads the value.
type Members = []struct {
	Key  string
	Into any
}

// Members reads the given members of an object and skips the others.
func (r *Reader) Members(members Members) error {
	return r.Object(func(key string) (err error) {
		for _, m := range members {
			if m.Key != key {
				continue
			}
			switch into := m.Into.(type) {
			case *string:
				*into, err = r.String()
			case *float64:
				*into, err = r.Float()
			case *int64:
				*into, err = r.Int()
			case *bool:
				*into, err = r.Bool()
			case func() error:
				err = into()
			}
			return err
		}
		return r.Skip()
	})
}

// Array calls entry for each entry of an array; it must read the value.
func (r *Reader) Array(entry func(i int) error) error {
	null, err := r.begin('[', "an array")
	if err != nil || null {
		return err
	}
	for i := 0; r.dec.PeekKind() != ']'; i++ {
		if err := entry(i); err != nil {
			return err
		}
	}
	if _, err = r.dec.ReadToken(); err != nil {
		return r.located(err)
	}
	return nil
}

// String reads a string. A number is taken for one, too: ids are either.
func (r *Reader) String() (string, error) {
	token, err := r.dec.ReadToken()
	switch {
	case err != nil:
		return "", r.located(err)
	case token.Kind() == 'n':
		return "", nil
	case token.Kind() != '"' && token.Kind() != '0':
		return "", r.Errorf("%s where a string should be", token.Kind())
	}
	return token.String(), nil
}

// Bool reads true or false.
func (r *Reader) Bool() (bool, error) {
	token, err := r.dec.ReadToken()
	switch {
	case err != nil:
		return false, r.located(err)
	case token.Kind() != 't' && token.Kind() != 'f' && token.Kind() != 'n':
		return false, r.Errorf("%s where true or false should be", token.Kind())
	}
	return token.Kind() == 't', nil
}

// Raw reads a value of any kind verbatim; it holds until the next call.
func (r *Reader) Raw() ([]byte, error) {
	text, err := r.dec.ReadValue()
	if err != nil {
		return nil, r.located(err)
	}
	return text, nil
}

// Decode reads a value of any type as encoding/json does; errors call it name.
func (r *Reader) Decode(name string, into any) error {
	text, err := r.Raw()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return r.Errorf("%s: %w", name, err)
	}
	return nil
}

// Skip passes over a value.
func (r *Reader) Skip() error {
	if err := r.dec.SkipValue(); err != nil {
		return r.located(err)
	}
	return nil
}
