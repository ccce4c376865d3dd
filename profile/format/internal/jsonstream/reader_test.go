package jsonstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/fieldprof/fieldprof/internal/must"
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

// end reports an error unless nothing but blanks is left.
func end(r *Reader) error {
	_, err := r.dec.ReadToken()
	switch {
	case err == nil:
		return r.Errorf("something follows the end")
	case errors.Is(err, io.EOF):
		return nil
	}
	return r.located(err)
}

func whole(r *Reader) (any, error) {
	v, err := value(r)
	if err == nil {
		err = end(r)
	}
	return v, err
}

var texts = []string{`{}`, `[]`, ` [ 1 , -2 ,3.5e2,0.25 ] `, `{"a":{"b":[true,false,null]},"c":"x\ny\u00e9\ud83e\udd92\\\""}`, `"ü🦒"`, `12345678901234567890`,
	`[123456789012345,1234567890123456,-1]`, `"` + strings.Repeat("long ", 100) + `"`, `{"":[[[[]]]]}`}

func TestReadsWhatEncodingJSONReads(t *testing.T) {
	for _, text := range texts {
		var want any
		must.Do(t, json.Unmarshal([]byte(text), &want))
		for _, in := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			must.Equal(t, fmt.Sprint(must.Get(whole(NewReader(in)))(t)), fmt.Sprint(want), text)
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
		must.Refuse(whole(NewReader(strings.NewReader(c.text))))(t, c.want, c.text)
	}
	broken := io.MultiReader(strings.NewReader("[1,"), iotest.ErrReader(io.ErrClosedPipe))
	must.Refuse(whole(NewReader(broken)))(t, "closed pipe")
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

// listed reads an array of whole numbers: by the decoder, or past it.
func listed(in io.Reader, past bool) (got []int64, err error) {
	r := NewReader(in)
	if past {
		err = r.Ints(func(v int64) error { got = append(got, v); return nil })
	} else {
		err = r.Array(func(int) error {
			v, err := r.Int()
			got = append(got, v)
			return err
		})
	}
	if err == nil {
		err = end(r)
	}
	return got, err
}

// FuzzInts: the decoder's own reading of an array is what ours must come to, however
// the text comes.
func FuzzInts(f *testing.F) {
	for _, text := range []string{`[]`, ` [ ] `, `[1,-2, 3 ,9007199254740993,1e3]`, `null`, `[null,1,null]`, `[0,-0,00]`, `[01]`, `[1.0,-1.5e1]`, `[1 2]`, `[1,]`, `[,1]`,
		`[1`, `[1,`, `[`, `[nul`, `[nuls]`, `[1234567,12345678,123456789012345,1234567890123456,99999999999999999999]`, `["1"]`, `[[1]]`, `[{}]`, `[true]`, `[-]`, `[1e]`,
		`[1]x`, `[1] 2`, `[1e400]`, "[1\x00]", "[\xff]", `[+1]`, "[100000\xd5]", `[.5]`, "[\n1,\t2,\r\n3\n]", `{}`, ``, `[1,2,3,4,5,6,7,8,9,10,11,12,13]`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want, wantErr := listed(strings.NewReader(text), false)
		for _, in := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text))} {
			got, err := listed(in, true)
			if (err == nil) != (wantErr == nil) || err == nil && !slices.Equal(got, want) {
				t.Errorf("%q: %v, %v; the decoder has %v, %v", text, got, err, want, wantErr)
			}
		}
	})
}

// Numbers between which the text that is there at once ends anywhere.
func TestLongArray(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	var text strings.Builder
	var want []int64
	text.WriteString("[0")
	want = append(want, 0)
	for range 200_000 {
		v := r.Int64N(1<<r.IntN(60)+1) - r.Int64N(1<<r.IntN(20)+1)
		want = append(want, v)
		fmt.Fprintf(&text, ",%*d%*s", r.IntN(5), v, r.IntN(3), "")
	}
	for _, blanks := range []int{0, 3 * sourceSize} {
		got := must.Get(listed(iotest.HalfReader(strings.NewReader(text.String()+strings.Repeat("\n", blanks)+"]")), true))(t)
		must.Equal(t, slices.Equal(got, want), true, len(got), len(want))
	}
	in := io.MultiReader(strings.NewReader("[1,"), strings.NewReader(strings.Repeat("1", 2*sourceSize)))
	must.Refuse(listed(in, true))(t, `byte 3, "/1": a number of more than`)
}

// An error in an array says where it is: by byte, and by entry.
func TestArraysSayWhere(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":[[1],[2,3],[4,"x"]]}`: `byte 19, "/a/2/1": string where a number`,
		`{"a":[[1],[2,3],[4 5]]}`:   `byte 19, "/a/2/0": invalid character '5'`,
		`{"a":[[1],[2,3],[4`:        `byte 17: the file is cut short`,
		`{"a":[[1],[2,3],[4]],}`:    `byte 20, "/a": invalid character ','`,
	} {
		r := NewReader(strings.NewReader(text))
		err := r.Object(func(string) error {
			return r.Array(func(int) error { return r.Floats(func(float64) error { return nil }) })
		})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestWriter(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	w.Text(`{"a":`).Ints(100_000, func(i int) int64 { return int64(i) * int64(-i) }).Text(`,"b":`).Quoted("x\n<").Text(`,"c":`).JSON([]byte("[]")).Text(`,"d":`).Ints(0, nil).Text("}")
	var got struct {
		A []int64
		B string
	}
	must.Do(t, w.Flush())
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || len(got.A) != 100_000 || got.A[99_999] != -99_999*99_999 || got.B != "x\n<" {
		t.Errorf("%v: %d, %q", err, len(got.A), got.B)
	}
	full := NewWriter(fullDisk{})
	if err := full.Ints(100_000, func(int) int64 { return 7 }).Flush(); !errors.Is(err, io.ErrShortBuffer) {
		t.Error(err)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, io.ErrShortBuffer }

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
		must.Do(b, NewReader(bytes.NewReader(text.Bytes())).Ints(func(v int64) error { sum += v; return nil }))
	}
}
