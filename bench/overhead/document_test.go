package overhead

import (
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
)

// The page shows the means of each engine by its own clock, and the instrument's own
// figures if they were recorded.
func TestPage(t *testing.T) {
	e := &estimate.Estimate{Value: 2, Low: 1, High: 3}
	mean := func(c Costs) *Table {
		return &Table{Means: map[string]map[string]*Mean{fixtures.Libraries: {"idle": {These: c, Others: c}}}}
	}
	reports := map[string]*Report{
		costsName: {Engines: map[string]map[string]*Table{
			"node": {"precise": mean(Costs{Main: e, Process: e}), "balanced": mean(Costs{Main: e, Process: e})},
		}},
		browsersName: {Engines: map[string]map[string]*Table{"firefox": {"balanced": mean(Costs{Wall: e})}}},
		trialName:    {Trial: &Trial{Planted: 2, Engines: map[string]*EngineTrial{"node": {Same: e, More: e}}}},
	}
	page := string(must.Get(Document(reports))(t))
	for _, want := range []string{
		"### node: processor time of the main thread", "### node: processor time of the process", "### firefox: time by the wall clock",
		"| precise | libraries | **2.0 (1.0 to 3.0)**, others 1.0 to 3.0 |", "## Whether it sees a percent", "planted work of 2 %",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "## Whether sharing") || strings.Index(page, "| balanced") > strings.Index(page, "| precise") {
		t.Errorf("%s", page)
	}
}
