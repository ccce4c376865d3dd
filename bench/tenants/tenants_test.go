package tenants

import (
	"context"
	"testing"

	"github.com/fieldprof/fieldprof/internal/cputime"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
)

func TestErrors(t *testing.T) {
	must.Equal(t, errorsOf([]float64{2, 3, 5}, []float64{20, 30, 50}), Errors{})
	must.Equal(t, errorsOf([]float64{1, 1, 0, 2}, []float64{2, 1, 1, 0}), Errors{50, 25})
	must.Equal(t, errorsOf([]float64{0, 0}, []float64{1, 3}), Errors{75, 50}, "nothing was measured")
	must.Equal(t, shares([]float64{1, 3}), []float64{25, 75})
}

// The error of random ticks falls with the square root of their number.
func TestChance(t *testing.T) {
	truth := []float64{1, 1, 2}
	few, many := chance(truth, 1e4), chance(truth, 1e6)
	if ratio := few.Mean / many.Mean; ratio < 8 || ratio > 12 {
		t.Errorf("%+v of a hundredth as many ticks as %+v", few, many)
	}
	if few.Largest < 0.3 || few.Largest > 0.8 { // a quarter or half of 10,000 has a deviation of 0.43 to 0.5 points
		t.Errorf("%+v", few)
	}
	must.Equal(t, chance(truth, 1e4), few, "again")
}

// Each figure of an account is compared with the truth; each has a median of its own.
func TestRounds(t *testing.T) {
	a := newAccount()
	for tenant := range tenants {
		a.truth[tenant] = 2
		a.cpu[tenant], a.wall[tenant], a.samples[tenant] = 2, 2, 10
	}
	a.truth[0], a.truth[1] = 22, 22 // of 80
	a.waiting[2] = 40
	r := a.round()
	must.Equal(t, r.Ticks, 200)
	must.Equal(t, r.Truth[0], 27.5)
	must.Equal(t, r.Samples, Errors{22.5, 4.5})
	must.Equal(t, r.Chance, chance(a.truth, 200))
	must.Equal(t, r.CPU, r.Wall)
	must.Equal(t, r.Waits.Largest, 50) // 42 of 80, where the truth is 2 of 80
	other := r
	other.Samples = Errors{0.5, 8.5}
	p := Preset{Rounds: []Round{r, other, r}}
	p.sumUp()
	must.Equal(t, p.Samples, Errors{22.5, 4.5})
	must.Equal(t, len(p.Tenants), tenants)
	must.Equal(t, p.Tenants[0].Meant < p.Tenants[1].Meant, true)
}

// All tenants run all their tasks, and their work and waits are measured.
func TestOneRound(t *testing.T) {
	if _, known := cputime.Thread(); !known {
		t.Skip("the system does not tell the processor time of a thread")
	}
	a := must.Get(round(context.Background(), transform.Balanced, 1, 1))(t)
	must.Equal(t, a.tasks, runtimes*tenants)
	for tenant := range tenants {
		if a.truth[tenant] <= 0 || a.cpu[tenant] <= 0 || a.waiting[tenant] <= 0 || a.wall[tenant] <= 0 {
			t.Errorf("%s: %+v", name(tenant), a)
		}
	}
}
