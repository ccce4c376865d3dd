package ingest

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
)

// sentryText is what @sentry/browser 11.12.0 sends, in its order.
const sentryText = `{"event_id":"d2a4f0c9f0e14c58a4a8e0f1b8f6a111","sent_at":"2026-11-21T15:30:30.000Z","sdk":{"name":"sentry.javascript.browser","version":"11.12.0"}}
{"type":"profile_chunk","platform":"javascript"}
{"chunk_id":"0123456789abcdef0123456789abcdef","client_sdk":{"name":"sentry.javascript.browser","version":"11.12.0"},"profiler_id":"fedcba9876543210fedcba9876543210","platform":"javascript","version":"2","release":"shop@1.2","environment":"production","debug_meta":{"images":[{"type":"sourcemap","code_file":"https://shop.example/app.js","debug_id":"85314830-023f-4cf1-a267-535f4e37bb17"}]},"profile":{"frames":[{"function":"measureRow","abs_path":"https://shop.example/app.js?v=3","lineno":1,"colno":20},{"function":"layOutRows","abs_path":"https://shop.example/app.js?v=3","lineno":1,"colno":99}],"stacks":[[0,1],[1],[]],"samples":[{"stack_id":0,"thread_id":"0","timestamp":1795275000.0001},{"stack_id":0,"thread_id":"0","timestamp":1795275000.0104},{"stack_id":1,"thread_id":"0","timestamp":1795275000.0199},{"stack_id":2,"thread_id":"0","timestamp":1795275000.0303},{"stack_id":2,"thread_id":"0","timestamp":1795275000.0402}],"thread_metadata":{"0":{"name":"main"}}}}`

func TestSentry(t *testing.T) {
	s := newSite(t)
	s.now = must.Get(time.Parse(time.RFC3339, "2026-11-21T15:30:31Z"))(t)
	const path = "/api/4507/envelope/?sentry_version=7&sentry_key=k1&sentry_client=sentry.javascript.browser%2F11.12.0"
	w := s.send(path, []byte(sentryText), "Origin", "https://shop.example", "Referer", "https://shop.example/", "User-Agent", desktopFirefox)
	expect(t, w, http.StatusOK, `{"id":"d2a4f0c9f0e14c58a4a8e0f1b8f6a111"}`)
	must.Equal(t, w.Header().Get("Access-Control-Allow-Origin"), "https://shop.example")
	chunks := s.taken()
	must.Equal(t, len(chunks), 1)
	c := chunks[0]
	must.Equal(t, c.Labels, record.Labels{"release": "shop@1.2", "page": "https://shop.example", "browser": "Firefox", "browser_version": "153", "os": "Windows", "device": "desktop", "x-environment": "production"})
	if c.Source != "sentry" || c.Rate != 1 || c.Interval != 10*time.Millisecond || c.View.IsZero() || c.Profile.Samples.Ticks() != 5 {
		t.Errorf("%+v\n%+v", c, c.Profile.Samples)
	}
	must.Equal(t, c.At.Truncate(time.Second), time.Unix(1795275000, 0).UTC().Truncate(time.Second))
	must.Equal(t, c.Profile.Function(0).File, "https://shop.example/app.js") // no query is stored
	must.Equal(t, c.Profile.Meta.DebugIDs, map[string]string{"https://shop.example/app.js": "85314830-023f-4cf1-a267-535f4e37bb17"})
	s.send(path, []byte(sentryText))
	must.Equal(t, s.taken()[0].ID, c.ID)

	// The key in a header, other items before and after, lengths, and a path before /api.
	others := strings.Replace(sentryText, "\n{\"type\":\"profile_chunk\"", "\n{\"type\":\"event\",\"length\":10}\n{\"a\":\"\\n\"}\n{\"type\":\"session\"}\n{}\n{\"type\":\"profile_chunk\"", 1) + "\n{\"type\":\"attachment\",\"length\":3}\n\n\n\n\n"
	w = s.send("/collect/api/1/envelope", zipped([]byte(others)), "X-Sentry-Auth", "Sentry sentry_version=7, sentry_key=k1", "Content-Encoding", "gzip")
	expect(t, w, http.StatusOK, `"id"`)
	must.Equal(t, len(s.taken()), 1)
	must.Equal(t, s.count("dropped_total", "reason=not-a-profile"), 1.0)
	// Chunks without ids are apart, and the same ones if they are sent again.
	nameless := strings.Replace(sentryText, `"chunk_id":"0123456789abcdef0123456789abcdef",`, "", 1)
	nameless += nameless[strings.IndexByte(nameless, '\n'):]
	s.send(path, []byte(nameless))
	once := s.taken()
	s.send(path, []byte(nameless))
	again := s.taken()
	if len(once) != 2 || len(again) != 2 || once[0].ID == once[1].ID || once[0].ID != again[0].ID || once[1].ID != again[1].ID {
		t.Errorf("%d and %d chunks", len(once), len(again))
	}
	w = s.send(path, []byte("{}\n{\"type\":\"event\"}\n{}"))
	expect(t, w, http.StatusOK, "{}")
	must.Equal(t, len(s.taken()), 0)
}

// A machine that slept while a browser sampled counts for the time that it ran, in any format.
func TestSleep(t *testing.T) {
	bare := `{"resources":["https://shop.example/app.js"],"frames":[{"name":"f","resourceId":0,"line":1,"column":9}],"stacks":[{"frameId":0}],"samples":[`
	for i := range 60 {
		bare += fmt.Sprintf(`{"timestamp":%d,"stackId":0},`, 10*i)
	}
	bare += `{"timestamp":28800000,"stackId":0}]}`
	s := newSite(t)
	sentry := strings.Replace(sentryText, "1795275000.0402", "1795303800.0402", 1)
	for path, text := range map[string]string{profiles: bare, "/api/1/envelope/?sentry_key=k1": sentry} {
		if w := s.send(path, []byte(text)); w.Code/100 != 2 {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		if c := s.taken()[0]; c.Interval != 10*time.Millisecond || c.Observed > 610*time.Millisecond || c.Profile.Samples.Ticks() > 61 {
			t.Errorf("%s: %v observed every %v, %d ticks", path, c.Observed, c.Interval, c.Profile.Samples.Ticks())
		}
	}
}

// A minute of a page in Sentry's form is read, too.
func BenchmarkSentry(b *testing.B) {
	var text bytes.Buffer
	text.WriteString("{}\n{\"type\":\"profile_chunk\"}\n{\"version\":\"2\",\"chunk_id\":\"1\",\"profile\":{\"frames\":[{\"function\":\"f\",\"abs_path\":\"https://shop.example/app.js\",\"lineno\":1,\"colno\":9}],\"stacks\":[[0],[]],\"samples\":[")
	for i := range 6000 {
		fmt.Fprintf(&text, "%s{\"stack_id\":%d,\"thread_id\":\"0\",\"timestamp\":%.4f}", ","[:min(i, 1)], i%2, 1795275000+0.01*float64(i)+0.0001*float64(i%7))
	}
	text.WriteString("]}}")
	s := newSite(b, config.App{Name: "shop", Keys: []string{"k1"}, Limits: config.Limits{PerSecond: 1e9, PerAddress: 1e9}})
	for b.Loop() {
		expect(b, s.send("/api/1/envelope/?sentry_key=k1", text.Bytes()), http.StatusOK, "")
		s.taken()
	}
}

// The clock of a page that is wrong by years is corrected, since the envelope says when it was sent.
func TestSentryClock(t *testing.T) {
	s := newSite(t)
	s.now = must.Get(time.Parse(time.RFC3339, "2031-01-01T00:00:30Z"))(t)
	s.send("/api/1/envelope/?sentry_key=k1", []byte(sentryText))
	at := s.taken()[0].At
	if ago := s.now.Sub(at); ago < 20*time.Second || ago > time.Minute {
		t.Errorf("%v before", ago)
	}
}

// datadogForm is what @datadog/browser-rum 7.16.2 sends.
func datadogForm(t testing.TB, trace string, packed bool) (body []byte, kind string) {
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	event := must.Get(form.CreateFormFile("event", "event.json"))(t)
	fmt.Fprint(event, `{"application":{"id":"a"},"session":{"id":"5d1c"},"view":{"id":["v1","v2"],"name":["/orders/?"]},"attachments":["wall-time.json"],"start":"2026-11-21T15:30:00.123Z","end":"2026-11-21T15:31:00.123Z","family":"chrome","runtime":"chrome","format":"json","version":4,"tags_profiler":"sdk_version:7.16.2,env:prod,service:web,version:1.2,language:javascript,runtime:chrome,family:chrome,host:browser","_dd":{"clock_drift":0}}`)
	wall := must.Get(form.CreateFormFile("wall-time.json", "wall-time.json"))(t)
	if packed {
		z := zlib.NewWriter(wall)
		fmt.Fprint(z, trace)
		z.Close()
	} else {
		fmt.Fprint(wall, trace)
	}
	form.Close()
	return b.Bytes(), form.FormDataContentType()
}

const datadogTrace = `{"frames":[{"name":"measureRow","resourceId":0,"line":1,"column":20}],"resources":["https://shop.example/app.js"],"stacks":[{"frameId":0}],
	"samples":[{"timestamp":100.1,"stackId":0},{"timestamp":110.3,"stackId":0},{"timestamp":119.9},{"timestamp":130.2}],
	"startClocks":{"relative":100,"timeStamp":1795275000123},"endClocks":{"relative":60100,"timeStamp":1795275060123},"clocksOrigin":{"relative":0,"timeStamp":1795274999999},
	"longTasks":[],"actions":[],"vitals":[],"views":[{"startClocks":{"relative":0,"timeStamp":1},"viewId":"v1","viewName":"/orders/?"}],"sampleInterval":10,
	"debugIds":[{"resourceId":0,"debugId":"85314830-023f-4cf1-a267-535f4e37bb17"}]}`

func TestDatadog(t *testing.T) {
	const parameters = "ddsource=browser&dd-api-key=k1&dd-evp-origin-version=7.16.2&dd-evp-origin=browser&dd-request-id=1"
	var first record.ID
	for _, packed := range []bool{false, true} {
		for _, path := range []string{"/api/v2/profile?" + parameters, "/v1/datadog?ddforward=" + strings.NewReplacer("/", "%2F", "?", "%3F", "=", "%3D", "&", "%26").Replace("/api/v2/profile?"+parameters)} {
			s := newSite(t)
			s.now = must.Get(time.Parse(time.RFC3339, "2026-11-21T15:31:05Z"))(t)
			body, kind := datadogForm(t, datadogTrace, packed)
			expect(t, s.send(path, body, "Content-Type", kind, "Origin", "https://shop.example", "User-Agent", iPhone), http.StatusAccepted, "{}")
			c := s.taken()[0]
			must.Equal(t, c.Labels, record.Labels{"release": "1.2", "route": "/orders/:id", "page": "https://shop.example", "browser": "Safari", "browser_version": "26", "os": "iOS", "device": "mobile", "x-env": "prod"})
			if c.Source != "datadog" || c.Interval != 10*time.Millisecond || c.View.IsZero() || c.Profile.Samples.Ticks() != 4 || c.Profile.Samples.Kind[1] != profile.Idle {
				t.Errorf("%+v\n%+v", c, c.Profile.Samples)
			}
			must.Equal(t, c.At, must.Get(time.Parse(time.RFC3339Nano, "2026-11-21T15:30:00.123Z"))(t))
			must.Equal(t, c.Profile.Meta.DebugIDs["https://shop.example/app.js"], "85314830-023f-4cf1-a267-535f4e37bb17")
			if first.IsZero() {
				first = c.ID
			}
			must.Equal(t, c.ID, first) // however it is sent
		}
	}
	s := newSite(t)
	w := s.do(http.MethodGet, "/v1/datadog?ddforward=%2Fapi%2Fv2%2Fprofiling%2Fquota%3Fsession_id%3Dx&ddforwardSubdomain=quota", nil, "DD-CLIENT-TOKEN", "k1", "Origin", "https://shop.example")
	expect(t, w, http.StatusOK, `{"data":{"attributes":{"admitted":true,"reason":"quota_ok"}}}`)
	w = s.send("/api/v2/rum?dd-api-key=k1&batch_time=1", []byte("{}\n{}"))
	expect(t, w, http.StatusAccepted, "{}")
	must.Equal(t, len(s.taken()), 0)
	must.Equal(t, s.count("dropped_total", "reason=not-a-profile"), 2.0)
}

func TestBareTrace(t *testing.T) {
	s := newSite(t)
	trace := `{"resources":["https://shop.example/app.js#x"],"frames":[{"name":"f","resourceId":0}],"stacks":[{"frameId":0}],"samples":[{"timestamp":1,"stackId":0},{"timestamp":17.2,"stackId":0},{"timestamp":32.9}]}`
	expect(t, s.send(profiles+"&release=1.2&route=%2Fcart&rate=0.25&plan=pro&other=x", []byte(trace), "Referer", "https://shop.example/somewhere/17"), http.StatusAccepted, "")
	c := s.taken()[0]
	must.Equal(t, c.Labels, record.Labels{"release": "1.2", "route": "/cart", "page": "https://shop.example", "x-plan": "pro"})
	if c.Source != "trace" || c.Rate != 0.25 || c.Interval != 16*time.Millisecond || c.Profile.Samples.Ticks() != 3 || !c.View.IsZero() || !c.At.Equal(now) {
		t.Errorf("%+v", c)
	}
	s.send(profiles, []byte(trace))
	must.Equal(t, s.taken()[0].ID, c.ID)
	s.send(profiles, []byte(trace), "X-Fieldprof-Request-Id", "7")
	if s.taken()[0].ID == c.ID {
		t.Error("another request has the same ID")
	}
}

// pprof and OTLP arrive as they would be read from files.
func TestBinary(t *testing.T) {
	var b profile.Builder
	b.Meta = profile.Meta{Start: now.Add(-time.Minute), Interval: 10 * time.Millisecond, Duration: time.Second}
	f := b.Frame(b.Function(profile.Function{Name: "main.work", File: "main.go", Line: 3}), 4, 0)
	b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, f), Weight: 7})
	for _, name := range []string{"pprof", "otlp"} {
		var file bytes.Buffer
		must.Do(t, must.Get(format.ByName(name))(t).Write(&file, b.Profile()))
		for _, path := range []string{profiles, "/v1development/profiles?key=k1"} {
			if name == "pprof" && path != profiles {
				continue
			}
			s := newSite(t)
			w := s.send(path+"&release=7", file.Bytes(), "Content-Type", "application/x-protobuf")
			if w.Code/100 != 2 {
				t.Fatalf("%s to %s: %d %s", name, path, w.Code, w.Body)
			}
			c := s.taken()[0]
			if c.Source != name || c.Labels["release"] != "7" || c.Interval != 10*time.Millisecond || c.Profile.Samples.Ticks() != 7 || c.Profile.Function(0).Name != "main.work" {
				t.Errorf("%s: %+v", name, c)
			}
		}
	}
	expect(t, newSite(t).send("/v1development/profiles?key=k1", nil), http.StatusBadRequest, "")
}

// OTLP in JSON is answered in JSON.
func TestOTLPInJSON(t *testing.T) {
	const text = `{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"sampleType":{"typeStrindex":1,"unitStrindex":2},"period":"10000000",
		"samples":[{"stackIndex":1,"values":["7"]}]}]}]}],
		"dictionary":{"stringTable":["","samples","count","main.work"],"functionTable":[{},{"nameStrindex":3}],
		"locationTable":[{},{"lines":[{"functionIndex":1,"line":"4"}]}],"stackTable":[{},{"locationIndices":[1]}]}}`
	s := newSite(t)
	w := s.send("/v1development/profiles?key=k1", []byte(text), "Content-Type", "application/json; charset=utf-8")
	if w.Code != http.StatusOK || strings.TrimSpace(w.Body.String()) != "{}" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if p := s.taken()[0].Profile; p.Samples.Ticks() != 7 || p.Function(0).Name != "main.work" {
		t.Errorf("%d ticks of %q", p.Samples.Ticks(), p.Function(0).Name)
	}
}

// A collector sends the profiles of many services in one request. All of them are kept, and entries that are
// not profiles are counted.
func TestOTLPOfManyServices(t *testing.T) {
	resource := func(service, unit, ticks string) string {
		return `{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"` + service + `"}}]},"scopeProfiles":[{"profiles":[` +
			`{"sampleType":{"typeStrindex":1,"unitStrindex":` + unit + `},"samples":[{"stackIndex":1,"values":["` + ticks + `"]}]}]}]}`
	}
	text := `{"resourceProfiles":[` + resource("a", "2", "7") + "," + resource("heap", "3", "1") + "," + resource("b", "2", "9") + "," + resource("b", "2", "9") + `],
		"dictionary":{"stringTable":["","samples","count","bytes","main.work"],"functionTable":[{},{"nameStrindex":4}],
		"locationTable":[{},{"lines":[{"functionIndex":1,"line":"4"}]}],"stackTable":[{},{"locationIndices":[1]}]}}`
	s := newSite(t, config.App{Name: "shop", Keys: []string{"k1"}, Labels: []string{"service"}})
	send := func() (got []string, ids map[record.ID]bool) {
		expect(t, s.send("/v1development/profiles?key=k1", []byte(text), "Content-Type", "application/json"), http.StatusOK, "{}")
		ids = map[record.ID]bool{}
		for _, c := range s.taken() {
			got = append(got, fmt.Sprint(c.Labels["x-service"], " ", c.Profile.Samples.Ticks()))
			ids[c.ID] = true
		}
		return got, ids
	}
	got, ids := send()
	must.Equal(t, got, []string{"a 7", "b 9", "b 9"})
	must.Equal(t, len(ids), 3)
	must.Equal(t, s.count("dropped_total", "reason=not-a-profile"), 1.0)
	_, again := send()
	must.Equal(t, again, ids)
}

// Slices of any rate and weight are in few series.
func TestUsualRates(t *testing.T) {
	for rate, want := range map[float64]float64{0: 1, 1: 1, 0.1: 0.1, 0.01: 0.01, 1.0 / 3: 1 / 3.0, 0.123456: 1 / 8.1, 2: 1, -1: 1, 1e-300: 1e-6} {
		got := usualRate(rate)
		if got < want*0.999 || got > want*1.001 {
			t.Errorf("%v becomes %v", rate, got)
		}
	}
	seen := map[float64]bool{}
	for weight := 1.0; weight < 100_000; weight++ {
		seen[usualRate(0.1/weight)] = true
	}
	if len(seen) > 4000 {
		t.Errorf("%d rates", len(seen))
	}
}

// Intervals are few, and the time stays the same.
func TestUsualIntervals(t *testing.T) {
	for given, want := range map[time.Duration]time.Duration{0: 10 * time.Millisecond, 10_013_000: 10_000_000, 16_700_000: 16_000_000, 5_400_000: 5_000_000, 11_200_000: 10_000_000, 1000: 100_000, 1_234_567: 1_200_000, time.Hour: 10 * time.Second, 123 * time.Millisecond: 120 * time.Millisecond} {
		must.Equal(t, nearest(given), want, given)
	}
	var b profile.Builder
	b.Meta.Interval = 10_300_000
	idle := b.Pseudo(profile.NoStack, profile.NameIdle)
	for i := range 1000 {
		b.Sample(profile.Sample{Time: int64(i), Stack: idle, Weight: 1, Kind: profile.Idle})
	}
	p := usual(b.Profile())
	must.Equal(t, p.Meta.Interval, 10*time.Millisecond)
	must.Equal(t, p.Samples.Ticks(), int64(1030))
	must.Do(t, p.CheckValid())
}

func TestConfigNames(t *testing.T) {
	must.Equal(t, newApp(&config.App{Labels: []string{"plan", "x-env"}}).custom, map[string]string{"plan": "x-plan", "env": "x-env"})
	var l list
	must.Do(t, json.Unmarshal([]byte(`"a"`), &l))
	must.Equal(t, l.first(), "a")
}
