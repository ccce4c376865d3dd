package jsprofile

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dop251/goja"
	pb "github.com/google/pprof/profile"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/pprof"
)

// A task of each kind has the tag "does" with the name of the function that has its time.
const churning = `
function works() { let s = 0; for (let i = 0; i < 600; i++) s = (s * 31 + i) % 65521; return s; }
function throws() { let s = 0; for (let i = 0; i < 300; i++) s = (s * 31 + i) % 65521; throw new Error(s); }
function spins() { enough(); for (let s = 0;;) s++; }
this[does]();`

var doings = []string{"works", "throws", "spins"}

// churningPool is a pool whose runtimes come and go. Each look at its clock takes a part of
// an interval, so there are ticks however fast the machine is.
type churningPool struct {
	*gojahost.Pool
	program *gojahost.Program
	reading atomic.Int64
	ended   atomic.Int64 // tasks
	closing atomic.Bool
	runners sync.WaitGroup
}

func newChurningPool(t *testing.T) *churningPool {
	t.Helper()
	c := &churningPool{}
	clock := coordinator.New(coordinator.Options{Interval: time.Millisecond, Clock: func() time.Duration { return time.Duration(c.reading.Add(1e5)) }})
	c.Pool = gojahost.NewPool(clock, gojahost.Options{})
	c.program = must.Get(c.Compile("churn.js", []byte(churning)))(t)
	for range 4 {
		c.runners.Go(func() {
			for n := 0; !c.closing.Load(); n++ {
				if err := c.runtime(n%2 == 0); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	t.Cleanup(func() {
		c.closing.Store(true)
		c.runners.Wait()
	})
	return c
}

// runtime is one runtime with a task of each kind.
func (c *churningPool) runtime(close bool) error {
	vm := goja.New()
	host, err := c.Host(vm)
	if err != nil {
		return err
	}
	if close { // the others are dropped without a word
		defer host.Close()
	}
	main, err := c.program.In(host)
	if err != nil {
		return err
	}
	_ = vm.Set("enough", func() { go vm.Interrupt("enough") })
	for _, does := range doings {
		_ = vm.Set("does", does)
		_, err := host.As("does", does).RunProgram(main)
		if fails := does != "works"; fails != (err != nil) {
			return fmt.Errorf("%s: %w", does, err)
		}
		vm.ClearInterrupt()
		c.ended.Add(1)
	}
	return nil
}

// Two requests at once, while scripts throw and are interrupted, and runtimes come and go:
// both answers are whole profiles, in which the samples make up the account, and have the tags
// of their tasks.
func TestTwoRequestsAtOnce(t *testing.T) {
	c := newChurningPool(t)
	var both sync.WaitGroup
	both.Add(2)
	handler := Handler(c, Options{Program: "churn", wait: func(context.Context, time.Duration) error {
		both.Done()
		both.Wait() // until the other has begun, too
		until := c.ended.Load() + 60
		must.Happen(t, "60 tasks", func() bool { return c.ended.Load() >= until || t.Failed() })
		return nil
	}})
	server := httptest.NewServer(handler)
	defer server.Close()
	var asking sync.WaitGroup
	for _, query := range []string{"?seconds=1", "?seconds=2&idle=1"} {
		asking.Go(func() {
			answer, err := http.Get(server.URL + "/debug/jsprofile" + query)
			if err != nil {
				t.Error(err)
				return
			}
			defer answer.Body.Close()
			body, err := io.ReadAll(answer.Body)
			if err != nil || answer.StatusCode != http.StatusOK {
				t.Errorf("%s: %v %s %.200s", query, err, answer.Status, body)
				return
			}
			checkAnswer(t, query, body, query == "?seconds=2&idle=1")
		})
	}
	asking.Wait()
	account := c.State().Ticks
	must.Equal(t, account.Raised, account.Taken+account.Idle+account.GC+account.Lost, account)
}

// checkAnswer checks what must hold for any profile of a churningPool.
func checkAnswer(t *testing.T, query string, body []byte, withIdle bool) {
	ours, err := pprof.Read(bytes.NewReader(body))
	if err != nil {
		t.Errorf("%s: %v", query, err)
		return
	}
	p, err := pb.ParseData(body)
	if err != nil {
		t.Errorf("%s: %v", query, err)
		return
	}
	sum, tasks := int64(0), map[string]int64{}
	for _, s := range p.Sample {
		sum += s.Value[1]
		does := ""
		for _, l := range s.Location {
			if f := l.Line[0].Function; f.Filename == "churn.js" && (f.Name == "works" || f.Name == "throws" || f.Name == "spins") {
				does = f.Name
			}
		}
		if label := s.Label["does"]; does != "" && (len(label) != 1 || label[0] != does) {
			t.Errorf("%s: a sample of %s has the labels %v", query, does, s.Label)
		}
		tasks[does] += s.Value[1]
	}
	account := ours.Meta.Ticks
	want := account.Taken + account.GC + account.Lost
	if withIdle {
		want += account.Idle
	}
	if sum != want*p.Period || p.Period != int64(time.Millisecond) || account.Taken == 0 || account.Raised != account.Taken+account.Idle+account.GC+account.Lost {
		t.Errorf("%s: samples of %v, period %v, account %+v", query, time.Duration(sum), time.Duration(p.Period), account)
	}
	if tasks["works"]+tasks["throws"]+tasks["spins"] == 0 {
		t.Errorf("%s: no sample of any task: %v", query, tasks)
	}
	must.Equal(t, ours.Meta.Program, "churn", query)
	for i := range ours.Len() {
		if s := ours.Sample(i); s.Kind == profile.Idle && !withIdle {
			t.Errorf("%s: an idle sample", query)
		}
	}
}
