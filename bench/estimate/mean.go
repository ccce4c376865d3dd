package estimate

// FewestForMean is the number of programs that a mean needs: two say nothing about
// others.
const FewestForMean = 3

// Mean is the mean of figures of several programs, as a sample of programs that could
// have been taken: the interval is of what other programs and other samples would give,
// since the figures of programs have the scatter of their own samples too. It is false if
// there are too few programs.
func Mean(programs []Estimate, seed uint64) (Estimate, bool) {
	if len(programs) < FewestForMean {
		return Estimate{}, false
	}
	values := make([][]float64, len(programs))
	for i := range programs {
		values[i] = []float64{programs[i].Value}
	}
	return *Nested(values, seed), true
}
