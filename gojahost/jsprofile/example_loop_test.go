package jsprofile_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/eventloop"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost"
	"github.com/fieldprof/fieldprof/gojahost/jsprofile"
	"github.com/fieldprof/fieldprof/profile/format/pprof"
)

const greeter = `
async function handle(name) { await sleep(1); return greeting(name); }
function sleep(ms) { return new Promise(wake => setTimeout(wake, ms)); }
function greeting(name) { let s = 0; for (const c of name) s += c.codePointAt(0); return "hello " + name + " " + s; }`

// loopServer answers requests with a script's async function, all in one runtime.
type loopServer struct {
	loop   *eventloop.EventLoop
	host   *gojahost.Host
	handle goja.Callable
	task   *gojahost.Task // that runs; nil: none
}

// newLoopServer starts the event loop. The runtime is only used in the loop.
func newLoopServer(pool *gojahost.Pool, program *gojahost.Program) (*loopServer, error) {
	s := &loopServer{loop: eventloop.NewEventLoop()}
	s.loop.Start()
	made := make(chan error)
	s.loop.RunOnLoop(func(vm *goja.Runtime) { made <- s.setUp(vm, pool, program) })
	return s, <-made
}

func (s *loopServer) setUp(vm *goja.Runtime, pool *gojahost.Pool, program *gojahost.Program) (err error) {
	if s.host, err = pool.Host(vm); err != nil {
		return err
	}
	main, err := program.In(s.host)
	if err != nil {
		return err
	}
	if _, err = s.host.RunProgram(main); err != nil {
		return err
	}
	s.handle, _ = goja.AssertFunction(vm.Get("handle"))
	return vm.Set("setTimeout", s.setTimeout)
}

// setTimeout is the setTimeout of the loop, except that the callback belongs to the task that has set
// the timer. The loop calls it on its own, and nothing would say for whom.
func (s *loopServer) setTimeout(callback goja.Callable, ms int) {
	task := s.task
	s.loop.SetTimeout(func(*goja.Runtime) {
		_ = s.run(task, func() error {
			_, err := callback(nil)
			return err
		})
	}, time.Duration(ms)*time.Millisecond)
}

// run runs a task, with the promise jobs that it leaves.
func (s *loopServer) run(task *gojahost.Task, fn func() error) error {
	s.task = task
	defer func() { s.task = nil }()
	return task.Run(fn)
}

// ServeHTTP calls the script, and answers when its promise is settled.
func (s *loopServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := make(chan string, 1)
	s.loop.RunOnLoop(func(vm *goja.Runtime) {
		task := s.host.As("route", r.URL.Path)
		err := s.run(task, func() error {
			promise, err := s.handle(nil, vm.ToValue(r.FormValue("name")))
			if err != nil {
				return err
			}
			then, _ := goja.AssertFunction(promise.ToObject(vm).Get("then"))
			settle := vm.ToValue(func(result goja.Value) { answer <- result.String() })
			_, err = then(promise, settle, settle)
			return err
		})
		if err != nil {
			answer <- err.Error()
		}
	})
	fmt.Fprint(w, <-answer)
}

// get returns what a server answers.
func get(url string) (body io.ReadCloser, err error) {
	answer, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	return answer.Body, nil
}

// A server whose requests share one runtime with an event loop of goja_nodejs. The work of
// a request after it has waited has the tags of that request, too.
func Example_eventLoop() {
	clock := coordinator.New(coordinator.Options{Interval: 10 * time.Millisecond})
	defer clock.Start()()
	pool := gojahost.NewPool(clock, gojahost.Options{Keep: time.Hour})
	program, err := pool.Compile("greeter.js", []byte(greeter))
	if err != nil {
		fmt.Println(err)
		return
	}
	greets, err := newLoopServer(pool, program)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer greets.loop.Stop()
	mux := http.NewServeMux()
	mux.Handle("/greet", greets)
	mux.Handle("/debug/jsprofile", jsprofile.Handler(pool, jsprofile.Options{Program: "greeter"}))
	server := httptest.NewServer(mux)
	defer server.Close()

	var text []byte
	for range 10 {
		body, err := get(server.URL + "/greet?name=world")
		if err != nil {
			fmt.Println(err)
			return
		}
		text, _ = io.ReadAll(body)
		_ = body.Close()
	}
	body, err := get(server.URL + "/debug/jsprofile?last=60")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer body.Close()
	p, err := pprof.Read(body)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(text), "from", p.Meta.Program)
	for _, row := range pool.Usage().Rows {
		if len(row.Tags) > 0 {
			fmt.Println(row.Tags[0].Value, row.Tasks, "tasks")
		}
	}
	// Output:
	// hello world 552 from greeter
	// /greet 20 tasks
}
