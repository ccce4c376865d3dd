package slices

import (
	"cmp"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Distinct leaves out what the slices of one or of many profiles say twice, and sorts the
// others, the longest first:
//
//   - a slice that another profile has as well: a page sends a slice with the other marks of
//     its time, which may be slices of their own. The one with more samples stays.
//   - a slice of which a more telling one covers half or more, unless parts are asked for. The
//     order is that of the runtime: interaction, navigation, load, mark, long frame, long task.
func Distinct(found []Slice, parts bool) []Slice {
	views := map[pageView][]*Slice{}
	for i := range found {
		v := found[i].view()
		views[v] = append(views[v], &found[i])
	}
	var kept []Slice
	for _, together := range views {
		for i, s := range together {
			if !slices.ContainsFunc(together[:i], s.repeats) && !slices.ContainsFunc(together[i+1:], s.isWorseThan) && (parts || !slices.ContainsFunc(together, s.isPartOf)) {
				kept = append(kept, *s)
			}
		}
	}
	slices.SortFunc(kept, func(a, b Slice) int {
		return cmp.Or(cmp.Compare(b.Mark.Duration, a.Mark.Duration), a.begin().Compare(b.begin()), compareSubjects(a.Subject(), b.Subject()))
	})
	return kept
}

// pageView is one view of a page, as far as known: profiles with one time origin are of one view.
type pageView struct {
	origin  time.Time
	page    string
	profile *profile.Profile // if the origin is not known
}

func (s *Slice) view() pageView {
	m := &s.of.Meta
	if m.Start.IsZero() {
		return pageView{profile: s.of}
	}
	return pageView{origin: m.Start, page: m.Program}
}

// begin is when the slice began, as far as known.
func (s *Slice) begin() time.Time { return s.of.Meta.Start.Add(s.Mark.Time) }

// isSame reports whether two slices of a view are one.
func (s *Slice) isSame(other *Slice) bool {
	return s.Subject() == other.Subject() && s.Mark.Time == other.Mark.Time && s.Mark.Duration == other.Mark.Duration
}

// repeats reports whether a slice is one that came before, and has no more samples.
func (s *Slice) repeats(earlier *Slice) bool {
	return s.isSame(earlier) && s.Blame.Groups[Waiting] >= earlier.Blame.Groups[Waiting]
}

// isWorseThan reports whether a slice is one that comes later, and has fewer samples.
func (s *Slice) isWorseThan(later *Slice) bool {
	return s.isSame(later) && s.Blame.Groups[Waiting] > later.Blame.Groups[Waiting]
}

// rank orders the kinds of slice by how much they tell.
var rank = map[profile.What]int{profile.LongTask: 1, profile.LongFrame: 2, profile.Measure: 3, profile.Load: 4, profile.Navigation: 5, profile.Interaction: 6}

// isPartOf reports whether a slice is within a more telling one.
func (s *Slice) isPartOf(other *Slice) bool {
	if rank[s.Mark.What] >= rank[other.Mark.What] {
		return false
	}
	shared := min(s.Mark.End(), other.Mark.End()) - max(s.Mark.Time, other.Mark.Time)
	return 2*shared >= s.Mark.Duration
}
