package overhead

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
)

// Twenty programs, eight of which are trained on another input, idle and recorded by shared
// memory.
func TestTrainedPlan(t *testing.T) {
	unlike, programs, ways := 0, map[string]bool{}, map[string]bool{}
	for _, s := range NewPlan(Options{MaxOverhead: 2}).Steps {
		if s.Preset != transform.Precise || s.Engine != "node" || s.Within != 2 {
			t.Errorf("%s", s.cell)
		}
		if ways[s.way.name] = true; !programs[s.Program.Name] && s.Program.Unlike {
			unlike++
		}
		programs[s.Program.Name] = true
	}
	if len(programs) != 20 || unlike != 8 || len(ways) != 2 || !ways["idle"] || !ways["shared"] {
		t.Errorf("%d programs, %d unlike, %v", len(programs), unlike, ways)
	}
}

// A program is trained in Node, and the checks that are left keep the promise.
func TestTrainedBuild(t *testing.T) {
	program := trainedPrograms()[slices.IndexFunc(trainedPrograms(), func(p fixtures.Program) bool { return p.Name == "kernel" })]
	c := cell{"node", program, transform.Precise, 2}
	b, err := makeBuilds(t.Context(), c, true)
	if errors.Is(err, node.ErrMissing) && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	must.Do(t, err)
	if p := b.placed; p.Sites == 0 || p.Sites >= p.Candidates || p.Promised > 2 || p.Promised <= 0 || p.Exceeds || p.Resolution < 1 || p.Resolution > 100 {
		t.Errorf("%+v", p)
	}
}

// The table counts what is certain, by the interval.
func TestTrainedTable(t *testing.T) {
	program := func(group string, value, low, high float64) *Program {
		e := &estimate.Estimate{Value: value, Low: low, High: high}
		return &Program{Group: group, Placed: &Placed{Sites: 3, Candidates: 40, Promised: 1.98, Resolution: 81.25, Unlike: group == unlikeInput},
			Columns: map[string]*Column{"idle": {Costs: Costs{Main: e}}}}
	}
	means := map[string]map[string]*Mean{unlikeInput: {"idle": {These: Costs{Main: &estimate.Estimate{Value: 3, Low: 2.1, High: 4}}, Others: Costs{Main: &estimate.Estimate{Value: 3, Low: 1, High: 5}}}}}
	r := &Report{Within: 2, Engines: map[string]map[string]*Table{"node": {"precise within 2 %": {Programs: map[string]*Program{
		"below": program(sameInput, 0.5, -1, 2), "above": program(unlikeInput, 4, 2.5, 6), "open": program(sameInput, 2, 1, 3),
	}, Means: means}}}}
	text := r.Table()
	for _, want := range []string{"| above | 3 of 40 | 1.98 | 81.2 | 4.0 (2.5 to 6.0) |", "| idle | 2 % | 3 | 1 | 1 | 1 above |", "| idle, means of groups | 2 % | 1 | 0 | 0 | 1 an input unlike the training's |"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if r.Name() != trainedName {
		t.Error(r.Name())
	}
}
