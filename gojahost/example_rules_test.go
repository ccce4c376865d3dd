package gojahost_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost"
)

const rules = `
function sum(order) { let s = 0; for (const price of order) s += price; return s; }
function accepts(tenant, order) {
  if (tenant === "tenant7") for (;;) sum(order);
  return sum(order) < 100;
}`

// engine evaluates rules in one runtime.
type engine struct {
	host    *gojahost.Host
	accepts goja.Callable
}

func newEngine(pool *gojahost.Pool, program *gojahost.Program) (*engine, error) {
	vm := goja.New()
	host, err := pool.Host(vm)
	if err != nil {
		return nil, err
	}
	main, err := program.In(host)
	if err != nil {
		return nil, err
	}
	if _, err := host.RunProgram(main); err != nil {
		return nil, err
	}
	accepts, _ := goja.AssertFunction(vm.Get("accepts"))
	return &engine{host, accepts}, nil
}

// evaluate evaluates a tenant's rule.
func (e *engine) evaluate(tenant string, order []int) error {
	vm := e.host.Runtime()
	_, err := e.host.As("tenant", tenant).Callable(e.accepts)(nil, vm.ToValue(tenant), vm.ToValue(order))
	return err
}

// A rule engine with 20 tenants on four runtimes. One tenant's rule never returns: its
// budget ends it, and the error says where it was.
func Example_rules() {
	clock := coordinator.New(coordinator.Options{Interval: time.Millisecond})
	defer clock.Start()()
	pool := gojahost.NewPool(clock, gojahost.Options{Keep: time.Hour, CPU: true})
	pool.SetBudgets(gojahost.Budget{Task: 20 * time.Millisecond, Act: (*gojahost.Overrun).Interrupt})
	program, err := pool.Compile("rules.js", []byte(rules))
	if err != nil {
		fmt.Println(err)
		return
	}
	tenants := make(chan string)
	var evaluated atomic.Int32
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			engine, err := newEngine(pool, program)
			if err != nil {
				fmt.Println(err)
				return
			}
			defer engine.host.Close()
			for tenant := range tenants {
				var over *gojahost.Overrun
				if err := engine.evaluate(tenant, []int{30, 20}); errors.As(err, &over) {
					fmt.Println(over.Tags[0].Value, "was ended in a function of", over.Function.File)
				} else if err == nil {
					evaluated.Add(1)
				}
			}
		})
	}
	for n := range 20 {
		tenants <- fmt.Sprint("tenant", n+1)
	}
	close(tenants)
	workers.Wait()
	fmt.Println(evaluated.Load(), "rules evaluated; most of the time went to", pool.Usage().Rows[0].Tags[0].Value)
	// Output:
	// tenant7 was ended in a function of rules.js
	// 19 rules evaluated; most of the time went to tenant7
}
