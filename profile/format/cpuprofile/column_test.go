package cpuprofile

import "testing"

// A list of three parts, in which a number that needs more room comes late.
func TestNarrow(t *testing.T) {
	const n = 2*partLength + 10
	for _, odd := range []float64{0.5, 1 << 40, -3, 7} {
		var c narrow[float64]
		for i := range n {
			if i == partLength+3 {
				c.add(odd)
				continue
			}
			c.add(float64(i))
		}
		if c.len() != n || (c.wide != nil) != (odd == 0.5 || odd == 1<<40) {
			t.Errorf("%v: %d entries, wide %v", odd, c.len(), c.wide != nil)
		}
		for i := range n {
			want := float64(i)
			if i == partLength+3 {
				want = odd
			}
			if c.at(i) != want {
				t.Fatalf("%v: entry %d is %v", odd, i, c.at(i))
			}
		}
	}
}
