package truth

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/fixtures"
)

// drawn are samples of a distribution by index; the share missing from 100 belongs to none.
func drawn(rng *rand.Rand, shares []float64, n int) (owners []int32, weights []float64) {
	for range n {
		x, owner := 100*rng.Float64(), int32(-1)
		for i, share := range shares {
			if x -= share; x < 0 {
				owner = int32(i)
				break
			}
		}
		owners, weights = append(owners, owner), append(weights, 1)
	}
	return owners, weights
}

// A sampler that is right has nearly 100 however many functions share its samples, and one
// that moves a part of the time loses that part: without the correction, 800 samples of 40
// functions would lose 9 % by chance.
func TestScore(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, functions := range []int{2, 10, 40} {
		for _, moved := range []float64{0, 5, 20} {
			known := make([]float64, functions)
			for i := range known {
				known[i] = 100 / float64(functions)
			}
			shown := append([]float64(nil), known...)
			for i := range shown[:functions/2] { // their time moves to the other half
				shown[i] -= moved / float64(functions/2)
				shown[i+functions/2] += moved / float64(functions/2)
			}
			sum, held := 0.0, 0
			const runs = 40
			for range runs {
				owners, weights := drawn(rng, shown, 800)
				overlap := scoreOf(owners, weights, known, 100, 1).Overlap
				sum += overlap.Value / runs
				if overlap.Low-2 <= 100-moved && 100-moved <= overlap.High+2 {
					held++
				}
			}
			if math.Abs(sum-(100-moved)) > 2 {
				t.Errorf("%d functions, %g %% moved: %.1f on average", functions, moved, sum)
			}
			if held < runs*9/10 {
				t.Errorf("%d functions, %g %% moved: %d of %d intervals hold it", functions, moved, held, runs)
			}
		}
	}
}

func TestScoreOfTheExtremes(t *testing.T) {
	known := []float64{60, 40}
	for _, c := range []struct {
		name   string
		owners []int32
		want   float64
	}{
		{"nothing", nil, 0},
		{"none of its functions", []int32{-1, -1, -1}, 0},
		{"as it is", []int32{0, 0, 0, 1, 1}, 100},
	} {
		weights := make([]float64, len(c.owners))
		for i := range weights {
			weights[i] = 250
		}
		got := scoreOf(c.owners, weights, known, 0, 1).Overlap.Value
		if math.Abs(got-c.want) > 5 { // chance explains some of it
			t.Errorf("%s: %.1f, want %.1f", c.name, got, c.want)
		}
	}
	if n := effective([]float64{3, 3, 3, 3}); n != 4 {
		t.Errorf("four equal weights are %v samples", n)
	}
	if n := effective([]float64{9, 1, 0, 0}); n > 1.3 {
		t.Errorf("weights 9 and 1 are %v samples", n)
	}
}

// One program below 97 makes a kind's truth a reference, and one such kind a sampler.
func TestQualify(t *testing.T) {
	scores := map[string]Score{}
	for _, p := range fixtures.Exact() {
		scores[p.Name] = Score{Samples: 5000, Overlap: estimate.Estimate{Value: 98, Low: 97.5, High: 98.5}}
	}
	if got := Standing(Qualify(scores)); got != IsTruth {
		t.Errorf("98 everywhere: %s", got)
	}
	scores["generators"] = Score{Samples: 5000, Overlap: estimate.Exactly(89)}
	kinds := Qualify(scores)
	if q := kinds["suspension"]; q.Verdict != IsReference || q.LowestProgram != "generators" || q.Lowest.Value != 89 || q.Score.Value >= 98 {
		t.Errorf("%+v", q)
	}
	if q := kinds["calls"]; q.Verdict != IsTruth || math.Abs(q.Score.Value-98) > 1e-9 {
		t.Errorf("%+v", q)
	}
	if got := Standing(kinds); got != IsReference {
		t.Errorf("89 on generators: %s", got)
	}
	for name, of := range map[string]Score{
		"an interval across 97": {5000, estimate.Estimate{Value: 98, Low: 96, High: 99}},
		"few samples":           {62, estimate.Estimate{Value: 100, Low: 99, High: 100}},
	} {
		scores["callbacks"] = of
		if q := Qualify(scores)["calls"]; q.Verdict != IsUndecided {
			t.Errorf("%s: %+v", name, q)
		}
	}
	scores["callbacks"] = Score{5000, estimate.Estimate{Value: 98, Low: 97.5, High: 98.5}}
	delete(scores, "idle")
	if kinds := Qualify(scores); kinds["waiting"] != nil {
		t.Error("a kind without a program was judged")
	}
	table := QualificationTable([]string{"goja", "missing"}, map[string]map[string]*Qualification{"goja": kinds})
	for _, want := range []string{"| goja | reference |", "**98.0 (", "; generators 89.0 |"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
	if strings.Contains(table, "missing") {
		t.Errorf("a sampler without scores is in\n%s", table)
	}
}
