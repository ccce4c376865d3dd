package bias

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Comparisons need about as many samples in a profile as in the truth, and enough in the
// truth. Presets and samplers miss different numbers of ticks, so a block runs some of its
// ways again, in a part of its time that is planned for this, and in what time the plan has
// to spare; all runs of a way are pooled. Profiles with more samples than the truth are thinned
// when they are compared.
const (
	fewestRatio = 0.8
	mostAgain   = 3 // runs of a way in a block, after the first
	allowance   = 0.2
)

// balance runs ways of a block again until the truth's floor and the profiles' samples
// suffice, or the block's share of the spare time is over. It returns the further runs.
func (c *Collector) balance(ctx context.Context, b Block, folder string, runs []*Recording) []*Recording {
	if !b.Balance {
		return nil
	}
	until := c.Now().Add(max(c.spare(), b.allowed()))
	var more []*Recording
	again := func(ways ...string) bool {
		var likes []*Recording
		took := time.Duration(0)
		for _, way := range ways {
			i := slices.IndexFunc(runs, func(r *Recording) bool { return r.Way.Name == way && r.Skipped == "" })
			if i < 0 {
				return false
			}
			likes, took = append(likes, runs[i]), took+runs[i].took
		}
		if c.Now().Add(took).After(until) || ctx.Err() != nil {
			return false
		}
		for _, like := range likes {
			r := &Recording{Engine: like.Engine, Version: like.Version, Program: like.Program, Variant: like.Variant, Round: like.Round, Way: like.Way}
			for _, other := range slices.Concat(runs, more) {
				if other.Way.Name == r.Way.Name {
					r.Extra++
				}
			}
			c.prepareAndRun(ctx, b, folder, r)
			more = append(more, r)
			if r.Skipped != "" {
				return false
			}
		}
		return true
	}
	all := func() []*Recording { return slices.Concat(c.earlier(b), runs, more) }
	often := func(way string) bool { return samplesOf(slices.Concat(runs, more), way)[1] > mostAgain }
	truth := func(suffices func(*reference) bool) {
		for truth := truthOf(all()); truth != nil && !suffices(truth) && !often("truth"); truth = truthOf(all()) {
			if !again("truth", "truth again") {
				return
			}
		}
	}
	presets := func() {
		for _, like := range runs {
			name := like.Way.Name
			for like.Way.Use == Profiled && isStandard(like.Way.Interval) && !often(name) && needsMore(samplesOf(all(), name), truthSamples(all())) {
				if !again(name) {
					return
				}
			}
		}
	}
	truth((*reference).many)
	presets()
	truth((*reference).calm)
	presets()
	return more
}

// earlier are the recordings of a block's program from the rounds before.
func (c *Collector) earlier(b Block) []*Recording {
	var found []*Recording
	for _, r := range c.recordings {
		if r.Engine == b.Engine && r.Program == b.Program.Name && r.Variant == b.variant() && r.Round < b.Round && r.Skipped == "" {
			found = append(found, r)
		}
	}
	return found
}

// allowed is the time for it that the block has in any case: the last of a program's rounds
// balances all of them.
func (b *Block) allowed() time.Duration {
	if !b.Balance {
		return 0
	}
	return time.Duration(allowance * float64(b.Round) * float64(b.guessRuns()))
}

// needsMore reports whether another run brings the profile nearer to the truth's number.
func needsMore(samples [2]float64, truth float64) bool {
	all, runs := samples[0], samples[1]
	if runs == 0 || all == 0 || all >= fewestRatio*truth {
		return false
	}
	return math.Abs(math.Log(all*(runs+1)/runs/truth)) < math.Abs(math.Log(all/truth))
}

// samplesOf are the samples that a way has, and its runs.
func samplesOf(runs []*Recording, way string) (found [2]float64) {
	for _, r := range runs {
		if r.Way.Name == way && r.Profile != nil {
			d := distribute([]*profile.Profile{r.Profile}, rules[0], Detail{everything: true})
			found[0], found[1] = found[0]+float64(d.Len()), found[1]+1
		}
	}
	return found
}

// truthSamples is the number of samples in one run of the truth, or in one pool of its runs.
func truthSamples(runs []*Recording) float64 {
	return (samplesOf(runs, "truth")[0] + samplesOf(runs, "truth again")[0]) / 2
}

// truthOf is the truth as far as a block has it, every function by itself.
func truthOf(runs []*Recording) *reference {
	g := &group{runs: runs}
	r := newReference(g.profiles("truth"), g.profiles("truth again"), map[string]Detail{Strict: {everything: true}})
	if !r.known() {
		return nil
	}
	return r
}

// many reports whether the truth has samples enough for its comparisons to be in a mean.
func (r *reference) many() bool {
	return min(r.runs[Strict][0].Len(), r.runs[Strict][1].Len()) >= fewestForMean
}

// calm reports whether its floor is high enough for strict ones to be.
func (r *reference) calm() bool { return Overlap(r.runs[Strict][0], r.runs[Strict][1]) >= lowestFloor }

// spare is a block's share of the time that the blocks to come will not need.
func (c *Collector) spare() time.Duration {
	left, sharing := c.until.Sub(c.Now()), 1
	for _, b := range c.coming {
		if b.IfTime {
			continue
		}
		left -= c.expect(b)
		if b.Balance {
			sharing++
		}
	}
	return max(left, 0) / time.Duration(sharing)
}
