package overhead

import (
	"math"
	"testing"
)

// A block's value compares its builds by the mean of logarithms; a drift over the block
// does not show; an incomplete block does not count.
func TestBlocks(t *testing.T) {
	turn := func(block, build int, main float64) []float64 {
		return []float64{0, float64(build), float64(block), main, 0, 0, 0}
	}
	r := &Result{Turns: [][]float64{
		turn(0, clean, 100), turn(0, checked, 110*1.1), turn(0, checked, 110*1.1*1.1), turn(0, clean, 100*1.1*1.1*1.1),
		turn(1, checked, 50), turn(1, clean, 50),
		turn(2, clean, 0), turn(2, checked, 50), turn(2, checked, 50), turn(2, clean, 60),
	}}
	logs := r.blocks(0, mainMeter)
	if len(logs) != 2 || math.Abs(logs[0]-math.Log(1.1)) > 1e-9 || logs[1] != 0 {
		t.Errorf("%v", logs)
	}
	if _, ok := r.value(0, idlePhase, processMeter); ok {
		t.Error("a clock that stands has a value")
	}
	if value, ok := r.value(0, firstPhase, mainMeter); !ok || math.Abs(value-math.Log(1.1)/2) > 1e-9 {
		t.Errorf("value %v", value)
	}
}
