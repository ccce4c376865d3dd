package sdk

import (
	"bytes"
	"encoding/json"
	"mime"
	"mime/multipart"
	"path"
	"slices"
	"strings"
	"testing"
)

// datadogTrace is the trace that Datadog's SDK sends, with its additions.
type datadogTrace struct {
	Resources []string
	Frames    []struct {
		Name         string
		Resource     *int `json:"resourceId"`
		Line, Column int
	}
	Stacks []struct {
		Parent *int `json:"parentId"`
		Frame  int  `json:"frameId"`
	}
	Samples []struct {
		Timestamp float64
		Stack     *int `json:"stackId"`
	}
	SampleInterval float64
	DebugIDs       []struct {
		Resource int    `json:"resourceId"`
		ID       string `json:"debugId"`
	}
	Fieldprof struct{ DebugIDs map[string]string }
}

// datadogEvent says what a trace is.
type datadogEvent struct {
	Family, Runtime string
	Tags            string `json:"tags_profiler"`
}

type datadogProfile struct {
	event datadogEvent
	trace datadogTrace
}

// Datadog's SDK sends a profile each minute and loses nothing between two. It calls every
// browser chrome; with our adapter it names the browser in its tags and, on request, in the
// fields whose schema has no other browser.
func TestDatadog(t *testing.T) {
	for query, named := range map[string]struct {
		tags, fields bool
		browser      string
	}{"": {browser: "firefox"}, "?adapted": {tags: true}, "?fields": {true, true, "webkit"}} {
		t.Run("named"+query, func(t *testing.T) {
			drive(t, app{script: "datadog.js", query: query, clock: true, comment: query == "", version: map[bool]string{true: "?v=3"}[named.fields], browser: named.browser}, func(t *testing.T, i *ingest, dir, url string) {
				profiles := []datadogProfile{wait(t, i, readIntake), wait(t, i, readIntake)}
				slices.SortFunc(profiles, func(a, b datadogProfile) int { return int(a.trace.times()[0] - b.trace.times()[0]) })
				if pause := longestPause(append(profiles[0].trace.times(), profiles[1].trace.times()...)); pause > 1000 {
					t.Errorf("%.0f ms are without samples", pause)
				}
				family := map[string]string{"firefox": "firefox", "webkit": "safari", "chromium": "chrome"}[path.Base(t.Name())]
				for _, p := range profiles {
					checkTrace(t, p.trace, dir, url)
					checkEvent(t, p.event, map[bool]string{false: "chrome", true: family}[named.tags], map[bool]string{false: "chrome", true: family}[named.fields])
				}
			})
		})
	}
}

// The SDK records first and then asks whether it may send. A no ends that; an answer that
// makes no sense, from a proxy that knows only the intake, does not.
func TestDatadogQuota(t *testing.T) {
	t.Run("refused", func(t *testing.T) {
		a := app{script: "datadog.js", query: "?refused", clock: true, browser: "chromium", quota: `{"data":{"attributes":{"admitted":false,"reason":"quota_exceeded"}}}`}
		drive(t, a, func(t *testing.T, i *ingest, _, _ string) {
			for len(i.requests) > 0 {
				if r := <-i.requests; strings.HasSuffix(r.path, "/profile") {
					t.Error("a profile was sent")
				}
			}
		})
	})
	t.Run("not understood", func(t *testing.T) {
		drive(t, app{script: "datadog.js", clock: true, browser: "webkit", quota: "not found"}, func(t *testing.T, i *ingest, dir, url string) {
			checkTrace(t, wait(t, i, readIntake).trace, dir, url)
		})
	})
}

func checkEvent(t *testing.T, e datadogEvent, tags, fields string) {
	t.Helper()
	if e.Family != fields || e.Runtime != fields {
		t.Errorf("the family is %q and the runtime %q, not %q", e.Family, e.Runtime, fields)
	}
	if !strings.HasSuffix(e.Tags, ",language:javascript,runtime:"+tags+",family:"+tags+",host:browser") {
		t.Errorf("the tags are %s, not of %s", e.Tags, tags)
	}
}

func checkTrace(t *testing.T, trace datadogTrace, dir, url string) {
	t.Helper()
	counts := map[string]int{}
	for n, s := range trace.Samples {
		if n > 0 && s.Timestamp < trace.Samples[n-1].Timestamp {
			t.Errorf("sample %d is at %v, before %v", n, s.Timestamp, trace.Samples[n-1].Timestamp)
		}
		if s.Stack != nil {
			counts[trace.Frames[trace.Stacks[*s.Stack].Frame].Name]++
		}
	}
	if trace.SampleInterval != 10 || counts["measureRow"] == 0 {
		t.Errorf("a trace at %v ms has %d samples of %v", trace.SampleInterval, len(trace.Samples), counts)
	}
	if ids := trace.DebugIDs; len(ids) != 1 || trace.Resources[ids[0].Resource] != url || ids[0].ID != debugID || trace.Fieldprof.DebugIDs[url] != debugID {
		t.Errorf("the SDK gives the trace the debug ids %v, we %v", ids, trace.Fieldprof.DebugIDs)
	}
	for _, name := range []string{"measureRow", "layOutRows"} {
		for _, f := range trace.Frames {
			if f.Name != name {
				continue
			}
			if f.Resource == nil {
				t.Fatalf("%s has no resource", name)
			}
			own(t, dir, url, name, trace.Resources[*f.Resource], f.Line, f.Column)
		}
	}
}

// times returns the times of the samples, in milliseconds.
func (trace datadogTrace) times() []float64 {
	times := make([]float64, len(trace.Samples))
	for n, s := range trace.Samples {
		times[n] = s.Timestamp
	}
	return times
}

// readIntake finds a profile in a request to the intake: a form with the event and the
// trace as files.
func readIntake(r request) (profile datadogProfile, ok bool) {
	if !strings.HasSuffix(r.path, "/profile") {
		return profile, false
	}
	_, parameters, err := mime.ParseMediaType(r.kind)
	if err != nil {
		return profile, false
	}
	form, err := multipart.NewReader(bytes.NewReader(r.body), parameters["boundary"]).ReadForm(1 << 24)
	if err != nil {
		return profile, false
	}
	return profile, decodeFile(form, "event", &profile.event) && decodeFile(form, "wall-time.json", &profile.trace)
}

func decodeFile(form *multipart.Form, name string, into any) bool {
	if len(form.File[name]) != 1 {
		return false
	}
	file, err := form.File[name][0].Open()
	if err != nil {
		return false
	}
	defer file.Close()
	return json.NewDecoder(file).Decode(into) == nil
}
