package building

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// ConvertReport is the cost of `instrument convert` on a large .cpuprofile.
type ConvertReport struct {
	figures.Origin
	Bytes   int64        `json:"bytes"` // of the file
	Nodes   int          `json:"nodes"`
	Samples int64        `json:"samples"`
	Rows    []ConvertRow `json:"rows"`
}

// ConvertRow is one format to convert to: medians of the runs, and the most memory
// of any of them.
type ConvertRow struct {
	To   string        `json:"to"`
	Wall time.Duration `json:"wallNs"`
	CPU  time.Duration `json:"cpuNs"`
	MBps float64       `json:"megabytesPerSecond"` // of input, by wall time
	Peak int64         `json:"peakMemoryBytes"`
	Out  int64         `json:"bytesWritten"`
}

// convertSize is the size of the generated file, convertNodes its number of call
// nodes.
const (
	convertSize  = 1 << 30
	convertNodes = 300_000
)

// Convert makes a .cpuprofile of a gigabyte as V8 writes them, and runs the command
// that converts it, as a process.
func Convert(ctx context.Context, runs int, progress figures.Progress) (*ConvertReport, error) {
	folder, err := os.MkdirTemp("", "fieldprof-convert-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	report := &ConvertReport{Origin: figures.Runs("convert", runs), Nodes: convertNodes}
	program, err := buildInstrument(ctx, folder)
	if err != nil {
		return nil, err
	}
	in := filepath.Join(folder, "large.cpuprofile")
	progress.Show("making a file")
	if report.Samples, err = makeLarge(in); err != nil {
		return nil, err
	}
	info, err := os.Stat(in)
	if err != nil {
		return nil, err
	}
	report.Bytes = info.Size()
	for _, to := range []string{".pb.gz", ".folded", ".cpuprofile"} {
		row := ConvertRow{To: to}
		var used usage
		for run := range runs {
			progress.Show("%s, run %d of %d", to, run+1, runs)
			out := filepath.Join(folder, "out"+to)
			if err := used.run(exec.CommandContext(ctx, program, "convert", in, out)); err != nil {
				return nil, err
			}
			if info, err = os.Stat(out); err != nil {
				return nil, err
			}
			row.Out = info.Size()
			os.Remove(out)
		}
		row.Wall, row.CPU, row.Peak = used.wall(), used.cpu(), used.peak
		row.MBps = float64(report.Bytes) / 1e6 / row.Wall.Seconds()
		report.Rows = append(report.Rows, row)
	}
	return report, nil
}

// makeLarge writes a file as V8 does: nodes first, then the samples and their
// deltas, of about 100 µs. Nodes are children of recent ones, so stacks are some
// twenty deep; a sample is mostly near the one before.
func makeLarge(path string) (samples int64, err error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	r := rand.New(rand.NewPCG(7, 1))
	out := bufio.NewWriterSize(file, 1<<20)
	children := make([][]int, convertNodes+1)
	for id := 2; id <= convertNodes; id++ {
		parent := 1 + r.IntN(id-1)
		if id > 100 && r.IntN(10) > 0 {
			parent = id - 1 - r.IntN(60)
		}
		children[parent] = append(children[parent], id)
	}
	written := 0
	put := func(text string) {
		n, _ := out.WriteString(text) // Flush reports it
		written += n
	}
	put(`{"nodes":[`)
	for id := 1; id <= convertNodes; id++ {
		name, line, url := "(root)", -1, ""
		if id > 1 {
			line = id % 9000
			name, url = fmt.Sprintf("function%d", line), fmt.Sprintf("file:///srv/app/node_modules/package%d/lib/index.js", line%300)
			put(",")
		}
		var list []string
		for _, c := range children[id] {
			list = append(list, strconv.Itoa(c))
		}
		put(fmt.Sprintf(`{"id":%d,"callFrame":{"functionName":"%s","scriptId":"%d","url":"%s","lineNumber":%d,"columnNumber":%d},"hitCount":0,"children":[%s]}`,
			id, name, line%300, url, line, line%80, strings.Join(list, ",")))
	}
	// A sample takes its id, a delta and two commas.
	samples = int64(convertSize-written) / int64(len("299999,100,")-1)
	put(`],"startTime":1000000,"endTime":` + strconv.FormatInt(1_000_000+samples*102, 10) + `,"samples":[`)
	at := 2
	number := func(i int64, v int) {
		if i > 0 {
			put(",")
		}
		put(strconv.Itoa(v))
	}
	for i := range samples {
		if at = max(2, min(convertNodes, at+r.IntN(41)-20)); i%1000 == 0 {
			at = 2 + r.IntN(convertNodes-1)
		}
		number(i, at)
	}
	put(`],"timeDeltas":[`)
	for i := range samples {
		number(i, 90+r.IntN(21))
	}
	put("]}\n")
	if err := out.Flush(); err != nil {
		return 0, err
	}
	return samples, file.Close()
}

// Table implements figures.Report.
func (r *ConvertReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. A .cpuprofile of %.2f GB: %d nodes, %.1f million samples.\n\n",
		r.WithGo(), float64(r.Bytes)/1e9, r.Nodes, float64(r.Samples)/1e6)
	b.WriteString("| to | wall | CPU | read, MB/s | peak memory, GiB | written, MB |\n|---|---|---|---|---|---|\n")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "| %s | %.1fs | %.1fs | %.0f | %.2f | %.0f |\n", row.To, row.Wall.Seconds(), row.CPU.Seconds(), row.MBps, float64(row.Peak)/(1<<30), float64(row.Out)/1e6)
	}
	return b.String()
}
