package sentry

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
)

// item is a chunk of two frames and three stacks, the last of them empty.
func item(samples string) string {
	return `{"version":"2","platform":"node","profile":{"frames":[{"function":"main","filename":"app.js","lineno":3},{"function":"work","abs_path":"https://example.test/app.js","lineno":9,"colno":2}],
		"stacks":[[0],[1,0],[]],"samples":[` + samples + `],"thread_metadata":{"7":{"name":"worker"}}}}`
}

func taken(stack, thread, at string) string {
	return `{"stack_id":` + stack + `,"thread_id":` + thread + `,"timestamp":` + at + `}`
}

func TestReadOthers(t *testing.T) {
	p := must.Get(Read(strings.NewReader(item(strings.Join([]string{
		taken("1", `"0"`, "1790000000.010"), taken("0", `"0"`, "1790000000.000"), taken("2", `"0"`, "1790000000.030"), // not in order
		taken("1", "7", "1790000000.000"), taken("1", "7", "1790000000.040"), // a number for an id, and more time
	}, ",")))))(t)
	must.Equal(t, formattest.SelfTimes(p), "work 80ms")
	threads, err := ReadAll(strings.NewReader(item(strings.Join([]string{
		taken("1", `"0"`, "1790000000.010"), taken("0", `"0"`, "1790000000.000"), taken("2", `"0"`, "1790000000.030"), taken("1", "7", "1790000000.000")}, ","))))
	if err != nil || len(threads) != 2 || threads[1].Name != "worker" {
		t.Fatalf("%v, %v", threads, err)
	}
	must.Equal(t, formattest.SelfTimes(threads[0].Profile), "(idle) 20ms, work 20ms, main 10ms")
	must.Equal(t, formattest.SelfTimes(threads[1].Profile), "work 10ms")
	f := threads[0].Profile.Function(0)
	must.Equal(t, f.File, "app.js")
	must.Equal(t, f.Line, 3)
}

// The time in which a machine slept belongs to no function.
func TestGaps(t *testing.T) {
	p := must.Get(Read(strings.NewReader(item(strings.Join([]string{
		taken("1", "0", "1790000000.000"), taken("1", "0", "1790000000.010"), taken("1", "0", "1790000000.020"), taken("0", "0", "1790028800.020"),
	}, ",")))))(t)
	must.Equal(t, formattest.SelfTimes(p), "work 30ms, main 10ms")
	p = must.Get(Read(strings.NewReader(item(taken("1", "0", "1790000000") + "," + taken("1", "0", "1790028800")))))(t)
	must.Equal(t, formattest.SelfTimes(p), "work 20ms")
}

func TestReadRefuses(t *testing.T) {
	formattest.Rejects(t, Read, []formattest.Fault{
		{"empty", "", "the file is empty"},
		{"version 1", `{"version":"1"}`, `version "1" is not supported`},
		{"no samples", item(""), "is missing or empty"},
		{"stack out of range", item(taken("3", `"0"`, "1")), "samples[0]: stack 3 of 3"},
		{"stack below zero", item(taken("-1", `"0"`, "1")), "samples[0]: stack -1"},
		{"frame out of range", strings.Replace(item(taken("1", `"0"`, "1")), "[1,0]", "[2,0]", 1), "stacks[1]: frame 2 of 2"},
		{"endless", item(taken("0", `"0"`, "0") + "," + taken("0", `"0"`, "1e300")), "timestamps from 0"},
		{"before time", item(taken("0", `"0"`, "-5")), "timestamps from -5"},
		{"no time", item(taken("0", `"0"`, `"now"`)), "where a number should be"},
	})
}

// The rules by which Sentry's SDK throws chunks away; test/viewers asks the SDK.
func TestWriteKeepsTheRules(t *testing.T) {
	var b profile.Builder
	b.Meta.Interval = 10 * time.Millisecond
	b.Sample(profile.Sample{Stack: profile.NoStack, Weight: 3, Kind: profile.Idle}) // no frame at all
	var out, again bytes.Buffer
	must.Do(t, Write(&out, b.Profile()))
	var c struct {
		ProfilerID string         `json:"profiler_id"`
		ChunkID    string         `json:"chunk_id"`
		SDK        map[string]any `json:"client_sdk"`
		Profile    struct{ Frames, Stacks, Samples []any }
	}
	must.Do(t, json.Unmarshal(out.Bytes(), &c))
	id := regexp.MustCompile("^[a-f0-9]{32}$")
	if !id.MatchString(c.ProfilerID) || !id.MatchString(c.ChunkID) || c.ProfilerID == c.ChunkID || len(c.SDK) == 0 ||
		len(c.Profile.Frames) == 0 || len(c.Profile.Stacks) == 0 || len(c.Profile.Samples) != 2 {
		t.Errorf("%s", &out)
	}
	must.Do(t, Write(&again, b.Profile()))
	must.Equal(t, out.String(), again.String())
	must.Fail(t, Write(&out, new(profile.Builder).Profile()), "needs samples")
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(item(taken("1", `"0"`, "1790000000.010") + "," + taken("0", "7", "1790000000.000") + "," + taken("2", "7", "1790000000.5"))))
	f.Add([]byte(strings.Replace(item(taken("1", `"0"`, "0.010")+","+taken("2", `"0"`, "0.020")), `"platform"`, `"fieldprof":{"meta":{"intervalNs":5000},"marks":[{"what":"note","time":1,"duration":2}]},"platform"`, 1)))
	format := formattest.Format{Read: Read, Write: Write, NoRoom: []string{"more time"}, NotAgain: []string{"timestamps"},
		Skip: func(p *profile.Profile) bool { return p.Len() == 0 || p.Len() > 1<<16 || p.Meta.Interval%1000 != 0 }}
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, q := format.Again(t, data); p != nil && q.Len() > p.Len() {
			t.Fatalf("%d samples, then %d", p.Len(), q.Len())
		}
	})
}
