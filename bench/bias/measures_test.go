package bias

import (
	"math"
	"testing"
)

func TestWorst(t *testing.T) {
	got := Worst(Known(map[string]float64{"f": 60, "g": 30, "h": 10}), Known(map[string]float64{"f": 55, "g": 30, "x": 15}))
	if got != (Difference{Function: "x", Truth: 0, Profile: 15}) {
		t.Errorf("%+v", got)
	}
	if got := Worst(&Distribution{}, &Distribution{}); got != (Difference{}) {
		t.Errorf("of nothing: %+v", got)
	}
}

func TestSpearman(t *testing.T) {
	truth := Known(map[string]float64{"a": 40, "b": 30, "c": 20, "d": 10})
	for _, test := range []struct {
		name     string
		measured map[string]float64
		want     float64
	}{
		{"same order", map[string]float64{"a": 70, "b": 20, "c": 9, "d": 1}, 1},
		{"the other way round", map[string]float64{"a": 1, "b": 2, "c": 3, "d": 4}, -1},
		{"two neighbours changed", map[string]float64{"a": 3, "b": 4, "c": 2, "d": 1}, 0.8},
		{"last two missing", map[string]float64{"a": 4, "b": 3}, 0.9486832980505138}, // they share rank 3.5
	} {
		if got, ok := Spearman(truth, Known(test.measured), 20); !ok || math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%s: %v %v, want %v", test.name, got, ok, test.want)
		}
	}
	if got, ok := Spearman(truth, Known(map[string]float64{"a": 2, "b": 3, "c": 1, "d": 9}), 3); !ok || math.Abs(got-0.5) > 1e-9 {
		t.Errorf("of the top three: %v %v, want 0.5", got, ok)
	}
	if _, ok := Spearman(Known(map[string]float64{"a": 1, "b": 2}), truth, 20); ok {
		t.Error("two functions have a correlation")
	}
	if _, ok := Spearman(truth, &Distribution{}, 20); ok {
		t.Error("a profile of nothing has a correlation")
	}
}

func TestHottestRank(t *testing.T) {
	truth := Known(map[string]float64{"a": 50, "b": 30, "c": 20})
	for want, measured := range []map[string]float64{
		{"b": 60, "c": 40}, {"a": 50, "b": 50}, {"a": 40, "b": 60}, {"a": 10, "b": 20, "x": 70},
	} {
		if got := HottestRank(truth, Known(measured)); got != want {
			t.Errorf("in %v: %d, want %d", measured, got, want)
		}
	}
}
