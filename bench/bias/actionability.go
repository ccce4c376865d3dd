package bias

// Actionability is how a profile reflects known extra work in one function: its share
// should move accordingly, and the others' shares among themselves not at all (Mytkowicz, Diwan, Hauswirth, Sweeney: Evaluating the Accuracy of
// Java Profilers, PLDI 2010).
type Actionability struct {
	Before   float64 `json:"before"`   // the function's share, in percent
	Expected float64 `json:"expected"` // with the extra work
	After    float64 `json:"after"`
	// Moved is the part of the expected movement that was seen, in percent.
	Moved float64 `json:"moved"`
	// Elsewhere is the overlap of the other functions' shares among themselves,
	// before and after.
	Elsewhere float64 `json:"elsewhere"`
}

// Act compares profiles before and after work was inserted into the function of a
// key, which made the whole program grow: 0.2 is by a fifth.
func Act(before, after *Distribution, key string, growth float64) Actionability {
	a, b := before.Shares(), after.Shares()
	result := Actionability{Before: a[key], After: b[key]}
	result.Expected = (a[key] + 100*growth) / (1 + growth)
	if way := result.Expected - result.Before; way > 0 {
		result.Moved = 100 * (result.After - result.Before) / way
	}
	delete(a, key)
	delete(b, key)
	result.Elsewhere = Overlap(Known(a), Known(b))
	return result
}
