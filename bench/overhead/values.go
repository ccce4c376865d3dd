package overhead

import (
	"math"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// trim is the part of an invocation's blocks that is left out at each end.
const trim = 0.2

// blocks are the logarithms of the ratios of a phase, one for each complete block, by a
// meter: checked to clean.
func (r *Result) blocks(phase, meter int) []float64 {
	var logs []float64
	var sums [2]float64
	var turns [2]int
	block := 0.
	finish := func() {
		if turns[clean] > 0 && turns[clean] == turns[checked] {
			logs = append(logs, (sums[checked]-sums[clean])/float64(turns[clean]))
		}
		sums, turns = [2]float64{}, [2]int{}
	}
	for _, turn := range r.Turns {
		if int(turn[0]) != phase {
			continue
		}
		if turn[2] != block {
			finish()
			block = turn[2]
		}
		gain := turn[3+meter]
		if gain <= 0 {
			continue // an incomplete block does not count
		}
		sums[int(turn[1])] += math.Log(gain)
		turns[int(turn[1])]++
	}
	finish()
	return logs
}

// singles are the logarithms of a phase's turns of one build, by a meter.
func (r *Result) singles(phase, meter, build int) []float64 {
	var logs []float64
	for _, turn := range r.Turns {
		if gain := turn[3+meter]; int(turn[0]) == phase && int(turn[1]) == build && gain > 0 {
			logs = append(logs, math.Log(gain))
		}
	}
	return logs
}

// value is an invocation's figure of a phase, the logarithm of a ratio, if it has one. The
// first second has a trend, so that all its blocks count.
func (r *Result) value(phase int, name string, meter int) (float64, bool) {
	logs := r.blocks(phase, meter)
	switch {
	case len(logs) == 0:
		return 0, false
	case name == firstPhase:
		return figures.Mean(logs), true
	}
	return estimate.Trimmed(logs, trim), true
}

// turnTime is the median of clean turns of the phase, in milliseconds, by the wall clock.
func (r *Result) turnTime(phase int) float64 {
	return math.Exp(figures.Median(r.singles(phase, wallMeter, clean))) / 1e6
}

// The meters by number.
const (
	mainMeter = iota
	processMeter
	wallMeter
	instructionMeter
)
