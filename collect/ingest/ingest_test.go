package ingest

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// now is when all tests begin.
var now = time.UnixMilli(1795275060000).UTC()

// site is an ingest, what it accepted, and its clock.
type site struct {
	http.Handler
	t       testing.TB
	metrics *prometheus.Registry
	mu      sync.Mutex
	now     time.Time
	chunks  []*record.Chunk
	fault   error // of Accept
	log     bytes.Buffer
}

func newSite(t testing.TB, apps ...config.App) *site {
	s := &site{t: t, metrics: prometheus.NewRegistry(), now: now}
	if len(apps) == 0 {
		apps = []config.App{{Name: "shop", Keys: []string{"k1"}, Origins: []string{"https://shop.example"}, Labels: []string{"plan", "x-env", "environment"}}}
	}
	s.Handler = New(Options{Apps: apps, Accept: s.accept, Metrics: s.metrics, Now: s.clock, Log: slog.New(slog.NewTextHandler(&s.log, nil))})
	return s
}

func (s *site) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *site) pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

func (s *site) accept(_ context.Context, chunks []*record.Chunk) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fault == nil {
		s.chunks = append(s.chunks, chunks...)
	}
	return s.fault
}

// taken are the chunks that were accepted since it was last asked.
func (s *site) taken() []*record.Chunk {
	s.mu.Lock()
	defer s.mu.Unlock()
	chunks := s.chunks
	s.chunks = nil
	return chunks
}

// count is the value of a counter, added up over its labels but those given.
func (s *site) count(name string, labels ...string) (sum float64) {
	for _, family := range must.Get(s.metrics.Gather())(s.t) {
		if family.GetName() != "fieldprof_"+name {
			continue
		}
		for _, m := range family.GetMetric() {
			fits := true
			for _, wanted := range labels {
				found := false
				for _, l := range m.GetLabel() {
					found = found || l.GetName()+"="+l.GetValue() == wanted
				}
				fits = fits && found
			}
			if fits {
				sum += m.GetCounter().GetValue()
			}
		}
	}
	return sum
}

// send posts a body with headers, given as name and value.
func (s *site) send(path string, body []byte, headers ...string) *httptest.ResponseRecorder {
	return s.do(http.MethodPost, path, bytes.NewReader(body), headers...)
}

func (s *site) do(method, path string, body io.Reader, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, body)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// expect checks an answer.
func expect(t testing.TB, w *httptest.ResponseRecorder, status int, text string) {
	t.Helper()
	if w.Code != status || !strings.Contains(w.Body.String(), text) {
		t.Errorf("%d %.300s, want %d and %q", w.Code, w.Body, status, text)
	}
}

func zipped(text []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(text)
	z.Close()
	return b.Bytes()
}

const profiles = "/v1/profiles?key=k1"

// chunkText is a chunk of a page as docs/sending.md has it.
const chunkText = `{"version":1,"session":"9f0c0000000000000000000000000000","view":"41d20000000000000000000000000000","page":"https://shop.example/cart/12345","release":"2026-11-21",
	"rate":0.1,"browser":"Firefox 153","device":{"kind":"desktop","memory":8,"cores":8},"connection":"4g","labels":{"plan":"pro","color":"red"},"chunk":3,"started":1795275000000.5,"origin":1795274940000.1,
	"notes":["a request was dropped"],
	"trace":{"resources":["https://shop.example/app.js"],"frames":[{"name":"f","resourceId":0,"line":1,"column":9},{"name":"g","resourceId":0,"line":1,"column":99}],
	"stacks":[{"frameId":0},{"frameId":1,"parentId":0}],
	"samples":[{"timestamp":60001,"stackId":0,"weight":1,"kind":"loop","skid":0},{"timestamp":60011,"stackId":1,"weight":1,"kind":"loop","skid":0.5},
		{"timestamp":60021,"stackId":1,"weight":1,"kind":"exit","skid":0},{"timestamp":60031,"weight":1,"kind":"idle","skid":0},{"timestamp":60041,"weight":1}],
	"fieldprof":{"version":1,"clock":"shared","interval":10,"seed":4,"account":{"raised":5,"taken":5},"lost":[]}}}`

const (
	desktopFirefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0"
	iPhone         = "Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1"
)

func TestChunk(t *testing.T) {
	for name, send := range map[string]func(s *site) *httptest.ResponseRecorder{
		"json": func(s *site) *httptest.ResponseRecorder {
			return s.send(profiles, []byte(chunkText), "Content-Type", "application/json", "Origin", "https://shop.example")
		},
		"gzip": func(s *site) *httptest.ResponseRecorder {
			return s.send("/v1/profiles", zipped([]byte(chunkText)), "Content-Encoding", "gzip", "X-Fieldprof-Key", "k1")
		},
		"beacon": func(s *site) *httptest.ResponseRecorder {
			return s.send(profiles, []byte(chunkText), "Content-Type", "text/plain;charset=UTF-8")
		},
	} {
		s := newSite(t)
		expect(t, send(s), http.StatusAccepted, "")
		chunks := s.taken()
		must.Equal(t, len(chunks), 1, name)
		c := chunks[0]
		must.Equal(t, c.Labels, record.Labels{"release": "2026-11-21", "route": "/cart/:id", "page": "https://shop.example", "browser": "Firefox", "browser_version": "153",
			"device": "desktop", "memory": "8", "cores": "8", "connection": "4g", "x-plan": "pro"})
		if c.App != "shop" || c.Source != "fieldprof" || c.Rate != 0.1 || c.Interval != 10*time.Millisecond || c.Number != 3 || c.Slow || c.Observed != 50*time.Millisecond {
			t.Errorf("%+v", c)
		}
		must.Equal(t, c.At, time.UnixMicro(1795275000000500).UTC())
		must.Do(t, c.Profile.CheckValid())
		must.Equal(t, c.Profile.Samples.Weight, []int32{1, 2, 2})
		if c.Example == nil || c.View.IsZero() || c.ID.IsZero() || c.View == c.ID {
			t.Errorf("%+v", c)
		}
		whole := must.Get(record.DecodeProfile(c.Example))(t)
		must.Equal(t, whole.Samples.Ticks(), int64(5))
		expect(t, send(s), http.StatusAccepted, "")
		must.Equal(t, s.taken()[0].ID, c.ID)
		must.Equal(t, s.count("requests_total", "app=shop", "source=fieldprof", "result=accepted"), 2.0)
	}
}

func TestHeadersFillIn(t *testing.T) {
	s := newSite(t)
	bare := strings.NewReplacer(`"browser":"Firefox 153","device":{"kind":"desktop","memory":8,"cores":8},`, "").Replace(chunkText)
	for agent, want := range map[string]record.Labels{
		desktopFirefox: {"browser": "Firefox", "browser_version": "153", "os": "Windows", "device": "desktop"},
		iPhone:         {"browser": "Safari", "browser_version": "26", "os": "iOS", "device": "mobile"},
		"curl/8":       {},
	} {
		expect(t, s.send(profiles, []byte(bare), "User-Agent", agent, "Accept-Language", "de-AT,de;q=0.9,en"), http.StatusAccepted, "")
		c := s.taken()[0]
		must.Equal(t, c.Labels["locale"], "de-AT")
		for _, name := range []string{"browser", "browser_version", "os", "device"} {
			must.Equal(t, c.Labels[name], want[name], agent, name)
		}
	}
}

const sliceText = `{"version":1,"session":"9f0c","view":"41d2","page":"https://shop.example/search?q=secret","route":"/search","release":"2026-11-21",
	"rate":0.1,"browser":"Firefox 153","chunk":0,"started":1795275003021.1,"origin":1795274940000,"slice":true,"weight":5,
	"counts":{"interactions":42,"slow":{"interaction":3,"other":7},"longTasks":9,"inp":312,"p75":96,"dropped":0},
	"trace":{"resources":["https://shop.example/app.js"],"frames":[{"name":"filterProducts","resourceId":0,"line":1,"column":8841}],"stacks":[{"frameId":0}],
	"samples":[{"timestamp":63031,"stackId":0,"weight":1,"kind":"loop","skid":0},{"timestamp":63331,"stackId":0,"weight":30,"kind":"loop","skid":300}],
	"fieldprof":{"version":1,"clock":"shared","interval":10,"seed":1,"account":{},"lost":[],"marks":[
		{"what":"interaction","name":"click","target":"button#find","time":63021.1,"duration":310,"inputDelay":8.2,"processing":282.5,"presentation":19.3},
		{"what":"long-task","name":"self","time":63020,"duration":312}]}}}`

func TestSlice(t *testing.T) {
	s := newSite(t)
	expect(t, s.send(profiles, []byte(sliceText)), http.StatusAccepted, "")
	chunks := s.taken()
	must.Equal(t, len(chunks), 2)
	view, slow := chunks[0], chunks[1]
	if view.Slow || view.View.IsZero() || view.Profile != nil || view.Rate != 0.1 || view.Observed != 0 {
		t.Errorf("%+v", view)
	}
	c := view.Counts
	if c == nil || c.Interactions != 42 || c.LongTasks != 9 || c.INP != 312*time.Millisecond || c.P75 != 96*time.Millisecond || len(c.Slow) != 1 || c.Slow["interaction"] != 3 {
		t.Errorf("%+v", c)
	}
	if !slow.Slow || !slow.View.IsZero() || slow.Counts != nil || slow.Rate != 0.02 || slow.Profile.Samples.Ticks() != 31 || slow.ID == view.ID {
		t.Errorf("%+v", slow)
	}
	must.Equal(t, len(slow.Slices), 1)
	one := slow.Slices[0]
	if one.Cause.Name != "filterProducts" || one.CauseGroup != "own" || one.Mark.Target != "button#find" || one.Mark.Duration != 310*time.Millisecond || one.View != view.View || !one.Slow || one.Rate != 0.02 {
		t.Errorf("%+v", one)
	}
	must.Equal(t, one.At, view.At)
	must.Equal(t, len(must.Get(record.DecodeProfile(one.Trace))(t).Marks), 2)

	counts := sliceText[:strings.Index(sliceText, `"slice":true`)] + `"counts":{"interactions":2,"slow":{}}}`
	expect(t, s.send(profiles, []byte(counts)), http.StatusAccepted, "")
	chunks = s.taken()
	if len(chunks) != 1 || chunks[0].Counts.Interactions != 2 || chunks[0].Profile != nil {
		t.Errorf("%+v", chunks)
	}
}

// Whose a script is has one meaning, when a slice arrives and when it is asked for.
func TestFirstParty(t *testing.T) {
	s := newSite(t, config.App{Name: "shop", Keys: []string{"k1"}, FirstParty: []string{"Static.example"}})
	for script, want := range map[string]string{"https://static.example:8443/app.js": "own", "https://eu.static.example/app.js": "own", "https://ads.example/app.js": "third-party"} {
		expect(t, s.send(profiles, []byte(strings.ReplaceAll(sliceText, "https://shop.example/app.js", script))), http.StatusAccepted, "")
		must.Equal(t, s.taken()[1].Slices[0].CauseGroup, want, script)
	}
}

// A slice that is sent in parts is one slice, with the time of all parts.
func TestSliceInParts(t *testing.T) {
	s := newSite(t)
	ticks, slices := int64(0), 0
	for _, part := range []string{"2", "0", "1", "1"} {
		expect(t, s.send(profiles, []byte(strings.Replace(sliceText, `"slice":true`, `"slice":true,"part":`+part+`,"parts":3`, 1))), http.StatusAccepted, "")
	}
	seen := map[record.ID]bool{}
	for _, c := range s.taken() {
		if c.Slow && !seen[c.ID] {
			ticks += c.Profile.Samples.Ticks()
			slices += len(c.Slices)
		}
		seen[c.ID] = true
	}
	must.Equal(t, ticks, 3*31)
	must.Equal(t, slices, 1)
}

// Profiles that are kept whole say no more of a page than the labels do.
func TestPagesAreKeptAsRoutes(t *testing.T) {
	for _, page := range []string{"https://shop.example/users/anna%40example.com/orders/123456?q=secret#secret", "https://anna:secret@shop.example/orders/123456", "/orders/123456"} {
		s := newSite(t)
		named := strings.NewReplacer("https://shop.example/cart/12345", page, "https://shop.example/search?q=secret", page, `"what":"interaction","name":"click"`, `"what":"load","name":"/orders/123456"`,
			`"what":"long-task","name":"self"`, `"what":"navigation","name":"/users/anna@example.com"`)
		expect(t, s.send(profiles, []byte(named.Replace(chunkText))), http.StatusAccepted, "")
		expect(t, s.send(profiles, []byte(named.Replace(sliceText))), http.StatusAccepted, "")
		chunks := s.taken()
		example, slice := must.Get(record.DecodeProfile(chunks[0].Example))(t), chunks[2].Slices[0]
		trace := must.Get(record.DecodeProfile(slice.Trace))(t)
		must.Equal(t, slice.Mark.Name, "/orders/:id")
		must.Equal(t, trace.Marks[0].Name, "/users/:id")
		for _, p := range []*profile.Profile{example, trace} {
			if kept := fmt.Sprint(p.Meta, p.Marks, p.Strings); strings.Contains(kept, "secret") || strings.Contains(kept, "anna") || strings.Contains(kept, "123456") {
				t.Errorf("%s: %s", page, kept)
			}
		}
		if strings.HasPrefix(page, "https:") {
			must.Equal(t, trace.Meta.Program, "https://shop.example")
		}
	}
}

// Requests of several apps and formats at once do not mix: buffers are used again and again.
func TestConcurrent(t *testing.T) {
	s := newSite(t, config.App{Name: "shop", Keys: []string{"k1"}, Limits: config.Limits{PerSecond: 1e9, PerAddress: 1e9}}, config.App{Name: "news", Keys: []string{"k2"}, Limits: config.Limits{PerSecond: 1e9, PerAddress: 1e9}})
	const senders, each = 8, 40
	var all sync.WaitGroup
	for sender := range senders {
		all.Go(func() {
			for i := range each {
				name := fmt.Sprintf("function%d", sender)
				text := strings.NewReplacer(`"name":"f"`, `"name":"`+name+`"`, `"9f0c0`, fmt.Sprintf(`"9f0c%d`, sender), `"2026-11-21"`, `"`+name+`"`, `"chunk":3`, fmt.Sprintf(`"chunk":%d`, i)).Replace(chunkText)
				text += strings.Repeat(" ", 1000*(i%7))
				key := fmt.Sprint("/v1/profiles?key=k", 1+sender%2)
				if i%2 == 0 {
					s.send(key, zipped([]byte(text)), "Content-Encoding", "gzip")
				} else {
					s.send(key, []byte(text))
				}
				s.send(fmt.Sprint("/api/1/envelope/?sentry_key=k", 1+sender%2), []byte(strings.ReplaceAll(sentryText, "layOutRows", name)))
			}
		})
	}
	all.Wait()
	seen := map[record.ID]bool{}
	for _, c := range s.taken() {
		name := c.Profile.Function(0).Name
		app := []string{"shop", "news"}[name[len(name)-1]%2]
		if c.App != app || c.Source == "fieldprof" && (c.Labels["release"] != name || seen[c.ID]) {
			t.Errorf("%s: %+v", name, c)
		}
		seen[c.ID] = true
	}
}
