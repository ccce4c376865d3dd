package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/bench/bias"
	"github.com/fieldprof/fieldprof/bench/building"
	"github.com/fieldprof/fieldprof/bench/causal"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/forks"
	"github.com/fieldprof/fieldprof/bench/interactions"
	"github.com/fieldprof/fieldprof/bench/overhead"
	"github.com/fieldprof/fieldprof/bench/pages"
	"github.com/fieldprof/fieldprof/bench/recording"
	"github.com/fieldprof/fieldprof/bench/services"
	"github.com/fieldprof/fieldprof/bench/streaming"
	"github.com/fieldprof/fieldprof/bench/tenants"
	"github.com/fieldprof/fieldprof/bench/truth"
	"github.com/fieldprof/fieldprof/bench/visits"
	"github.com/fieldprof/fieldprof/internal/must"
)

// Recorded results can be read, and their tables are what the code makes of them.
// bench/bias tests its own; those of diff were recorded before several runs a side
// were compared.
func TestRecordedTables(t *testing.T) {
	for name, report := range map[string]figures.Report{
		"truth": new(truth.Report), "agree": new(bias.Accord), "forks": new(forks.Report), "tenants": new(tenants.Report), "services": new(services.Report),
		"ticks": new(recording.TicksReport), "full": new(recording.FullReport), "stopped": new(recording.StoppedReport),
		"capture": new(recording.CaptureReport), "capture-node": new(recording.CaptureNodeReport),
		"speed": new(building.SpeedReport), "build": new(building.BuildReport), "convert": new(building.ConvertReport), "wasm": new(building.WASMReport),
		"plugin": new(building.PluginReport), "plugin-js": new(building.PluginJSReport), "size": new(building.SizeReport),
		"report": new(pages.Report), "panel": new(pages.Panel), "live": new(streaming.Report), "interactions": new(interactions.Report),
	} {
		path := filepath.Join("results", cmp.Or(files[name], name))
		text := must.Get(os.ReadFile(path + ".json"))(t)
		if err := json.Unmarshal(text, report); err != nil {
			t.Errorf("%s.json: %v", path, err)
			continue
		}
		recorded := must.Get(os.ReadFile(path + ".md"))(t)
		if report.Table() != string(recorded) {
			t.Errorf("%s.md is not the table of %s.json", path, path)
		}
	}
}

// The rows of recorded results are what the code makes of them; bench/bias tests its own.
func TestRecordedRows(t *testing.T) {
	for name, report := range map[string]figures.Rows{
		"overhead": new(overhead.Report), "overhead-browsers": new(overhead.Report), "overhead-trained": new(overhead.Report),
		"overhead-aa": new(overhead.Report), "overhead-proof": new(overhead.Report),
		"causal": new(causal.Report), "causal-firefox": new(causal.Report), "causal-chromium": new(causal.Report), "services": new(services.Report), "page": new(visits.Report),
	} {
		path := filepath.Join("results", name)
		must.Do(t, json.Unmarshal(must.Get(os.ReadFile(path+".json"))(t), report))
		rows := report.CSV()
		if len(rows) == 0 {
			t.Errorf("%s.json gives no rows", path)
		}
		if want := must.Get(figures.CSV(rows))(t); !bytes.Equal(must.Get(os.ReadFile(path+".csv"))(t), want) {
			t.Errorf("%s.csv is not the rows of %s.json: go generate ./bench/...", path, path)
		}
	}
}

// The plots are what the code draws of the recorded results, and there are no others; bench/bias tests
// its own.
func TestRecordedPlots(t *testing.T) {
	plots := map[string][]byte{}
	for name, report := range map[string]figures.Drawn{
		"overhead": new(overhead.Report), "overhead-browsers": new(overhead.Report), "overhead-trained": new(overhead.Report),
		"causal": new(causal.Report), "causal-firefox": new(causal.Report), "causal-chromium": new(causal.Report), "page": new(visits.Report),
	} {
		must.Do(t, json.Unmarshal(must.Get(os.ReadFile(filepath.Join("results", name+".json")))(t), report))
		drawn := report.Plots()
		if len(drawn) == 0 {
			t.Errorf("%s.json gives no plots", name)
		}
		maps.Copy(plots, drawn)
	}
	for _, path := range must.Get(filepath.Glob(filepath.Join("results", "*.svg")))(t) {
		if strings.HasPrefix(filepath.Base(path), "bias-") {
			continue
		}
		if svg := plots[filepath.Base(path)]; !bytes.Equal(must.Get(os.ReadFile(path))(t), svg) {
			t.Errorf("%s is not what the results say: go generate ./bench/... (%d bytes)", path, len(svg))
		}
		delete(plots, filepath.Base(path))
	}
	for name := range plots {
		t.Errorf("%s is missing: go generate ./bench/...", name)
	}
}

// docs/reproducing.md names the results that do not say of which commit they are, and those whose tree had
// other changes.
func TestRecordedOrigins(t *testing.T) {
	page := string(must.Get(os.ReadFile("../docs/reproducing.md"))(t))
	listed := func(item string) []string {
		_, rest, _ := strings.Cut(page, "- **"+item+"**")
		rest, _, _ = strings.Cut(rest+"\n- ", "\n- ")
		_, names, _ := strings.Cut(rest, ":\n")
		if _, after, ok := strings.Cut(rest, "): "); ok {
			names = after
		}
		var list []string
		for _, m := range regexp.MustCompile("`([a-z0-9-]+)`").FindAllStringSubmatch(names, -1) {
			list = append(list, m[1])
		}
		return list
	}
	var without, dirty []string
	for _, path := range must.Get(filepath.Glob(filepath.Join("results", "*.json")))(t) {
		var of struct {
			figures.Origin
			Machine *figures.Machine `json:"machine"`
		}
		must.Do(t, json.Unmarshal(must.Get(os.ReadFile(path))(t), &of))
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		if of.Machine != nil && of.Commit == "" { // the manifest and parts of other reports name no machine
			without = append(without, name)
		}
		if of.Dirty {
			dirty = append(dirty, name)
		}
	}
	for item, want := range map[string][]string{"The code of every result.": without, "The commit alone.": dirty} {
		if got := listed(item); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("docs/reproducing.md lists %q under %q; the results say %q", got, item, want)
		}
	}
}

// Every figure with an interval is in it.
func TestRecordedFiguresAreInTheirIntervals(t *testing.T) {
	found := 0
	for _, path := range must.Get(filepath.Glob(filepath.Join("results", "*.json")))(t) {
		var report any
		must.Do(t, json.Unmarshal(must.Get(os.ReadFile(path))(t), &report))
		intervals(report, "", func(at string, value, low, high float64) {
			if found++; value < low || value > high {
				t.Errorf("%s%s: %v is not between %v and %v", path, at, value, low, high)
			}
		})
	}
	if found < 1000 {
		t.Errorf("%d figures have an interval", found)
	}
}

// intervals visits all figures with an interval, by JSON Pointer.
func intervals(in any, at string, visit func(at string, value, low, high float64)) {
	switch in := in.(type) {
	case []any:
		for i, element := range in {
			intervals(element, fmt.Sprint(at, "/", i), visit)
		}
	case map[string]any:
		value, isFigure := in["value"].(float64)
		low, hasLow := in["low"].(float64)
		if high, hasHigh := in["high"].(float64); isFigure && hasLow && hasHigh {
			visit(at, value, low, high)
		}
		for name, element := range in {
			intervals(element, at+"/"+name, visit)
		}
	}
}
