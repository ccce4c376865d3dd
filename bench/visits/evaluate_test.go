package visits

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/internal/golden"
	"github.com/fieldprof/fieldprof/internal/must"
)

// madeUp are rounds whose times scatter around a page's that gets slower and faster from round to
// round; builds take so much longer than the clean one.
func madeUp(seed uint64, rounds int, slower map[string]float64) []Round {
	rng := rand.New(rand.NewPCG(seed, 1))
	var list []Round
	for range rounds {
		machine := 1 + 0.3*rng.Float64()
		r := Round{}
		for _, build := range builds {
			factor := machine * (1 + slower[build]/100) * (1 + 0.02*rng.NormFloat64())
			r[build] = Visit{Values: map[string]float64{"fcp": 400 * factor, "ready": 900 * factor, "long": 0, "bytes": 100_000 * (1 + slower[build]/100), "requests": 5}}
		}
		r[recording].Values["samples"] = 40
		list = append(list, r)
	}
	return list
}

// Intervals hold what builds really cost in about 95 of 100 sessions, although the machine changes by
// more from round to round; nothing is found where there is nothing.
func TestIntervalsCover(t *testing.T) {
	held, found, sessions := map[string]int{}, 0, 200
	for i := range sessions {
		rounds := madeUp(uint64(i), wholeRounds, map[string]float64{idle: 3, recording: 20})
		row := newRow(measured[0], rounds, uint64(i))
		for build, truth := range map[string]float64{again: 0, idle: 3, recording: 20} {
			if e := row.Changes[build].Percent; e.Low <= truth && truth <= e.High {
				held[build]++
			}
		}
		if e := row.Changes[again].Percent; e.Low > 0 || e.High < 0 {
			found++
		}
	}
	for build, n := range held {
		if n < 182 {
			t.Errorf("%s: %d of %d intervals hold the truth", build, n, sessions)
		}
	}
	if found > 18 {
		t.Errorf("clean against clean differs in %d of %d sessions", found, sessions)
	}
}

func TestTogether(t *testing.T) {
	cells := map[string]*Result{}
	for i, s := range sites {
		rounds := madeUp(uint64(i), 200, map[string]float64{idle: float64(10 * (i + 1)), recording: 40})
		cells[s.name] = &Result{len(rounds), map[string]*Row{"fcp": newRow(measured[0], rounds, uint64(i))}}
	}
	e := together(cells).Measures["fcp"][idle] // 1.1 × 1.2 × 1.3 = 1.1972³
	if e.Value < 19 || e.Value > 20.5 || e.Low > 19.72 || e.High < 19.72 || e.High-e.Low > 2 {
		t.Errorf("the mean of 10, 20 and 30 %% is %+v", e)
	}
	delete(cells[sites[0].name].Measures, "fcp")
	if together(cells).Measures["fcp"] != nil {
		t.Error("there is a mean of a measure that a site does not have")
	}
}

// Gaps in the measurements are named with their reasons, and change no figure.
func TestSkipped(t *testing.T) {
	whole := madeUp(1, 8, nil)
	failed := append(madeUp(2, 1, nil), whole...)
	failed[0][idle] = Visit{Failed: "an error on the page: Error: x | y"}
	few := madeUp(3, 4, nil)
	r := Evaluate(&Record{Planned: 9, Missing: map[string]string{"firefox": "firefox is missing"}, Rounds: map[string][]Round{
		"chromium/fast/react": failed, "chromium/fast/svelte": few, "chromium/slow/react": whole}})
	want := `- chromium/fast/react, round 1, idle: an error on the page: Error: x \| y
- chromium/fast/svelte: 4 rounds are too few: at least 5 make a figure
- chromium/slow/react: the time was over after 8 of 9 rounds
- firefox: firefox is missing
`
	if got := r.SkippedList(); got != want {
		t.Errorf("skipped:\n%swant:\n%s", got, want)
	}
	fast, slow := r.Cells["chromium"]["fast"]["react"], r.Cells["chromium"]["slow"]["react"]
	if fast.Rounds != 8 || fast.Measures["fcp"].Clean.Value != slow.Measures["fcp"].Clean.Value {
		t.Errorf("the round that failed counts: %+v, %+v", fast, slow)
	}
	if fast.Measures["lcp"] != nil || fast.Measures["long"].Changes[idle].Percent != nil {
		t.Error("there are figures of what was not measured, or ratios to zero")
	}
}

// A measure that the browser did not report everywhere is of the rounds that have it, and the list
// says so.
func TestMissingEntries(t *testing.T) {
	rounds := madeUp(1, 9, nil)
	for _, round := range rounds[:2] {
		delete(round[idle].Values, "fcp")
	}
	for _, round := range rounds[:6] {
		delete(round[again].Values, "ready")
	}
	r := Evaluate(&Record{Planned: 9, Rounds: map[string][]Round{"chromium/fast/svelte": rounds}})
	must.Equal(t, r.SkippedList(), `- chromium/fast/svelte: first contentful paint: the browser did not report it in 2 of 9 rounds
- chromium/fast/svelte: ready: the browser did not report it in 6 of 9 rounds
`)
	measures := r.Cells["chromium"]["fast"]["svelte"].Measures
	if measures["fcp"] == nil || measures["ready"] != nil {
		t.Errorf("%+v", measures)
	}
	want := newRow(measured[0], rounds[2:], Cell{"chromium", "fast", "svelte"}.seed(0))
	must.Equal(t, measures["fcp"].Clean.Value, want.Clean.Value)
	must.Equal(t, measures["fcp"].Rounds, 7)
	for _, row := range r.CSV() {
		if row.Program == "svelte" && strings.HasPrefix(row.Figure, "first contentful paint") && row.Measured != 7 {
			t.Errorf("%+v rests on seven rounds", row)
		}
	}
}

func TestCompare(t *testing.T) {
	r := Round{clean: {shown: "3 products"}, again: {shown: "3 products"}, idle: {shown: "3 prunes"}, recording: {Failed: "a timeout"}}
	r.compare()
	if r[again].Failed != "" || r[recording].Failed != "a timeout" || !strings.Contains(r[idle].Failed, `"unes" in the end, the clean one "oducts"`) {
		t.Errorf("%+v", r)
	}
}

func TestTable(t *testing.T) {
	record := &Record{Origin: figures.Origin{Command: "go run ./bench page"}, Seed: 7, Planned: 15, Seconds: 800, Browsers: map[string]string{"chromium": "Chrome/1"}, Rounds: map[string][]Round{}}
	for i, s := range sites {
		record.Rounds[Cell{"chromium", "slow", s.name}.String()] = madeUp(uint64(i), 15, map[string]float64{idle: 2, recording: 25})
	}
	golden.Each(t, "testdata/table.txtar", func(t *testing.T, f golden.File) { f.Compare(t, 0, Evaluate(record).Table()) })
}

// Visits that were kept give the same report.
func TestReplay(t *testing.T) {
	record := &Record{Seed: 7, Planned: 15, Rounds: map[string][]Round{"firefox/fast/grid": madeUp(1, 15, nil)}}
	dir := t.TempDir()
	must.Do(t, keep(dir, record))
	report := must.Get(Measure(t.Context(), Options{Replay: dir}, figures.Progress{}))(t)
	if got, want := report.Table(), Evaluate(record).Table(); got != want {
		t.Errorf("replayed:\n%s\nwant:\n%s", got, want)
	}
}

// The plan is fifteen rounds of everything, or six of a site.
func TestPlan(t *testing.T) {
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{}, "15 rounds in 15m0s: chromium/fast/react chromium/fast/svelte chromium/fast/grid chromium/slow/react chromium/slow/svelte chromium/slow/grid " +
			"firefox/fast/react firefox/fast/svelte firefox/fast/grid firefox/slow/react firefox/slow/svelte firefox/slow/grid"},
		{Options{Quick: true}, "6 rounds in 3m0s: chromium/fast/react chromium/slow/react firefox/fast/react firefox/slow/react"},
		{Options{Quick: true, Only: "grid", Browsers: []string{"firefox", "node"}, Budget: 60e9}, "6 rounds in 1m0s: firefox/fast/grid firefox/slow/grid"},
		{Options{Only: "angular"}, "15 rounds in 15m0s:"},
	} {
		p := newPlan(c.options)
		got := fmt.Sprintf("%d rounds in %v:", p.rounds, p.budget)
		for _, cell := range p.cells {
			got += " " + cell.String()
		}
		if got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

// A round visits each cell once; only over the slow network browsers are driven at the same time.
func TestSchedule(t *testing.T) {
	cells := newPlan(Options{}).cells
	draw := func(seed uint64) [][][]turn { return schedule(rand.New(rand.NewPCG(seed, 0)), cells) }
	var seen []string
	for _, lanes := range draw(1) {
		for _, lane := range lanes {
			for _, turn := range lane {
				seen = append(seen, turn.cell.String())
				if alone := networks[turn.cell.Network].Rate == 0; alone != (len(lanes) == 1) || turn.cell.Network != lanes[0][0].cell.Network || !alone && turn.cell.Browser != lane[0].cell.Browser {
					t.Errorf("%v in %v", turn.cell, lanes)
				}
				if order := slices.Sorted(slices.Values(turn.builds)); !slices.Equal(order, []string{again, clean, idle, recording}) {
					t.Errorf("builds %v", turn.builds)
				}
			}
		}
	}
	slices.Sort(seen)
	if len(slices.Compact(seen)) != len(cells) {
		t.Errorf("visited: %v", seen)
	}
	first, same, other := fmt.Sprint(draw(1)), fmt.Sprint(draw(1)), fmt.Sprint(draw(2))
	if first != same || first == other {
		t.Error("the order does not depend on the seed alone")
	}
}
