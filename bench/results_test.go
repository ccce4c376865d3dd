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
	"github.com/fieldprof/fieldprof/bench/streaming"
	"github.com/fieldprof/fieldprof/bench/truth"
)

// Recorded results can be read, and their tables are what the code makes of them.
// bench/bias tests its own; those of diff were recorded before several runs a side
// were compared.
func TestRecordedTables(t *testing.T) {
	for _, report := range []figures.Report{
		new(truth.Report), new(recording.TicksReport), new(recording.CaptureReport), new(recording.CaptureNodeReport),
		new(building.SpeedReport), new(building.BuildReport), new(building.ConvertReport), new(pages.Report), new(building.WASMReport),
		new(building.PluginReport), new(building.PluginJSReport), new(building.SizeReport), new(streaming.Report),
	} {
		path := filepath.Join("results", report.Name())
		text, err := os.ReadFile(path + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, report); err != nil {
			t.Errorf("%s.json: %v", path, err)
			continue
		}
		recorded, err := os.ReadFile(path + ".md")
		if err != nil {
			t.Fatal(err)
		}
		if report.Table() != string(recorded) {
			t.Errorf("%s.md is not the table of %s.json", path, path)
		}
	}
}
