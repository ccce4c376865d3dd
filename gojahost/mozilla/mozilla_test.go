package mozilla_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost"
	"github.com/fieldprof/fieldprof/gojahost/mozilla"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
)

// corpus holds scripts that V8 must pass, too.
const corpus = "../../runtime/testdata/mozilla"

type realm struct {
	t     *testing.T
	vm    *goja.Runtime
	co    *coordinator.Coordinator
	host  *gojahost.Host
	class *mozilla.Class
}

func newRealm(t *testing.T, options coordinator.Options) *realm {
	t.Helper()
	r := &realm{t: t, vm: goja.New(), co: coordinator.New(options)}
	r.host = gojahost.New(r.vm, r.co)
	class := must.Get(mozilla.Enable(r.host))(t)
	r.class = class
	t.Cleanup(class.Close)
	harness := must.Get(os.ReadFile(filepath.Join(corpus, "harness.js")))(t)
	must.Get(r.vm.RunScript("harness.js", string(harness)))(t)
	return r
}

// run runs a script with every function checked.
func (r *realm) run(name, source string) goja.Value {
	r.t.Helper()
	program, _, err := r.host.CompileWith([]byte(source), transform.Options{File: name, Selection: transform.Selection{Preset: transform.Precise}})
	if err != nil {
		r.t.Fatal(err)
	}
	value, err := r.host.RunProgram(program)
	if err != nil {
		if thrown, ok := err.(*goja.Exception); ok {
			r.t.Fatal(thrown.String())
		}
		r.t.Fatal(err)
	}
	return value
}

func read(t *testing.T, name string) string {
	t.Helper()
	source := must.Get(os.ReadFile(filepath.Join(corpus, name)))(t)
	return string(source)
}

// ways are the ways in which an embedder may set up the clock.
var ways = map[string]struct {
	options coordinator.Options
	started bool
}{
	"joined":  {coordinator.Options{}, false},
	"started": {coordinator.Options{Interval: 200 * time.Microsecond}, true},
}

func TestCorpus(t *testing.T) {
	for way, how := range ways {
		for _, name := range []string{"api.js", "frame.js", "sampling.js", "events.js", "statistics.js"} {
			t.Run(way+"/"+name, func(t *testing.T) {
				r := newRealm(t, how.options)
				if how.started {
					defer r.co.Start()()
				}
				r.run(name, read(t, name))
			})
		}
	}
}

// The document's own example prints what the document shows.
func TestExample(t *testing.T) {
	r := newRealm(t, coordinator.Options{})
	var printed string
	must.Do(t, r.vm.Set("print", func(text string) { printed = text }))
	r.run("input.js", strings.Replace(read(t, "example.js"), "4000000", "400000", 1)) // goja is slower
	r.run("check.js", "example("+printed+")")
}

// evaluate gives a script's value as JSON.
func (r *realm) evaluate(source string) string {
	r.t.Helper()
	return r.run("evaluate.js", "JSON.stringify("+source+")").String()
}

func TestEventsOfTheHost(t *testing.T) {
	r := newRealm(t, coordinator.Options{})
	read := r.host.Native("read", func(goja.FunctionCall) goja.Value { r.class.Event("bytes", 10, 30); return nil })
	must.Do(t, r.vm.Set("read", read))
	r.run("start.js", "var p = new Profiler(); function reads() { read() } p.start(1e9); reads()")
	r.class.Event("outside")
	r.run("stop.js", "p.stop()")
	r.class.Event("too late")
	must.Equal(t, r.evaluate("p.results().events"), `{"outside":{"count":1}}`, "events outside of scripts")
	path := `nodes(p.results()).filter(n => n.child.events).map(n => [n.path, n.child.events.bytes.count, n.child.events.bytes.sum, n.child.function.file])`
	must.Equal(t, r.evaluate(path), `[[["<top level>","reads","read"],2,40,"(native)"]]`)
}

// Ticks that fall while no script runs have counts of their own, and native functions
// have frames.
func TestTimeOutsideOfScripts(t *testing.T) {
	r := newRealm(t, coordinator.Options{})
	must.Do(t, r.vm.Set("rest", r.host.Native("rest", func(goja.FunctionCall) goja.Value { time.Sleep(10 * time.Millisecond); return nil })))
	r.run("start.js", "var p = new Profiler(); p.start(500)")
	count := func(what string) bool { return r.run("count.js", what).ToInteger() > 0 }
	for end := time.Now().Add(5 * time.Minute); !count("p.results().idleSamples"); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no idle sample")
		}
	}
	r.run("rest.js", "until(() => named(p.results(), 'rest').some(c => c.selfCount > 0), rest); p.stop(); sound(p.results())")
	must.Equal(t, r.evaluate("named(p.results(), 'rest').every(c => c.function.file === '(native)' && !('line' in c.site))"), "true", "native frames look different")
}

// Ticks in pauses of Go's collector are gcSamples, unless they are turned off.
func TestCollector(t *testing.T) {
	r := newRealm(t, coordinator.Options{})
	must.Do(t, r.vm.Set("collect", func() { runtime.GC() }))
	r.run("collect.js", "var p = new Profiler(); p.start(20); until(() => p.results().gcSamples > 0, collect); p.stop(); sound(p.results())")
	r.run("without.js", "p.reset(); p.gc = false; p.start(20); for (var i = 0; i < 200; i++) collect(); p.stop()")
	must.Equal(t, r.evaluate("p.results().gcSamples"), "0")
}

// The clock runs while a profiler is active, and as fast as that asks for.
func TestClockRunsOnDemand(t *testing.T) {
	r := newRealm(t, coordinator.Options{Interval: time.Second})
	r.run("start.js", "var p = new Profiler(); p.start(2000)")
	must.Equal(t, r.co.Interval(), 2*time.Millisecond, "the interval while the profiler runs")
	r.run("stop.js", "p.stop()")
	must.Equal(t, r.co.Interval(), time.Second, "the interval afterwards")
	r.run("start.js", "p.start()")
	r.class.Close()
	if before := r.co.Elapsed(); r.co.Elapsed() != before {
		t.Error("the clock runs on after Close")
	}
	r.co.Start()()
}

// A slower rate than the clock's skips ticks.
func TestSlowerThanTheClock(t *testing.T) {
	r := newRealm(t, coordinator.Options{Interval: 100 * time.Microsecond})
	defer r.co.Start()()
	r.run("slow.js", `var p = new Profiler();
		function busy() { for (var i = 0, x = 0; i < 20000; i++) x += i }
		p.start(5000); until(() => p.results().samples >= 10, busy); p.stop()`)
	must.Equal(t, r.evaluate("(r => r.samples + r.gcSamples <= r.micros / 5000)(p.results())"), "true", "more ticks than the rate allows", r.evaluate("p.results()"))
}

// Two runtimes on one coordinator do not see each other.
func TestTwoRuntimes(t *testing.T) {
	a := newRealm(t, coordinator.Options{})
	b := &realm{t: t, vm: goja.New(), co: a.co}
	b.host = gojahost.New(b.vm, b.co)
	class := must.Get(mozilla.Enable(b.host))(t)
	defer class.Close()
	const start = "var p = new Profiler(); p.start(1000); p.isProfiling()"
	if !a.run("a.js", start).ToBoolean() || !b.run("b.js", start).ToBoolean() || !a.run("a.js", "p.isProfiling()").ToBoolean() {
		t.Error("a profiler stopped that of another runtime")
	}
	a.run("stop.js", "p.stop()")
	must.Equal(t, a.co.Interval(), time.Millisecond, "the clock does not run for the second one")
}
