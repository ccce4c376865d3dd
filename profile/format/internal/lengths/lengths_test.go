package lengths

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestWholeIntervalsStay(t *testing.T) {
	tick, ticks := Ticks([]float64{2e6, 1e6, 0, 4e6 + 300, 1e6}, []int32{0, 1, 2, 3, 4}, 0)
	if want := []int64{2, 1, 0, 4, 1}; tick != time.Millisecond || !slices.Equal(ticks, want) {
		t.Errorf("%v of %v, want %v of 1ms", ticks, tick, want)
	}
	if tick, ticks = Ticks([]float64{2e6, 4e6}, []int32{0, 0}, 2*time.Millisecond); tick != 2*time.Millisecond || !slices.Equal(ticks, []int64{1, 2}) {
		t.Errorf("%v of %v", ticks, tick)
	}
}

func TestNothingIsLostToRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		lengths, owners := make([]float64, 500), make([]int32, 500)
		want, got := map[int32]float64{}, map[int32]float64{}
		for i := range lengths {
			lengths[i], owners[i] = r.ExpFloat64()*1.25e6, r.Int32N(9)
			want[owners[i]] += lengths[i]
		}
		tick, ticks := Ticks(lengths, owners, 0)
		for i, n := range ticks {
			if n < 0 {
				t.Fatalf("%d ticks", n)
			}
			got[owners[i]] += float64(n) * float64(tick)
		}
		for o := range want {
			if math.Abs(want[o]-got[o]) > float64(tick) {
				t.Errorf("owner %d: %v ns in ticks of %v, want %v", o, got[o], tick, want[o])
			}
		}
	}
}

func TestNothing(t *testing.T) {
	if tick, ticks := Ticks(nil, nil, 0); tick != time.Millisecond || len(ticks) != 0 {
		t.Errorf("%v of %v", ticks, tick)
	}
	if _, ticks := Ticks([]float64{0, 0}, []int32{0, 1}, 0); !slices.Equal(ticks, []int64{0, 0}) {
		t.Errorf("%v", ticks)
	}
}

func TestYearsOfNanoseconds(t *testing.T) {
	tick, ticks := Ticks([]float64{1, 1, 1, 1e18}, []int32{0, 1, 2, 3}, 0)
	if ticks[3] > MaxTicks || math.Abs(float64(ticks[3])*float64(tick)-1e18) > float64(tick) {
		t.Errorf("%v of %v", ticks, tick)
	}
}
