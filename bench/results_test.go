package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/bench/building"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/pages"
	"github.com/fieldprof/fieldprof/bench/recording"
	"github.com/fieldprof/fieldprof/bench/truth"
	"github.com/fieldprof/fieldprof/internal/must"
)

// Recorded results can be read, and their tables are what the code makes of them.
// bench/bias tests its own; those of diff were recorded before several runs a side
// were compared.
func TestRecordedTables(t *testing.T) {
	for _, report := range []figures.Report{
		new(truth.Report), new(recording.TicksReport), new(recording.CaptureReport), new(recording.CaptureNodeReport),
		new(building.SpeedReport), new(building.BuildReport), new(building.ConvertReport), new(pages.Report), new(building.WASMReport),
		new(building.PluginReport), new(building.PluginJSReport), new(building.SizeReport),
	} {
		path := filepath.Join("results", report.Name())
		text := must.Get(os.ReadFile(path + ".json")).OrFail(t)
		if err := json.Unmarshal(text, report); err != nil {
			t.Errorf("%s.json: %v", path, err)
			continue
		}
		recorded := must.Get(os.ReadFile(path + ".md")).OrFail(t)
		if report.Table() != string(recorded) {
			t.Errorf("%s.md is not the table of %s.json", path, path)
		}
	}
}
