package k6

import (
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"go.k6.io/k6/js/modules"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
)

// byHand makes the tests' k6 one whose clock only scripts move, and which waits for a
// second after each iteration.
const byHand = "FIELDPROF_TEST_BY_HAND"

// passing is a module of such a k6: a call of pass takes so many microseconds.
type passing struct{ now atomic.Int64 }

func moveByHand() {
	p := &passing{}
	handClock = func() time.Duration { return time.Duration(p.now.Load()) }
	modules.Register("k6/x/passing", p)
}

func (p *passing) NewModuleInstance(vu modules.VU) modules.Instance {
	ended := subscribe(vu.Events().Local.Subscribe, "IterEnd")
	go func() {
		for e := range ended {
			p.now.Add(int64(time.Second))
			e.Done()
		}
	}()
	return &instance{modules.Exports{Named: map[string]any{"pass": func(us int64) { p.now.Add(us * int64(time.Microsecond)) }}}}
}

// The wait of a virtual user between iterations is charged to no function, wherever the function
// that k6 calls is and whether it has a check.
func TestWaitsBetweenIterations(t *testing.T) {
	const parse = "import { pass } from 'k6/x/passing';\nfunction parse() { for (let i = 0; i < 5000; i++) { pass(10); for (let j = 0; j < 2; j++) j += 0 } }\nparse();\n"
	for name, files := range map[string]map[string]string{
		"declared":    {"main.js": parse + "export default function () { parse() }"},
		"by its name": {"main.js": parse + "function visit() { parse() }\nexport default visit;"},
		"elsewhere":   {"main.js": "export { visit as default } from './visit.js';", "visit.js": parse + "export function visit() { parse() }"},
		"everything":  {"main.js": "import { visit } from './visit.js';\nexport * from './visit.js';\nexport default visit;", "visit.js": parse + "export function visit() { parse() }"},
		"a bundle": {"main.js": "var r = { 1: (m, e) => { const { pass } = require('k6/x/passing'); function parse() { for (let i = 0; i < 5000; i++) { pass(10); for (let j = 0; j < 2; j++) j += 0 } } parse();" +
			" e.default = () => parse() } }, m = { exports: {} };\nr[1](m, m.exports);\nexports.default = m.exports.default;"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
			must.WriteTree(t, folder, files)
			c := command(t, folder, append([]string{byHand + "=1"}, run("--out", "fieldprof=out.pb.gz,interval=1ms", "-u", "1", "-i", "20", "main.js")...)...)
			output, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, output)
			}
			p := must.Get(format.ReadFile(filepath.Join(folder, "out.pb.gz")))(t)
			worked := int64(0)
			for i := range p.Len() {
				if s := p.Sample(i); s.Kind != profile.Lost {
					worked += int64(s.Weight)
				}
			}
			// All iterations take a second, as does the wait after each of them.
			if worked == 0 || worked > 2000 {
				t.Errorf("%d ticks of 1 ms in 20 iterations: %+v", worked, p.Meta.Ticks)
			}
		})
	}
}

// The events that k6 has are those that are asked for by name.
func TestEventNames(t *testing.T) {
	if subscribe(func(...kind) (uint64, <-chan int) { return 0, make(chan int) }, "IterStart") != nil {
		t.Error("an event that does not exist")
	}
}

type kind uint8

func (kind) String() string { return "other" }
