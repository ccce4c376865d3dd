package overhead

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
	"github.com/dop251/goja_nodejs/buffer"
	"github.com/dop251/goja_nodejs/console"
	"github.com/dop251/goja_nodejs/process"
	"github.com/dop251/goja_nodejs/require"
	"github.com/dop251/goja_nodejs/url"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost"
	"github.com/fieldprof/fieldprof/internal/cputime"
	"github.com/fieldprof/fieldprof/transform"
)

// turns runs two builds of a program in turns, in one runtime of goja, as turns.mjs does
// in other engines.
type turns struct {
	order   *Order
	rng     *rand.Rand
	coord   *coordinator.Coordinator
	stop    func() // of the recording; nil without one
	iterate [2]func(rounds int) error
	lines   strings.Builder // of the current turn
	said    [2][]string
	warm    [2][]float64 // ns of the thread, by build
	rounds  int
	extra   float64 // planted work, in ns of the thread
	counter *os.File
	epoch   time.Time
	result  Result
}

// maxDepth of a program's stack, as engine/goja has it.
const maxDepth = 20_000

// warming is the number of the phase that is not measured.
const warming = -1

// runGoja follows an order. The samples are kept by the host and thrown away.
func runGoja(o *Order) (*Result, error) {
	runtime.LockOSThread() // whose time is the main thread's
	t := &turns{order: o, rng: rand.New(rand.NewPCG(uint64(o.Seed), 1)), epoch: time.Now()}
	if o.Counter > 0 {
		t.counter = os.NewFile(uintptr(o.Counter), "counter")
	}
	if err := t.load(); err != nil {
		return nil, err
	}
	if err := t.run(); err != nil {
		return nil, err
	}
	t.result.Rounds, t.result.Clock = t.rounds, o.Clock
	for i := range min(len(t.said[clean]), len(t.said[checked])) {
		t.result.Differs = t.result.Differs || t.said[clean][i] != t.said[checked][i]
	}
	t.result.Printed = strings.Join(t.said[clean], "")+strings.Join(t.said[checked], "") != ""
	return &t.result, nil
}

// Log, Warn and Error make turns the console's printer.
func (t *turns) Log(s string)   { t.lines.WriteString(s + "\n") }
func (t *turns) Warn(s string)  {}
func (t *turns) Error(s string) {}

// load makes the runtime and loads both builds into it.
func (t *turns) load() error {
	vm := goja.New()
	vm.SetMaxCallStackSize(maxDepth)
	registry := require.NewRegistry(require.WithLoader(func(string) ([]byte, error) { return nil, require.ModuleFileDoesNotExistError }))
	registry.RegisterNativeModule(console.ModuleName, console.RequireWithPrinter(t))
	registry.Enable(vm)
	console.Enable(vm)
	buffer.Enable(vm)
	url.Enable(vm)
	process.Enable(vm)
	argv := vm.NewArray("goja", t.order.Program, "0.001")
	if err := vm.Get("process").ToObject(vm).Set("argv", argv); err != nil {
		return err
	}
	t.coord = coordinator.New(coordinator.Options{Interval: time.Duration(t.order.Interval * float64(time.Millisecond)), Seed: uint64(t.order.Seed) | 1})
	host := gojahost.New(vm, t.coord)
	order := []int{clean, checked}
	if t.order.Swap {
		order = []int{checked, clean}
	}
	if t.order.Only != nil {
		order = []int{*t.order.Only}
	}
	for _, build := range order {
		if err := t.loadBuild(vm, host, build); err != nil {
			return err
		}
	}
	return nil
}

// loadBuild runs a build's script, and takes the function that the bench put into it.
func (t *turns) loadBuild(vm *goja.Runtime, host *gojahost.Host, build int) error {
	code, err := os.ReadFile(t.order.Builds[build])
	if err != nil {
		return err
	}
	checks := build == checked && t.order.Preset != ""
	var program *goja.Program
	if checks {
		preset, err := transform.ParsePreset(t.order.Preset)
		if err != nil {
			return err
		}
		program, _, err = host.CompileWith(code, transform.Options{File: "checked.js", Selection: transform.Selection{Preset: preset}})
		if err != nil {
			return err
		}
	} else {
		parsed, err := goja.Parse("clean.js", string(code), parser.WithDisableSourceMaps)
		if err != nil {
			return err
		}
		if program, err = goja.CompileAST(parsed, false); err != nil {
			return err
		}
	}
	if _, err := vm.RunProgram(program); err != nil {
		return err
	}
	iterate, ok := goja.AssertFunction(vm.Get("__iterate"))
	if !ok {
		return errors.New("the build has no function to call")
	}
	if checks {
		iterate = host.Callable(iterate) // ticks in between belong to no function
	}
	t.iterate[build] = func(rounds int) error {
		_, err := iterate(goja.Undefined(), vm.ToValue(rounds))
		return err
	}
	return vm.GlobalObject().Delete("__iterate")
}

// run measures the phases. There is nothing to warm up but the caches: the block by which
// turns get their length is enough.
func (t *turns) run() error {
	rounds := cmp.Or(t.order.Rounds, t.order.Fewest)
	t.rounds = rounds
	took, err := t.warmUp()
	if err != nil {
		return err
	}
	if t.order.Rounds == 0 {
		t.rounds = max(rounds, int(math.Round(1e6*float64(rounds)*t.order.Turn/took)))
	}
	t.extra = t.order.Extra * took * float64(t.rounds) / float64(rounds)
	for i, phase := range t.order.Phases {
		switch phase.Begin {
		case "record":
			t.stop = t.coord.Start()
		case "stop":
			t.end()
		}
		if err := t.phase(i, phase); err != nil {
			return err
		}
	}
	t.end()
	return nil
}

func (t *turns) end() {
	if t.stop != nil {
		t.stop()
	}
	t.stop = nil
}

// warmUp returns the median time of a turn of the clean build, or of the only one, in ns.
func (t *turns) warmUp() (float64, error) {
	err := t.phase(warming, Phase{})
	build := clean
	if t.order.Only != nil {
		build = *t.order.Only
	}
	return figures.Median(t.warm[build]), err
}

// pattern is a block of turns: ABBA or BAAB.
func (t *turns) pattern(only *int) [4]int {
	if only != nil {
		return [4]int{*only, *only, *only, *only}
	}
	first := t.rng.IntN(2)
	return [4]int{first, 1 - first, 1 - first, first}
}

func (t *turns) phase(number int, p Phase) error {
	only := p.Only
	if only == nil {
		only = t.order.Only
	}
	spent := 0.
	for block := 0; block < max(1, p.Blocks) || spent < p.Ms; block++ {
		for _, build := range t.pattern(only) {
			took, err := t.turn(number, block, build)
			if err != nil {
				return err
			}
			if build == checked || only != nil {
				spent += took
			}
		}
	}
	return nil
}

// turn runs a build once, and returns the time in milliseconds.
func (t *turns) turn(phase, block, build int) (float64, error) {
	t.lines.Reset()
	before, err := t.meter()
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if err := t.iterate[build](t.rounds); err != nil {
		return 0, err
	}
	if build == checked && t.extra > 0 {
		for until := threadTime() + t.extra; threadTime() < until; {
		}
	}
	took := milliseconds(time.Since(began))
	after, err := t.meter()
	if err != nil {
		return 0, err
	}
	t.said[build] = append(t.said[build], t.lines.String())
	if phase == warming {
		t.warm[build] = append(t.warm[build], after[mainMeter]-before[mainMeter])
		return took, nil
	}
	row := []float64{float64(phase), float64(build), float64(block)}
	for i := range after {
		row = append(row, after[i]-before[i])
	}
	t.result.Turns = append(t.result.Turns, row)
	return took, nil
}

// meter reads the clocks.
func (t *turns) meter() ([]float64, error) {
	all, _ := cputime.Process()
	values := []float64{threadTime(), float64(all), float64(time.Since(t.epoch)), 0}
	if t.counter != nil {
		count, err := readCounter(t.counter)
		if err != nil {
			return nil, fmt.Errorf("reading the counter: %w", err)
		}
		values[instructionMeter] = float64(count)
	}
	return values, nil
}
