package live

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
)

// shop is the script of the session in docs/live.md.
func shop(url string) (profile.Script, bool) {
	at := func(line, column int32) functable.Position { return functable.Position{Line: line, Column: column} }
	return profile.Script{Table: &functable.Table{File: url, Functions: []functable.Function{
		{Kind: functable.Script, Parent: -1, Start: at(1, 1), End: at(20, 1)},
		{Kind: functable.Declaration, Name: "work", Start: at(1, 1), End: at(5, 2), Definition: at(1, 14), Sites: functable.Entry | functable.Loop | functable.Exit},
		{Kind: functable.Declaration, Name: "each", Start: at(8, 1), End: at(12, 2), Definition: at(8, 14), Sites: functable.Entry},
	}}}, url == "http://localhost:8080/app.js"
}

// The session in docs/live.md is what it says: every line is in the one form that a
// message has, and panels get what is shown. The recording can be saved in any format.
func TestDocumentedSession(t *testing.T) {
	text, err := os.ReadFile("../../docs/live.md")
	if err != nil {
		t.Fatal(err)
	}
	var r *Recording
	var stream *Stream
	var panels []string
	said := 0
	for line := range strings.Lines(string(text)) {
		who, message, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !strings.HasPrefix(message, "{") || !strings.Contains("<>|", who) {
			continue
		}
		said++
		if who == "|" {
			if len(panels) == 0 || panels[0] != message {
				t.Errorf("panels get\n%s\nnot\n%s", strings.Join(panels, "\n"), message)
			}
			panels = slices.Delete(panels, 0, min(1, len(panels)))
			continue
		}
		decoded, err := Limits{}.Decode([]byte(message))
		if err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(decoded)
		if err != nil || string(again) != message {
			t.Errorf("%s is written as %s", message, again)
		}
		switch m := decoded.(type) {
		case *Hello:
			r, stream = NewRecording(m, nil), NewStream(m.Attributed, shop)
		case *Batch:
			if err := r.Add(m); err != nil {
				t.Fatal(err)
			}
			out, _ := json.Marshal(stream.Batch(m))
			panels = append(panels, string(out))
		}
	}
	if said == 0 || len(panels) > 0 {
		t.Errorf("%d lines; panels also get %s", said, strings.Join(panels, "\n"))
	}
	savesAs(t, r.Profile(shop))
}

// savesAs writes a live profile for xsbug and reads it again.
func savesAs(t *testing.T, p *profile.Profile) {
	xs, err := format.ByName("xs")
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := xs.Write(&file, p); err != nil {
		t.Fatal(err)
	}
	read, err := xs.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(lines(read), lines(p)) {
		t.Errorf("xs has\n%s\nnot\n%s", strings.Join(lines(read), "\n"), strings.Join(lines(p), "\n"))
	}
}
