package record

import "github.com/fieldprof/fieldprof/profile"

// Spelled is how many frames the samples of a profile have when their stacks are spelled out, as stores and
// other formats do. A profile keeps stacks as a tree, which may be smaller by orders of magnitude.
func Spelled(p *profile.Profile) (frames int64) {
	depth := make([]int32, len(p.Stacks.Parent))
	for i, parent := range p.Stacks.Parent { // parents come first
		depth[i] = 1
		if parent != profile.NoStack {
			depth[i] += depth[parent]
		}
	}
	for _, stack := range p.Samples.Stack {
		if stack != profile.NoStack {
			frames += int64(depth[stack])
		}
	}
	return frames
}
