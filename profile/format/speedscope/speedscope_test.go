package speedscope

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
)

const shared = `"shared":{"frames":[{"name":"main","file":"a.js","line":3,"col":7},{"name":"work","file":"a.js"},{"name":"(idle)"},{"name":"(anonymous) b.js:4","file":"b.js","line":4}]}`

func document(profiles ...string) string {
	return `{"$schema":"` + Schema + `",` + shared + `,"profiles":[` + strings.Join(profiles, ",") + `]}`
}

func sampled(unit, samples, weights string) string {
	return fmt.Sprintf(`{"type":"sampled","name":"","unit":%q,"startValue":0,"endValue":9,"samples":[%s],"weights":[%s]}`, unit, samples, weights)
}

func evented(end string, events ...string) string {
	return `{"type":"evented","name":"t","unit":"milliseconds","startValue":0,"endValue":` + end + `,"events":[` + strings.Join(events, ",") + `]}`
}

func open(frame, at string) string {
	return `{"type":"O","frame":` + frame + `,"at":` + at + `}`
}

func closing(frame, at string) string {
	return `{"type":"C","frame":` + frame + `,"at":` + at + `}`
}

func TestReadOthers(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"weights of one length", document(sampled("milliseconds", "[0],[0,1],[0,1]", "10,10,10")), "work 2×10ms, main 1×10ms"},
		{"uneven weights", document(sampled("milliseconds", "[0],[0,1]", "1.5,0.25")), "main 6×250µs, work 1×250µs"},
		{"no unit", document(sampled("none", "[0],[0,1]", "3,4")), "work 4×0s, main 3×0s"},
		{"an empty stack is idle", document(sampled("seconds", "[],[0],[0,2]", "1,1,2")), "(idle) 3×1s, main 1×1s"},
		{"no weight", document(sampled("seconds", "[0],[1]", "0,1")), "work 1×1s"},
		{"a nameless function", document(sampled("seconds", "[3]", "1")), "(anonymous) 1×1s"},
		{"events", document(evented("9", open("0", "1"), open("1", "3"), closing("1", "4"), closing("0", "9"))), "main 7×1ms, work 1×1ms"},
		{"events left open", document(evented("9", open("0", "1"), open("1", "3"))), "work 3×2ms, main 1×2ms"},
		{"a gap between calls", document(evented("9", open("0", "1"), closing("0", "2"), open("1", "5"), closing("1", "6"))), "(idle) 3×1ms, main 1×1ms, work 1×1ms"},
		{"the active profile", strings.Replace(document(sampled("seconds", "[0]", "1"), sampled("seconds", "[1]", "1")), `"shared"`, `"activeProfileIndex":1,"shared"`, 1), "work 1×1s"},
		{"no such active profile", strings.Replace(document(sampled("seconds", "[0]", "1")), `"shared"`, `"activeProfileIndex":-7,"shared"`, 1), "main 1×1s"},
	} {
		p := must.Get(Read(strings.NewReader(c.in)))(t, c.name)
		must.Equal(t, formattest.SelfTicks(p), c.want, c.name)
	}
}

func TestReadRefuses(t *testing.T) {
	formattest.Rejects(t, Read, []formattest.Fault{
		{"empty", "", "the file is empty"},
		{"cut short", document(sampled("seconds", "[0]", "1"))[:150], "cut short"},
		{"no profiles", document(), `"profiles" is missing or empty`},
		{"another type", document(`{"type":"heap"}`), `profiles[0]: type "heap"`},
		{"another unit", document(sampled("parsecs", "[0]", "1")), `profiles[0]: unknown unit "parsecs"`},
		{"too few weights", document(sampled("seconds", "[0],[1]", "1")), "profiles[0]: weights: 1 for 2 samples"},
		{"frame out of range", document(sampled("seconds", "[0,4]", "1")), "samples[0][1]: frame 4 of 4"},
		{"frame below zero", document(sampled("seconds", "[-1]", "1")), "frame -1 is out of range"},
		{"negative weight", document(sampled("seconds", "[0]", "-1")), "weights[0]: -1 is out of range"},
		{"endless weight", document(sampled("seconds", "[0]", "1e300")), "out of range"},
		{"endless weights", document(sampled("nanoseconds", "[0],[0],[0]", "2e18,2e18,2e18")), "out of range"},
		{"not a number", document(sampled("seconds", "[0]", "NaN")), "invalid character"},
		{"events out of order", document(evented("9", open("0", "3"), open("1", "2"))), "events[1]: at 2, before"},
		{"another frame is closed", document(evented("9", open("0", "1"), closing("1", "2"))), "events[1]: closes frame 1"},
		{"nothing to close", document(evented("9", closing("1", "2"))), "events[0]: closes frame 1"},
		{"event frame out of range", document(evented("9", open("9", "2"))), "events[0]: frame 9 of 4"},
		{"event of another type", document(evented("9", `{"type":"X","frame":0,"at":1}`)), `"X" is neither O nor C`},
		{"hostile metadata", strings.Replace(document(sampled("seconds", "[0]", "1")), `"shared"`, `"fieldprof":{"meta":{"intervalNs":-5}},"shared"`, 1), "interval"},
	})
}

// A small file must not become an endless one.
func TestWriteRefusesStacksWithoutEnd(t *testing.T) {
	var b profile.Builder
	b.Meta.Interval = time.Millisecond
	frame, at := b.Frame(b.Function(profile.Function{Name: "deep"}), 0, 0), profile.NoStack
	for range 200_000 {
		at = b.Stack(at, frame)
	}
	for range 10_000 {
		b.Sample(profile.Sample{Stack: at, Weight: 1})
	}
	must.Fail(t, Write(&bytes.Buffer{}, b.Profile()), "more than 1073741824 frames in all")
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(document(sampled("milliseconds", "[0],[0,1],[]", "10,1.5,3"))))
	f.Add([]byte(document(evented("9", open("0", "1"), open("1", "3"), closing("1", "4")))))
	f.Add([]byte(strings.Replace(document(sampled("seconds", "[0]", "1")), `"shared"`, `"fieldprof":{"meta":{"intervalNs":5},"marks":[{"what":"note","time":1,"duration":2}]},"shared"`, 1)))
	format := formattest.Format{Read: Read, Write: Write, NoRoom: []string{"more time"}, NotAgain: []string{"range", "more than a profile holds"},
		Skip: func(p *profile.Profile) bool { return p.Len() > 1<<16 }}
	format.Fuzz(f, formattest.SelfTicks)
}
