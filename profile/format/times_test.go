package format

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/cpuprofile"
)

// lasting are files in which a lasts for 30 ms, and b for 10 ms after that.
var lasting = map[string]string{
	"speedscope": `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"},{"name":"b"}]},"profiles":[
		{"type":"sampled","name":"","unit":"milliseconds","startValue":0,"endValue":40,"samples":[[0],[1]],"weights":[30,10]}]}`,
	"speedscope, events": `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"},{"name":"b"}]},"profiles":[
		{"type":"evented","name":"","unit":"milliseconds","startValue":0,"endValue":40,"events":[{"type":"O","frame":0,"at":0},{"type":"C","frame":0,"at":30},{"type":"O","frame":1,"at":30},{"type":"C","frame":1,"at":40}]}]}`,
	"sentry": `{"version":"2","profiler_id":"","profile":{"frames":[{"function":"a"},{"function":"b"}],"stacks":[[0],[1],[]],"samples":[
		{"stack_id":0,"thread_id":"0","timestamp":1790000000.000},{"stack_id":1,"thread_id":"0","timestamp":1790000000.030},{"stack_id":2,"thread_id":"0","timestamp":1790000000.040}]}}`,
	"chrometrace": `{"traceEvents":[{"name":"Profile","ph":"P","id":"0x1","pid":1,"tid":1,"args":{"data":{"startTime":0}}},{"name":"ProfileChunk","ph":"P","id":"0x1","pid":1,"tid":1,"args":{"data":{"cpuProfile":{"nodes":[
		{"id":1,"callFrame":{"functionName":"(root)"}},{"id":2,"parent":1,"callFrame":{"functionName":"a"}},{"id":3,"parent":1,"callFrame":{"functionName":"b"}}],
		"samples":[2,3,1]},"timeDeltas":[0,30000,10000]}}},{"name":"ProfileChunk","ph":"P","id":"0x1","pid":1,"tid":1,"args":{"data":{"endTime":40000}}}]}`,
	"xs": `{"nodes":[{"id":0,"callFrame":{"functionName":"(host)","url":"","lineNumber":-1,"columnNumber":-1},"children":[2,3]},{"id":1,"callFrame":{"functionName":"(gc)","url":"","lineNumber":-1,"columnNumber":-1},"children":[]},
		{"id":2,"callFrame":{"functionName":"a","url":"","lineNumber":-1,"columnNumber":-1},"children":[]},{"id":3,"callFrame":{"functionName":"b","url":"","lineNumber":-1,"columnNumber":-1},"children":[]}],
		"startTime":0,"endTime":40000,"samples":[2,3],"timeDeltas":[0,30000]}`,
	"cpuprofile": `{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2,3]},{"id":2,"callFrame":{"functionName":"a"}},{"id":3,"callFrame":{"functionName":"b"}}],
		"startTime":1000,"endTime":41000,"samples":[2,3],"timeDeltas":[0,30000]}`,
	"firefox": `{"meta":{"version":36,"preprocessedProfileVersion":75,"interval":1,"startTime":0,"categories":[]},"shared":{"stringArray":["a","b"],"funcTable":{"flags":[0,0],"name":[0,1]},
		"frameTable":{"flags":[0,0],"func":[0,1]},"stackTable":{"frame":[0,1],"prefixOffset":[0,0]}},
		"threads":[{"samples":{"stack":[0,1],"time":[7000,7030],"weight":[30,10],"weightType":"tracing-ms"}}]}`,
}

// A sample of a file that lasts until the next one has the time of its end, as have the samples of checks.
func TestTimesAreEnds(t *testing.T) {
	for name, in := range lasting {
		var p *profile.Profile
		var err error
		if name == "cpuprofile" {
			p, err = cpuprofile.ReadAs(strings.NewReader(in), cpuprofile.ToNext)
		} else {
			p, _, err = Read(strings.NewReader(in), "")
		}
		must.Do(t, err, name)
		var got []string
		for i := range min(2, p.Len()) { // and in Sentry's the one that ends it
			s := p.Sample(i)
			got = append(got, fmt.Sprintf("%s %v until %v", label(p, i), time.Duration(s.Weight)*p.Meta.Interval, time.Duration(s.Time)))
		}
		must.Equal(t, got, []string{"a 30ms until 30ms", "b 10ms until 40ms"}, name)
		must.Equal(t, p.Meta.Duration, 40*time.Millisecond, name)
	}
}

// The formats without times are read with samples that follow each other, the first from the start on.
func TestTimesOfSamplesInARow(t *testing.T) {
	b := profile.Builder{Meta: profile.Meta{Interval: 10 * time.Millisecond}}
	for i, weight := range []int32{1, 3, 2} {
		f := b.Function(profile.Function{Name: string(rune('a' + i)), File: "a.js", Line: 1})
		b.Sample(profile.Sample{Time: int64(i+7) * 1e9, Stack: b.Stack(profile.NoStack, b.Frame(f, 0, 0)), Weight: weight})
	}
	for _, name := range []string{"pprof", "speedscope", "chrometrace", "sentry"} {
		f := must.Get(ByName(name))(t)
		p := read(t, f, write(t, f, b.Profile()))
		ticks := int64(0)
		for i, at := range p.Samples.Time {
			ticks += int64(p.Samples.Weight[i])
			must.Equal(t, time.Duration(at), time.Duration(ticks)*p.Meta.Interval, name)
		}
		must.Equal(t, ticks, 6, name)
		again := read(t, f, write(t, f, p))
		must.Equal(t, again.Samples.Time, p.Samples.Time, name)
	}
}

// The Firefox Profiler shows a sample from its time to that of the next, so what it reads are the starts.
func TestFirefoxReadsStarts(t *testing.T) {
	b := profile.Builder{Meta: profile.Meta{Interval: 10 * time.Millisecond}}
	for _, s := range []profile.Sample{{Time: 50e6, Weight: 3}, {Time: 65e6, Weight: 2}, {Time: 200e6, Weight: 1}} {
		s.Stack = b.Pseudo(profile.NoStack, profile.NameProgram)
		b.Sample(s)
	}
	f := must.Get(ByName("firefox"))(t)
	if out := write(t, f, b.Profile()); !bytes.Contains(out, []byte(`"time":[20,50,190]`)) {
		t.Errorf("%s", out)
	}
}
