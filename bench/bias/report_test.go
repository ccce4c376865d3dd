package bias

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// The rows and the plots are what the results say, to the letter.
func TestRowsAndPlotsAreOfTheResults(t *testing.T) {
	results := filepath.Join(filepath.Dir(fixtures.Dir()), "bench", "results")
	report := must.Get(figures.Read[Report](results, "bias"))(t)
	costs := must.Get(ReadCosts(results))(t)
	files := map[string][]byte{filepath.Join(results, "bias.csv"): must.Get(figures.CSV(report.CSV()))(t)}
	for name, svg := range report.Plots(costs) {
		files[filepath.Join(results, name)] = svg
	}
	must.Hold(t, files, "go generate ./bench/bias")
}

// hostile is a report with hostile names.
func hostile() *Report {
	name := "<script>alert(1)</script>\x1b[31m|"
	r := &Report{Engines: map[string]*EngineReport{}}
	e := r.engine("node")
	cell := &Cell{Overlaps: map[string]Comparison{Promise: {}}, Ranks: map[string]Ranks{Promise: {Worst: Difference{Function: name}}}}
	e.Promises["raytrace"] = &Promised{Unparsed: name, Differences: map[string][]string{Strict: {name}}}
	e.Programs["raytrace"] = map[string]*Cell{"balanced": cell}
	e.Means["balanced"] = &Mean{Overlaps: map[string]Comparison{Promise: {}, Strict: {}}}
	e.Means["precise"] = &Mean{Overlaps: map[string]Comparison{Promise: {}}}
	e.Skids["balanced"] = figures.Skids{Bars: make([]int, figures.SkidBars)}
	e.Skids["precise"] = figures.SkidsOf([]*profile.Profile{stackProfile(sampled{"a", 1, profile.Exit})})
	r.Skipped = []Skip{{Engine: "node", Program: name, Ways: "all", Reason: "it said " + name + "\nand more"}}
	return r
}

func TestHostileNames(t *testing.T) {
	r := hostile()
	page := must.Get(r.Accuracy(nil))(t)
	for what, text := range map[string]string{"table": r.Table(), "page": string(page)} {
		if strings.Contains(text, "<script") || strings.Contains(text, "\x1b") {
			t.Errorf("the %s has a name as it is", what)
		}
	}
}

// The plots are XML, and positions are numbers whatever the figures.
func TestPlots(t *testing.T) {
	plots := hostile().Plots(Costs{"node": {"balanced": {Value: 3, Low: -1, High: 900}, "precise": {}}, "lynx": {"fine": {}}})
	if len(plots) != 3 {
		t.Errorf("%d plots, want overlaps, a front and skids", len(plots))
	}
	for name, svg := range plots {
		if bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
			t.Errorf("%s: positions that are no numbers", name)
		}
		d := xml.NewDecoder(bytes.NewReader(svg))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

// The report and the details of its programs hold all there is, in two files, and the
// report's own tables need but the first.
func TestWrite(t *testing.T) {
	f := &fakes{}
	recordings := must.Get(f.collector().Run(t.Context(), small(1)))(t)
	report, folder := Evaluate(recordings, Terms{Resamples: 50}), t.TempDir()
	must.Write(t, folder, "bias-overlap-lynx.svg", "of a former report")
	must.Do(t, report.Write(folder))
	if _, err := os.Stat(filepath.Join(folder, "bias-overlap-lynx.svg")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a plot of a former report is still there: %v", err)
	}
	read := func(name string, into any) {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		must.Do(t, err)
	}
	var again Report
	var details map[string]map[string]map[string]*Cell
	read("bias.json", &again)
	read("bias-programs.json", &details)
	if again.Table() != report.Table() {
		t.Errorf("it was\n%s\nand is read as\n%s", report.Table(), again.Table())
	}
	whole, brief := details["goja"]["raytrace"]["precise"], again.Engines["goja"].Programs["raytrace"]["precise"]
	if len(whole.Rules) != len(rules) || len(whole.Overlaps) < 3 || len(brief.Rules) != 0 || len(brief.Overlaps) != 2 {
		t.Errorf("whole %+v\nbrief %+v", whole, brief)
	}
}
