package slices

import (
	"cmp"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Options say which marks are slices, and whose code is whose. The zero value is valid.
type Options struct {
	// Over is how long a mark of each kind must last to be a slice; a kind that is not
	// there never is one. Nil means Thresholds.
	Over map[profile.What]time.Duration
	// Page is the page's URL; "" means Meta.Program.
	Page string
	// FirstParty reports whether a script of another origin is the page's own, such as one
	// of its CDN.
	FirstParty func(url string) bool
	// Framework reports whether a function belongs to a framework, in addition to those in
	// node_modules and those with the flag Ignored.
	Framework func(profile.Function) bool
}

// Thresholds are the durations from which the runtime calls something slow
// (runtime/src/interactions).
func Thresholds() map[profile.What]time.Duration {
	return map[profile.What]time.Duration{
		profile.Interaction: 200 * time.Millisecond,
		profile.LongFrame:   200 * time.Millisecond,
		profile.LongTask:    200 * time.Millisecond,
		profile.Load:        2500 * time.Millisecond,
		profile.Navigation:  time.Second,
	}
}

// The slices of one profile are bounded: their number, and how many functions are on
// all stacks of their samples.
const most, mostWork = 1000, 1 << 25

// Slice is a mark that lasted too long, and whose time it was.
type Slice struct {
	Mark  profile.Mark
	Blame Blame

	of *profile.Profile
}

// Of is the profile that the slice is from.
func (s *Slice) Of() *profile.Profile { return s.of }

// Profile is the part of the profile in the slice's time.
func (s *Slice) Profile() *profile.Profile {
	return profile.Between(s.of, s.Mark.Time, s.Mark.End())
}

// Of returns the slices of a profile, the longest first. There are at most a thousand, and fewer
// if they have very many samples in common.
func Of(p *profile.Profile, o Options) []Slice {
	over := o.Over
	if over == nil {
		over = Thresholds()
	}
	var found []Slice
	for _, m := range p.Marks {
		if least, ok := over[m.What]; ok && m.Duration > 0 && m.Duration >= least {
			found = append(found, Slice{Mark: m, of: p})
		}
	}
	slices.SortStableFunc(found, func(a, b Slice) int { return cmp.Compare(b.Mark.Duration, a.Mark.Duration) })
	found = found[:min(len(found), most)]
	j := newJudge(p, o)
	work := 0
	for i := range found {
		found[i].Blame = j.blame(&found[i].Mark)
		if work += j.work; work > mostWork {
			return found[:i+1]
		}
	}
	return found
}
