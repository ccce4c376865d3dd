package recording

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost"
	"github.com/fieldprof/fieldprof/runtime"
)

// CaptureReport is the cost of one capture by depth of stack.
type CaptureReport struct {
	figures.Origin
	Rows []CaptureRow `json:"rows"`
}

// CaptureRow is one depth: nanoseconds that a capture adds to a check when the
// stack is the last one again, and when it differs from the last one all the
// way down; and the bytes a capture allocates (a sample's place in its chunk).
type CaptureRow struct {
	Depth     int       `json:"depth"`
	Same      float64   `json:"sameStackNs"`
	Different float64   `json:"differentStackNs"`
	Runs      []float64 `json:"sameStackRuns"`
	Bytes     int64     `json:"bytesPerCapture"`
}

// Capture measures captures by a flag that is up at every check.
func Capture(runs int, progress figures.Progress) (*CaptureReport, error) {
	report := &CaptureReport{Origin: figures.Runs("capture", runs)}
	for _, depth := range []int{10, 50, 200, 1000} {
		row := CaptureRow{Depth: depth}
		var different []float64
		for run := range runs {
			progress.Show("capture, depth %d, run %d of %d", depth, run+1, runs)
			same, bytes, err := captureDifference("stay", depth)
			if err != nil {
				return nil, err
			}
			other, _, err := captureDifference("turns", depth)
			if err != nil {
				return nil, err
			}
			row.Runs = append(row.Runs, same)
			different = append(different, other)
			row.Bytes = bytes
		}
		row.Same, row.Different = figures.Median(row.Runs), figures.Median(different)
		report.Rows = append(report.Rows, row)
	}
	return report, nil
}

// captured is a script with a check of its own, written by hand, so that
// exactly one capture happens a turn: at the bottom of one stack again and
// again, or of two stacks in turn that share nothing but their outermost frame.
const captured = `function leaf() { var f = $flag; if (f) $capture(2); }
function one(d) { if (d > 0) { one(d - 1); } else { leaf(); } }
function two(d) { if (d > 0) { two(d - 1); } else { leaf(); } }
function stay(d, n) { if (d > 0) { stay(d - 1, n); } else { var f = $flag; for (var i = 0; i < n; i++) if (f) $capture(2); } }
function turns(d, n) { for (var i = 0; i < n; i += 2) { one(d); two(d); } }`

// captureCost is the time of one turn at a depth of stack, with the flag down
// or up.
func captureCost(function string, depth int, armed bool) (ns float64, bytes int64, failure error) {
	host, err := handChecked(captured, coordinator.New(coordinator.Options{}), armed)
	if err != nil {
		return 0, 0, err
	}
	vm := host.Runtime()
	call, _ := goja.AssertFunction(vm.Get(function))
	result := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		if _, err := call(goja.Undefined(), vm.ToValue(depth-2), vm.ToValue(b.N)); err != nil {
			failure = err
		}
	})
	return float64(result.T.Nanoseconds()) / float64(result.N), result.AllocedBytesPerOp(), failure
}

// handChecked is a host with a script whose checks, of $flag and $capture, were written by
// hand. Armed, its flag is up at every check.
func handChecked(script string, clock *coordinator.Coordinator, armed bool) (*gojahost.Host, error) {
	vm := goja.New()
	host := gojahost.New(vm, clock)
	if armed {
		host.Arm()
	}
	if err := host.Install(runtime.Bindings{GlobalFlag: "$flag", GlobalCapture: "$capture"}); err != nil {
		return nil, err
	}
	_, err := vm.RunString(script)
	return host, err
}

// captureDifference is what a capture adds to a turn.
func captureDifference(function string, depth int) (ns float64, bytes int64, err error) {
	idle, idleBytes, err := captureCost(function, depth, false)
	if err != nil {
		return 0, 0, err
	}
	armed, armedBytes, err := captureCost(function, depth, true)
	return armed - idle, armedBytes - idleBytes, err
}

// Table implements figures.Report.
func (r *CaptureReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Cost of one capture in goja, apart from the check itself, in nanoseconds.\n%s.\n\n", r.InShort())
	b.WriteString("| depth | same stack as the last | another stack | bytes |\n|---|---|---|---|\n")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "| %d | %.0f | %.0f | %d |\n", row.Depth, row.Same, row.Different, row.Bytes)
	}
	return b.String()
}
