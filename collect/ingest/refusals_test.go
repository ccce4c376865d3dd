package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/internal/must"
)

// many is a text again and again, with a number.
func many(n int, text string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, text, i)
	}
	return b.String()
}

// Every refusal has a status, a reason for people and a metric.
func TestRefusals(t *testing.T) {
	if testing.Short() {
		t.Skip("bombs take long under the race detector, and one goroutine reads them")
	}
	deep := func(frames int) string { // each called by the one before
		var b strings.Builder
		b.WriteString(`{"resources":[],"frames":[{"name":"f"}],"stacks":[{"frameId":0}`)
		for i := 1; i < frames; i++ {
			fmt.Fprintf(&b, `,{"frameId":0,"parentId":%d}`, i-1)
		}
		fmt.Fprintf(&b, `],"samples":[{"timestamp":1,"stackId":%d},{"timestamp":11}]}`, frames-1)
		return b.String()
	}
	for _, c := range []struct {
		name, path, body string
		headers          []string
		status           int
		reason           string
	}{
		{"no key", "/v1/profiles", chunkText, nil, 401, "key"},
		{"wrong key", "/v1/profiles?key=k2", chunkText, nil, 401, "key"},
		{"empty key", "/v1/profiles?key=", chunkText, nil, 401, "key"},
		{"no such path", "/v1/nothing?key=k1", chunkText, nil, 404, "path"},
		{"path traversal", "/v1/../../etc/passwd?key=k1", chunkText, nil, 404, "path"},
		{"other origin", profiles, chunkText, []string{"Origin", "https://evil.example"}, 403, "origin"},
		{"other scheme", profiles, chunkText, []string{"Origin", "http://shop.example"}, 403, "origin"},
		{"no origin", profiles, chunkText, []string{"Origin", "null"}, 403, "origin"},
		{"brotli", profiles, chunkText, []string{"Content-Encoding", "br"}, 415, "encoding"},
		{"not gzipped", profiles, chunkText, []string{"Content-Encoding", "gzip"}, 400, "gzip"},
		{"gzip cut short", profiles, string(zipped([]byte(chunkText))[:100]), []string{"Content-Encoding", "gzip"}, 400, "gzip"},
		{"gzipped twice", profiles, string(zipped(zipped([]byte(chunkText)))), []string{"Content-Encoding", "gzip"}, 400, "gzip"},
		{"empty", profiles, "", nil, 400, "format"},
		{"null", profiles, "null", nil, 415, "format"},
		{"no object", profiles, "[]", nil, 415, "format"},
		{"text", profiles, "hello", nil, 415, "format"},
		{"no trace", profiles, `{"version":1,"session":"a","view":"b"}`, nil, 400, "format"},
		{"no view", profiles, strings.Replace(chunkText, `"view"`, `"other"`, 1), nil, 400, "format"},
		{"cut short", profiles, chunkText[:len(chunkText)/2], nil, 400, "format"},
		{"slice without a mark", profiles, strings.Replace(sliceText, `"marks"`, `"others"`, 1), nil, 400, "format"},
		{"folded stacks", profiles, "a;b 3\n", nil, 415, "format"},
		{"large", profiles, strings.Repeat(" ", 5<<20), nil, 413, "size"},
		{"bomb", profiles, string(zipped(bytes.Repeat([]byte(" "), 40<<20))), []string{"Content-Encoding", "gzip"}, 413, "size"},
		{"bomb of frames", profiles, string(zipped([]byte(`{"frames":[{}` + strings.Repeat(",{}", 10<<20) + `],"samples":[]}`))), []string{"Content-Encoding", "gzip"}, 413, "frames"},
		{"a million frames", profiles, string(zipped([]byte(deep(1_000_000)))), []string{"Content-Encoding", "gzip"}, 413, "frames"},
		{"bomb of samples", profiles, string(zipped([]byte(`{"frames":[],"stacks":[],"samples":[{"timestamp":1}` + strings.Repeat(`,{"timestamp":1}`, 1<<20) + `]}`))), []string{"Content-Encoding", "gzip"}, 413, "frames"},
		{"bomb of kinds", profiles, `{"frames":[],"stacks":[],"samples":[{"timestamp":1}` + many(200, `,{"timestamp":1,"marker":"m%d"}`) + `]}`, nil, 413, "frames"},
		{"Sentry's bomb of samples", "/api/1/envelope/?sentry_key=k1", string(zipped([]byte("{}\n{\"type\":\"profile_chunk\"}\n" + `{"version":"2","profile":{"frames":[{}],"stacks":[[]],"samples":[{}` + strings.Repeat(`,{}`, 1<<20) + `]}}`))), []string{"Content-Encoding", "gzip"}, 413, "frames"},
		{"bomb of marks", profiles, string(zipped([]byte(`{"samples":[],"fieldprof":{"version":1,"marks":[{"time":1}` + strings.Repeat(",{}", 1<<20) + `]}}`))), []string{"Content-Encoding", "gzip"}, 400, "format"},
		{"nested", profiles, `{"x":` + strings.Repeat("[", 1<<20), nil, 400, "format"},
		{"a cycle", profiles, `{"frames":[{"name":"f"}],"stacks":[{"frameId":0,"parentId":1},{"frameId":0,"parentId":0}],"samples":[]}`, nil, 400, "format"},
		{"OTLP in broken JSON", "/v1development/profiles?key=k1", "{", []string{"Content-Type", "application/json"}, 400, "format"},
		{"OTLP in too much JSON", "/v1development/profiles?key=k1", string(zipped([]byte(`{"resourceProfiles":[{}` + strings.Repeat(",{}", 1<<20) + `]}`))), []string{"Content-Type", "application/json", "Content-Encoding", "gzip"}, 413, "frames"},
		{"OTLP that is none", "/v1development/profiles?key=k1", "\xff\xff\xff", nil, 400, "format"},
		{"pprof of empty samples", profiles, string(zipped([]byte("\x0a\x04\x08\x01\x10\x02" + strings.Repeat("\x12\x00", 1<<20)))), nil, 413, "frames"},
		{"Sentry without a header", "/api/1/envelope/?sentry_key=k1", "hello\n", nil, 400, "format"},
		{"Sentry with four million blank lines", "/api/1/envelope/?sentry_key=k1", string(zipped([]byte("{}\n" + strings.Repeat("\n", 4<<20) + "x"))), []string{"Content-Encoding", "gzip"}, 400, "format"},
		{"Sentry with an endless item", "/api/1/envelope/?sentry_key=k1", "{}\n{\"type\":\"event\",\"length\":99}\n{}", nil, 400, "format"},
		{"Sentry with a negative item", "/api/1/envelope/?sentry_key=k1", "{}\n{\"type\":\"event\",\"length\":-1}\n{}", nil, 400, "format"},
		{"Sentry with too many items", "/api/1/envelope/?sentry_key=k1", "{}\n" + strings.Repeat("{\"type\":\"event\"}\n{}\n", 1001), nil, 413, "items"},
		{"Sentry with a broken chunk", "/api/1/envelope/?sentry_key=k1", "{}\n{\"type\":\"profile_chunk\"}\n{\"version\":\"3\"}", nil, 400, "format"},
		{"Datadog without a form", "/api/v2/profile?dd-api-key=k1", chunkText, nil, 415, "format"},
		{"Datadog, an empty form", "/api/v2/profile?dd-api-key=k1", "--x--", []string{"Content-Type", "multipart/form-data; boundary=x"}, 400, "format"},
		{"a forward elsewhere", "/v1/datadog?ddforward=https%3A%2F%2Fevil.example%2Fapi%2Fv2%2Fprofile", "", nil, 404, "path"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t)
			w := s.send(c.path, []byte(c.body), c.headers...)
			expect(t, w, c.status, `"reason":"`+c.reason+`"`)
			if len(s.taken()) > 0 || s.count("requests_total", "result="+c.reason) != 1 {
				t.Errorf("%v", s.count("requests_total", "result="+c.reason))
			}
			if answer := must.JSON[map[string]string](t, w.Body.Bytes()); len(answer["error"]) < 10 || len(answer["error"]) > 400 {
				t.Errorf("%q", answer["error"])
			}
		})
	}
}

func TestMethods(t *testing.T) {
	s := newSite(t)
	w := s.do(http.MethodGet, profiles, nil)
	expect(t, w, http.StatusMethodNotAllowed, `"reason":"method"`)
	must.Equal(t, w.Header().Get("Allow"), "POST, OPTIONS")
}

// Chunks that are not durable are not acknowledged, and the sender learns when to try again.
func TestFull(t *testing.T) {
	s := newSite(t)
	s.fault = errors.New("the disk is full")
	w := s.send(profiles, []byte(chunkText))
	expect(t, w, http.StatusServiceUnavailable, `"reason":"full"`)
	must.Equal(t, w.Header().Get("Retry-After"), "5")
	if strings.Contains(w.Body.String(), "disk") {
		t.Error("the sender learns about the disk")
	}
	s.fault = nil
	expect(t, s.send(profiles, []byte(chunkText)), http.StatusAccepted, "")
}

func TestConsent(t *testing.T) {
	s := newSite(t)
	for i, headers := range [][]string{{"DNT", "1"}, {"Sec-GPC", "1"}} {
		expect(t, s.send(profiles, []byte(chunkText), headers...), http.StatusNoContent, "")
		must.Equal(t, s.count("dropped_total", "reason=do-not-track"), float64(i+1))
	}
	expect(t, s.send(profiles, []byte(strings.Replace(chunkText, `"chunk"`, `"consent":false,"chunk"`, 1))), http.StatusAccepted, "")
	must.Equal(t, s.count("dropped_total", "reason=consent"), 1.0)
	must.Equal(t, len(s.taken()), 0)
	expect(t, s.send(profiles, []byte(strings.Replace(chunkText, `"chunk"`, `"consent":true,"chunk"`, 1)), "DNT", "0"), http.StatusAccepted, "")
	must.Equal(t, len(s.taken()), 1)
}

func TestOrigins(t *testing.T) {
	s := newSite(t, config.App{Name: "shop", Keys: []string{"k1"}, Origins: []string{"https://shop.example"}}, config.App{Name: "open", Keys: []string{"k2"}, Origins: []string{"*"}})
	for _, c := range []struct {
		path, origin string
		allowed      bool
	}{
		{profiles, "https://shop.example", true},
		{profiles, "https://evil.example", false},
		{profiles, "https://shop.example.evil.example", false},
		{"/v1/profiles?key=k2", "https://evil.example", true},
		{"/v1/profiles?key=k2", "null", true},
		{"/v1/profiles?key=k3", "https://shop.example", false},
		{"/v1/profiles", "https://shop.example", true}, // the key is in a header, which the preflight lacks
		{"/api/1/envelope/?sentry_key=k1", "https://shop.example", true},
		{"/v1/datadog?ddforward=%2Fapi%2Fv2%2Fprofile%3Fdd-api-key%3Dk1", "https://shop.example", true},
		{"/v1/datadog?ddforward=%2Fapi%2Fv2%2Fprofile%3Fdd-api-key%3Dk1", "https://evil.example", false},
	} {
		w := s.do(http.MethodOptions, c.path, nil, "Origin", c.origin, "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-encoding")
		expect(t, w, http.StatusNoContent, "")
		allowed := w.Header().Get("Access-Control-Allow-Origin")
		if (allowed == c.origin) != c.allowed || allowed != "" && !c.allowed || w.Header().Get("Vary") != "Origin" || (w.Header().Get("Access-Control-Allow-Headers") != "") != c.allowed {
			t.Errorf("%s from %s: %v", c.path, c.origin, w.Header())
		}
	}
	w := s.send(profiles, []byte(chunkText), "Origin", "https://shop.example")
	must.Equal(t, w.Header().Get("Access-Control-Allow-Origin"), "https://shop.example")
	must.Equal(t, s.send(profiles, []byte(chunkText)).Header().Get("Access-Control-Allow-Origin"), "")
	must.Equal(t, s.count("requests_total"), 2.0) // a preflight is none
}

func TestRates(t *testing.T) {
	s := newSite(t, config.App{Name: "shop", Keys: []string{"k1"}, Limits: config.Limits{PerSecond: 4, PerAddress: 1}}, config.App{Name: "other", Keys: []string{"k2"}})
	h := s.Handler.(*handler)
	h.TrustProxy = true
	from := func(address string) int {
		return s.send(profiles, []byte(chunkText), "X-Forwarded-For", "1.1.1.1, "+address).Code
	}
	for range 2 {
		must.Equal(t, from("10.0.0.1"), 202)
	}
	w := s.send(profiles, []byte(chunkText), "X-Forwarded-For", "10.0.0.1")
	expect(t, w, http.StatusTooManyRequests, "address-rate")
	must.Equal(t, w.Header().Get("Retry-After"), "1")
	must.Equal(t, from("10.0.0.2"), 202)
	must.Equal(t, from("2001:db8::1"), 202) // a network is one address
	must.Equal(t, from("2001:db8::2"), 202)
	must.Equal(t, from("2001:db8::3"), 429)
	for i := range 3 {
		must.Equal(t, from(fmt.Sprint("10.0.1.", i)), 202)
	}
	must.Equal(t, from("10.0.2.1"), 429)
	must.Equal(t, s.count("requests_total", "result=app-rate"), 1.0)
	must.Equal(t, s.send("/v1/profiles?key=k2", []byte(chunkText), "X-Forwarded-For", "10.0.0.1").Code, 202) // another app does not notice
	s.pass(time.Second)
	must.Equal(t, from("10.0.0.1"), 202)
}

// The table of addresses is bounded, and a new one does not free an old one at once.
func TestManyAddresses(t *testing.T) {
	a, table := newApp(&config.App{Name: "shop"}), newAddresses()
	for i := range 3 * mostAddresses {
		table.wait(fmt.Sprint(i), a, now)
	}
	if n := len(table.young) + len(table.old); n > mostAddresses {
		t.Errorf("%d addresses", n)
	}
}

// A sender that leaves while its chunks are written is no sign of a collector that is full.
func TestSenderThatIsGone(t *testing.T) {
	s := newSite(t)
	ctx, leave := context.WithCancel(t.Context())
	s.Handler.(*handler).Accept = func(ctx context.Context, _ []*record.Chunk) error {
		leave()
		return ctx.Err()
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodPost, profiles, strings.NewReader(chunkText)))
	expect(t, w, http.StatusRequestTimeout, `"reason":"gone"`)
	must.Equal(t, s.log.String(), "")
	must.Equal(t, s.count("requests_total", "result=gone"), 1)
}

// Of many requests that are not taken in, few are in the log, which may be on the disk that is full.
func TestFewLinesForManyRefusals(t *testing.T) {
	s := newSite(t)
	s.fault = errors.New("the disk is full")
	for range 100 {
		expect(t, s.send(profiles, []byte(chunkText)), http.StatusServiceUnavailable, "full")
		s.pass(150 * time.Millisecond)
	}
	lines := strings.Split(strings.TrimSpace(s.log.String()), "\n")
	must.Equal(t, len(lines), 2)
	must.Contain(t, "the second line", lines[1], `msg="a request was not taken in" app=shop error="the disk is full" others=66`)
}
