package jsprofile_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost"
	"github.com/fieldprof/fieldprof/gojahost/jsprofile"
	"github.com/fieldprof/fieldprof/profile/format/pprof"
)

const hooks = `
function onSave(record) { record.slug = slug(record.title); lookUp(record.slug); return record; }
function slug(title) { let s = ""; for (const c of title) s += c === " " ? "-" : c.toLowerCase(); return s; }`

// hookHost runs hooks in runtimes that requests borrow.
type hookHost struct {
	pool     *gojahost.Pool
	program  *gojahost.Program
	runtimes sync.Pool
}

// runtime borrows a runtime, or makes one.
func (hh *hookHost) runtime() (*gojahost.Host, error) {
	if host, ok := hh.runtimes.Get().(*gojahost.Host); ok {
		return host, nil
	}
	vm := goja.New()
	host, err := hh.pool.Host(vm)
	if err != nil {
		return nil, err
	}
	// Time spent waiting for a database is not work of the hook.
	lookUp := func(string) { host.Waiting(func() { time.Sleep(time.Microsecond) }) }
	if err := vm.Set("lookUp", host.Native("lookUp", lookUp)); err != nil {
		return nil, err
	}
	main, err := hh.program.In(host)
	if err != nil {
		return nil, err
	}
	_, err = host.RunProgram(main)
	return host, err
}

// ServeHTTP runs the hook for a record.
func (hh *hookHost) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host, err := hh.runtime()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer hh.runtimes.Put(host)
	vm := host.Runtime()
	onSave, _ := goja.AssertFunction(vm.Get("onSave"))
	saved, err := host.As("hook", "onSave", "route", r.URL.Path).Callable(onSave)(nil, vm.ToValue(map[string]any{"title": r.FormValue("title")}))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprint(w, saved.ToObject(vm).Get("slug"))
}

// A server with hooks in JavaScript, in any number of runtimes that Go may collect, and
// with their profile next to its other endpoints.
func Example() {
	clock := coordinator.New(coordinator.Options{Interval: 10 * time.Millisecond})
	defer clock.Start()()
	pool := gojahost.NewPool(clock, gojahost.Options{Keep: time.Hour})
	program, err := pool.Compile("hooks.js", []byte(hooks))
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle("/records", &hookHost{pool: pool, program: program})
	mux.Handle("/debug/jsprofile", jsprofile.Handler(pool, jsprofile.Options{Program: "hooks"}))
	server := httptest.NewServer(mux)
	defer server.Close()

	var slug string
	for range 100 {
		answer, err := http.Get(server.URL + "/records?title=Hello+World")
		if err != nil {
			fmt.Println(err)
			return
		}
		_, _ = fmt.Fscan(answer.Body, &slug)
		_ = answer.Body.Close()
	}
	answer, err := http.Get(server.URL + "/debug/jsprofile?last=60")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Body.Close()
	p, err := pprof.Read(answer.Body)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(slug, answer.StatusCode, p.Meta.Program, p.Meta.Engine)
	// Output: hello-world 200 hooks goja
}
