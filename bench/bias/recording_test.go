package bias

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

func TestReadKeptBad(t *testing.T) {
	if _, err := ReadKept(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a directory that is not there was read")
	}
	empty := t.TempDir()
	if _, err := ReadKept(empty); err == nil || !strings.Contains(err.Error(), "no recordings") {
		t.Errorf("an empty directory: %v", err)
	}
	broken := stackProfile(sampled{"ab", 1, profile.Own})
	broken.Stacks.Parent[0] = 7
	for name, content := range map[string][]byte{
		"no gzip": []byte("{}"),
		"cut off": packed(t, &Recording{})[:20],
		"cycle":   packed(t, &Recording{Profile: broken}),
	} {
		directory := t.TempDir()
		path := filepath.Join(directory, "00001"+kept)
		must.Do(t, os.WriteFile(path, content, 0o600))
		if _, err := ReadKept(directory); err == nil || !strings.HasPrefix(err.Error(), path+": ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A recording names no folder of the machine that made it.
func TestPlaceless(t *testing.T) {
	checkout, temporary := filepath.Dir(fixtures.Dir()), filepath.Join(os.TempDir(), "instrument-bench-123")
	p := stackProfile(sampled{"ab", 1, profile.Own})
	p.Strings = append(p.Strings, checkout+"/fixtures/exact/a.js", temporary+"/a.js")
	p.Meta.Program, p.Meta.Notes = checkout+"/fixtures/exact/a.js", []string{"no map: " + temporary + "/a.js.map"}
	r := &Recording{Skipped: "open " + temporary + "/b.js: " + checkout + "/c.js", Profile: p, Functions: []profile.Function{{File: temporary + "/a.js"}}}
	r.placeless()
	text := string(must.Get(json.Marshal(r))(t))
	if strings.Contains(text, checkout) || strings.Contains(text, temporary) {
		t.Errorf("it names a folder: %s", text)
	}
	if r.Skipped != "open b.js: c.js" || p.Meta.Program != "fixtures/exact/a.js" || p.Meta.Notes[0] != "no map: a.js.map" || r.Functions[0].File != "a.js" {
		t.Errorf("%s", text)
	}
}

func packed(tb testing.TB, r *Recording) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	must.Do(tb, json.NewEncoder(w).Encode(r))
	must.Do(tb, w.Close())
	return b.Bytes()
}

// Any recording is either rejected or can be evaluated.
func FuzzRecording(f *testing.F) {
	for _, r := range []*Recording{
		{},
		{Engine: "goja", Program: "raytrace", Way: Way{Name: "precise", Use: Profiled}, Profile: stackProfile(sampled{"0ab", 2, profile.Entry}), Functions: []profile.Function{letterFunction('a')}},
		{Engine: "node", Program: "sequence", Way: Way{Name: "truth", Use: Truth, Sampler: "v8"}, Profile: stackProfile(sampled{"0a9", 2, profile.Own})},
	} {
		text := must.Get(json.Marshal(r))(f)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write(text)
		_ = w.Close()
		r, err := readRecording(fstest.MapFS{"r": {Data: b.Bytes()}}, "r")
		if err != nil {
			return
		}
		report := Evaluate([]*Recording{r, r}, Terms{Resamples: 2})
		report.Table()
		report.Plots(nil)
	})
}
