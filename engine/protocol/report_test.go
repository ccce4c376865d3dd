package protocol

import (
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// Ticks that fell out of a full recording are counted as dropped, and as nothing else.
func TestDroppedTicks(t *testing.T) {
	report := must.Get(ReadReport([]byte(`{"recording": {"version": 1, "clock": "shared", "interval": 1, "ended": 100,
		"account": {"raised": 100, "missed": 3, "taken": 70, "idle": 20, "program": 8, "lost": 2},
		"strings": ["a.js", "f"], "frames": [0, 1, 1, 1], "stacks": [-1, 0],
		"samples": {"time": [91, 95, 99], "stack": [0, -1, -1], "weight": [4, 2, 1], "kind": [0, 3, 4], "skid": [0, 0, 0]}}}`)))(t)
	want := profile.Ticks{Raised: 9, Missed: 3, Taken: 5, Idle: 2, Lost: 2, Dropped: 91}
	if got := report.Recording.meta().Ticks; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestUnsentRecording(t *testing.T) {
	_, err := ReadReport([]byte(`{"exitCode": 0, "unsent": "Error: no"}`))
	if err == nil || !strings.Contains(err.Error(), "(Error: no)") {
		t.Error(err)
	}
}
