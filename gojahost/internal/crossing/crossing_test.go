package crossing

import (
	"context"
	"runtime/pprof"
	"testing"
	"time"

	pb "github.com/google/pprof/profile"

	"github.com/fieldprof/fieldprof/internal/must"
)

// stack is a sample whose frames are named FILE FUNCTION, innermost first.
func stack(value string, frames ...string) *pb.Sample {
	s := &pb.Sample{Value: []int64{2, 2e7}, Label: map[string][]string{label: {value}}}
	for i := 0; i+1 < len(frames); i += 2 {
		f := &pb.Function{Name: frames[i+1], Filename: frames[i], StartLine: 3}
		s.Location = append(s.Location, &pb.Location{Line: []pb.Line{{Function: f, Line: 5}}})
	}
	return s
}

// Only the work of a call itself is below it.
func TestWhatIsBelowACall(t *testing.T) {
	r, border := New(), Border{File: "host/native.go", Engine: "example.com/engine"}
	mine := r.prefix + "7"
	p := &pb.Profile{Sample: []*pb.Sample{
		stack(mine, "c.go", "compress/flate.fill", "m.go", "main.pack", "v.go", "reflect.Value.call", "e.go", "example.com/engine.(*Runtime).wrap",
			"host/native.go", "host.timed", "e.go", "example.com/engine.(*vm).run", "m.go", "main.main"),
		stack(mine, "v.go", "reflect.Value.call", "host/native.go", "host.timed", "m.go", "main.main"),
		stack(mine, "e.go", "example.com/engine.(*vm).run", "m.go", "main.pack", "host/native.go", "host.timed"), // a script again
		stack(mine, "m.go", "main.pack.func1"),                                         // another goroutine
		stack("99"+mine, "m.go", "main.pack", "host/native.go", "host.timed"),          // another recording
		{Value: []int64{1, 1e7}, Location: []*pb.Location{{}}},                         // no call
		{Label: map[string][]string{label: {mine}}, Location: []*pb.Location{{ID: 1}}}, // no value
	}}
	must.Equal(t, r.read(p, border), []Sample{
		{"7", []Frame{{"main.pack", "m.go", 3, 5}, {"compress/flate.fill", "c.go", 3, 5}}, 2},
		{"7", []Frame{}, 2},
	})
}

// A process has one profiler, which can be started again.
func TestOneAtATime(t *testing.T) {
	r := must.Get(Start())(t)
	must.Refuse(Start())(t, "recording Go: ", "a second one")
	value, _ := pprof.Label(r.Label(context.Background(), "7"), label)
	must.Equal(t, value, r.prefix+"7")
	_, each, err := r.Stop(Border{})
	must.Do(t, err)
	must.Equal(t, each, 10*time.Millisecond)
	_, _, err = must.Get(Start())(t).Stop(Border{})
	must.Do(t, err)
}
