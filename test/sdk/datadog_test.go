package sdk

import (
	"bytes"
	"encoding/json"
	"mime"
	"mime/multipart"
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
}

func TestDatadog(t *testing.T) {
	if testing.Short() {
		t.Skip("its profiles are longer than five seconds")
	}
	drive(t, "datadog.js", false, checkDatadog)
}

func checkDatadog(t *testing.T, i *ingest, dir, url string) {
	trace := wait(t, i, readIntake)
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

// readIntake finds a trace in a request to the intake of profiles: a form
// with the event and the trace as files.
func readIntake(r request) (trace datadogTrace, ok bool) {
	if !strings.HasSuffix(r.path, "/profile") {
		return trace, false
	}
	_, parameters, err := mime.ParseMediaType(r.kind)
	if err != nil {
		return trace, false
	}
	form, err := multipart.NewReader(bytes.NewReader(r.body), parameters["boundary"]).ReadForm(1 << 24)
	if err != nil || len(form.File["wall-time.json"]) != 1 {
		return trace, false
	}
	file, err := form.File["wall-time.json"][0].Open()
	if err != nil {
		return trace, false
	}
	defer file.Close()
	return trace, json.NewDecoder(file).Decode(&trace) == nil
}
