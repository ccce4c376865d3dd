package live

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// Messages that cannot be are refused, and the error says what and where.
func TestDecodeRefuses(t *testing.T) {
	batch := func(fields string) string { return `{"type":"batch","profile":1,"seq":1` + fields + `}` }
	samples := func(fields string) string { return batch(`,"samples":{` + fields + `}`) }
	hello := func(fields string) string {
		return `{"type":"hello","version":1,"token":"","id":"0123456789abcdef","what":"page","name":"","url":"","engine":"","clocks":[],"origin":0` + fields + `}`
	}
	for text, want := range map[string]string{
		"":                                  "unexpected end",
		"[]":                                "cannot unmarshal array",
		"null":                              `type ""`,
		`{"type":"batch"} {}`:               "after top-level value",
		`{"type":"bitch"}`:                  `no message has the type "bitch"`,
		`{"type":"ack","seq":1,"sequel":2}`: `ack: json: unknown field "sequel"`,
		`{"type":"ack","seq":-1}`:           "ack: seq is -1",
		`{"type":"ack","seq":1e999}`:        "cannot unmarshal number",
		`{"type":"ack","seq":1.5}`:          "cannot unmarshal number",
		`{"type":"ack","seq":99999999999999999999}`:                    "cannot unmarshal number",
		"{\"type\":\"ack\xff\"}":                                       "not UTF-8",
		`{"type":"hello","version":2}`:                                 "version 2",
		`{"type":"hello"}`:                                             "no version",
		`{"type":"start","interval":0}`:                                "interval is 0",
		`{"type":"start","interval":1e999}`:                            "cannot unmarshal number",
		`{"type":"start","interval":1,"clock":"sundial"}`:              `clock is "sundial"`,
		hello(`,"id":"short"`):                                         "id has 5 characters",
		hello(`,"id":"../../../../etc/passwd"`):                        `id has the character '.'`,
		hello(`,"after":"0123456789 abcdef"`):                          `after has the character ' '`,
		hello(`,"what":"toaster"`):                                     `what is "toaster"`,
		hello(`,"origin":-1`):                                          "origin is -1",
		hello(`,"origin":1e300`):                                       "origin is 1e+300",
		hello(`,"clock":"auto"`):                                       `clock is "auto"`,
		hello(`,"recording":1`):                                        "interval is 0",
		hello(`,"name":"` + strings.Repeat("x", 5000) + `"`):           "name has 5000 bytes, of at most 4096",
		batch(`,"profile":0`):                                          "profile 0",
		batch(`,"seq":0`):                                              "seq 0",
		batch(`,"account":{"raised":-1}`):                              "account is -1",
		batch(`,"dropped":{"ticks":-1}`):                               "dropped is -1",
		batch(`,"records":[{"id":1,"name":""}]`):                       "record 0: id 1",
		batch(`,"records":[{"id":4294967298}]`):                        "cannot unmarshal number",
		batch(`,"records":[{"id":2,"line":-1}]`):                       "defined at -1:0",
		batch(`,"records":[{"id":2,"kind":"x"}]`):                      `kind is "x"`,
		batch(`,"stacks":[-1,2,1]`):                                    "3 numbers in stacks",
		batch(`,"marks":[{"what":"x"}]`):                               `mark 0: what is "x"`,
		batch(`,"marks":[{"what":"mark","time":-1}]`):                  "mark 0: time is -1",
		batch(`,"began":{"time":1,"interval":1e9}`):                    "interval is 1e+09",
		batch(`,"notes":["` + strings.Repeat("x", 5000) + `"]`):        "notes has 5000 bytes",
		samples(`"delta":[1]`):                                         "columns of 0 stacks, 1 deltas",
		samples(`"delta":[-1],"stack":[-1],"weight":[1]`):              "sample 0: delta -1",
		samples(`"delta":[1],"stack":[-2],"weight":[1]`):               "sample 0: stack -2",
		samples(`"delta":[1],"stack":[-1],"weight":[0]`):               "sample 0: weight 0",
		samples(`"delta":[1],"stack":[-1],"weight":[1],"kind":[6]`):    "sample 0: kind 6",
		samples(`"delta":[1],"stack":[-1],"weight":[1],"kind":[200]`):  "cannot unmarshal number",
		samples(`"delta":[1],"stack":[-1],"weight":[1],"kind":[0,0]`):  "2 kinds",
		samples(`"delta":[1],"stack":[-1],"weight":[1],"skid":[-5]`):   "sample 0: skid -5",
		batch(`,"records":` + strings.Repeat(`[`, 20000)):              "max depth",
		batch(`,"records":[` + strings.Repeat(`{},`, 200_000) + `{}]`): "200002 objects",
		strings.Repeat(" ", 5<<20):                                     "bytes, of at most",
	} {
		message, err := Limits{}.Decode([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.100s: %v %v, not %q", text, message, err, want)
		}
	}
}

// A batch's references to earlier ones are checked as well, and a batch that is refused
// leaves nothing.
func TestAddRefuses(t *testing.T) {
	first := `{"type":"batch","profile":2,"seq":5,"records":[{"id":2,"name":"a","file":"x"}],"stacks":[-1,2,1,1,0,2,2,2],
		"samples":{"delta":[1000],"stack":[1],"weight":[1],"kind":[0],"skid":[0]}}`
	next := func(fields string) string { return `{"type":"batch","profile":2,"seq":6` + fields + `}` }
	at := func(delta, stack string) string {
		return fmt.Sprintf(`,"records":[{"id":3,"name":"b","file":"y"}],"stacks":[1,3,1,1],"samples":{"delta":[%s],"stack":[%s],"weight":[1]}`, delta, stack)
	}
	r := NewRecording(hello(false), nil)
	add := func(text string) error {
		message, err := Limits{Depth: 5}.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return r.Add(message.(*Batch))
	}
	r.Limits = Limits{Depth: 5, Records: 3, Stacks: 6, Texts: 100}
	if err := add(first); err != nil {
		t.Fatal(err)
	}
	before := r.Profile(scripts)
	for text, want := range map[string]string{
		`{"type":"batch","profile":2,"seq":7}`: "those between them are missing",
		`{"type":"batch","profile":1,"seq":6}`: "profile 1 after profile 2",
		next(at("1500", "3")):                  "sample 0: stack 3, of 3",
		next(at("999", "2")):                   "a sample at 999 µs",
		next(at("9007199254740991,9007199254740991", "1,1") + `,"samples":{"weight":[1,1]}`): "a sample at",
		next(`,"records":[{"id":2}]`):                                          "record 2 was sent before",
		next(`,"records":[{"id":3},{"id":3}]`):                                 "record 3 was sent before",
		next(`,"records":[{"id":3,"name":"` + strings.Repeat("n", 99) + `"}]`): "101 bytes of names and files, of at most 100",
		next(`,"records":[{"id":3,"kind":"idle"}]`):                            "only attributed sources",
		next(`,"records":[{"id":3},{"id":4},{"id":5}]`):                        "4 records, of at most 3",
		next(`,"stacks":[2,2,1,1]`):                                            "stack 2: parent 2",
		next(`,"stacks":[-2,2,1,1]`):                                           "stack 2: parent -2",
		next(`,"stacks":[1,9,1,1]`):                                            "stack 2: no record 9",
		next(`,"stacks":[1,2,-1,1]`):                                           "position -1:1",
		next(`,"stacks":[1,2,1,1,2,2,1,1,3,2,1,1,4,2,1,1]`):                    "a depth of 6, of at most 5",
		next(`,"stacks":[` + strings.Repeat("-1,2,1,1,", 6) + `-1,2,1,1]`):     "9 stacks, of at most 6",
	} {
		if err := add(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.100s: %v, not %q", text, err, want)
		}
		if !reflect.DeepEqual(r.Profile(scripts), before) {
			t.Fatalf("%.100s: something of it was kept", text)
		}
	}
	if err := add(next(at("1500", "2") + `,"ended":true`)); err != nil {
		t.Error(err)
	}
	if err := add(`{"type":"batch","profile":2,"seq":7,"samples":{"delta":[2000],"stack":[-1],"weight":[1]}}`); err == nil {
		t.Error("samples after the end are welcome")
	}
	if err := add(`{"type":"batch","profile":3,"seq":7,"records":[{"id":2,"name":"z"}],"stacks":[-1,2,1,1],"samples":{"delta":[1],"stack":[0],"weight":[1]}}`); err != nil {
		t.Error(err)
	}
	if state := r.State(); state.Profile != 3 || state.Samples != 1 || state.Ended {
		t.Errorf("the next profile is %+v", state)
	}
}

// However long a source sends, it takes no more memory than its limits say.
func TestMemoryIsBounded(t *testing.T) {
	r := NewRecording(hello(false), nil)
	r.Limits = Limits{Samples: 1 << 14, Marks: 100, Texts: 50_000}
	column := func(n int, v int64) []int64 {
		c := make([]int64, n)
		for i := range c {
			c[i] = v
		}
		return c
	}
	const each = 1000
	b := Batch{Type: TypeBatch, Profile: 1, Records: []Record{{ID: 2, Name: "f", File: app}}, Stacks: []int32{-1, 2, 1, 1}}
	b.Samples = Samples{Delta: column(each, 10), Stack: make([]int32, each), Weight: make([]int32, each)}
	for i := range b.Samples.Weight {
		b.Samples.Weight[i] = 1
	}
	b.Marks = make([]Mark, 30)
	for i := range b.Marks {
		b.Marks[i] = Mark{What: "mark", Name: strings.Repeat("m", 1000)}
	}
	b.Notes = []string{"", "", ""}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := uint64(math.MaxUint64)
	for i := range 2000 {
		b.Seq++
		b.Samples.Delta[0] = int64(i) * 10_000
		b.Notes[0] = fmt.Sprint("note ", i)
		if err := r.Add(&b); err != nil {
			t.Fatal(err)
		}
		if b.Records, b.Stacks = nil, nil; i == 200 {
			before = heap()
		}
	}
	if after := heap(); after > before+1<<20 {
		t.Errorf("%d bytes became %d", before, after)
	}
	state := r.State()
	p := r.Profile(scripts)
	if state.Samples != 2000*each || state.Samples-state.Trimmed != int64(p.Len()) || p.Len() < 1<<14 || p.Len() > 1<<14+1<<13 || len(r.marks) != 50 || len(state.Notes) > 20 {
		t.Errorf("of %d samples %d were forgotten and %d are kept, with %d marks and %d notes", state.Samples, state.Trimmed, p.Len(), len(r.marks), len(state.Notes))
	}
	if err := p.CheckValid(); err != nil {
		t.Error(err)
	}
}
