package api_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/collect/api"
	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/memory"
	"github.com/fieldprof/fieldprof/profile"
)

// Tokens of the tests: of all apps, of single ones, and for one purpose.
const (
	all      = "token-of-all-apps-0123456789"
	readShop = "token-that-reads-shop-0123456"
	readNews = "token-that-reads-news-0123456"
	upload   = "token-that-uploads-0123456789"
)

// oddApp is an app with a name that no file should have.
const oddApp = "../é\"\r\nX-Injected: 1"

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// collector is an API over a store in memory, at noon.
type collector struct {
	t       testing.TB
	store   *memory.Store
	now     time.Time
	api     http.Handler
	metrics *prometheus.Registry
	budgets []answer.BudgetRow
}

func newCollector(t testing.TB) *collector {
	c := &collector{t: t, store: memory.New(), now: noon}
	c.open()
	return c
}

// open makes the API over the store in memory.
func (c *collector) open() { c.openOver(c.store) }

func (c *collector) openOver(kept store.Store) {
	c.metrics = prometheus.NewRegistry()
	c.api = api.New(api.Options{
		Answers: answer.New(kept, answer.Options{}), Store: kept, Metrics: c.metrics,
		Now:     func() time.Time { return c.now },
		Log:     slog.New(slog.NewTextHandler(c.t.Output(), nil)),
		Budgets: func(string) []answer.BudgetRow { return c.budgets },
		Config: &config.Config{
			Apps: []config.App{{Name: "shop"}, {Name: "news"}, {Name: oddApp}},
			Tokens: []config.Token{
				{Text: all, Read: true, Upload: true},
				{Text: readShop, Read: true, Apps: []string{"shop"}},
				{Text: readNews, Read: true, Apps: []string{"news"}},
				{Text: upload, Upload: true, Apps: []string{"shop"}},
				{Text: "", Read: true, Upload: true}, // a mistake of an operator's
			},
		},
	})
}

// ask is a request with the token of all apps, changed.
func (c *collector) ask(method, target, body string, change ...func(*http.Request)) *http.Response {
	c.t.Helper()
	r := httptest.NewRequest(method, "/api/v1/", strings.NewReader(body))
	path, query, _ := strings.Cut(target, "?")
	r.URL.Path, r.URL.RawPath, r.URL.RawQuery = unescaped(path), path, query
	r.Header.Set("Authorization", "Bearer "+all)
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	c.api.ServeHTTP(w, r)
	return w.Result()
}

func unescaped(path string) string {
	return strings.NewReplacer("%2e", ".", "%2F", "/", "%2f", "/", "%5C", `\`, "%00", "\x00", "%0D", "\r", "%0A", "\n", "%20", " ", "%3A", ":", "%ff", "\xff").Replace(path)
}

func token(text string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+text) }
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// want checks the status, and that errors say something, and returns the body.
func (c *collector) want(r *http.Response, status int, parts ...string) []byte {
	c.t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if r.StatusCode != status {
		c.t.Fatalf("%d, want %d: %s", r.StatusCode, status, body)
	}
	var said struct{ Error string }
	if status >= 400 {
		if err := json.Unmarshal(body, &said); err != nil || said.Error == "" {
			c.t.Errorf("the error says %q (%v)", body, err)
		}
	} else {
		said.Error = string(body)
	}
	for _, part := range parts {
		if !strings.Contains(said.Error, part) {
			c.t.Errorf("%q lacks %q", said.Error, part)
		}
	}
	return body
}

// profileOf has ticks of stacks: names of functions, the outermost first.
func profileOf(t testing.TB, page string, ticks map[string]int32) *profile.Profile {
	t.Helper()
	var b profile.Builder
	for names, n := range ticks {
		stack := profile.NoStack
		for i, name := range strings.Fields(names) {
			f := b.Function(profile.Function{Name: name, File: page + "/app.js", Line: int32(i + 1), Column: 1, Flags: profile.Checked})
			stack = b.Stack(stack, b.Frame(f, int32(i+1), 1))
		}
		b.Sample(profile.Sample{Stack: stack, Weight: n, Kind: profile.Loop})
	}
	p := b.Profile()
	p.Meta.Program, p.Meta.Interval = page, 10*time.Millisecond
	return p
}

// fill sends the collector a few sessions of two releases.
func (c *collector) fill() {
	c.t.Helper()
	var chunks []*record.Chunk
	for i := range 24 {
		release, n := "1.1", int32(20)
		if i%2 == 1 {
			release, n = "1.2", 60
		}
		id := record.IDOf("chunk", string(rune('a'+i)))
		series := record.Series{App: "shop", Rate: 0.1, Interval: 10 * time.Millisecond, Labels: record.Labels{
			record.Release: release, record.Route: "/cart", record.Browser: "Firefox", "x-plan": `"><script>alert(1)</script>`}}
		p := profileOf(c.t, "https://shop.example", map[string]int32{"main draw": 100, "main price": n})
		at := noon.Add(-time.Duration(i+1) * 10 * time.Minute)
		p.Meta.Start = at
		p.Marks = []profile.Mark{{What: profile.Interaction, Name: "click", Target: "button#<b>buy</b>", Time: 0, Duration: 400 * time.Millisecond, Processing: 300 * time.Millisecond}}
		slow := series
		slow.Slow = true
		chunks = append(chunks, &record.Chunk{
			ID: id, Series: series, Source: "fieldprof", At: at, Observed: time.Minute, View: id, Profile: record.Sum(p), Example: record.EncodeProfile(p),
			Counts: &record.Counts{Interactions: 10, Slow: map[profile.What]int64{profile.Interaction: 1}, LongTasks: 2, INP: time.Duration(200+i) * time.Millisecond, P75: 90 * time.Millisecond},
			Slices: []record.Slice{{ID: record.IDOf("slice", id.String()), Series: slow, At: at, View: id, Mark: p.Marks[0], Trace: record.EncodeProfile(p)}},
		})
	}
	if _, err := c.store.Write(c.t.Context(), record.IDOf("batch"), chunks); err != nil {
		c.t.Fatal(err)
	}
}

func decode[T any](t *testing.T, body []byte) (v T) {
	t.Helper()
	if err := json.NewDecoder(bytes.NewReader(body)).Decode(&v); err != nil {
		t.Fatalf("%v: %.200s", err, body)
	}
	return v
}
