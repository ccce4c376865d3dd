package causal

import "github.com/fieldprof/fieldprof/profile"

// shares are parts of a profile's samples that are neither idle nor lost.
type shares struct {
	self, total []float64 // by function, 0 to 1
	samples     float64   // as many of equal weight would be as certain
}

// sharesOf reads the shares of functions, by their index in the script, from an
// attributed profile.
func sharesOf(p *profile.Profile, s *script, functions []int) shares {
	place := map[int]int{} // in functions
	for i, f := range functions {
		place[f] = i
	}
	of := make([]int, len(p.Functions.Name)) // by the profile's functions, −1: another
	for f := range of {
		of[f] = -1
		if i, ok := place[s.functionOf(p.Function(profile.FunctionID(f)))]; ok {
			of[f] = i
		}
	}
	result := shares{self: make([]float64, len(functions)), total: make([]float64, len(functions))}
	var sum, squares float64
	for i := range p.Len() {
		sample := p.Sample(i)
		if isOutside(p, sample) {
			continue
		}
		w := float64(sample.Weight)
		sum, squares = sum+w, squares+w*w
		seen := map[int]bool{}
		for stack := sample.Stack; stack != profile.NoStack; stack = p.Stacks.Parent[stack] {
			f := of[p.Frames.Function[p.Stacks.Frame[stack]]]
			if f < 0 {
				continue
			}
			if stack == sample.Stack {
				result.self[f] += w
			}
			if !seen[f] {
				seen[f] = true
				result.total[f] += w
			}
		}
	}
	if sum > 0 {
		result.samples = sum * sum / squares
		for i := range functions {
			result.self[i] /= sum
			result.total[i] /= sum
		}
	}
	return result
}

// isOutside reports whether a sample is idle or lost.
func isOutside(p *profile.Profile, s profile.Sample) bool {
	if s.Kind == profile.Idle || s.Kind == profile.Lost {
		return true
	}
	if s.Stack == profile.NoStack {
		return false
	}
	top := p.Function(p.Frames.Function[p.Stacks.Frame[s.Stack]])
	return top.Flags&profile.Pseudo != 0 && (top.Name == profile.NameIdle || top.Name == profile.NameLost)
}

// merged are the self times of a sampler's profile by function of the script; the time of
// functions that are not told apart goes to their nearest caller that is.
func merged(p *profile.Profile, s *script, apart map[int]bool) map[int]float64 {
	of := make([]int, len(p.Functions.Name))
	for f := range of {
		if i := s.functionOf(p.Function(profile.FunctionID(f))); apart[i] {
			of[f] = i
		}
	}
	self, sum := map[int]float64{}, 0.0
	for i := range p.Len() {
		sample := p.Sample(i)
		if isOutside(p, sample) {
			continue
		}
		sum += float64(sample.Weight)
		for stack := sample.Stack; stack != profile.NoStack; stack = p.Stacks.Parent[stack] {
			if f := of[p.Frames.Function[p.Stacks.Frame[stack]]]; f > 0 {
				self[f] += float64(sample.Weight)
				break
			}
		}
	}
	for f := range self {
		self[f] /= sum
	}
	return self
}
