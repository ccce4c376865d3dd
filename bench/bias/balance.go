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
// ways again, in time that the plan does not need for the rest; what they record is
// pooled. Profiles with more samples than the truth are thinned when they are compared.
const (
	fewestRatio = 0.8
	mostAgain   = 3 // runs of a way in a block, besides the first
)

// balance runs ways of a block again until the truth's floor and the profiles' samples
// suffice, or the block's share of the spare time is over. It returns the further runs.
func (c *Collector) balance(ctx context.Context, b Block, folder string, runs []*Recording) []*Recording {
	if !b.Balance {
		return nil
	}
	until := c.Now().Add(c.spare())
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
	for range mostAgain {
		if truth := truthOf(slices.Concat(runs, more)); truth == nil || truth.suffices() || !again("truth", "truth again") {
			break
		}
	}
	for _, like := range runs {
		for range mostAgain {
			all := slices.Concat(runs, more)
			if like.Way.Use != Profiled || !isStandard(like.Way.Interval) || !needsMore(samplesOf(all, like.Way.Name), truthSamples(all)) || !again(like.Way.Name) {
				break
			}
		}
	}
	return more
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

// truthSamples are those of one run of the truth, or one pool of its runs.
func truthSamples(runs []*Recording) float64 {
	return (samplesOf(runs, "truth")[0] + samplesOf(runs, "truth again")[0]) / 2
}

// truthOf is the truth as far as a block has it, every function by itself.
func truthOf(runs []*Recording) *reference {
	g := &group{runs: runs}
	r := newReference(g.profiles("truth", ""), g.profiles("truth again", ""), map[string]Detail{Strict: {everything: true}})
	if !r.known() {
		return nil
	}
	return r
}

// suffices reports whether strict comparisons with the truth can be in a mean.
func (r *reference) suffices() bool {
	t, a := r.runs[Strict][0], r.runs[Strict][1]
	return min(t.Len(), a.Len()) >= fewestForMean && Overlap(t, a) >= lowestFloor
}

// spare is a block's share of the time that the blocks to come will not need.
func (c *Collector) spare() time.Duration {
	left, sharing := c.until.Sub(c.Now()), 1
	for _, b := range c.coming {
		left -= c.expect(b)
		if b.Balance {
			sharing++
		}
	}
	return max(left, 0) / time.Duration(sharing)
}
