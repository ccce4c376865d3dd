package estimate

import "math"

// student has the first quantiles of Student, where the series below is not exact.
var student = [...]float64{math.Inf(1), 12.706, 4.303, 3.182, 2.776, 2.571}

// z is the quantile of the normal distribution, which Student's tends to.
const z = 1.959964

// Student is the 97.5 % quantile of Student's distribution.
func Student(freedom int) float64 {
	if freedom < len(student) {
		return student[max(0, freedom)]
	}
	f := float64(freedom)
	return z + (math.Pow(z, 3)+z)/(4*f) + (5*math.Pow(z, 5)+16*math.Pow(z, 3)+3*z)/(96*f*f) +
		(3*math.Pow(z, 7)+19*math.Pow(z, 5)+17*math.Pow(z, 3)-15*z)/(384*f*f*f)
}

// Wider is how many times as wide as the normal interval Student's is.
func Wider(freedom int) float64 { return Student(freedom) / z }
