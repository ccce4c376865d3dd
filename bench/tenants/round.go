package tenants

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost"
	"github.com/fieldprof/fieldprof/internal/cputime"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// The setup of a round.
const (
	runtimes   = 8
	processors = 2
	interval   = time.Millisecond
)

// account is what a round found out, by tenant.
type account struct {
	truth   []float64 // processor time of threads
	cpu     []float64 // what Usage has measured
	wall    []float64 // by the clock, without what tasks waited
	waiting []float64 // what they waited
	samples []float64 // ticks in the profile
	tasks   int64     // of all
}

func newAccount() *account {
	none := func() []float64 { return make([]float64, tenants) }
	return &account{truth: none(), cpu: none(), wall: none(), waiting: none(), samples: none()}
}

// round has all runtimes run some decks of tasks: each deck has one of each tenant, in
// another order.
func round(ctx context.Context, preset transform.Preset, decks int, seed uint64) (*account, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	clock := coordinator.New(coordinator.Options{Interval: interval, Seed: seed})
	pool := gojahost.NewPool(clock, gojahost.Options{CPU: true})
	program, err := pool.CompileWith([]byte(script), transform.Options{File: "tenants.js", Selection: transform.Selection{Preset: preset}})
	if err != nil {
		return nil, err
	}
	var (
		mu     sync.Mutex
		all    = newAccount()
		failed error
		ready  sync.WaitGroup
		done   sync.WaitGroup
		start  = make(chan struct{})
	)
	ready.Add(runtimes)
	for n := range runtimes {
		done.Go(func() {
			w := &worker{order: rand.New(rand.NewPCG(seed, uint64(n))), spent: newAccount().truth}
			err := w.prepare(pool, program)
			ready.Done()
			<-start
			if err == nil {
				err = w.work(ctx, decks)
			}
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, err)
			all.truth = sum(all.truth, w.spent)
		})
	}
	ready.Wait()
	pool.ResetUsage()
	pool.Reset()
	stop := clock.Start()
	close(start)
	done.Wait()
	stop()
	if failed != nil {
		return nil, failed
	}
	all.read(pool.Usage(), pool.Profile())
	return all, nil
}

// read takes what the pool says.
func (a *account) read(usage gojahost.Usage, p *profile.Profile) {
	for _, row := range usage.Rows {
		if tenant := tenantOf(row.Tags); tenant >= 0 {
			a.cpu[tenant] += float64(row.CPU)
			a.wall[tenant] += float64(row.Wall)
			a.waiting[tenant] += float64(row.Waiting)
			a.tasks += row.Tasks
		}
	}
	for i := range p.Len() {
		if tenant := tenantOf(p.TagsOf(i)); tenant >= 0 {
			a.samples[tenant] += float64(p.Sample(i).Weight)
		}
	}
}

// tenantOf is the tenant with these tags, -1 for none.
func tenantOf(tags []profile.Tag) int {
	for tenant := range tenants {
		if len(tags) == 1 && tags[0].Value == name(tenant) {
			return tenant
		}
	}
	return -1
}

// worker is a goroutine with a runtime.
type worker struct {
	order *rand.Rand
	vm    *goja.Runtime
	tasks []goja.Callable // by tenant
	spent []float64       // processor time of the thread
}

// prepare makes the runtime and loads the script.
func (w *worker) prepare(pool *gojahost.Pool, program *gojahost.Program) error {
	runtime.LockOSThread() // whose time is the truth; it ends with the goroutine
	w.vm = goja.New()
	host, err := pool.Host(w.vm)
	if err != nil {
		return err
	}
	fetch := host.Native("fetch", func(ms float64) int {
		host.Waiting(func() { time.Sleep(time.Duration(ms * float64(time.Millisecond))) })
		return 1
	})
	if err := w.vm.Set("fetch", fetch); err != nil {
		return err
	}
	loaded, err := program.In(host)
	if err != nil {
		return err
	}
	if _, err := host.RunProgram(loaded); err != nil {
		return err
	}
	task, _ := goja.AssertFunction(w.vm.Get("task"))
	for tenant := range tenants {
		w.tasks = append(w.tasks, host.As("tenant", name(tenant)).Callable(task))
	}
	return nil
}

// work runs decks of tasks, and reads the thread's clock around each.
func (w *worker) work(ctx context.Context, decks int) error {
	for range decks {
		for _, tenant := range w.order.Perm(tenants) {
			if err := ctx.Err(); err != nil {
				return err
			}
			before, known := cputime.Thread()
			if !known {
				return errors.New("this system does not tell the processor time of a thread: " + strings.ToLower(runtime.GOOS))
			}
			if _, err := w.tasks[tenant](goja.Undefined(), arguments(w.vm, tenant)...); err != nil {
				return err
			}
			after, _ := cputime.Thread()
			w.spent[tenant] += float64(after - before)
		}
	}
	return nil
}
