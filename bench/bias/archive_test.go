package bias

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/bench/archive"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/internal/golden"
	"github.com/fieldprof/fieldprof/internal/must"
)

// sample is the part of an archive that is committed: three exact programs and a real
// one in goja and Node. Its manifest has the command that recorded it.
const sample = "../testdata/archive"

// The archive gives the report that is committed next to it, and so do its packed forms.
func TestArchiveReplays(t *testing.T) {
	report := must.Get(Replay(sample, ""))(t)
	golden.Each(t, sample+".txtar", func(t *testing.T, f golden.File) {
		f.Compare(t, 1, report.Table())
	})
	packed := filepath.Join(t.TempDir(), "sample.tar.zst")
	must.Do(t, archive.Pack(sample, packed))
	again := must.Get(Replay(packed, ""))(t)
	if !bytes.Equal(must.Get(json.Marshal(report))(t), must.Get(json.Marshal(again))(t)) {
		t.Error("the packed archive gives another report")
	}
}

// A replay gives the report of the run that was kept, to the byte.
func TestReplayIsTheRun(t *testing.T) {
	c, folder := (&fakes{}).collector(), t.TempDir()
	c.Keep = folder
	origin := figures.Origin{Command: "go run ./bench bias"}
	recordings := must.Get(c.Run(t.Context(), small(1)))(t)
	must.Do(t, archive.Seal(folder, archive.Manifest{Pattern: archive.Recordings, Origin: &origin, Took: 5}))
	run := must.Get(json.Marshal(Evaluate(recordings, Terms{Origin: origin, Took: 5, Resamples: resamples})))(t)
	if again := must.Get(json.Marshal(must.Get(Replay(folder, ""))(t)))(t); !bytes.Equal(run, again) {
		t.Errorf("the run gave\n%.2000s\nand the replay\n%.2000s", run, again)
	}
}

// Replay refuses an altered archive.
func TestReplayVerifies(t *testing.T) {
	folder := t.TempDir()
	must.Do(t, os.CopyFS(folder, os.DirFS(sample)))
	names := must.Get(filepath.Glob(filepath.Join(folder, archive.Recordings)))(t)
	must.Do(t, os.Rename(names[0], names[1]))
	_, err := Replay(folder, "")
	if err == nil || !strings.Contains(err.Error(), names[0]+": is missing") || !strings.Contains(err.Error(), names[1]+": was altered") {
		t.Error(err)
	}
}

// The schema of recordings names every field that they may have.
func TestSchemaNamesAllFields(t *testing.T) {
	var schema struct {
		Properties map[string]any `json:"properties"`
		Defs       map[string]struct {
			Properties map[string]any `json:"properties"`
		} `json:"$defs"`
	}
	must.Do(t, json.Unmarshal(must.Get(os.ReadFile("../archive/recording.schema.json"))(t), &schema))
	for _, of := range []struct {
		what      reflect.Type
		described map[string]any
	}{{reflect.TypeFor[Recording](), schema.Properties}, {reflect.TypeFor[Way](), schema.Defs["way"].Properties}} {
		for i := range of.what.NumField() {
			if !of.what.Field(i).IsExported() {
				continue
			}
			name, _, _ := strings.Cut(of.what.Field(i).Tag.Get("json"), ",")
			if of.described[name] == nil {
				t.Errorf("bench/archive/recording.schema.json does not describe %q of %v", name, of.what)
			}
		}
	}
}
