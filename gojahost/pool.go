package gojahost

import (
	"bytes"
	"fmt"
	"sync"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// Pool records any number of runtimes together, which come and go: servers have one for
// each request, tenant or processor. Its programs are instrumented and compiled once, and
// its profiles are those of all runtimes, also of those that are gone, while their
// scripts run. Its methods may be called from any goroutine.
//
//	pool := gojahost.NewPool(clock, gojahost.Options{Keep: time.Hour})
//	rules, err := pool.Compile("rules.js", source)
//	…
//	host, err := pool.Host(vm)                        // for each runtime
//	program, err := rules.In(host)
//	_, err = host.As("tenant", name).RunProgram(program)
//	…
//	p := profile.Attribute(pool.Last(time.Minute), profile.BySite)
type Pool struct {
	recording *recording

	mu       sync.Mutex
	programs map[programKey]*Program
}

// NewPool makes a pool whose runtimes have their ticks from a coordinator.
func NewPool(c *coordinator.Coordinator, options Options) *Pool {
	return &Pool{recording: newRecording(c, options), programs: map[programKey]*Program{}}
}

// Host makes a runtime observable as one of the pool. It fails if the runtime has a host
// already. A runtime that is dropped without Host.Close leaves the pool when Go collects
// it.
func (p *Pool) Host(vm *goja.Runtime) (*Host, error) { return attach(vm, p.recording) }

// Coordinator returns the coordinator from which the pool has its ticks.
func (p *Pool) Coordinator() *coordinator.Coordinator { return p.recording.coordinator }

// Profile is Host.Profile for all runtimes. Idle ticks are those of each runtime.
func (p *Pool) Profile() *profile.Profile { return p.recording.profile(everything(0)) }

// Last is Host.Last for all runtimes.
func (p *Pool) Last(d time.Duration) *profile.Profile {
	return p.recording.profile(p.recording.latest(0, d))
}

// Between is Host.Between for all runtimes.
func (p *Pool) Between(from, to time.Time) *profile.Profile {
	return p.recording.profile(p.recording.window(0, from, to))
}

// Drain is Host.Drain for all runtimes.
func (p *Pool) Drain() *profile.Profile {
	q := everything(0)
	q.drains = true
	return p.recording.profile(q)
}

// Reset empties the recording.
func (p *Pool) Reset() { p.recording.snapshot(query{drains: true}) }

// Usage is Host.Usage for all runtimes.
func (p *Pool) Usage() Usage { return p.recording.usage() }

// ResetUsage is Host.ResetUsage for all runtimes.
func (p *Pool) ResetUsage() Usage { return p.recording.resetUsage() }

// SetBudgets replaces the budgets of all runtimes.
func (p *Pool) SetBudgets(budgets ...Budget) { p.recording.setBudgets(budgets) }

// State says how the recording of all runtimes is.
func (p *Pool) State() State { return p.recording.state() }

// programKey tells programs apart.
type programKey struct{ name, source string }

// maxPrograms bounds the programs that Compile finds again by their text.
const maxPrograms = 1 << 12

// Program is a script that all runtimes of a pool can run.
type Program struct {
	pool    *Pool
	program *goja.Program
	names   runtime.Bindings
}

// Compile instruments a classic script at preset balanced and compiles it. Asked again
// for the same text under the same name, it returns the same program: the first 4096
// programs are kept with the pool.
func (p *Pool) Compile(name string, source []byte) (*Program, error) {
	key := programKey{name, string(source)}
	p.mu.Lock()
	known := p.programs[key]
	p.mu.Unlock()
	if known != nil {
		return known, nil
	}
	program, err := p.CompileWith(source, transform.Options{File: name})
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.programs[key]; known != nil { // by another goroutine
		return known, nil
	}
	if len(p.programs) < maxPrograms {
		p.programs[key] = program
	}
	return program, nil
}

// CompileWith is Host.CompileWith for all runtimes.
func (p *Pool) CompileWith(source []byte, options transform.Options) (*Program, error) {
	program, made, err := p.recording.compileSource(source, options)
	if err != nil {
		return nil, err
	}
	return &Program{p, program, made.Bindings}, nil
}

// Back turns a position as the engine states it, which has followed a source map, into
// the position in the code (1-based, the column in UTF-16 units). The function is as the
// engine names it: "" if it has no name.
type Back func(function, file string, line, column int) (codeLine, codeColumn int)

// Adopt makes a script known that something else compiles, under its own file name, such
// as a loader of modules. Back is for an engine that follows a source map of the script;
// nil: positions are in the code. Runtimes that run it need its names: Host.Install.
// It fails if another text of that name is known.
func (p *Pool) Adopt(made *instrumented.Script, back Back) error {
	r := p.recording
	r.known.Lock()
	defer r.known.Unlock()
	if known := r.scripts.named[made.File()]; known != nil {
		if bytes.Equal(known.Code, made.Code) {
			known.users++
			return nil
		}
		return fmt.Errorf("gojahost: there are two texts of %s", made.File())
	}
	r.scripts.named[made.File()] = &script{Script: made, back: back, users: 1}
	r.stats.Add(made.Stats)
	return nil
}

// In prepares a runtime for the program, and returns what the host's RunProgram takes. It
// belongs to the runtime's goroutine. It panics if the host
// is of another pool, which does not know the program.
func (p *Program) In(h *Host) (*goja.Program, error) {
	if h.recording != p.pool.recording {
		panic("gojahost: the program is of another pool than the host")
	}
	return p.program, h.Install(p.names)
}
