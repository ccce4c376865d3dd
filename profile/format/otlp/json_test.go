package otlp

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/pprofile"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// A message in JSON is the same profile as in protocol buffers.
func TestFromJSON(t *testing.T) {
	var binary bytes.Buffer
	var b profile.Builder
	b.Meta.Interval = time.Millisecond
	for line := range int32(3) {
		b.Sample(profile.Sample{Time: int64(line), Stack: b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "f", File: "f.go", Line: line + 1}), 4, 5)), Weight: line + 1})
	}
	must.Do(t, Write(&binary, b.Profile()))
	all := must.Get(new(pprofile.ProtoUnmarshaler).UnmarshalProfiles(binary.Bytes()))(t)
	text := must.Get(new(pprofile.JSONMarshaler).MarshalProfiles(all))(t)
	translated := must.Get(FromJSON(text, 1e5))(t)
	want := must.Get(Read(&binary))(t)
	for how, message := range map[string][]byte{"translated": translated, "a file": text, "an indented file": append([]byte(" \n"), text...)} {
		got := must.Get(Read(bytes.NewReader(message)))(t)
		if want.Len() == 0 || want.Samples.Ticks() != got.Samples.Ticks() || want.Len() != got.Len() || len(want.Stacks.Parent) != len(got.Stacks.Parent) {
			t.Errorf("%s: %d samples of %d ticks, not %d of %d", how, got.Len(), got.Samples.Ticks(), want.Len(), want.Samples.Ticks())
		}
		if Sniff(message) == "" {
			t.Errorf("%s is not recognized", how)
		}
	}
	for _, other := range []string{`{"nodes":[],"stringTable":[]}`, `["resourceProfiles"]`, `"resourceProfiles"`} {
		must.Equal(t, Sniff([]byte(other)), "")
	}
	if _, err := Read(strings.NewReader(`{"resourceProfiles":"x"}`)); err == nil || strings.Count(err.Error(), "otlp: ") != 1 {
		t.Errorf("a broken file: %v", err)
	}
}

func TestFromHostileJSON(t *testing.T) {
	deep := strings.Repeat(`{"arrayValue":{"values":[`, 1<<16)
	for _, text := range []string{"", "{", "[]", `{"resourceProfiles":"x"}`, `{"resourceProfiles":[{"resource":{"attributes":[{"key":"k","value":` + deep, `"\`, `{"dictionary":{"stackTable":[{"locationIndices":[1e99]}]}}`} {
		if _, err := FromJSON([]byte(text), 1e6); err == nil {
			t.Errorf("%.60q is taken for a message", text)
		}
	}
	if all, deepest := brackets([]byte(`{"a{[":[{"b\"[":1}],"c":[]}`)); all != 4 || deepest != 3 {
		t.Errorf("%d brackets nest %d deep, want 4 and 3", all, deepest)
	}
	if _, err := FromJSON([]byte(`{"resourceProfiles":[`+strings.Repeat("{},", 1000)+`{}]}`), 1000); err == nil {
		t.Error("more objects than allowed are read")
	}
}

func FuzzFromJSON(f *testing.F) {
	f.Add([]byte(`{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"samples":[{"stackIndex":0}]}]}]}],"dictionary":{"stringTable":["","a"]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if binary, err := FromJSON(data, 1000); err == nil {
			_, _, _ = Limits{1000, 10}.ReadAll(bytes.NewReader(binary)) // must not panic
		}
	})
}
