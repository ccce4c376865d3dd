package estimate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// zipf are the shares of n functions.
func zipf(n int) []float64 {
	p := make([]float64, n)
	for i := range p {
		p[i] = 1 / float64(i+1)
	}
	total := figures.Sum(p)
	for i := range p {
		p[i] /= total
	}
	return p
}

// The ways in which a profile can be wrong: shares of total variation bias from p.
var wrongs = map[string]func(rng *rand.Rand, p []float64, bias float64) []float64{
	// Each function is so many times too large or too small.
	"spread": func(rng *rand.Rand, p []float64, bias float64) []float64 {
		factors := make([]float64, len(p))
		for i := range factors {
			factors[i] = rng.NormFloat64()
		}
		low, high, q := 0.0, 8.0, slices.Clone(p)
		for range 50 {
			size := (low + high) / 2
			for i := range p {
				q[i] = p[i] * math.Exp(size*factors[i])
			}
			if 100-figures.Overlap(p, q) < bias {
				low = size
			} else {
				high = size
			}
		}
		return q
	},
	// The hottest function's time is another's.
	"one": func(rng *rand.Rand, p []float64, bias float64) []float64 {
		q, to := slices.Clone(p), 1+rng.IntN(5)
		for from := range q { // if it has so much
			if from != to {
				moves := min(bias/100, q[from])
				q[from], q[to], bias = q[from]-moves, q[to]+moves, bias-100*moves
			}
		}
		return q
	},
	// The rarest functions' time is that of hot ones.
	"rare": func(rng *rand.Rand, p []float64, bias float64) []float64 {
		q := slices.Clone(p)
		for from := len(q) - 1; from >= 5; from-- {
			moves := min(bias/100, q[from])
			q[from], bias = q[from]-moves, bias-100*moves
			q[rng.IntN(5)] += moves
		}
		return q
	},
}

// sampled draws about n samples.
func sampled(rng *rand.Rand, shares []float64, n float64) Sampled {
	var s Sampled
	total := figures.Sum(shares)
	for _, p := range shares {
		drawn := Poisson(rng, n*p/total)
		s.Weight, s.Square = append(s.Weight, drawn), append(s.Square, drawn)
	}
	return s
}

// Intervals hold the true bias in 95 of 100 experiments, whatever its shape and size, and
// the figure is nearer to it than the quadrature over all functions is.
func TestBiasCovers(t *testing.T) {
	held, all := map[string]float64{}, map[string]float64{}
	var squares, quadratures float64
	for what, wrong := range wrongs {
		rng := rand.New(rand.NewPCG(1, uint64(len(what))))
		for _, functions := range []int{30, 100, 300} {
			p := zipf(functions)
			for _, n := range [][2]float64{{1500, 1500}, {3000, 1000}, {6000, 7000}} {
				for _, bias := range []float64{0, 2, 5, 10, 20} {
					for i := range 8 {
						q := wrong(rng, p, bias)
						m, t, a := sampled(rng, q, n[1]), sampled(rng, p, n[0]), sampled(rng, p, n[0])
						b := BiasOf(m, t, a, 100, uint64(i))
						quadrature := Quadrature(m, t, a)
						squares += (b.Value - bias) * (b.Value - bias)
						quadratures += (quadrature - bias) * (quadrature - bias)
						for _, row := range []string{"", what, fmt.Sprint("bias ", bias), fmt.Sprint("functions ", functions), fmt.Sprint("samples ", n)} {
							all[row]++
							if b.Low <= bias && bias <= b.High {
								held[row]++
							}
						}
					}
				}
			}
		}
	}
	for row, n := range all {
		least := 0.93 // of some 300
		if row == "" {
			least = 0.95
		}
		t.Logf("%q: %.1f %%", row, 100*held[row]/n)
		if held[row] < least*n {
			t.Errorf("%q: %g of %g intervals hold the bias", row, held[row], n)
		}
	}
	t.Logf("root of the mean square error %.2f, of the quadrature %.2f", math.Sqrt(squares/all[""]), math.Sqrt(quadratures/all[""]))
	if squares > 0.7*quadratures {
		t.Errorf("errors squared %g, of the quadrature %g", squares, quadratures)
	}
}

// Floor − overlap reads half of the bias that the quadrature reads rightly, if it is spread.
func TestFloorLessOverlapIsNotTheBias(t *testing.T) {
	for _, test := range []struct {
		functions int
		bias, old float64
	}{{30, 7.2, 4.0}, {100, 7.7, 3.5}, {300, 7.9, 2.9}} {
		rng := rand.New(rand.NewPCG(3, 3))
		p := zipf(test.functions)
		var old, quadrature, ours []float64
		for i := range 60 {
			q := wrongs["spread"](rng, p, test.bias)
			m, t, a := sampled(rng, q, 3000), sampled(rng, p, 3000), sampled(rng, p, 3000)
			d, f, _ := Distances(m, t, a)
			old, quadrature, ours = append(old, d-f), append(quadrature, Quadrature(m, t, a)), append(ours, BiasOf(m, t, a, 0, uint64(i)).Value)
		}
		t.Logf("%d functions, bias %g: floor − overlap %.1f, quadrature %.1f, between the bounds %.1f", test.functions, test.bias, figures.Mean(old), figures.Mean(quadrature), figures.Mean(ours))
		if got := figures.Mean(old); math.Abs(got-test.old) > 0.6 {
			t.Errorf("floor − overlap of %d functions: %.1f, and was %g", test.functions, got, test.old)
		}
		if got := figures.Mean(quadrature); math.Abs(got-test.bias) > 1.3 {
			t.Errorf("quadrature of %d functions: %.1f of %g", test.functions, got, test.bias)
		}
		if got := figures.Mean(ours); math.Abs(got-test.bias) > 2.6 {
			t.Errorf("%d functions: %.1f of %g", test.functions, got, test.bias)
		}
	}
}

// The unit of a sampler's weights does not matter.
func TestBiasIsUnitless(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	p := zipf(60)
	m, tr, ag := sampled(rng, wrongs["spread"](rng, p, 8), 2000), sampled(rng, p, 2000), sampled(rng, p, 2000)
	want := BiasOf(m, tr, ag, 50, 1)
	for _, s := range []*Sampled{&tr, &ag} {
		for k := range s.Weight {
			s.Weight[k], s.Square[k] = s.Weight[k]*1250, s.Square[k]*1250*1250
		}
	}
	if got := BiasOf(m, tr, ag, 50, 1); math.Abs(got.Value-want.Value) > 1e-6 || math.Abs(got.High-want.High) > 1e-6 || want.High > 15 {
		t.Errorf("%+v, and in ticks %+v", got.Estimate, want.Estimate)
	}
}

// Without samples there is nothing to estimate.
func TestBiasOfNothing(t *testing.T) {
	empty, some := Sampled{make([]float64, 2), make([]float64, 2)}, Sampled{[]float64{9, 1}, []float64{9, 1}}
	if b := BiasOf(empty, some, some, 10, 1); b.Value != 0 || math.IsNaN(b.High) {
		t.Errorf("%+v", b)
	}
	if b := BiasOf(some, some, some, 10, 1); b.Low != 0 || b.High > 60 {
		t.Errorf("of what is equal: %+v", b)
	}
}

// Samples of four ticks are a quarter as many.
func TestEffectiveNumber(t *testing.T) {
	if got := (Sampled{[]float64{400, 100}, []float64{1600, 400}}).Len(); got != 125 {
		t.Errorf("%g", got)
	}
	_, _, ratio := Distances(Sampled{[]float64{50, 50}, []float64{50, 50}}, Sampled{[]float64{50, 150}, []float64{50, 150}}, Sampled{[]float64{50, 150}, []float64{50, 150}})
	if want := (1 + 200./100) / 2; ratio != want {
		t.Errorf("ratio %g, want %g", ratio, want)
	}
}

// A mean's interval holds the mean over all programs that there could be; of two programs
// there is no mean.
func TestMeanCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	held, experiments := 0, 2000
	for i := range experiments {
		programs := make([]Estimate, 4+i%8)
		for i := range programs {
			value := 10 + 4*rng.NormFloat64() // and as much by its own samples
			programs[i] = Exactly(value + 4*rng.NormFloat64())
		}
		if e, ok := Mean(programs, uint64(i)); !ok {
			t.Fatal("no mean")
		} else if e.Low <= 10 && 10 <= e.High {
			held++
		}
	}
	if held < experiments*93/100 || held > experiments*98/100 {
		t.Errorf("%d of %d", held, experiments)
	}
	if _, ok := Mean(make([]Estimate, 2), 1); ok {
		t.Error("two programs have a mean")
	}
}

// The mean of biases holds the mean bias.
func TestMeanBias(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	held, experiments := 0, 100
	for i := range experiments {
		var programs []Bias
		for j := range 6 {
			p := zipf(50 + 30*j)
			q := wrongs["spread"](rng, p, max(0, 6+2*rng.NormFloat64()))
			programs = append(programs, BiasOf(sampled(rng, q, 3000), sampled(rng, p, 3000), sampled(rng, p, 3000), 60, uint64(i*10+j)))
		}
		if b, ok := MeanBias(programs, uint64(i)); !ok {
			t.Fatal("no mean")
		} else if b.Low <= 6 && 6 <= b.High {
			held++
		}
	}
	if held < experiments*93/100 {
		t.Errorf("%d of %d intervals hold the mean bias", held, experiments)
	}
}

// Figures that chance raises, as the size of a difference: the interval of their mean is
// about the mean.
func TestMeanIsInItsInterval(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for i := range 100 {
		programs := make([]Estimate, 5)
		for i := range programs {
			value, raised := 3+rng.Float64(), make([]float64, 50)
			for i := range raised {
				raised[i] = value + 5*rng.ExpFloat64()
			}
			programs[i] = Percentile(value, raised)
		}
		if e, _ := Mean(programs, uint64(i)); e.Value < e.Low || e.Value > e.High {
			t.Fatalf("experiment %d: %.2f (%.2f to %.2f)", i, e.Value, e.Low, e.High)
		}
	}
}

// The mean of biases that are next to nothing is less than the mean of what each shows.
func TestMeanOfNoBias(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	means, singles := 0., 0.
	for i := range 20 {
		var programs []Bias
		for j := range 6 {
			p := zipf(100)
			b := BiasOf(sampled(rng, p, 3000), sampled(rng, p, 3000), sampled(rng, p, 3000), 40, uint64(i*10+j))
			programs, singles = append(programs, b), singles+b.Value/6
		}
		b, _ := MeanBias(programs, uint64(i))
		means += b.Value
	}
	if means >= singles {
		t.Errorf("the mean is %.2f where single programs have %.2f", means/20, singles/20)
	}
}
