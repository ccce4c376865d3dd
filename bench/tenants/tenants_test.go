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

// Each figure of an account is compared with the whole truth, and the floor compares the halves
// of the truth; each figure has a median of its own.
func TestRounds(t *testing.T) {
	a := newAccount()
	for tenant := range tenants {
		a.truth[0][tenant], a.truth[1][tenant] = 1, 1
		a.cpu[tenant], a.wall[tenant], a.samples[tenant] = 2, 2, 10
	}
	a.truth[0][0], a.truth[1][1] = 21, 21 // halves: 21 and 1 of 40, 1 and 21 of 40
	a.waiting[2] = 40
	r := a.round()
	must.Equal(t, r.Floor, Errors{50, 5})
	must.Equal(t, r.Ticks, 200)
	must.Equal(t, r.Truth[0], 27.5)
	must.Equal(t, r.Samples, Errors{22.5, 4.5})
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

// All tenants run all their tasks, and their work and waits are told.
func TestOneRound(t *testing.T) {
	if _, known := cputime.Thread(); !known {
		t.Skip("the system does not tell the processor time of a thread")
	}
	a := must.Get(round(context.Background(), transform.Balanced, 1, 1))(t)
	must.Equal(t, a.tasks, runtimes*tenants)
	for tenant := range tenants {
		if a.truth[0][tenant] <= 0 || a.truth[1][tenant] != 0 || a.cpu[tenant] <= 0 || a.waiting[tenant] <= 0 || a.wall[tenant] <= 0 {
			t.Errorf("%s: %+v", name(tenant), a)
		}
	}
}
