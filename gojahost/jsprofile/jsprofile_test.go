package jsprofile

import (
	"bytes"
	"context"
	"encoding/json"
	"expvar"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/cpuprofile"
	"github.com/fieldprof/fieldprof/profile/format/pprof"
)

// busyPool has one runtime and a clock that only the test moves: each call of pass takes
// five milliseconds.
type busyPool struct {
	*gojahost.Pool
	now  atomic.Int64
	mu   sync.Mutex
	host *gojahost.Host
	main *goja.Program
}

func newBusyPool(t *testing.T) *busyPool {
	t.Helper()
	b := &busyPool{}
	clock := coordinator.New(coordinator.Options{Interval: time.Millisecond, Clock: func() time.Duration { return time.Duration(b.now.Load()) }})
	b.Pool = gojahost.NewPool(clock, gojahost.Options{})
	vm := goja.New()
	b.host = must.Get(b.Host(vm))(t)
	_ = vm.Set("pass", b.host.Native("pass", func() { b.now.Add(5e6) }))
	program := must.Get(b.Compile("rules.js", []byte("function rule() { for (let i = 0; i < 10; i++) pass(); }\nrule()")))(t)
	b.main = must.Get(program.In(b.host))(t)
	return b
}

// run runs the program, and then lets time pass in which none does.
func (b *busyPool) run(t *testing.T) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	must.Get(b.host.As("tenant", "acme").RunProgram(b.main))(t)
	b.now.Add(50e6)
	must.Do(t, b.host.Run(func() error { return nil })) // notices the idle ticks
}

// get asks for a profile. While the handler waits, the program runs.
func (b *busyPool) get(t *testing.T, query string) *httptest.ResponseRecorder {
	t.Helper()
	handler := Handler(b, Options{Program: "rules", wait: func(_ context.Context, d time.Duration) error {
		for until := b.now.Load() + int64(d); b.now.Load() < until; {
			b.run(t)
		}
		return nil
	}})
	r := httptest.NewRequest(http.MethodGet, "http://localhost/debug/jsprofile"+query, nil)
	r.RemoteAddr = "127.0.0.1:1234"
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

func TestFormats(t *testing.T) {
	b := newBusyPool(t)
	for _, read := range []func() *profile.Profile{
		func() *profile.Profile { return must.Get(pprof.Read(b.get(t, "?seconds=1").Body))(t) },
		func() *profile.Profile {
			return must.Get(cpuprofile.Read(b.get(t, "?seconds=1&format=cpuprofile").Body))(t)
		},
		func() *profile.Profile { return must.Get(pprof.Read(b.get(t, "?last=2").Body))(t) },
	} {
		p := read()
		ticks := map[string]int64{}
		for i := range p.Len() {
			s := p.Sample(i)
			ticks[p.DisplayName(p.Frames.Function[p.Stacks.Frame[s.Stack]])] += int64(s.Weight)
		}
		if account := p.Meta.Ticks; ticks["pass"] == 0 || ticks["pass"] != account.Taken || ticks[profile.NameIdle] != 0 || account.Idle == 0 {
			t.Errorf("%v of %+v", ticks, account)
		}
		must.Equal(t, p.Meta.Program, "rules")
	}
	p := must.Get(pprof.Read(b.get(t, "?last=2&idle=1").Body))(t)
	idle, tagged := int64(0), 0
	for i := range p.Len() {
		if s := p.Sample(i); s.Kind == profile.Idle {
			idle += int64(s.Weight)
		} else if tags := p.TagsOf(i); len(tags) == 1 && tags[0] == (profile.Tag{Key: "tenant", Value: "acme"}) {
			tagged++
		}
	}
	if idle == 0 || idle != p.Meta.Ticks.Idle || tagged == 0 {
		t.Errorf("%d idle ticks of %+v, %d samples of the tenant", idle, p.Meta.Ticks, tagged)
	}
	page := b.get(t, "?last=1&format=html")
	must.Equal(t, page.Header().Get("Content-Type"), "text/html; charset=utf-8")
	if text := page.Body.String(); !strings.HasPrefix(strings.ToLower(text), "<!doctype html>") || !strings.Contains(text, "rules") {
		t.Errorf("the report begins %.200s", text)
	}
}

// HEAD asks what the answer would be, and waits for none.
func TestHead(t *testing.T) {
	b := newBusyPool(t)
	handler := Handler(b, Options{wait: func(context.Context, time.Duration) error {
		t.Error("it records")
		return nil
	}})
	for query, want := range map[string]int{"": http.StatusOK, "?seconds=60&go=1": http.StatusOK, "?last=60": http.StatusOK, "?seconds=x": http.StatusBadRequest} {
		r := httptest.NewRequest(http.MethodHead, "http://localhost/debug/jsprofile"+query, nil)
		r.RemoteAddr = "127.0.0.1:1234"
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		must.Equal(t, w.Code, want, query)
		if want == http.StatusOK {
			must.Equal(t, w.Header().Get("Content-Disposition"), `attachment; filename="js.pb.gz"`, query)
			must.Equal(t, w.Body.Len(), 0, query)
		}
	}
}

// Any error in a request is answered in one line.
func TestBadRequests(t *testing.T) {
	b := newBusyPool(t)
	for query, want := range map[string]string{
		"?seconds=0": "no number of seconds", "?seconds=-1": "no number", "?seconds=NaN": "no number", "?seconds=1e99": "up to 3600", "?seconds=x%0Ay": `x\ny`,
		"?seconds=": "no number", "?last=inf": "no number", "?last=1&seconds=1": "ask for one", "?format=svg": "pprof, cpuprofile and html",
		"?second=1": `no parameter "second"`, "?seconds=1&seconds=2": "2 times", "?idle=maybe": "neither", "?go=maybe": "neither", "?last=1&go=1": "from now on", "?seconds=1;idle=1": "semicolon", "?seconds=%zz": `escape "%zz"`, "?last=" + strings.Repeat("9", 1e5): "…",
	} {
		w := b.get(t, query)
		text := w.Body.String()
		if w.Code != http.StatusBadRequest || !strings.Contains(text, want) || strings.Count(text, "\n") != 1 || len(text) > 300 || !strings.HasPrefix(text, "jsprofile: ") {
			t.Errorf("%.60s: %d %q", query, w.Code, text)
		}
	}
	r := httptest.NewRequest(http.MethodPost, "http://localhost/", nil)
	r.RemoteAddr = "[::1]:1"
	w := httptest.NewRecorder()
	Handler(b, Options{}).ServeHTTP(w, r)
	must.Equal(t, w.Code, http.StatusMethodNotAllowed)
}

// Strangers get nothing: neither from elsewhere, nor through a proxy, nor by a name that
// leads here, nor by the image of a page.
func TestStrangers(t *testing.T) {
	b := newBusyPool(t)
	for _, c := range []struct {
		from, host, header string
		want               int
	}{
		{"127.0.0.1:5", "localhost:80", "", 200}, {"[::1]:5", "[::1]:80", "", 200}, {"127.9.9.9:5", "127.0.0.1", "", 200},
		{"192.0.2.1:5", "localhost", "", 403}, {"127.0.0.1:5", "evil.example", "", 403}, {"127.0.0.1:5", "localhost", "X-Forwarded-For: 192.0.2.1", 403},
		{"127.0.0.1:5", "localhost", "Sec-Fetch-Site: cross-site", 403}, {"127.0.0.1:5", "localhost", "Sec-Fetch-Site: same-site", 403},
		{"127.0.0.1:5", "localhost", "Sec-Fetch-Site: none", 200}, {"127.0.0.1:5", "localhost", "Sec-Fetch-Site: same-origin", 200},
		{"", "localhost", "", 403}, {"localhost.evil.example:1", "localhost", "", 403},
	} {
		r := httptest.NewRequest(http.MethodGet, "http://"+c.host+"/?last=1", nil)
		r.RemoteAddr = c.from
		if name, value, found := strings.Cut(c.header, ": "); found {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		Handler(b, Options{}).ServeHTTP(w, r)
		must.Equal(t, w.Code, c.want, c)
	}
	r := httptest.NewRequest(http.MethodGet, "http://example.com/?last=1", nil)
	w := httptest.NewRecorder()
	Handler(b, Options{Allow: func(*http.Request) bool { return true }}).ServeHTTP(w, r)
	must.Equal(t, w.Code, 200, "allowed")
}

// A client that goes away ends its request, and the clock that it kept running.
func TestClientsThatGoAway(t *testing.T) {
	b := newBusyPool(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := httptest.NewRequest(http.MethodGet, "http://localhost/?seconds=3600", nil).WithContext(ctx)
	r.RemoteAddr = "127.0.0.1:1"
	w := httptest.NewRecorder()
	Handler(b, Options{}).ServeHTTP(w, r)
	must.Equal(t, w.Body.Len(), 0, "bytes")
	before := b.State().Ticks.Raised
	b.run(t)
	must.Equal(t, b.State().Ticks.Raised, before, "ticks of a clock that is stopped")
}

// counting is a source that knows how many profiles are made of it at once.
type counting struct {
	*busyPool
	now, most atomic.Int32
}

func (c *counting) Between(from, to time.Time) *profile.Profile {
	now := c.now.Add(1)
	defer c.now.Add(-1)
	for most := c.most.Load(); now > most && !c.most.CompareAndSwap(most, now); most = c.most.Load() {
	}
	for range 1000 { // the others may come meanwhile
		runtime.Gosched()
	}
	return c.busyPool.Between(from, to)
}

// However many requests there are, one profile is made at a time.
func TestOneAtATime(t *testing.T) {
	source := &counting{busyPool: newBusyPool(t)}
	handler := Handler(source, Options{})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			r := httptest.NewRequest(http.MethodGet, "http://localhost/?last=1", nil)
			r.RemoteAddr = "127.0.0.1:1"
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			must.Equal(t, w.Code, http.StatusOK)
		})
	}
	all.Wait()
	must.Equal(t, source.most.Load(), 1, "profiles at once")
}

// With go=1 Go's profiler runs, too; while it does, a second request is told so.
func TestGo(t *testing.T) {
	b := newBusyPool(t)
	stop := must.Get(b.RecordGo())(t)
	w := b.get(t, "?seconds=1&go=1")
	must.Equal(t, w.Code, http.StatusConflict)
	must.Contain(t, "the answer", w.Body.String(), "jsprofile: gojahost: recording Go: ")
	must.Get(stop())(t)
	w = b.get(t, "?seconds=1&go=1")
	must.Equal(t, w.Code, http.StatusOK)
	p := must.Get(pprof.Read(w.Body))(t)
	if p.Meta.Ticks.Taken == 0 || len(p.Meta.Notes) == 0 {
		t.Errorf("%+v", p.Meta)
	}
}

func TestVars(t *testing.T) {
	b := newBusyPool(t)
	b.get(t, "?seconds=1")
	var got vars
	must.Do(t, json.Unmarshal([]byte(Var(b.Pool).String()), &got))
	if got.Runtimes != 1 || got.Samples == 0 || got.Tags != 1 || got.Taken == 0 || got.Raised != got.Taken+got.Idle+got.GC+got.Lost || got.KeptSeconds <= 0 {
		t.Errorf("%+v", got)
	}
	if len(got.Usage) != 2 || got.Usage[0].Tags["tenant"] != "acme" || got.Usage[0].WallSeconds < 0.5 {
		t.Errorf("%+v", got.Usage)
	}
	Publish("jsprofile_test", b.Pool)
	if expvar.Get("jsprofile_test") == nil {
		t.Error("nothing is published")
	}
}

// go tool pprof reads the endpoint, twice at once, while scripts run, throw and are
// interrupted, and runtimes come and go. Its output is not checked here.
func TestGoToolPprof(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go tool")
	}
	clock := coordinator.New(coordinator.Options{Interval: time.Millisecond})
	pool := gojahost.NewPool(clock, gojahost.Options{Keep: time.Minute})
	defer clock.Start()()
	pool.SetBudgets(gojahost.Budget{Task: time.Millisecond, Act: (*gojahost.Overrun).Interrupt})
	program := must.Get(pool.Compile("busy.js", []byte("function busy(n) { let s = 0; for (let i = 0; i < 1e4; i++) s += i; if (n % 2) throw new Error(s); for (;;) s++; }\nbusy(n)")))(t)
	var running atomic.Bool
	running.Store(true)
	var all sync.WaitGroup
	all.Go(func() {
		for n := 0; running.Load(); n++ {
			vm := goja.New()
			host, err := pool.Host(vm)
			if err != nil {
				t.Error(err)
				return
			}
			_ = vm.Set("n", n)
			main, _ := program.In(host)
			if _, err := host.As("turn", fmt.Sprint(n)).RunProgram(main); err == nil {
				t.Error("a script that never returns did")
			}
			if n%2 == 0 {
				host.Close()
			}
		}
	})
	server := httptest.NewServer(Handler(pool, Options{}))
	defer server.Close()
	var asking sync.WaitGroup
	for range 2 {
		asking.Go(func() {
			cmd := exec.Command(tool, "tool", "pprof", "-raw", server.URL+"/debug/jsprofile?seconds=0.2")
			cmd.Env = append(cmd.Environ(), "PPROF_TMPDIR="+t.TempDir())
			out, err := cmd.CombinedOutput()
			if err != nil || !bytes.Contains(out, []byte("time/nanoseconds")) {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	asking.Wait()
	running.Store(false)
	all.Wait()
}
