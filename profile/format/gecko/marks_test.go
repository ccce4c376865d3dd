package gecko

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
)

const ms = time.Millisecond

// marks are of every kind, in order.
var marks = []profile.Mark{
	{What: profile.Load, Name: "/cart", Duration: 900 * ms},
	{What: profile.UserMark, Name: "<begun>", Time: 5 * ms},
	{What: profile.LongFrame, Name: "frame", Time: 999 * ms, Duration: 300 * ms},
	{What: profile.Interaction, Name: "click", Target: "button#save", Detail: "slow", Time: 1000 * ms, Duration: 310 * ms, InputDelay: 10 * ms, Processing: 280 * ms, Presentation: 20 * ms},
	{What: profile.LongTask, Name: "task", Time: 1001 * ms, Duration: 290 * ms},
	{What: profile.Measure, Name: "checkout", Time: 1100 * ms, Duration: 100 * ms},
	{What: profile.Navigation, Name: "/pay", Time: 1200 * ms, Duration: 50 * ms},
	{What: profile.Note, Name: "the tab was hidden", Time: 1300 * ms, Duration: 7 * ms},
	{What: "other", Name: "of a page", Time: 1400 * ms},
}

// TestMarksWithoutOurExtension reads the markers that others see.
func TestMarksWithoutOurExtension(t *testing.T) {
	for name, write := range writers {
		out := formattest.Written(t, write, example())
		p := must.Get(Read(strings.NewReader(strings.Replace(out.String(), `"fieldprof":`, `"somebody":`, 1))))(t, name)
		var ours, engine []profile.Mark
		for _, m := range p.Marks {
			if m.What == profile.Note && engineWork(m.Name) != profile.NoMarker {
				engine = append(engine, m)
				continue
			}
			ours = append(ours, m)
		}
		must.Equal(t, ours, marks, name)
		must.Equal(t, len(engine), 2, name, engine) // the collector's pause, and two samples of layout
	}
}

// TestFirefoxsMarks reads a recording of Firefox's own: a page in which a user clicked.
func TestFirefoxsMarks(t *testing.T) {
	p := formattest.File(t, Read, "testdata/firefox/marks.json")
	var got []string
	for _, m := range p.Marks {
		got = append(got, fmt.Sprintf("%s %s %s", m.What, m.Name, m.Target))
		if m.What == profile.Interaction && (m.InputDelay <= 0 || m.Processing < 120*ms || m.InputDelay+m.Processing != m.Duration) {
			t.Errorf("the click: %+v", m)
		}
	}
	must.Equal(t, got, []string{"load load ", "note GCMinor ", "long-task  ", "long-task  ", "interaction click button#save", "measure save ", "mark save begins "})
	seen := map[profile.Marker]int{}
	for i, m := range p.Samples.Marker {
		seen[m]++
		if p.Samples.Kind[i] == profile.Idle && m != profile.NoMarker {
			t.Errorf("sample %d is idle, and %s", i, m)
		}
	}
	if seen[profile.MarkerScript] == 0 || seen[profile.MarkerGC] == 0 || seen[profile.MarkerLayout] == 0 {
		t.Errorf("markers %v", seen)
	}
}

// Markers that make no sense are no marks, and there are only so many.
func TestOddMarkers(t *testing.T) {
	read := func(rows ...string) *profile.Profile {
		table := `"threads":[{"markers":{"schema":{"name":0,"startTime":1,"endTime":2,"phase":3,"category":4,"data":5},"data":[` + strings.Join(rows, ",") + `]},`
		return must.Get(Read(strings.NewReader(strings.Replace(soundRaw, `"threads":[{`, table, 1))))(t)
	}
	for _, row := range []string{
		`[0,5,9,3,0,{"type":"UserTiming"}]`,                                            // an end without a start
		`[0,5,null,2,0,{"type":"UserTiming"}]`,                                         // a start without an end
		`[0,9,5,1,0,{"type":"UserTiming"}]`, `[0,1e300,1e301,1,0,{"type":"LongTask"}]`, // times
		`[0,5,9,1,0,{"type":7}]`, `[0,5,9,1,0,[]]`, `[0,5,9,1]`, `[0,5,9,1,0,null]`, // payloads
		`[0,5,9,1,0,{"type":"DOMEvent","eventType":"click"}]`,                // short
		`[0,5,900,1,0,{"type":"DOMEvent","eventType":"message"}]`,            // not of people
		`[0,5,9,1,0,{"type":"DOMEvent","eventType":"click","latency":-900}]`, // odd
	} {
		must.Equal(t, len(read(row).Marks), 0, row)
	}
	p := read(`[0,5,0,2]`, `[0,6,0,2,0,{"type":"UserTiming","entryType":"measure","name":1}]`, `[0,0,8,3]`, `[0,0,9,3]`)
	must.Equal(t, p.Marks, []profile.Mark{{What: profile.Measure, Name: "b (c.js:1)", Time: 2 * ms, Duration: 2 * ms}})

	many := strings.Split(strings.Repeat(`[0,5,0,0,0,{"type":"UserTiming","entryType":"mark","name":"m"}];`, maxMarks+3), ";")
	p = read(many[:len(many)-1]...)
	must.Equal(t, len(p.Marks), maxMarks)
	must.Equal(t, p.Meta.Notes, []string{fmt.Sprintf("marks: only the first %d of %d were read", maxMarks, maxMarks+3)})
}

// A profile begins with the earliest of its samples and marks: of marks before the recording, only the part in it counts.
func TestMarksBeforeSamples(t *testing.T) {
	for _, c := range []struct {
		began string
		want  []profile.Mark
		first time.Duration // sample
	}{
		{`,"profilingStartTime":3600100`, []profile.Mark{{What: profile.Measure, Name: "since long ago", Duration: 950 * ms}, {What: profile.LongTask, Time: 100 * ms, Duration: 300 * ms}}, 900 * ms},
		{`,"profilingStartTime":1e300`, []profile.Mark{{What: profile.Measure, Name: "since long ago", Duration: 850 * ms}, {What: profile.LongTask, Duration: 300 * ms}}, 800 * ms},
		{"", []profile.Mark{{What: profile.Measure, Name: "since long ago", Duration: 850 * ms}, {What: profile.LongTask, Duration: 300 * ms}}, 800 * ms},
	} {
		in := strings.Replace(strings.Replace(soundRaw, `[[1,5],[0,6]]`, `[[1,3601000],[0,3601001]]`, 1), `"startTime":0`, `"startTime":0`+c.began, 1)
		in = strings.Replace(in, `"threads":[{`, `"threads":[{"markers":{"schema":{"name":0,"startTime":1,"endTime":2,"phase":3,"category":4,"data":5},"data":[`+
			`[0,0,3601050,1,0,{"type":"UserTiming","entryType":"measure","name":"since long ago"}],[0,3600200,3600500,1,0,{"type":"MainThreadLongTask"}]]},`, 1)
		p := must.Get(Read(strings.NewReader(in)))(t, c.began)
		must.Equal(t, p.Marks, c.want, c.began)
		must.Equal(t, time.Duration(p.Samples.Time[0]), c.first, c.began)
		must.Equal(t, p.Meta.Duration, 2*ms, c.began)
	}
}

// TestFirefoxProfilerShowsMarks opens what we write in the Firefox Profiler, and looks at
// its list of markers.
func TestFirefoxProfilerShowsMarks(t *testing.T) {
	o := newOracle(t)
	want := []string{"Load: /cart 0+900", "UserTiming: <begun> 5+0", "LongFrame: frame 999+300", "Interaction: click button#save 1000+310",
		"LongTask: task 1001+290", "UserTiming: checkout 1100+100", "Navigation: /pay 1200+50", "UserTiming: the tab was hidden 1300+7", "UserTiming: of a page 1400+0",
		"GC: Garbage collection 1690+50", "Lost: Lost 1760+10", "Styles: Styles 1770+10", "Reflow: Reflow 1780+20", "Paint: Paint 1800+10"}
	for form, write := range writers {
		var list struct {
			FlatMarkers []struct {
				Name, Label     string
				Start, Duration float64
			}
		}
		answer := o.ask(t, writeFile(t, example(), write), []string{"thread", "markers", "--list", "--limit", "0"})[0]
		must.Do(t, json.Unmarshal(answer, &list), answer)
		var got []string
		for i, m := range list.FlatMarkers {
			if form == "version 5" && i < len(want) { // which has no schemas, and so no labels
				_, m.Label, _ = strings.Cut(want[i][:strings.LastIndex(want[i], " ")], ": ")
			}
			got = append(got, fmt.Sprintf("%s: %s %v+%v", m.Name, m.Label, m.Start, m.Duration))
		}
		must.Equal(t, got, want, form)
	}
}
