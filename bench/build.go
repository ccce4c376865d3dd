package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// BuildReport is what `instrument DIR` costs as a whole: reading, transforming
// and writing a tree of built files with their maps.
type BuildReport struct {
	Machine Machine `json:"machine"`
	Command string  `json:"command"`
	Files   int     `json:"files"`
	Bytes   int64   `json:"bytes"`       // of scripts and maps
	Scripts int64   `json:"scriptBytes"` // of scripts
	Largest int64   `json:"largestFileBytes"`
	// Bound is the memory that is promised: 8 times the largest file and 64 MB.
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

// Name implements Report.
func (*BuildReport) Name() string { return "build" }

// Build runs this very command over a tree, with one worker and with two in
// turn, and looks at each as a process.
func Build(ctx context.Context, runs int, progress io.Writer) (*BuildReport, error) {
	folder, err := os.MkdirTemp("", "fieldprof-build-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	report := &BuildReport{Machine: ThisMachine(), Command: fmt.Sprintf("instrument bench build --runs %d", runs)}
	tree := filepath.Join(folder, "dist")
	if err := report.makeTree(folder, tree); err != nil {
		return nil, err
	}
	report.Bound = 8*report.Largest + 64<<20
	workers := []int{1, 2}
	rows := make([]BuildRow, len(workers))
	walls, cpus := make([][]float64, len(workers)), make([][]float64, len(workers))
	for run := range runs {
		for i, n := range workers {
			fmt.Fprintf(progress, "\r\x1b[Krun %d of %d, %d workers", run+1, runs, n)
			wall, peak, state, err := runBuild(ctx, tree, n)
			if err != nil {
				return nil, err
			}
			walls[i] = append(walls[i], float64(wall))
			cpus[i] = append(cpus[i], float64(state.UserTime()+state.SystemTime()))
			rows[i].Peak = max(rows[i].Peak, peak)
		}
	}
	fmt.Fprint(progress, "\r\x1b[K")
	for i, n := range workers {
		rows[i].Workers, rows[i].Wall, rows[i].CPU = n, time.Duration(median(walls[i])), time.Duration(median(cpus[i]))
		rows[i].MBps = float64(report.Scripts) / 1e6 / rows[i].Wall.Seconds()
	}
	report.Rows = rows
	report.Speedup = rows[0].Wall.Seconds() / rows[1].Wall.Seconds()
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

// runBuild runs the command in a process of its own.
func runBuild(ctx context.Context, tree string, workers int) (wall time.Duration, peak int64, state *os.ProcessState, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, 0, nil, err
	}
	cmd := exec.CommandContext(ctx, self, tree, "--no-sizes", "--workers", fmt.Sprint(workers))
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "GOMAXPROCS=") }), fmt.Sprintf("GOMAXPROCS=%d", workers))
	return watch(cmd)
}

// watchMemory reads the most memory that a process has held, again and again
// until it ends. What the system says afterwards (ru_maxrss) counts the memory
// of the process that started it. It is 0 where there is no /proc.
func watchMemory(pid int, ended <-chan struct{}) (peak int64) {
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if _, rest, ok := bytes.Cut(status, []byte("VmHWM:")); ok {
			var kilobytes int64
			if _, err := fmt.Sscan(string(rest), &kilobytes); err == nil {
				peak = max(peak, kilobytes<<10)
			}
		}
		select {
		case <-ended:
			return peak
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// Table implements Report.
func (r *BuildReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "`%s`, %s, %d CPUs, %s. %d files, %.0f MB, %.0f MB of it scripts; the largest file has %.1f MB,\n",
		r.Command, r.Machine.When, r.Machine.CPUs, r.Machine.Go, r.Files, float64(r.Bytes)/1e6, float64(r.Scripts)/1e6, float64(r.Largest)/1e6)
	fmt.Fprintf(&b, "so memory may reach %.0f MiB. Two workers are %.2f times as fast as one.\n\n", float64(r.Bound)/(1<<20), r.Speedup)
	b.WriteString("| workers | wall | CPU | scripts, MB/s | peak memory, MiB |\n|---|---|---|---|---|\n")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "| %d | %.2fs | %.2fs | %.0f | %.0f |\n", row.Workers, row.Wall.Seconds(), row.CPU.Seconds(), row.MBps, float64(row.Peak)/(1<<20))
	}
	return b.String()
}
