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

// dispatch passes on so many evaluations for 20 tenants in turn, at a rate of a second.
func dispatch(evaluations, rate int) <-chan string {
	tenants := make(chan string)
	go func() {
		defer close(tenants)
		next := time.NewTicker(time.Second / time.Duration(rate))
		defer next.Stop()
		for n := range evaluations {
			<-next.C
			tenants <- fmt.Sprint("tenant", n%20+1)
		}
	}()
	return tenants
}

// A rule engine with 20 tenants on four runtimes, a thousand evaluations a second. One tenant's
// rule never returns: its budget ends it, the error says where it was, and the rule is out of
// service.
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
	tenants := dispatch(400, 1000)
	var evaluated atomic.Int32
	var ended sync.Map // tenants whose rules are out of service
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
				if _, out := ended.Load(tenant); out {
					continue
				}
				err := engine.evaluate(tenant, []int{30, 20})
				var over *gojahost.Overrun
				switch {
				case err == nil:
					evaluated.Add(1)
				case !errors.As(err, &over):
					fmt.Println(err)
				default:
					if _, again := ended.LoadOrStore(tenant, true); !again {
						fmt.Println(over.Tags[0].Value, "was ended in a function of", over.Function.File)
					}
				}
			}
		})
	}
	workers.Wait()
	fmt.Println(evaluated.Load(), "rules evaluated; most of the time went to", pool.Usage().Rows[0].Tags[0].Value)
	// Output:
	// tenant7 was ended in a function of rules.js
	// 380 rules evaluated; most of the time went to tenant7
}
