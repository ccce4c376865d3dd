package recording

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/node"
	"github.com/fieldprof/fieldprof/runtime"
)

// CaptureNodeReport is the cost of a sample to the sampled thread in V8.
type CaptureNodeReport struct {
	figures.Origin
	Rows []CaptureNodeRow `json:"rows"`
}

// CaptureNodeRow is one depth of stack: Known with stacks that recur, Fresh with stacks
// that are all new.
type CaptureNodeRow struct {
	Depth int             `json:"depth"`
	Known CaptureNodeCost `json:"known"`
	Fresh CaptureNodeCost `json:"fresh"`
}

// CaptureNodeCost is in microseconds a sample, of each round: in the check that
// takes it, and when it is read in idle time.
type CaptureNodeCost struct {
	Capture []float64 `json:"capture"`
	Read    []float64 `json:"read"`
}

// Share is the thread's time, in percent, that sampling every 10 ms takes.
func (c CaptureNodeCost) Share() float64 {
	return (figures.Median(c.Capture) + figures.Median(c.Read)) / 100
}

// CaptureNode measures it in Node, with the runtime as it is deployed.
func CaptureNode(ctx context.Context, runs int) (*CaptureNodeReport, error) {
	folder, err := os.MkdirTemp("", "bench-capture-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	if err := os.CopyFS(folder, runtime.Files()); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "package.json"), []byte(`{"type":"module"}`), 0o644); err != nil {
		return nil, err
	}
	report := &CaptureNodeReport{Origin: figures.Runs("capture-node", runs)}
	return report, node.Run(ctx, &report.Rows, nil, "capture.mjs", folder, strconv.Itoa(max(10, runs)))
}

// Table implements figures.Report.
func (r *CaptureNodeReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "What a sample costs the sampled thread in V8 (Node), in microseconds, median of the rounds; share is of the thread at 10 ms.\n%s.\n\n", r.InShort())
	b.WriteString("| depth | capture | reading, known stacks | share | reading, new stacks | share |\n|---|---|---|---|---|---|\n")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "| %d | %.1f | %.1f | %.2f %% | %.1f | %.2f %% |\n", row.Depth, figures.Median(row.Known.Capture),
			figures.Median(row.Known.Read), row.Known.Share(), figures.Median(row.Fresh.Read), row.Fresh.Share())
	}
	return b.String()
}
