package runtime_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"slices"
	"testing"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
)

// Every letter can be read as a profile, whatever the receiver names the file.
func TestWhatIsSentCanBeRead(t *testing.T) {
	var letters []struct {
		IsOurs, IsPart bool
		Text           string
	}
	if err := json.Unmarshal(runBundled(t, "testdata/send/letters.ts", nil), &letters); err != nil || len(letters) < 10 {
		t.Fatalf("%d letters, %v", len(letters), err)
	}
	for i, letter := range letters {
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		z.Write([]byte(letter.Text))
		z.Close()
		for name, text := range map[string][]byte{"chunk.json": []byte(letter.Text), "0-0": []byte(letter.Text), "chunk.json.gz": zipped.Bytes()} {
			p, f, err := format.Read(bytes.NewReader(text), name)
			if err != nil || f.Name != "wicg" {
				t.Errorf("letter %d as %s: %s, %v", i, name, f.Name, err)
				continue
			}
			m := p.Meta
			clock := map[bool]string{true: profile.ClockShared}[letter.IsOurs]
			if p.Len() == 0 || m.Program != "https://a.example/" || m.Start.IsZero() || m.Clock != clock || slices.Contains(m.Notes, "something") != letter.IsOurs {
				t.Errorf("letter %d as %s: %d samples, %+v", i, name, p.Len(), m)
			}
			if !letter.IsPart && (p.Len() != 100 || !slices.Contains(m.Notes, "lost before")) {
				t.Errorf("letter %d as %s: %d samples, notes %q", i, name, p.Len(), m.Notes)
			}
		}
	}
}
