package recording

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost"
	"github.com/fieldprof/fieldprof/internal/cputime"
	"github.com/fieldprof/fieldprof/transform"
)

// StoppedReport compares the cost of checks in goja while the clock is stopped with their cost while it runs.
type StoppedReport struct {
	figures.Origin
	Interval time.Duration `json:"intervalNs"`
	Rounds   int           `json:"rounds"`
	Rows     []StoppedRow  `json:"rows"`
}

// StoppedRow is a preset and a way to run its program: processor time more than that of the
// clean program, in percent, of the script's thread and of the whole process.
type StoppedRow struct {
	Preset  string         `json:"preset"`
	Way     string         `json:"way"`
	Thread  figures.Spread `json:"thread"`
	Process figures.Spread `json:"process"`
}

// mixed is a program whose functions are small and large, with loops and without.
const mixed = `
function leaf(x) { return (x * 31 + 7) % 65521 }
function sum(n) { let s = 1; for (let i = 0; i < n; i++) s = leaf(s + i); return s }
function order(n) {
  const list = [];
  for (let i = 0; i < n; i++) list.push((i * 7919) % 97);
  return list.sort((a, b) => a - b)[0];
}
function tree(depth) { return depth ? tree(depth - 1) + tree(depth - 1) : 1 }
function work(turns) { let s = 0; for (let i = 0; i < turns; i++) s += sum(400) + order(40) + tree(6); return s }
`

const (
	turnsEach   = 200 // of a block, which takes some 50 ms
	roundsEach  = 10  // rounds of a run
	recordEvery = 10 * time.Millisecond
)

// runtimeWay is a runtime with the program, and how it runs.
type runtimeWay struct {
	work  func() error
	clock *coordinator.Coordinator // nil: clean
	runs  bool                     // its clock does while it works
}

// Ways, in the order of the report. The first is what the others are compared with; the
// second is the same.
const (
	cleanWay = iota
	againWay
	neverWay
	stoppedWay
	recordingWay
	ways
)

var wayNames = [ways]string{"clean", "clean again", "never started", "stopped", "recording"}

// spent is processor time: of a thread, and of the process.
type spent struct{ thread, process float64 }

// Stopped runs a program in several runtimes by turns. Each round makes them anew, because
// where a runtime's memory is makes it faster or slower.
func Stopped(ctx context.Context, runs int, progress figures.Progress) (*StoppedReport, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	rounds := runs * roundsEach
	report := &StoppedReport{Origin: figures.Runs("stopped", runs), Interval: recordEvery, Rounds: rounds}
	presets := []transform.Preset{transform.Balanced, transform.Precise}
	found := make([][ways][]spent, len(presets))
	order := rand.New(rand.NewPCG(1, 1))
	for n := range rounds {
		for i, preset := range presets {
			progress.Show("stopped, %s, round %d of %d", preset, n+1, rounds)
			took, err := stoppedRound(ctx, preset, order)
			if err != nil {
				return nil, err
			}
			for way := range took {
				found[i][way] = append(found[i][way], took[way])
			}
		}
	}
	for i, preset := range presets {
		report.Rows = append(report.Rows, stoppedRows(preset.String(), &found[i])...)
	}
	return report, nil
}

// stoppedRound has each way work twice, in a random order and back.
func stoppedRound(ctx context.Context, preset transform.Preset, order *rand.Rand) (took [ways]spent, err error) {
	var all [ways]*runtimeWay
	for _, way := range order.Perm(ways) { // whose memory is made first differs, too
		if all[way], err = newWay(way, preset); err != nil {
			return took, err
		}
	}
	turn := order.Perm(ways)
	for i := range 2 * ways {
		if err := ctx.Err(); err != nil {
			return took, err
		}
		way := turn[min(i, 2*ways-1-i)]
		one, err := all[way].block()
		if err != nil {
			return took, err
		}
		took[way].thread += one.thread
		took[way].process += one.process
	}
	return took, nil
}

// newWay makes a runtime, and has it work once.
func newWay(way int, preset transform.Preset) (*runtimeWay, error) {
	vm := goja.New()
	w := &runtimeWay{runs: way == recordingWay}
	work := func() (goja.Callable, error) {
		fn, ok := goja.AssertFunction(vm.Get("work"))
		if !ok {
			return nil, errors.New("the program has no function work")
		}
		return fn, nil
	}
	if way == cleanWay || way == againWay {
		if _, err := vm.RunScript("mixed.js", mixed); err != nil {
			return nil, err
		}
		fn, err := work()
		if err != nil {
			return nil, err
		}
		w.work = func() error { _, err := fn(nil, vm.ToValue(turnsEach)); return err }
		return w, w.work()
	}
	w.clock = coordinator.New(coordinator.Options{Interval: recordEvery})
	host := gojahost.New(vm, w.clock)
	program, _, err := host.CompileWith([]byte(mixed), transform.Options{File: "mixed.js", Selection: transform.Selection{Preset: preset}})
	if err != nil {
		return nil, err
	}
	if _, err := host.RunProgram(program); err != nil {
		return nil, err
	}
	fn, err := work()
	if err != nil {
		return nil, err
	}
	task := host.Callable(fn)
	w.work = func() error { _, err := task(nil, vm.ToValue(turnsEach)); return err }
	if way != neverWay {
		defer w.clock.Start()()
	}
	return w, w.work()
}

// block measures some work. Earlier garbage is collected first and does not count.
func (w *runtimeWay) block() (spent, error) {
	runtime.GC()
	if w.runs {
		defer w.clock.Start()()
	}
	process, known := cputime.Process()
	thread, ofThread := cputime.Thread()
	if !known || !ofThread {
		return spent{}, errors.New("this system does not tell the processor time of a thread")
	}
	err := w.work()
	threadAfter, _ := cputime.Thread()
	processAfter, _ := cputime.Process()
	return spent{float64(threadAfter - thread), float64(processAfter - process)}, err
}

// stoppedRows compares each way with the clean one: both clean ones, but for their own
// comparison.
func stoppedRows(preset string, found *[ways][]spent) (rows []StoppedRow) {
	for way := againWay; way < ways; way++ {
		var thread, process []float64
		for n, took := range found[way] {
			clean := found[cleanWay][n]
			if again := found[againWay][n]; way != againWay {
				clean = spent{(clean.thread + again.thread) / 2, (clean.process + again.process) / 2}
			}
			thread = append(thread, 100*(took.thread/clean.thread-1))
			process = append(process, 100*(took.process/clean.process-1))
		}
		rows = append(rows, StoppedRow{preset, wayNames[way], figures.SpreadOf(thread), figures.SpreadOf(process)})
	}
	return rows
}

// Table implements figures.Report.
func (r *StoppedReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Processor time of a program with checks in goja, more than without, while its clock was never started, is stopped\n"+
		"after a recording, and records each %v: of the script's thread, and of the process. Medians and quarters of %d rounds,\n"+
		"each with new runtimes that work by turns. *Clean again* is the program without checks against itself.\n%s.\n\n", r.Interval, r.Rounds, r.WithGo())
	b.WriteString("| preset | clock | thread | process |\n|---|---|---:|---:|\n")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", row.Preset, row.Way, row.Thread, row.Process)
	}
	return b.String()
}
