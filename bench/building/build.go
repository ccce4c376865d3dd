package building

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// BuildReport is the whole cost of `instrument DIR`: reading, transforming and
// writing a tree of built files with their maps.
type BuildReport struct {
	figures.Origin
	Files   int   `json:"files"`
	Bytes   int64 `json:"bytes"`       // of scripts and maps
	Scripts int64 `json:"scriptBytes"` // of scripts
	Largest int64 `json:"largestFileBytes"`
	// Bound is the promised memory: 8 times the largest file and 64 MB.
	Bound int64      `json:"memoryBoundBytes"`
	Rows  []BuildRow `json:"rows"`
	// Speedup is the wall time with one worker against that with two.
	Speedup float64 `json:"speedup"`
}

// BuildRow is one number of workers: medians of the runs, and the most memory of
// any of them.
type BuildRow struct {
	Workers int           `json:"workers"`
	Wall    time.Duration `json:"wallNs"`
	CPU     time.Duration `json:"cpuNs"`
	MBps    float64       `json:"scriptMegabytesPerSecond"`
	Peak    int64         `json:"peakMemoryBytes"`
}

// Build runs the command over a tree, with one worker and with two in turn, each
// time as a process.
func Build(ctx context.Context, runs int, progress figures.Progress) (*BuildReport, error) {
	folder, err := os.MkdirTemp("", "fieldprof-build-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	report := &BuildReport{Origin: figures.Runs("build", runs)}
	tree := filepath.Join(folder, "dist")
	if err := report.makeTree(folder, tree); err != nil {
		return nil, err
	}
	report.Bound = 8*report.Largest + 64<<20
	program, err := buildInstrument(ctx, folder)
	if err != nil {
		return nil, err
	}
	var used [2]usage // with one worker, and with two
	for run := range runs {
		for i := range used {
			workers := i + 1
			progress.Show("run %d of %d, %d workers", run+1, runs, workers)
			cmd := exec.CommandContext(ctx, program, tree, "--no-sizes", "--workers", fmt.Sprint(workers))
			cmd.Env = onProcessors(workers)
			if err := used[i].run(cmd); err != nil {
				return nil, err
			}
		}
	}
	for i := range used {
		wall := used[i].wall()
		report.Rows = append(report.Rows, BuildRow{Workers: i + 1, Wall: wall, CPU: used[i].cpu(), Peak: used[i].peak,
			MBps: float64(report.Scripts) / 1e6 / wall.Seconds()})
	}
	report.Speedup = report.Rows[0].Wall.Seconds() / report.Rows[1].Wall.Seconds()
	return report, nil
}

// makeTree copies the files of the speed bench, with their maps.
func (r *BuildReport) makeTree(folder, tree string) error {
	subjects, err := speedSubjects(folder, "")
	if err != nil {
		return err
	}
	if err := os.Mkdir(tree, 0o755); err != nil {
		return err
	}
	for i := range subjects {
		s := &subjects[i]
		code, sourceMap, err := s.load()
		if err != nil {
			return err
		}
		name := filepath.Join(tree, fmt.Sprintf("%02d-%s", i, filepath.Base(s.name)))
		if err := r.write(name, code); err != nil {
			return err
		}
		r.Scripts += int64(len(code))
		if sourceMap == nil {
			continue
		}
		if err := r.write(name+".map", sourceMap); err != nil {
			return err
		}
	}
	return nil
}

func (r *BuildReport) write(name string, data []byte) error {
	r.Files++
	r.Bytes += int64(len(data))
	r.Largest = max(r.Largest, int64(len(data)))
	return os.WriteFile(name, data, 0o644)
}

// Table implements figures.Report.
func (r *BuildReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. %d files, %.0f MB, %.0f MB of it scripts; the largest file has %.1f MB,\n",
		r.WithGo(), r.Files, float64(r.Bytes)/1e6, float64(r.Scripts)/1e6, float64(r.Largest)/1e6)
	fmt.Fprintf(&b, "so memory may reach %.0f MiB. Two workers are %.2f times as fast as one.\n\n", float64(r.Bound)/(1<<20), r.Speedup)
	b.WriteString("| workers | wall | CPU | scripts, MB/s | peak memory, MiB |\n|---|---|---|---|---|\n")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "| %d | %.2fs | %.2fs | %.0f | %.0f |\n", row.Workers, row.Wall.Seconds(), row.CPU.Seconds(), row.MBps, float64(row.Peak)/(1<<20))
	}
	return b.String()
}
