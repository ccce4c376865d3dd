package chrometrace

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
	"github.com/fieldprof/fieldprof/profile/view"
)

// chromium is a trace of a page and its worker, recorded with the Performance
// panel's categories and cut down to the events that matter here.
func chromium(t testing.TB) []byte { return unzipped(t, "testdata/chromium.json.gz") }

func unzipped(t testing.TB, path string) []byte {
	t.Helper()
	file := must.Get(os.Open(path))(t)
	defer file.Close()
	z := must.Get(gzip.NewReader(file))(t)
	return must.Get(io.ReadAll(z))(t)
}

func TestReadChromium(t *testing.T) {
	threads := must.Get(ReadAll(bytes.NewReader(chromium(t))))(t)
	if len(threads) != 2 || threads[0].Name != "CrRendererMain" || threads[1].Name != "DedicatedWorker thread" {
		t.Fatalf("%+v", threads)
	}
	for i, want := range []string{"sortNumbers", "workerLoop"} {
		rows := view.Flat(threads[i].Profile)
		hottest := rows[0]
		if hottest.Name == profile.NameIdle {
			hottest = rows[1]
		}
		if hottest.Name != want || !strings.HasPrefix(hottest.File, "https://example.test/") || hottest.Line == 0 {
			t.Errorf("thread %d: %+v is the hottest, want %s", i, hottest, want)
		}
	}
	p := must.Get(Read(bytes.NewReader(chromium(t))))(t)
	must.Equal(t, p.Meta.Program, "CrRendererMain")
	lines := 0
	for _, line := range p.Frames.Line {
		lines += int(min(line, 1))
	}
	if lines == 0 {
		t.Error("no position is read")
	}
}

// The array form holds the same events.
func TestReadArray(t *testing.T) {
	data := chromium(t)
	start, end := bytes.IndexByte(data, '['), bytes.LastIndex(data, []byte(`],"metadata"`))
	p := formattest.Parsed(t, Read, bytes.NewReader(data[start:end+1]))
	q := must.Get(Read(bytes.NewReader(data)))(t)
	must.Equal(t, formattest.SelfTimes(p), formattest.SelfTimes(q))
}

func event(name, thread, data string) string {
	return `{"args":{"data":` + data + `},"id":"0x1","pid":1,"tid":` + thread + `,"name":"` + name + `","ph":"P"}`
}

const nodes = `"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}},{"id":2,"parent":1,"callFrame":{"functionName":"a","url":"a.js","lineNumber":1,"columnNumber":1}},
	{"id":3,"parent":2,"callFrame":{"functionName":"b","url":"a.js","lineNumber":2,"columnNumber":1}}]`

func TestReadShapes(t *testing.T) {
	chunk := func(data string) string { return event("ProfileChunk", "9", data) }
	for _, c := range []struct {
		name, want string
		events     []string
	}{
		{"chunks come without their own thread", "a 3ms, b 1ms", []string{event("Profile", "7", `{"startTime":1000}`),
			chunk(`{"cpuProfile":{` + nodes + `,"samples":[2,3]},"timeDeltas":[500,1000]}`), chunk(`{"cpuProfile":{"samples":[2]},"timeDeltas":[1000]}`), chunk(`{"endTime":5500}`)}},
		{"without an end the last sample lasts for the mean", "a 2ms, b 1ms", []string{event("Profile", "7", `{"startTime":1000}`),
			chunk(`{"cpuProfile":{` + nodes + `,"samples":[2,3,2]},"timeDeltas":[0,1000,1000]}`)}},
		{"without a head", "a 1ms, b 1ms", []string{chunk(`{"cpuProfile":{` + nodes + `,"samples":[2,3]},"timeDeltas":[0,1000]}`)}},
		{"without a head, and with an end", "a 1ms, b 1ms", []string{chunk(`{"cpuProfile":{` + nodes + `,"samples":[2,3]},"timeDeltas":[0,1000]}`), chunk(`{"endTime":123456789000}`)}},
		{"the old event", "a 1ms, b 1ms", []string{event("CpuProfile", "7", `{"cpuProfile":{`+nodes+`,"samples":[2,3],"timeDeltas":[0,1000],"startTime":0,"endTime":2000}}`)}},
		{"events of any other shape", "a 1ms, b 1ms", []string{`null`, `"x"`, `{"name":7,"args":3,"pid":"a","tid":null}`, `{"name":"x","args":{"data":{"samples":"none"}}}`,
			chunk(`{"cpuProfile":{` + nodes + `,"samples":[2,3]},"timeDeltas":[0,1000]}`)}},
		{"the panel's own profile before others", "b 2ms", []string{
			strings.ReplaceAll(event("Profile", "7", `{"source":"Inspector"}`), "0x1", "0x2"), strings.ReplaceAll(chunk(`{"cpuProfile":{`+nodes+`,"samples":[2,2]},"timeDeltas":[0,1000]}`), "0x1", "0x2"),
			event("Profile", "7", `{"source":"Internal"}`), chunk(`{"cpuProfile":{` + nodes + `,"samples":[3,3]},"timeDeltas":[0,1000]}`)}},
	} {
		p := must.Get(Read(strings.NewReader("["+strings.Join(c.events, ",")+"]")))(t, c.name)
		must.Equal(t, formattest.SelfTimes(p), c.want, c.name)
	}
}

// An array may end anywhere after the first samples: its writer was interrupted. A file that cannot be read to its end was not.
func TestReadWithoutEnd(t *testing.T) {
	chunk := event("ProfileChunk", "9", `{"cpuProfile":{`+nodes+`,"samples":[2,3]},"timeDeltas":[0,1000]}`)
	text := "[" + chunk + ",\n" + event("ProfileChunk", "9", `{"cpuProfile":{"samples":[2]},"timeDeltas":[1000]}`) + ",\n"
	for end := len("[" + chunk); end < len(text); end++ {
		p, err := Read(strings.NewReader(text[:end]))
		if err != nil {
			t.Fatalf("%q: %v", text[:end], err)
		}
		if p.Len() < 2 {
			t.Errorf("%q: %d samples", text[:end], p.Len())
		}
	}
	must.Refuse(Read(io.MultiReader(strings.NewReader(text), iotest.ErrReader(io.ErrUnexpectedEOF))))(t, "the file is cut short")
	must.Refuse(Read(strings.NewReader(`{"traceEvents":`+text)))(t, "the file is cut short")
}

// A full buffer may have lost the first chunks of a thread: the others are read, and a note tells.
func TestIncompleteThreads(t *testing.T) {
	of := func(thread, event string) string { return strings.Replace(event, "0x1", "0x"+thread, 1) }
	whole := event("ProfileChunk", "1", `{"cpuProfile":{`+nodes+`,"samples":[2,3]},"timeDeltas":[0,1000]}`)
	lost := func(thread, data string) string {
		return of(thread, event("Profile", thread, `{"startTime":1000}`)) + "," + of(thread, event("ProfileChunk", thread, data))
	}
	for name, c := range map[string]struct{ data, note string }{
		"parent": {`{"cpuProfile":{"nodes":[{"id":8,"parent":5,"callFrame":{}}],"samples":[8]},"timeDeltas":[0]}`, "process 1, thread 6: nodes[0]: parent 5 is not a node"},
		"sample": {`{"cpuProfile":{"nodes":[{"id":8,"callFrame":{}}],"samples":[8,2]},"timeDeltas":[0,9000]}`, "process 1, thread 6: samples[1]: 2 is not a node"},
	} {
		for _, events := range []string{lost("6", c.data) + "," + whole, whole + "," + lost("6", c.data)} {
			threads := must.Get(ReadAll(strings.NewReader("["+events+"]")))(t, name)
			must.Equal(t, len(threads), 1, name)
			must.Equal(t, formattest.SelfTimes(threads[0].Profile), "a 1ms, b 1ms", name)
			must.Equal(t, threads[0].Profile.Meta.Notes, []string{"a thread of the trace was left out: " + c.note}, name)
		}
		must.Refuse(ReadAll(strings.NewReader("["+lost("6", c.data)+"]")))(t, c.note)
	}
	// A thread of which another profile is whole.
	other := of("2", event("Profile", "1", `{"source":"Internal"}`)) + "," + of("2", event("ProfileChunk", "1", `{"cpuProfile":{`+nodes+`,"samples":[9]},"timeDeltas":[0]}`))
	must.Equal(t, formattest.SelfTimes(must.Get(Read(strings.NewReader("["+other+","+whole+"]")))(t)), "a 1ms, b 1ms")
}

func TestReadRefuses(t *testing.T) {
	chunk := func(data string) string { return "[" + event("ProfileChunk", "9", data) + "]" }
	formattest.Rejects(t, Read, []formattest.Fault{
		{"empty", "", "the file is empty"},
		{"no samples", `{"traceEvents":[{"name":"RunTask"}]}`, "none of 1 events is a ProfileChunk with nodes"},
		{"cut short", `[{"name":"x"}`, "cut short"},
		{"unknown node", chunk(`{"cpuProfile":{` + nodes + `,"samples":[9]},"timeDeltas":[0]}`), "process 1, thread 9: samples[0]: 9 is not a node"},
		{"no deltas", chunk(`{"cpuProfile":{` + nodes + `,"samples":[2]}}`), "samples without timeDeltas"},
		{"too few deltas", chunk(`{"cpuProfile":{` + nodes + `,"samples":[2,2]},"timeDeltas":[1]}`), "timeDeltas: 1 for 2 samples"},
		{"cycle", chunk(`{"cpuProfile":{"nodes":[{"id":1,"parent":2,"callFrame":{}},{"id":2,"parent":1,"callFrame":{}}],"samples":[2]},"timeDeltas":[1]}`), "cycle"},
		{"endless", chunk(`{"cpuProfile":{` + nodes + `,"samples":[2]},"timeDeltas":[1e300]}`), "too long"},
		{"no number", chunk(`{"cpuProfile":{` + nodes + `,"samples":["2"]},"timeDeltas":[1]}`), "event 0, ProfileChunk, before byte"},
	})
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("[" + event("Profile", "7", `{"startTime":1000}`) + "," + event("ProfileChunk", "9", `{"cpuProfile":{`+nodes+`,"samples":[2,3]},"lines":[1,2],"timeDeltas":[500,-1]}`) + "]"))
	f.Add([]byte(`{"traceEvents":[` + event("ProfileChunk", "9", `{"cpuProfile":{`+nodes+`,"samples":[2,3],"endTime":7},"timeDeltas":[0,1000]}`) + `],"metadata":{"fieldprof":{"intervalNs":100}}}`))
	f.Add([]byte("[" + strings.Join(pair("blink.user_timing", "m", `"id":"0x1"`, "{}", 1, 2), ",") + "," + event("Profile", "7", `{"startTime":1}`) + "," + event("ProfileChunk", "9", `{"cpuProfile":{`+nodes+`,"samples":[2,3]},"timeDeltas":[500,1]}`) + "]"))
	format := formattest.Format{Read: Read, Write: Write, NoRoom: []string{"more time"}, NotAgain: []string{"too long", "range"},
		// A slot is whole microseconds.
		Skip: func(p *profile.Profile) bool { return p.Samples.Ticks() > 1<<16 || p.Meta.Interval%1000 != 0 }}
	format.Fuzz(f, formattest.SelfTimes)
}
