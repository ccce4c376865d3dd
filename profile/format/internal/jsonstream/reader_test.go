package jsonstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// value reads any value, as encoding/json does.
func value(r *Reader) (any, error) {
	switch r.Kind() {
	case '{':
		out := map[string]any{}
		return out, r.Object(func(key string) (err error) {
			out[key], err = value(r)
			return err
		})
	case '[':
		out := []any{}
		err := r.Array(func(int) error {
			v, err := value(r)
			out = append(out, v)
			return err
		})
		return out, err
	case '"':
		return r.String()
	case '0':
		return r.Float()
	case 't', 'f':
		return r.Bool()
	}
	raw, err := r.Raw()
	if err == nil && string(raw) != "null" {
		err = errors.New("not null")
	}
	return nil, err
}

func whole(r *Reader) (any, error) {
	v, err := value(r)
	if err == nil {
		err = r.End()
	}
	return v, err
}

var texts = []string{`{}`, `[]`, ` [ 1 , -2 ,3.5e2,0.25 ] `, `{"a":{"b":[true,false,null]},"c":"x\ny\u00e9\ud83e\udd92\\\""}`, `"ü🦒"`, `12345678901234567890`,
	`[123456789012345,1234567890123456,-1]`, `"` + strings.Repeat("long ", 100) + `"`, `{"":[[[[]]]]}`}

func TestReadsWhatEncodingJSONReads(t *testing.T) {
	for _, text := range texts {
		var want any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		for _, in := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			if got, err := whole(NewReader(in)); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %v, %v", text, got, err)
			}
		}
	}
}

func TestSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{``, "the file is empty"},
		{`[1,`, "byte 2: the file is cut short"},
		{`[1 2]`, `byte 2, "/0": invalid character '2'`},
		{`{"a":1,}`, "invalid character ','"},
		{`"abc`, "cut short"},
		{`1e999`, "out of range"},
		{`NaN`, "invalid character 'N'"},
		{`[] x`, "invalid character 'x'"},
		{`[] []`, "something follows the end"},
		{strings.Repeat("[", 1_000_000), "depth"},
	} {
		if _, err := whole(NewReader(strings.NewReader(c.text))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20s: %v, want %s", c.text, err, c.want)
		}
	}
	broken := io.MultiReader(strings.NewReader("[1,"), iotest.ErrReader(io.ErrClosedPipe))
	if _, err := whole(NewReader(broken)); err == nil || !strings.Contains(err.Error(), "closed pipe") {
		t.Errorf("%v", err)
	}
}

func TestInts(t *testing.T) {
	for text, want := range map[string]string{`[1,-2, 3 ,9007199254740993,1e3]`: "[1 -2 3 9007199254740993 1000]", `null`: "[]",
		`[1,1.5]`: `"/1": 1.5 where a whole number`, `["1"]`: "string where a number", `[9223372036854775808]`: "out of range", `[[1]]`: "[ where a number", `{}`: "{ where an array"} {
		got := []int64{}
		err := NewReader(strings.NewReader(text)).Ints(func(v int64) error { got = append(got, v); return nil })
		if said := fmt.Sprint(got, err); !strings.Contains(said, want) {
			t.Errorf("%s: %s, want %s", text, said, want)
		}
	}
}

func BenchmarkInts(b *testing.B) {
	var text bytes.Buffer
	text.WriteString("[0")
	for i := range 1_000_000 {
		fmt.Fprintf(&text, ",%d", i%90000)
	}
	text.WriteString("]")
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		sum := int64(0)
		if err := NewReader(bytes.NewReader(text.Bytes())).Ints(func(v int64) error { sum += v; return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
