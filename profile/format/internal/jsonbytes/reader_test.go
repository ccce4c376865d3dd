package jsonbytes

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// value reads any value as encoding/json does.
func value(r *Reader) (v any, err error) {
	switch r.Kind() {
	case '{':
		all := map[string]any{}
		err = r.Object(func(name []byte) (err error) {
			key := string(name)
			all[key], err = value(r)
			return err
		})
		return all, err
	case '[':
		all := []any{}
		err = r.Array(func(int) error {
			v, err := value(r)
			all = append(all, v)
			return err
		})
		return all, err
	case '"':
		var text string
		err = r.String(&text)
		return text, err
	case 't', 'f':
		var b bool
		err = r.Bool(&b)
		return b, err
	case 'n':
		return nil, r.Skip()
	}
	var f float64
	err = r.Float(&f)
	return f, err
}

func whole(text []byte) (any, error) {
	r := New(text)
	v, err := value(r)
	if err == nil {
		err = r.End()
	}
	return v, err
}

var texts = []string{`{}`, `[]`, ` [ 1 , -2 ,3.5e2,0.25,-0,63021.100000023842,1e-7,12345678901234567890.5 ] `, `{"a":{"b":[true,false,null]},"c":"x\ny\u00e9\ud83e\udd92\\\""}`,
	`"ü🦒"`, `[9007199254740993,0.1,123456.789,1.7976931348623157e308]`, `{"":[[[[]]]],"\u0061":1,"a":2}`, "\"broken \xff UTF-8\"", `"\ud800"`, "\t{\"k\" : \r\n0 }\n"}

func TestReadsWhatEncodingJSONReads(t *testing.T) {
	for _, text := range texts {
		var want any
		must.Do(t, json.Unmarshal([]byte(text), &want))
		if got := must.Get(whole([]byte(text)))(t, text); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
		r := New([]byte(text))
		must.Do(t, r.Skip(), text)
		must.Do(t, r.End(), text)
	}
}

func TestSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		``: "the file is empty", `[1,`: "byte 3: the file is cut short", `[1 2]`: "byte 3: a number where a comma", `{"a":1,}`: "where a comma", `[,]`: "where a",
		`"abc`: "cut short", `1e999`: "1e999 is out of range", `NaN`: "'N' where", `[] []`: "something follows the end", `01`: "not a number", `1.`: "not a number", `-`: "not a number",
		`"\x"`: "not a string", "\"\n\"": "control character", `tru`: `"tru" where a value`, `nul`: "where", `{"a" 1}`: "where a colon", `{1:2}`: "where a name", strings.Repeat("[", 1_000_000): "",
	} {
		if len(text) < 1000 {
			must.Refuse(whole([]byte(text)))(t, want, text)
		}
		r := New([]byte(text))
		if err := r.Skip(); err == nil && r.End() == nil {
			t.Errorf("%.20s: skipped", text)
		}
	}
	var few []int
	must.Fail(t, New([]byte(`[1,2,3]`)).Decode(&few, 3), "more than 3 bytes")
	must.Fail(t, New([]byte(`["1"]`)).Decode(&few, 99), "byte 0: json: cannot unmarshal")
}

// This package reads what encoding/json reads, and the other way round.
func FuzzReader(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	for _, text := range []string{`[1 2]`, `{"a":1,}`, `01`, `1.`, `-`, `"\x"`, `tru`, `{"a" 1}`, `1E+5`, `[1e5,-0.0]`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want any
		fault := json.Unmarshal(text, &want)
		r := New(text)
		skipped := r.Skip()
		if skipped == nil {
			skipped = r.End()
		}
		if (skipped == nil) != json.Valid(text) && !strings.Contains(fmt.Sprint(skipped), "nested more than") && !strings.Contains(fmt.Sprint(skipped), "out of range") {
			t.Fatalf("%q: %v, but encoding/json: %v", text, skipped, fault)
		}
		if skipped != nil {
			return
		}
		got, err := whole(text)
		if (err == nil) != (fault == nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: %v, %v, want %v, %v", text, got, err, want, fault)
		}
	})
}
