package chrometrace

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
)

const ms = time.Millisecond

// traced reads a trace of 100 ms that begins at 1 s, with some more events.
func traced(t *testing.T, events ...string) *profile.Profile {
	t.Helper()
	events = append(events, event("Profile", "7", `{"startTime":1000000}`),
		event("ProfileChunk", "9", `{"cpuProfile":{`+nodes+`,"samples":[2,3]},"timeDeltas":[0,50000]}`), event("ProfileChunk", "9", `{"endTime":1100000}`))
	return must.Get(Read(strings.NewReader("[" + strings.Join(events, ",") + "]")))(t)
}

// pair is an event's beginning and end.
func pair(category, name, id, args string, from, to int) []string {
	line := func(phase, args string, at int) string {
		return fmt.Sprintf(`{"args":%s,"cat":%q,%s,"name":%q,"ph":%q,"pid":1,"tid":7,"ts":%d}`, args, category, id, name, phase, at)
	}
	return []string{line("b", args, from), line("e", "{}", to)}
}

func TestReadMarks(t *testing.T) {
	click := `{"data":{"type":"click","interactionId":77,"timeStamp":500,"processingStart":510,"processingEnd":540,"duration":56}}`
	down := strings.ReplaceAll(click, "click", "pointerdown")
	moved := strings.Replace(strings.ReplaceAll(click, "click", "mousemove"), "77", "0", 1)
	var events []string
	for _, e := range [][]string{
		pair("blink.user_timing", "checkout", `"id2":{"local":"0x3"}`, `{"startTime":5}`, 1_010_000, 1_030_000),
		pair("blink.user_timing", "fetchStart", `"id2":{"local":"0x4"}`, `{}`, 1_010_000, 1_030_000),
		pair("blink.user_timing", "long ago", `"id2":{"local":"0x5"}`, `{}`, 910_000, 930_000),
		pair("blink.user_timing", "since long ago", `"id2":{"local":"0x6"}`, `{}`, 910_000, 1_005_000),
		pair("devtools.timeline", "EventTiming", `"id":"0x1"`, down, 1_018_000, 1_028_000),
		pair("devtools.timeline", "EventTiming", `"id":"0x2"`, click, 1_020_000, 1_075_000),
		pair("devtools.timeline", "EventTiming", `"id":"0x9"`, moved, 1_020_000, 1_090_000),
		pair("devtools.timeline", "AnimationFrame", `"id":"0x1"`, `{}`, 1_030_000, 1_049_000),
		pair("devtools.timeline", "AnimationFrame", `"id":"0x1"`, `{}`, 1_050_000, 1_100_000),
		{`{"cat":"blink.user_timing,rail","name":"begun","ph":"I","pid":1,"tid":7,"ts":1000500}`, `{"cat":"blink.user_timing","name":"elsewhere","ph":"R","pid":1,"tid":8,"ts":1000500}`,
			`{"cat":"toplevel","name":"RunTask","ph":"X","pid":1,"tid":7,"ts":1000000,"dur":50000}`, `{"cat":"toplevel","name":"RunTask","ph":"X","pid":1,"tid":7,"ts":1060000,"dur":49999}`,
			// nonsense
			`{"cat":"toplevel","name":"RunTask","ph":"X","pid":1,"tid":7,"ts":1e300,"dur":1e300}`, `{"cat":"blink.user_timing","name":"an end","ph":"e","pid":1,"tid":7,"ts":1000000}`,
			`{"cat":"blink.user_timing","name":"a beginning","ph":"b","pid":1,"tid":7,"ts":1000000}`, `{"cat":7,"name":"EventTiming","ph":"b","args":[],"ts":"x"}`},
	} {
		events = append(events, e...)
	}
	p := traced(t, events...)
	must.Equal(t, p.Marks, []profile.Mark{
		{What: profile.LongTask, Duration: 50 * ms},
		{What: profile.Measure, Name: "since long ago", Duration: 5 * ms},
		{What: profile.UserMark, Name: "begun", Time: ms / 2},
		{What: profile.Measure, Name: "checkout", Time: 10 * ms, Duration: 20 * ms},
		{What: profile.Interaction, Name: "click", Time: 20 * ms, Duration: 55 * ms, InputDelay: 10 * ms, Processing: 30 * ms, Presentation: 15 * ms},
		{What: profile.LongFrame, Time: 50 * ms, Duration: 50 * ms},
	})
}

// TestChromiumsMarks reads a trace of Chromium 156, of a page with a button that was clicked
// (gecko/testdata/firefox/marks.html), cut down to the events that matter here.
func TestChromiumsMarks(t *testing.T) {
	p := must.Get(Read(bytes.NewReader(unzipped(t, "testdata/marks.json.gz"))))(t)
	var got []string
	for _, m := range p.Marks {
		if m.What == profile.LongTask || m.What == profile.LongFrame {
			continue // of a busy machine, too
		}
		got = append(got, fmt.Sprintf("%s %s", m.What, m.Name))
		if m.What == profile.Interaction && (m.InputDelay <= 0 || m.Processing < 120*ms || m.Presentation <= 0 || m.InputDelay+m.Processing+m.Presentation-m.Duration > ms) {
			t.Errorf("the click: %+v", m)
		}
	}
	must.Equal(t, got, []string{"interaction click", "measure save", "mark save begins"})
	click := slices.IndexFunc(p.Marks, func(m profile.Mark) bool { return m.What == profile.Interaction })
	within := profile.Between(p, p.Marks[click].Time, p.Marks[click].End())
	var ran []string
	for _, r := range view.Flat(within) {
		if r.File != "" {
			ran = append(ran, r.Name)
		}
	}
	slices.Sort(ran)
	must.Equal(t, ran, []string{"layout", "onSave", "spin"})
}

// Events of the engine's own work say what it was doing at samples.
func TestReadMarkers(t *testing.T) {
	task := func(name string, tid, at, lasts int) string {
		return fmt.Sprintf(`{"cat":"devtools.timeline","name":%q,"ph":"X","pid":1,"tid":%d,"ts":%d,"dur":%d}`, name, tid, at, lasts)
	}
	for _, c := range []struct {
		events []string
		want   []profile.Marker
	}{
		{nil, nil},
		{[]string{task("Layout", 7, 1_040_000, 20_000)}, []profile.Marker{0, profile.MarkerLayout}},
		{[]string{task("MinorGC", 7, 1_045_000, 6_000), task("Layout", 7, 1_040_000, 20_000), task("UpdateLayoutTree", 7, 900_000, 110_000)}, []profile.Marker{profile.MarkerStyle, profile.MarkerGC}},
		{[]string{task("Layout", 8, 1_040_000, 20_000), `{"name":"Paint","ph":"b","pid":1,"tid":7,"ts":1000000}`, task("Layout", 7, 1_300_000, 1)}, []profile.Marker{0, 0}},
	} {
		p := traced(t, c.events...)
		markers := p.Samples.Marker
		if len(c.want) > 0 && len(markers) == 0 {
			markers = make([]profile.Marker, p.Len())
		}
		must.Equal(t, markers, c.want, c.events)
	}
}

// There are only so many marks, and those that have begun wait in bounded room.
func TestTooManyMarks(t *testing.T) {
	many := strings.Split(strings.TrimSuffix(strings.Repeat(`{"cat":"blink.user_timing","name":"m","ph":"I","pid":1,"tid":7,"ts":1000000};`, maxMarks+2), ";"), ";")
	p := traced(t, many...)
	must.Equal(t, len(p.Marks), maxMarks)
	must.Equal(t, p.Meta.Notes, []string{fmt.Sprintf("marks: only the first %d of %d in the trace were read", maxMarks, maxMarks+2)})
	l := newTimeline()
	for i := range 2 * maxMarks {
		l.add(timed{name: "m", id: fmt.Sprint(i), phase: "b"})
	}
	l.settle()
	must.Equal(t, len(l.open), maxMarks)
}
