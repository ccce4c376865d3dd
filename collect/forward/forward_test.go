package forward

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// hang ends a wait that would never end; it judges nothing.
const hang = 5 * time.Minute

var start = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// chunk is one of a route, with a stack of two and idle time.
func chunk(n int, route string) *record.Chunk {
	var b profile.Builder
	main := b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "main", File: "app.js", Line: 1}), 1, 1))
	work := b.Stack(main, b.Frame(b.Function(profile.Function{Name: "work", File: "app.js", Line: 5}), 6, 2))
	b.Sample(profile.Sample{Stack: main, Weight: 1})
	b.Sample(profile.Sample{Stack: work, Weight: 3})
	b.Sample(profile.Sample{Stack: profile.NoStack, Weight: 6, Kind: profile.Idle})
	return &record.Chunk{ID: record.IDOf(route, fmt.Sprint(n)), Observed: time.Minute, At: start.Add(time.Duration(n) * time.Second), Profile: b.Profile(),
		Series:  record.Series{App: "shop", Rate: 0.1, Interval: 10 * time.Millisecond, Labels: record.Labels{record.Route: route, "x-plan.b": "ü"}},
		Example: []byte("whole"), Slices: []record.Slice{{}}, Counts: &record.Counts{}}
}

// want is what a receiver has of some chunks of a route.
func want(chunks int64, route string) map[string]int64 {
	key := "route=" + route + " sample_rate=0.1 service_name=shop x_plan_b=ü | "
	return map[string]int64{key + "main": chunks * 10e6, key + "main;work": chunks * 30e6, key + "(idle)": chunks * 60e6}
}

// sorted puts the app of a key, which OTLP has in front, in order.
func sorted(sums map[string]int64) map[string]int64 {
	all := map[string]int64{}
	for key, n := range sums {
		labels, stack, _ := strings.Cut(key, " | ")
		parts := strings.Fields(labels)
		ordered := map[string]bool{}
		for _, p := range parts {
			ordered[p] = true
		}
		all[strings.Join(sortedKeys(ordered), " ")+" | "+stack] = n
	}
	return all
}

// begin opens a forwarder to a receiver.
func begin(t *testing.T, kind string, r *receiver) (*Forwarder, func() *Forwarder) {
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.sums = map[string]int64{}
	r.now = start.Add(time.Hour)
	dir := t.TempDir()
	c := config.Forward{Kind: kind, URL: server.URL, Every: time.Hour}
	if kind == "pyroscope" {
		c.URL += "/tenant"
	}
	again := func() *Forwarder {
		return must.Get(Open([]config.Forward{c}, Options{Dir: dir, Metrics: prometheus.NewRegistry(), Now: func() time.Time { return r.now }, grace: hang,
			retry: func(int, error) time.Duration { return time.Millisecond }, spelled: r.spelled}))(t)
	}
	return again(), again
}

func each(t *testing.T, test func(t *testing.T, kind string)) {
	for _, kind := range []string{"pyroscope", "otlp"} {
		t.Run(kind, func(t *testing.T) { test(t, kind) })
	}
}

func TestSeriesAreAddedUp(t *testing.T) {
	each(t, func(t *testing.T, kind string) {
		r := &receiver{}
		f, _ := begin(t, kind, r)
		for n := range 20 {
			f.Add([]*record.Chunk{chunk(n, "/"), chunk(n, "/cart"), chunk(n, "/")}) // one comes twice
		}
		must.Do(t, f.Flush(context.Background()))
		all := want(20, "/")
		maps.Copy(all, want(20, "/cart"))
		must.Equal(t, sorted(r.sums), all)
		must.Equal(t, len(r.times), 2)
		must.Do(t, f.Close(context.Background()))
		must.Equal(t, r.faults, nil)
	})
}

// Formats spell stacks out: a profile of too many frames becomes several profiles, and requests.
func TestSpelledStacks(t *testing.T) {
	each(t, func(t *testing.T, kind string) {
		r := &receiver{spelled: 7} // two chunks have six
		f, _ := begin(t, kind, r)
		for n := range 20 {
			f.Add([]*record.Chunk{chunk(n, "/")})
		}
		must.Do(t, f.Flush(context.Background()))
		must.Equal(t, sorted(r.sums), want(20, "/"))
		must.Equal(t, []int{r.posts, len(r.times)}, []int{10, 10})
		must.Do(t, f.Close(context.Background()))
		must.Equal(t, r.faults, nil)
	})
}

// A profile that is too old for a receiver is sent with the oldest time that it takes.
func TestTimes(t *testing.T) {
	each(t, func(t *testing.T, kind string) {
		r := &receiver{}
		f, _ := begin(t, kind, r)
		for _, after := range []time.Duration{5 * time.Minute, 5 * time.Hour, -time.Hour} {
			r.now = start.Add(after)
			c := chunk(0, "/")
			c.ID = record.IDOf(after.String())
			f.Add([]*record.Chunk{c})
			must.Do(t, f.Flush(context.Background()))
		}
		for i, at := range []time.Time{start, start.Add(5*time.Hour - oldest), start.Add(-time.Hour)} {
			if !r.times[i].Equal(at) {
				t.Errorf("%v, want %v", r.times[i], at)
			}
		}
		must.Do(t, f.Close(context.Background()))
		must.Equal(t, r.faults, nil)
	})
}

// A receiver that fails again and again, also in the middle of a batch, and a collector that is restarted
// meanwhile: sums are exact.
func TestOutages(t *testing.T) {
	each(t, func(t *testing.T, kind string) {
		r := &receiver{}
		r.refuse = func(w http.ResponseWriter, _ []byte) bool {
			if r.posts%3 == 0 {
				return false
			}
			w.Header().Set("Retry-After", "0")
			http.Error(w, "not now", []int{429, 500, 503, 401}[r.posts%4])
			return true
		}
		f, again := begin(t, kind, r)
		all := map[string]int64{}
		for n := range 250 { // more series than a request of Pyroscope's has
			f.Add([]*record.Chunk{chunk(n, fmt.Sprint("/", n))})
			maps.Copy(all, want(1, fmt.Sprint("/", n)))
		}
		closed, cancel := context.WithCancel(context.Background())
		cancel()
		must.Do(t, f.Close(closed))
		f = again()
		must.Do(t, f.Flush(context.Background()))
		must.Equal(t, sorted(r.sums), all)
		must.Do(t, f.Close(context.Background()))
		must.Equal(t, r.faults, nil)
	})
}

// A series that is refused forever is dropped, and the others are not.
func TestRefusal(t *testing.T) {
	each(t, func(t *testing.T, kind string) {
		r := &receiver{}
		r.refuse = func(w http.ResponseWriter, body []byte) bool {
			switch {
			case strings.Contains(string(body), "bad!"):
				http.Error(w, "bad", http.StatusBadRequest)
			case r.posts%3 == 0: // also between the halves
				http.Error(w, "not now", http.StatusServiceUnavailable)
			default:
				return false
			}
			return true
		}
		f, _ := begin(t, kind, r)
		all := map[string]int64{}
		for n := range 9 {
			f.Add([]*record.Chunk{chunk(n, fmt.Sprint("/", n))})
			maps.Copy(all, want(1, fmt.Sprint("/", n)))
		}
		f.Add([]*record.Chunk{chunk(9, "bad!")})
		must.Do(t, f.Flush(context.Background()))
		must.Equal(t, sorted(r.sums), all)
		must.Do(t, f.Close(context.Background()))
	})
}

// A target that does not answer keeps no other from what waits when the collector ends.
func TestCloseWithATargetThatHangs(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-ctx.Done() }))
	t.Cleanup(hanging.Close)
	answering := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { cancel() }))
	t.Cleanup(answering.Close)
	targets := []config.Forward{{Kind: "otlp", URL: hanging.URL, Every: time.Hour}, {Kind: "otlp", URL: answering.URL, Every: time.Hour}}
	f := must.Get(Open(targets, Options{Dir: t.TempDir(), Metrics: prometheus.NewRegistry(), grace: hang}))(t)
	f.Add([]*record.Chunk{chunk(1, "/")})
	must.Do(t, f.Close(ctx)) // which is done when the second has been asked
}

// A collector that ends waits a while for a target that does not answer, however long it may take itself.
func TestCloseDoesNotWaitForever(t *testing.T) {
	silent := make(chan bool)
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-silent }))
	t.Cleanup(hanging.Close)
	t.Cleanup(func() { close(silent) })
	f := must.Get(Open([]config.Forward{{Kind: "otlp", URL: hanging.URL, Every: time.Hour}}, Options{Dir: t.TempDir(), Metrics: prometheus.NewRegistry(), grace: time.Millisecond}))(t)
	f.Add([]*record.Chunk{chunk(1, "/")})
	must.Do(t, f.Close(context.Background()))
}

func TestSymbolize(t *testing.T) {
	r := &receiver{}
	f, _ := begin(t, "otlp", r)
	f.targets[0].options.Symbolize = func(_ context.Context, s *record.Series, p *profile.Profile) *profile.Profile {
		var b profile.Builder
		b.Meta = p.Meta
		b.Add(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "of " + s.App}), 1, 1))}, p.Samples.Ticks())
		return b.Profile()
	}
	f.Add([]*record.Chunk{chunk(1, "/")})
	must.Do(t, f.Close(context.Background()))
	if n := sorted(r.sums)["route=/ sample_rate=0.1 service_name=shop x_plan_b=ü | of shop"]; n != 100e6 {
		t.Errorf("%v", r.sums)
	}
}

// Names of labels may be anything, and become something that a receiver takes.
func TestLabels(t *testing.T) {
	s := series{series: record.Series{Rate: 1, Slow: true, Labels: record.Labels{"x-a.b": "1", "x-a_b": "2", "": "3", "__name__": "4", "1": "5",
		"service_name": "6", "é": "7", "empty": "", strings.Repeat("n", 5000): strings.Repeat("ü", 5000), "x-sample_rate": "8", "sample_rate": "9"}}}
	seen := map[string]bool{}
	for _, l := range s.labels() {
		if !labelPattern.MatchString(l.Name) || strings.HasPrefix(l.Name, "__") || seen[l.Name] || l.Name == "service_name" || len(l.Name) > maxName || len(l.Value) > maxValue {
			t.Errorf("%q", l)
		}
		seen[l.Name] = true
	}
	must.Equal(t, len(seen), 12)
}

// A target's answers ask to wait in two ways.
func TestRetryAfter(t *testing.T) {
	target := &target{options: Options{Now: func() time.Time { return start }}}
	for header, want := range map[string]time.Duration{"": 0, "7": 7 * time.Second, "-1": 0, "x": 0,
		start.Add(time.Minute).Format(http.TimeFormat): time.Minute, start.Add(-time.Minute).Format(http.TimeFormat): 0} {
		must.Equal(t, target.asked(header), want, header)
	}
	if wait := patience(0, fmt.Errorf("sending: %w", &refusal{after: time.Hour})); wait != longestAsked {
		t.Errorf("%v", wait)
	}
}

func TestAFullSpoolDropsWhatIsNewest(t *testing.T) {
	registry := prometheus.NewRegistry()
	f := must.Get(Open([]config.Forward{{Kind: "otlp", URL: "http://127.0.0.1:1", Every: time.Hour}}, Options{Dir: t.TempDir(), Bytes: 2000, Metrics: registry}))(t)
	for n := range 50 {
		f.Add([]*record.Chunk{chunk(n, "/")})
	}
	if stats := f.targets[0].spool.Stats(); stats.Waiting > 2000 || stats.Waiting == 0 {
		t.Errorf("%+v", stats)
	}
	dropped := 0.0
	for _, family := range must.Get(registry.Gather())(t) {
		if family.GetName() == "fieldprof_forward_dropped_chunks_total" {
			dropped = family.Metric[0].Counter.GetValue()
		}
	}
	if dropped == 0 {
		t.Error("nothing is counted")
	}
	closed, cancel := context.WithCancel(context.Background())
	cancel()
	must.Do(t, f.Close(closed))
}
