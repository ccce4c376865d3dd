package gojahost

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// known is how many scripts a recording knows, and of how many texts.
func known(r *recording) (scripts, names int) {
	r.known.RLock()
	defer r.known.RUnlock()
	for _, of := range r.scripts.texts {
		names += len(of.names)
	}
	return len(r.scripts.named), names
}

// forgets waits until a recording knows so many scripts at most.
func forgets(t *testing.T, r *recording, most int) {
	t.Helper()
	for end := time.Now().Add(hang); ; runtime.GC() {
		scripts, names := known(r)
		if scripts <= most && names <= most {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d scripts and %d texts are known, want %d at most", scripts, names, most)
		}
	}
}

// files are the functions that called a native one when it was sampled, with where they are.
func files(p *profile.Profile) map[string]bool {
	found := map[string]bool{}
	for i := range p.Len() {
		if s := p.Sample(i); s.Kind == profile.Native {
			f := p.Function(p.Frames.Function[p.Stacks.Frame[p.Stacks.Parent[s.Stack]]])
			found[fmt.Sprint(f.Name, " ", f.File, ":", f.Line)] = true
		}
	}
	return found
}

// A script is known while a sample has it on its stack, and while one of its functions can
// run.
func TestScriptsAreForgotten(t *testing.T) {
	pool, _, host := testPool(t, Options{})
	defer pool.Coordinator().Start()()
	h := host()
	const texts = 100
	change := func(i int) {
		// Pool.Compile would keep the program.
		rule := must.Get(pool.CompileWith([]byte(fmt.Sprintf("%sfunction rule() { pass(20); return %d }\nrule()", strings.Repeat("\n", i), i)), transform.Options{File: "rule.js"}))(t)
		must.Get(h.RunProgram(must.Get(rule.In(h))(t)))(t)
	}
	want := map[string]bool{}
	for i := range texts {
		change(i)
		name := "rule.js"
		if i > 0 {
			name = fmt.Sprint("rule.js?", i+1)
		}
		want[fmt.Sprint("rule ", name, ":", i+1)] = true
	}
	for range 3 {
		runtime.GC()
	}
	must.Equal(t, files(pool.Profile()), want, "while all samples are kept")
	if scripts, names := known(pool.recording); scripts != texts || names != texts {
		t.Errorf("%d scripts and %d texts are known", scripts, names)
	}
	pool.Reset()
	forgets(t, pool.recording, 4) // the last one, and what the machine has not yet overwritten
	last, _ := goja.AssertFunction(h.vm.Get("rule"))
	must.Get(h.Callable(last)(nil))(t)
	must.Equal(t, files(pool.Profile()), map[string]bool{fmt.Sprintf("rule rule.js?%d:%d", texts, texts): true}, "the function that is left")
	change(texts)
	must.Equal(t, len(files(pool.Profile())), 2, "functions of the last two texts")
	runtime.KeepAlive(h)
}

// A recording that nothing refers to is collected as a whole, although its samples refer to its scripts.
func TestRecordingsAreCollected(t *testing.T) {
	gone := make(chan struct{})
	func() {
		pool, _, host := testPool(t, Options{})
		defer pool.Coordinator().Start()()
		h := host()
		must.Get(h.RunScript("a.js", "function f() { pass(20) }\nf()"))(t)
		if pool.Profile().Len() == 0 {
			t.Error("no sample")
		}
		runtime.AddCleanup(pool.recording, func(gone chan struct{}) { close(gone) }, gone)
	}()
	for end := time.Now().Add(hang); ; runtime.GC() {
		select {
		case <-gone:
			return
		default:
		}
		if time.Now().After(end) {
			t.Fatal("the recording is still there")
		}
	}
}

// Names of texts never meet: not those of two files, nor one that was forgotten and one that
// is known.
func TestNamesOfScripts(t *testing.T) {
	r := newRecording(coordinator.New(coordinator.Options{}), Options{})
	of := func(file, code string, prefix int) *script {
		return &script{Script: must.Get(instrumented.Plain(file, []byte(code), nil))(t), prefix: prefix}
	}
	add := func(file, code string, prefix int, want string) {
		t.Helper()
		must.Equal(t, r.register(of(file, code, prefix)), want, file, code)
	}
	add("a.js?2", "x", 0, "a.js?2")
	add("a.js", "1", 0, "a.js")
	add("a.js", "2", 0, "a.js?3")
	add("a.js", "1", 5, "a.js?4")
	add("a.js", "2", 0, "a.js?3")
	r.forget("a.js?3")
	add("a.js", "2", 0, "a.js?3") // which one goja's file still had
	r.forget("a.js?3")
	r.forget("a.js?3")
	add("a.js", "2", 0, "a.js?5")
	must.Do(t, (&Pool{recording: r}).Adopt(of("b.js", "1", 0).Script, nil))
	add("b.js", "1", 0, "b.js?2") // something else compiles the first
	must.Do(t, (&Pool{recording: r}).Adopt(of("a.js", "1", 0).Script, nil))
	r.forget("a.js")
	if r.script("a.js") == nil || r.script("b.js") == nil {
		t.Error("a script that was adopted is forgotten")
	}
	for _, name := range []string{"a.js?4", "a.js?5", "a.js?2", "b.js?2"} {
		r.forget(name)
	}
	scripts, names := known(r)
	must.Equal(t, []int{scripts, names, len(r.scripts.texts)}, []int{2, 1, 1})
}
