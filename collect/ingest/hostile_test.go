package ingest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
)

// limits are small, so that requests that exceed them are, too.
var limits = config.Limits{PerSecond: 1e9, PerAddress: 1e9, Body: 64 << 10, Unzipped: 256 << 10, Frames: 500, Depth: 20, Values: 30, Series: 300}

func hostileSite(t testing.TB) *site {
	return newSite(t, config.App{Name: "shop", Keys: []string{"k1"}, Origins: []string{"https://shop.example"}, Labels: []string{"plan"}, Limits: limits})
}

// holds checks what must hold whatever is sent: an answer that is understood, and chunks
// within all bounds.
func (s *site) holds(t testing.TB, w *httptest.ResponseRecorder, what string) (kept int) {
	t.Helper()
	switch w.Code {
	case 200, 202, 204:
	case 400, 401, 403, 404, 405, 408, 413, 415, 429, 503:
		answer := must.JSON[map[string]string](t, w.Body.Bytes())
		if answer["reason"] == "" || len(answer["error"]) < 5 || len(answer["error"]) > 400 || s.count("requests_total", "result="+answer["reason"]) == 0 {
			t.Errorf("%.300q is refused: %v", what, answer)
		}
		if len(s.taken()) > 0 {
			t.Errorf("%.300q is refused and kept", what)
		}
	default:
		t.Errorf("%.300q: %d %s", what, w.Code, w.Body)
	}
	for _, c := range s.taken() {
		kept++
		if fault := faultOf(c, s.clock()); fault != "" {
			t.Errorf("%.300q: %s: %+v", what, fault, c)
		}
		again := must.Get(record.Decode(record.Encode(c)))(t)
		must.Equal(t, again.ID, c.ID)
	}
	return kept
}

func faultOf(c *record.Chunk, now time.Time) string {
	if len(c.Labels) > len(record.Known)+1 {
		return "too many labels"
	}
	for name, value := range c.Labels {
		if value == "" || len(value) > longestLabel || !isClean(value) || len(name) > 40 {
			return fmt.Sprintf("label %q: %q", name, value)
		}
	}
	switch {
	case c.App != "shop" || c.ID.IsZero() || c.Source == "":
		return "identity"
	case !(c.Rate > 0 && c.Rate <= 1):
		return "rate"
	case c.At.After(now.Add(latest)) || c.At.Before(now.Add(-earliest)):
		return "time"
	case c.Observed < 0 || c.Observed > longestObserved || c.Number < 0:
		return "observed, or number"
	case len(c.Example) > mostEncoded || len(c.Slices) > 1:
		return "size"
	case c.Profile != nil && (c.Interval < shortest || c.Interval > longestInterval):
		return "interval"
	}
	if c.Counts != nil && (c.Counts.Interactions < 0 || c.Counts.Interactions > mostCounted || len(c.Counts.Slow) > len(slow) || c.Counts.INP < 0 || c.Counts.INP > time.Hour) {
		return "counts"
	}
	for _, s := range c.Slices {
		p, err := record.DecodeProfile(s.Trace)
		if len(s.Mark.Name) > longestName || len(s.Mark.Target) > longestName || s.Mark.Duration < 0 || s.Mark.Duration > longestOfPage || err != nil || faultOfProfile(p) != "" {
			return "slice"
		}
	}
	if c.Profile == nil {
		return ""
	}
	return faultOfProfile(c.Profile)
}

func faultOfProfile(p *profile.Profile) string {
	if err := p.CheckValid(); err != nil {
		return err.Error()
	}
	for i := range p.Functions.Name {
		f := p.Function(profile.FunctionID(i))
		if len(f.Name) > longestName || len(f.File) > longestFile || !isClean(f.Name) || !utf8.ValidString(f.File) || strings.HasPrefix(f.File, "http") && strings.ContainsAny(f.File, "?#") {
			return fmt.Sprintf("%+v", f)
		}
	}
	depth := make([]int, len(p.Stacks.Parent))
	for i, parent := range p.Stacks.Parent {
		if depth[i] = 1; parent != profile.NoStack {
			depth[i] = depth[parent] + 1
		}
		if depth[i] > limits.Depth {
			return "depth"
		}
	}
	return ""
}

// hostile is what an attacker puts where anything else should be.
var hostile = []string{`null`, `true`, `0`, `-1`, `1`, `1.5`, `1e308`, `-1e308`, `1e-320`, `9007199254740993`, `2147483647`, `2147483648`, `1795275000000`, `""`, `"x"`, `"__proto__"`, `"constructor"`, `"'; DROP TABLE x; --"`,
	`"\u0000\ud800"`, "\"\xff\"", `"<script>"`, `"../../x"`, `"https://u:p@x/?q#f"`, `"` + strings.Repeat("a", 3000) + `"`, `[]`, `{}`, `[null]`, `[[]]`, `[{}]`, `{"a":1}`, `{"__proto__":{"x":1}}`, `[1,2,3]`, `["a"]`, strings.Repeat("[", 50) + strings.Repeat("]", 50),
	`[{"frameId":0},{"frameId":0,"parentId":0},{"frameId":0,"parentId":1}]`, `[{"timestamp":0,"stackId":0},{"timestamp":1e12}]`, `[{"what":"interaction","time":1,"duration":9e11}]`, `{"version":1}`, ``, `}`, `,`, `"a":`}

// names are the members of all formats.
var names = strings.Fields(`version session view page route release rate browser device connection chunk part parts started origin notes debugIds slice weight counts trace resources frames stacks samples fieldprof
	marks interval name resourceId line column frameId parentId timestamp stackId kind skid marker labels consent chunk_id profiler_id profile thread_metadata stack_id thread_id function abs_path lineno colno type length event_id sent_at
	start end tags_profiler sampleInterval options what time duration kind memory cores interactions slow inp p75`)

// mutate changes a text in a few places: values and names of others, pieces left out, doubled and moved.
func mutate(r *rand.Rand, text string) string {
	for range r.IntN(4) {
		if len(text) < 4 {
			return text
		}
		value, name := hostile[r.IntN(len(hostile))], names[r.IntN(len(names))]
		at := r.IntN(len(text))
		switch r.IntN(12) {
		default: // the value of a member
			key := `"` + name + `":`
			if i := strings.Index(text, key); i >= 0 {
				end := i + len(key)
				for depth := 0; end < len(text) && (depth > 0 || !strings.ContainsRune(",}]", rune(text[end]))); end++ {
					if strings.ContainsRune("[{", rune(text[end])) {
						depth++
					} else if strings.ContainsRune("]}", rune(text[end])) {
						depth--
					}
				}
				text = text[:i] + key + value + text[end:]
			}
		case 3: // one more member
			if i := strings.IndexByte(text[at:], '{'); i >= 0 {
				text = text[:at+i+1] + `"` + name + `":` + value + `,` + text[at+i+1:]
			}
		case 4:
			text = text[:at] + text[min(len(text), at+r.IntN(9)):]
		case 5:
			end := min(len(text), at+r.IntN(200))
			text = text[:end] + text[at:]
		case 6:
			text = text[:at] + string(rune(r.IntN(256))) + text[at+1:]
		}
	}
	return text
}

// binaries are small files of formats in protobuf.
func binaries(t testing.TB) (files [][]byte) {
	var b profile.Builder
	b.Meta = profile.Meta{Start: now, Interval: 10 * time.Millisecond, Duration: time.Second}
	stack := profile.NoStack
	for i := range 5 {
		stack = b.Stack(stack, b.Frame(b.Function(profile.Function{Name: fmt.Sprint("f", i), File: "a.go", Line: 3}), int32(i), 0))
		b.Sample(profile.Sample{Time: int64(i), Stack: stack, Weight: 7})
	}
	for _, name := range []string{"pprof", "otlp"} {
		var file bytes.Buffer
		must.Do(t, must.Get(format.ByName(name))(t).Write(&file, b.Profile()))
		files = append(files, file.Bytes())
	}
	plain := must.Get(gunzip(files[0], 1<<20))(t)
	return append(files, bytes.Clone(plain.Bytes()))
}

// TestHostile combines formats, encodings and headers with values that nobody would send.
func TestHostile(t *testing.T) {
	must.NotForRaces(t)
	rounds := 3000
	if os.Getenv("FIELDPROF_FULL") != "" {
		rounds = 100_000
	}
	r := rand.New(rand.NewPCG(18, 1))
	s := hostileSite(t)
	accepted, kept := 0, 0
	binary := binaries(t)
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	for round := range rounds {
		body := []byte(mutate(r, pick(chunkText, sliceText, sentryText, datadogTrace)))
		path, kind := pick(profiles, profiles, profiles, profiles, "/api/1/envelope/?sentry_key=k1", "/v1development/profiles?key=k1", "/api/v2/profile?dd-api-key=k1", "/v1/datadog?ddforward=%2Fapi%2Fv2%2Fprofile%3Fdd-api-key%3Dk1", "/v1/profiles?key=%00&key=k1"), "text/plain"
		if bytes.Contains(body, []byte("profile_chunk")) {
			path = "/api/1/envelope/?sentry_key=k1"
		}
		if strings.Contains(path, "datadog") || strings.Contains(path, "v2") {
			body, kind = datadogForm(t, string(body), r.IntN(2) == 0)
			if r.IntN(5) == 0 {
				body = []byte(mutate(r, string(body)))
			}
		}
		if r.IntN(5) == 0 {
			body, path = bytes.Clone(binary[r.IntN(len(binary))]), pick(profiles, "/v1development/profiles?key=k1")
			for range r.IntN(4) {
				body[r.IntN(len(body))] = byte(r.IntN(256))
			}
			if r.IntN(2) == 0 {
				body = append(body[:r.IntN(len(body))], body[r.IntN(len(body)):]...)
			}
		}
		headers := []string{"Content-Type", kind}
		if r.IntN(3) == 0 {
			body = zipped(body)
			headers = append(headers, "Content-Encoding", pick("gzip", "gzip", "gzip", "identity", "br", "GZIP, gzip"))
			if r.IntN(9) == 0 {
				body = []byte(mutate(r, string(body)))
			}
		}
		for range r.IntN(3) {
			name := pick("Origin", "Referer", "User-Agent", "Accept-Language", "X-Forwarded-For", "X-Sentry-Auth", "X-Fieldprof-Request-Id", "Content-Type", "DNT")
			headers = append(headers, name, pick("https://shop.example", "https://shop.example/orders/17", "null", "", "1", "\x00", strings.Repeat("x", 5000), "Mozilla/5.0 Chrome/"+strings.Repeat("9", 99), "de,en", "multipart/form-data; boundary="+strings.Repeat("b", 100), "<script>"))
		}
		s.pass(time.Duration(r.IntN(100)) * time.Second) // each hour has room for new series
		w := s.do(pick(http.MethodPost, http.MethodPost, http.MethodPost, http.MethodPost, http.MethodPost, http.MethodPut), path, bytes.NewReader(body), headers...)
		if w.Code/100 == 2 {
			accepted++
		}
		kept += s.holds(t, w, fmt.Sprint(round, " ", path, headers, string(body)))
	}
	if accepted < rounds/10 || accepted > rounds*9/10 || kept < rounds/20 {
		t.Errorf("%d of %d requests were accepted, and %d chunks kept: this tests little", accepted, rounds, kept)
	}
	t.Logf("%d of %d requests were accepted, and %d chunks kept", accepted, rounds, kept)
}

func fuzz(f *testing.F, path string, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	s := hostileSite(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		s.t = t
		s.holds(t, s.send(path, body), string(body))
	})
}

func FuzzProfiles(f *testing.F) {
	fuzz(f, profiles, chunkText, sliceText, datadogTrace, string(zipped([]byte(chunkText))), "\x0a\x04\x08\x01\x10\x02", "\x0a\x02\x12\x00")
}

func FuzzOTLP(f *testing.F) { fuzz(f, "/v1development/profiles?key=k1", "\x0a\x02\x12\x00", "") }

func FuzzSentry(f *testing.F) {
	fuzz(f, "/api/1/envelope/?sentry_key=k1", sentryText, "{}\n{\"type\":\"event\",\"length\":2}\n{}", "{}\n\n\n")
}

func FuzzDatadog(f *testing.F) {
	seed, kind := datadogForm(f, datadogTrace, true)
	plain, _ := datadogForm(f, datadogTrace, false)
	boundary := kind[strings.Index(kind, "=")+1:]
	f.Add(seed)
	f.Add(bytes.ReplaceAll(plain, plain[2:2+len(boundary)], []byte(boundary)))
	s := hostileSite(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		s.t = t
		s.holds(t, s.send("/api/v2/profile?dd-api-key=k1", body, "Content-Type", kind), string(body))
	})
}

// A page's address may hold anything; a route is still a short path.
func FuzzRoute(f *testing.F) {
	f.Add("https://a.example/orders/123?q#f")
	f.Fuzz(func(t *testing.T, page string) {
		if route := routeOf(page); route != "" && (!strings.HasPrefix(route, "/") || len(route) > (mostSegments+1)*(longestSegment+1)) {
			t.Errorf("%q becomes %q", page, route)
		}
		if text := clean(page, 50); len(text) > 50 || !isClean(text) {
			t.Errorf("%q becomes %q", page, text)
		}
		if origin := originOf(page); strings.ContainsAny(origin, "?#@") {
			t.Errorf("%q is of %q", page, origin)
		}
	})
}
