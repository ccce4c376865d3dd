package chrometrace

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
)

// Events say when they were, and may be anywhere in the file.
func TestReadInAnyOrder(t *testing.T) {
	at := func(event string, ts int) string {
		return strings.TrimSuffix(event, "}") + fmt.Sprintf(`,"ts":%d}`, ts)
	}
	events := []string{
		at(event("Profile", "7", `{"startTime":1000000}`), 1_000_000),
		at(event("ProfileChunk", "9", `{"cpuProfile":{`+nodes+`,"samples":[2,3]},"lines":[5,6],"timeDeltas":[1000,2000]}`), 1_003_000),
		at(event("ProfileChunk", "9", `{"cpuProfile":{"nodes":[{"id":4,"parent":2,"callFrame":{"functionName":"c"}}],"samples":[4]},"timeDeltas":[40000]}`), 1_043_000),
		at(event("ProfileChunk", "9", `{"cpuProfile":{"samples":[2,2,3]},"lines":[7,8,9],"timeDeltas":[500,600,700]}`), 1_044_800),
		at(event("ProfileChunk", "9", `{"endTime":1100000}`), 1_100_000),
	}
	for i := range 3 { // one within the other, of the same name and id
		events = append(events, pair("blink.user_timing", "load", `"id2":{"local":"0x3"}`, `{}`, 1_010_000+1000*i, 1_090_000-1000*i)...)
	}
	events = append(events, pair("blink.user_timing", "later", `"id2":{"local":"0x3"}`, `{}`, 1_091_000, 1_092_000)...)
	read := func() *profile.Profile {
		return must.Get(Read(strings.NewReader("[" + strings.Join(events, ",") + "]")))(t)
	}
	lines := func(p *profile.Profile) (lines []int32) {
		for _, s := range p.Samples.Stack {
			lines = append(lines, p.Frames.Line[p.Stacks.Frame[s]])
		}
		return lines
	}
	want := read()
	must.Equal(t, len(want.Marks), 4)
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		random.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
		p := read()
		must.Equal(t, formattest.SelfTimes(p), formattest.SelfTimes(want), events)
		must.Equal(t, p.Samples.Time, want.Samples.Time, events)
		must.Equal(t, lines(p), lines(want), events)
		must.Equal(t, p.Marks, want.Marks, events)
	}
}
