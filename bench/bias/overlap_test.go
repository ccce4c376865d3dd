package bias

import (
	"math"
	"math/rand/v2"
	"testing"
)

// draw makes a distribution of n samples of known shares.
func draw(rng *rand.Rand, shares map[string]float64, n int) *Distribution {
	keys := byShare(shares, nil)
	d := &Distribution{}
	for range n {
		left := 100 * rng.Float64()
		for i, key := range keys {
			if left -= shares[key]; left < 0 || i == len(keys)-1 {
				d.Add(key, 1)
				break
			}
		}
	}
	return d
}

func TestOverlap(t *testing.T) {
	a := map[string]float64{"f": 60, "g": 30, "h": 10}
	for _, test := range []struct {
		name string
		b    map[string]float64
		want float64
	}{
		{"with itself", a, 100},
		{"in other units", map[string]float64{"f": 6, "g": 3, "h": 1}, 100},
		{"with one moved", map[string]float64{"f": 50, "g": 40, "h": 10}, 90},
		{"with others", map[string]float64{"x": 100}, 0},
		{"with one more", map[string]float64{"f": 30, "g": 15, "h": 5, "x": 50}, 50},
		{"with nothing", nil, 0},
	} {
		if got := Overlap(Known(a), Known(test.b)); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%s: %g, want %g", test.name, got, test.want)
		}
		if got := Overlap(Known(test.b), Known(a)); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%s, the other way round: %g, want %g", test.name, got, test.want)
		}
	}
}

// The interval holds the overlap of the distributions that samples were drawn
// from in about 95 of 100 experiments.
func TestOverlapIntervalCovers(t *testing.T) {
	truth := map[string]float64{"f": 50, "g": 30, "h": 15, "i": 5}
	biased := map[string]float64{"f": 40, "g": 38, "h": 17, "i": 5} // overlap 90
	rng := rand.New(rand.NewPCG(1, 1))
	held, experiments := 0, 200
	if testing.Short() {
		experiments = 20
	}
	for i := range experiments {
		e := OverlapInterval(draw(rng, truth, 1000), draw(rng, biased, 1000), 200, uint64(i))
		if e.Low > e.Value || e.High < e.Value {
			t.Fatalf("interval %v", e)
		}
		if e.Low <= 90 && 90 <= e.High {
			held++
		}
	}
	if held < experiments*9/10 || held == 200 {
		t.Errorf("%d of %d intervals hold the overlap", held, experiments)
	}
}

// More samples make a smaller interval, and the same seed the same one.
func TestOverlapIntervalNarrows(t *testing.T) {
	shares := map[string]float64{"f": 70, "g": 30}
	rng := rand.New(rand.NewPCG(2, 2))
	few, many := draw(rng, shares, 100), draw(rng, shares, 10_000)
	width := func(d *Distribution) float64 {
		e := OverlapInterval(Known(map[string]float64{"f": 60, "g": 40}), d, 200, 7)
		return e.High - e.Low
	}
	if width(many) > width(few)/3 {
		t.Errorf("width %g of 10000 samples, %g of 100", width(many), width(few))
	}
	a, b := OverlapInterval(few, many, 100, 3), OverlapInterval(few, many, 100, 3)
	if a.Low != b.Low || a.High != b.High {
		t.Errorf("%v and %v of one seed", a, b)
	}
}

// A profile that is drawn from the truth has no bias; one that is not has.
func TestCompare(t *testing.T) {
	shares := map[string]float64{"f": 50, "g": 30, "h": 20}
	rng := rand.New(rand.NewPCG(3, 3))
	truth, again := draw(rng, shares, 5000), draw(rng, shares, 5000)
	fair := Compare(draw(rng, shares, 5000), truth, again, 200, 1)
	if fair.Bias.Low > 0 || fair.Bias.High > 4 || fair.Bias.Value > 2 {
		t.Errorf("bias of a fair profile: %v", fair.Bias)
	}
	off := Compare(draw(rng, map[string]float64{"f": 40, "g": 40, "h": 20}, 5000), truth, again, 200, 1)
	if off.Bias.Low < 5 || off.Bias.High > 14 || math.Abs(off.Bias.Value-10) > 2 || math.Abs(off.Quadrature-10) > 2 || math.Abs(off.Overlap.Value-90) > 2 {
		t.Errorf("a profile that is off by 10: %+v", off)
	}
}

func TestByChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	shares := map[string]float64{"f": 50, "g": 30, "h": 20}
	alike := CompareByChance(draw(rng, shares, 2000), draw(rng, shares, 1000), 200, 1)
	if !alike.Independent() || alike.Chance < 95 {
		t.Errorf("two profiles of one distribution: %+v", alike)
	}
	other := CompareByChance(draw(rng, shares, 2000), draw(rng, map[string]float64{"f": 60, "g": 20, "h": 20}, 2000), 200, 1)
	if other.Independent() {
		t.Errorf("profiles of distributions 10 apart: %+v", other)
	}
	if empty := CompareByChance(&Distribution{}, draw(rng, shares, 10), 10, 1); empty.Overlap != 0 {
		t.Errorf("with an empty profile: %+v", empty)
	}
}
