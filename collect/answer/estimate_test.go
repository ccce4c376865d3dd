package answer

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
)

// covered simulates studies of a known truth, and requires that 93 to 97 % of the intervals hold it.
func covered(t *testing.T, what string, truth float64, study func(*rand.Rand) *Estimate) {
	t.Helper()
	const studies = 3000
	random, held := rand.New(rand.NewPCG(18, 1)), 0
	for range studies {
		if e := study(random); e.Low <= truth && truth <= e.High {
			held++
		}
	}
	if share := 100 * float64(held) / studies; share < 93 || share > 97 {
		t.Errorf("%s: %.1f %% of the intervals hold the truth", what, share)
	}
}

// poisson draws by the waits between events.
func poisson(random *rand.Rand, mean float64) (n int) {
	for at := random.ExpFloat64(); at < mean; at += random.ExpFloat64() {
		n++
	}
	return n
}

func TestIntervalsHoldTheTruth(t *testing.T) {
	skipSimulation(t)
	// Milliseconds of a view: a logarithmic normal distribution, common to the views of a session.
	const spread = 0.8
	mean := 100 * math.Exp(spread*spread/2)
	blocks := func(random *rand.Rand) map[time.Time]block {
		all := map[time.Time]block{}
		for i := range mostBlocks {
			for range poisson(random, 40) { // sessions
				busy := 100 * math.Exp(spread*random.NormFloat64())
				views := float64(1 + random.IntN(3))
				rate := []float64{0.1, 0.5}[random.IntN(2)]
				addTo(all, noon.Add(time.Duration(i)*time.Hour), views*busy/rate, views/rate)
			}
		}
		return all
	}
	covered(t, "busy time per view", mean, func(random *rand.Rand) *Estimate { return ratio(blocks(random), unbounded) })

	covered(t, "share of slow interactions", 0.06, func(random *rand.Rand) *Estimate {
		all := map[time.Time]block{}
		for i := range mostBlocks {
			for range poisson(random, 30) { // views, of which some are slow throughout
				p := 0.03
				if random.IntN(10) == 0 {
					p = 0.33
				}
				for range 5 {
					slow := 0.0
					if random.Float64() < p {
						slow = 1
					}
					addTo(all, noon.Add(time.Duration(i)*time.Hour), slow, 1)
				}
			}
		}
		return ratio(all, 1)
	})

	const upper = 0.6744897501960817 // the 75th percentile of the normal distribution
	for _, views := range []int{40, 1000} {
		covered(t, "p75 of INP", 150*math.Exp(upper), func(random *rand.Rand) *Estimate {
			var d durations
			for range views {
				h := record.Histogram{}
				h.Add(time.Duration(150e6*math.Exp(random.NormFloat64())), 1)
				weight := []float64{1, 4}[random.IntN(2)]
				for class, n := range h {
					d.add(class, n, weight)
				}
			}
			return d.quantile(0.75, record.Edge)
		})
	}
}

// The share of a function in a step: ticks come in sessions that have more or less of it.
func TestTrendIntervalsHoldTheTruth(t *testing.T) {
	skipSimulation(t)
	const share = 0.2
	covered(t, "share in a step", share, func(random *rand.Rand) *Estimate {
		var list []*sums
		for range 24 {
			p := &sums{}
			for range 20 { // sessions of 50 ticks
				of := min(1, share*2*random.Float64())
				for range 50 {
					p.add(1, 1, random.Float64() < of, false)
				}
			}
			list = append(list, p)
		}
		wider := dispersion(list, func(p *sums) float64 { return p.self })
		return list[12].share(list[12].self, wider)
	})
}

func TestEstimatesOfLittle(t *testing.T) {
	if e := ratio(nil, 1); e != nil {
		t.Error("a ratio of nothing", *e)
	}
	one := map[time.Time]block{noon: {1, 4}}
	if e := ratio(one, 1); *e != (Estimate{0.25, 0.25, 0.25}) {
		t.Error("one block shows no differences, and there is an interval", *e)
	}
	for n := 1; n <= 5; n++ { // a page that claims more than there can be
		one[noon.Add(time.Duration(n)*time.Hour)] = block{float64(10 * n), 2}
		if e := ratio(one, 1); *e != (Estimate{1, 1, 1}) {
			t.Error("a share beyond its bounds", *e)
		}
	}
	var d durations
	if e := d.quantile(0.75, record.Edge); e != nil {
		t.Error("a quantile of nothing", *e)
	}
	d.add(0, 1, 1)
	if e := d.quantile(0.75, record.Edge); e.Low != e.Value || e.High != e.Value {
		t.Error("one view, and there is an interval", *e)
	}
	if e := (&sums{}).share(0, 1); e != nil {
		t.Error("a share of nothing", *e)
	}
}

func TestStepsOfBlocks(t *testing.T) {
	for length, want := range map[time.Duration]time.Duration{
		time.Minute: time.Minute, time.Hour: 5 * time.Minute, 24 * time.Hour: 2 * time.Hour, 7 * 24 * time.Hour: 24 * time.Hour, 90 * 24 * time.Hour: 8 * 24 * time.Hour,
	} {
		if got := stepOf(noon, noon.Add(length), mostBlocks); got != want {
			t.Errorf("blocks of %v are %v long, want %v", length, got, want)
		}
	}
}

// skipSimulation leaves simulations, which one goroutine computes, out of runs for races.
func skipSimulation(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulation")
	}
}
