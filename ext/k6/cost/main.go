// Command cost measures what the extension costs: load tests run with 50 virtual users,
// by turns with a profile, without, and without once more, which says how far two equal
// runs differ. The result is processor time, of the same iterations.
//
//	go run ./cost -runs 10 -out ../../bench/results
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"go.k6.io/k6/cmd"

	"github.com/fieldprof/fieldprof/bench/archive"
	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
	_ "github.com/fieldprof/fieldprof/ext/k6"
	"github.com/fieldprof/fieldprof/ext/k6/programs"
	"github.com/fieldprof/fieldprof/profile/format/pprof"
	"github.com/fieldprof/fieldprof/profile/view"
)

// asK6: this program is k6 with the extension.
const asK6 = "FIELDPROF_COST_AS_K6"

// users are the virtual ones.
const users = 50

func main() {
	if os.Getenv(asK6) != "" {
		cmd.Execute()
		return
	}
	runs := flag.Int("runs", 10, "runs of each program in each way, two at least")
	out := flag.String("out", "", "folder of results, as bench/results")
	only := flag.String("only", "", "the programs whose names contain this")
	preset := flag.String("preset", "balanced", "the preset")
	flag.Parse()
	if *runs < 2 {
		fmt.Fprintln(os.Stderr, "cost: -runs must be 2 or more")
		os.Exit(2)
	}
	if err := measure(*runs, *out, *only, *preset); err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
}

// Report is what the extension costs.
type Report struct {
	figures.Origin
	Users int   `json:"users"`
	Rows  []Row `json:"rows"`
	// WorstPercent is the highest of the rows' CPUPercent.
	WorstPercent float64 `json:"worstPercent"`
}

// Row is a program. Percents are means over the runs, with intervals: of a run with a profile
// against the mean of both clean ones, and of the second clean one against the first.
type Row struct {
	Program      string            `json:"program"`
	Iterations   int               `json:"iterations"`
	CleanCPU     float64           `json:"cleanCPUSeconds"` // the median
	CPUPercent   estimate.Estimate `json:"cpuPercent"`      // more processor time with a profile
	AgainPercent estimate.Estimate `json:"againPercent"`    // and in a second clean run
	TookPercent  estimate.Estimate `json:"tookPercent"`     // longer median iterations with a profile
	TookAgain    estimate.Estimate `json:"tookAgainPercent"`
	Hottest      string            `json:"hottest"`      // function
	HottestShare float64           `json:"hottestShare"` // of the samples, in percent, the median
	Right        int               `json:"right"`        // runs in which the profile names it first
	Runs         int               `json:"runs"`
}

func measure(runs int, out, only, preset string) error {
	folder, err := os.MkdirTemp("", "cost")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := os.CopyFS(folder, programs.Scripts()); err != nil {
		return err
	}
	server := httptest.NewServer(programs.Shop())
	defer server.Close()
	report := &Report{Origin: figures.Here(fmt.Sprintf("-runs %d", runs)), Users: users}
	report.Command = fmt.Sprintf("go run ./cost -runs %d (in ext/k6)", runs)
	for _, p := range programs.All {
		if !strings.Contains(p.Name, only) {
			continue
		}
		row, err := measureOne(folder, server.URL, preset, p, runs)
		if err != nil {
			return err
		}
		report.Rows = append(report.Rows, row)
		report.WorstPercent = max(report.WorstPercent, row.CPUPercent.Value)
	}
	fmt.Print(report.Table())
	if out == "" {
		return nil
	}
	return archive.Record(out, map[string]figures.Report{"k6": report})
}

// run is what a k6 used.
type run struct {
	cpu, median float64 // seconds; milliseconds of an iteration
	counts      string
}

func measureOne(folder, base, preset string, p programs.Program, runs int) (Row, error) {
	row := Row{Program: p.Name, Iterations: p.Iterations, Runs: runs, Hottest: p.Hottest}
	var clean, cpu, again, took, tookAgain, share []float64
	ways := [][]string{nil, {"--out", "fieldprof=out.pb.gz,preset=" + preset}, nil}
	for n := range runs {
		got := make([]run, len(ways))
		for i := range ways {
			way := (i + n) % len(ways) // no way always comes first
			var err error
			if got[way], err = runK6(folder, base, p, ways[way]); err != nil {
				return row, err
			}
		}
		if got[1].counts != got[0].counts || got[2].counts != got[0].counts {
			return row, fmt.Errorf("%s: the metrics differ: %s, %s, %s", p.Name, got[0].counts, got[1].counts, got[2].counts)
		}
		cleaner := (got[0].cpu + got[2].cpu) / 2
		clean = append(clean, cleaner)
		cpu, again = append(cpu, ratio(got[1].cpu, cleaner)), append(again, ratio(got[2].cpu, got[0].cpu))
		took, tookAgain = append(took, ratio(got[1].median, (got[0].median+got[2].median)/2)), append(tookAgain, ratio(got[2].median, got[0].median))
		name, part, err := hottest(filepath.Join(folder, "out.pb.gz"))
		if err != nil {
			return row, err
		}
		if share = append(share, part); name == p.Hottest {
			row.Right++
		}
		fmt.Fprintf(os.Stderr, "%s %d: %+.1f %%, again %+.1f %%, %s %.0f %%\n", p.Name, n+1, 100*math.Expm1(cpu[n]), 100*math.Expm1(again[n]), name, part)
	}
	percents := func(ratios []float64, seed uint64) estimate.Estimate {
		return estimate.Stratified([][]float64{ratios}, seed).Percents()
	}
	row.CleanCPU, row.CPUPercent, row.AgainPercent = figures.Median(clean), percents(cpu, 1), percents(again, 2)
	row.TookPercent, row.TookAgain, row.HottestShare = percents(took, 3), percents(tookAgain, 4), figures.Median(share)
	return row, nil
}

// ratio is a logarithm, as means of ratios are taken.
func ratio(a, b float64) float64 { return math.Log(a / b) }

// runK6 runs a program in a process of its own.
func runK6(folder, base string, p programs.Program, out []string) (run, error) {
	self, err := os.Executable()
	if err != nil {
		return run{}, err
	}
	arguments := append([]string{"run", "--quiet", "--address", "", "--summary-export", "summary.json"}, out...)
	c := exec.Command(self, append(arguments, p.Script)...)
	c.Dir = folder
	c.Env = append(os.Environ(), asK6+"=1", "K6_NO_USAGE_REPORT=true", "K6_AUTO_EXTENSION_RESOLUTION=false",
		"BASE="+base, "USERS="+strconv.Itoa(users), "ITERATIONS="+strconv.Itoa(p.Iterations))
	if text, err := c.CombinedOutput(); err != nil {
		return run{}, fmt.Errorf("%s: %w: %s", p.Name, err, text)
	}
	text, err := os.ReadFile(filepath.Join(folder, "summary.json"))
	if err != nil {
		return run{}, err
	}
	var summary struct {
		Metrics map[string]map[string]any `json:"metrics"`
	}
	if err := json.Unmarshal(text, &summary); err != nil {
		return run{}, err
	}
	m := summary.Metrics
	median, _ := m["iteration_duration"]["med"].(float64)
	return run{(c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), median,
		fmt.Sprint(m["iterations"]["count"], m["http_reqs"]["count"], m["checks"]["passes"], m["checks"]["fails"])}, nil
}

// hottest is the function with most time of its own, and its share in percent.
func hottest(path string) (name string, share float64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	p, err := pprof.Read(file)
	if err != nil {
		return "", 0, err
	}
	for _, row := range view.Flat(p) {
		if row.SelfPercent > share {
			name, share = row.Name, row.SelfPercent
		}
	}
	return name, share, nil
}

func change(e estimate.Estimate) string { return figures.Change(e.Value, e.Low, e.High) }

// Table implements figures.Report.
func (r *Report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Processor time of k6 with %d virtual users, recorded every 10 ms against clean, in percent, with 95 %% intervals, from paired runs.\n"+
		"*Again* is a second clean run against the first. *Took* is the median iteration.\n%s.\n\n", r.Users, r.WithGo())
	b.WriteString("| program | iterations | clean, CPU s | recorded | again | took | again | hottest function | its share | named first |\n|---|---:|---:|---:|---:|---:|---:|---|---:|---:|\n")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "| %s | %d | %.2f | %s | %s | %s | %s | %s | %.0f | %d of %d |\n", figures.Cell(row.Program), row.Iterations, row.CleanCPU,
			change(row.CPUPercent), change(row.AgainPercent), change(row.TookPercent), change(row.TookAgain), figures.Cell(row.Hottest), row.HottestShare, row.Right, row.Runs)
	}
	return b.String()
}
