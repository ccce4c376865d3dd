package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	slice "github.com/fieldprof/fieldprof/profile/slices"
)

// marked is a mark as the page lists it. Times are milliseconds, as the samples' are.
type marked struct {
	Start  float64   `json:"start"`
	End    float64   `json:"end"`
	What   string    `json:"what"`
	Name   string    `json:"name"`
	Target string    `json:"target,omitempty"`
	Detail string    `json:"detail,omitempty"`
	Parts  []float64 `json:"parts,omitempty"` // input delay, processing, presentation
	Said   string    `json:"said,omitempty"`  // what is to blame
	Part   bool      `json:"part,omitempty"`  // of something slow that is listed, too
}

// maxMarks is how many marks a page lists: the longest. Their strings come from a page, and
// have maxText bytes at most.
const (
	maxMarks = 5000
	maxText  = 1000
)

func clipped(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "") + "…"
}

// marksOf are the marks of a page, whose times count from a moment of the profile.
func marksOf(p *profile.Profile, begin time.Duration) []marked {
	order := make([]int, len(p.Marks))
	for i := range order {
		order[i] = i
	}
	if len(order) > maxMarks {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.Marks[b].Duration, p.Marks[a].Duration) })
		order = order[:maxMarks]
		slices.Sort(order)
	}
	all := explained(p)
	marks := make([]marked, 0, len(order))
	for _, i := range order {
		m := &p.Marks[i]
		mark := marked{Start: milliseconds(m.Time - begin), End: milliseconds(m.End() - begin), What: clipped(string(m.What)), Name: clipped(m.Name), Target: clipped(m.Target), Detail: clipped(m.Detail), Said: clipped(all[*m].said), Part: all[*m].isPart}
		if m.InputDelay+m.Processing+m.Presentation > 0 {
			mark.Parts = []float64{milliseconds(m.InputDelay), milliseconds(m.Processing), milliseconds(m.Presentation)}
		}
		marks = append(marks, mark)
	}
	return marks
}

// explanation is what package slices says about a mark.
type explanation struct {
	said   string
	isPart bool // of an interaction or a frame that is listed, too
}

// explained has each mark of something slow, however long it took: a mark worth
// recording is worth an explanation. slices.Of bounds their number.
func explained(p *profile.Profile) map[profile.Mark]explanation {
	over := slice.Thresholds()
	for what := range over {
		over[what] = 0
	}
	found := slice.Of(p, slice.Options{Over: over})
	all := make(map[profile.Mark]explanation, len(found))
	for i := range found {
		all[found[i].Mark] = explanation{found[i].Explain(), true}
	}
	for _, s := range slice.Distinct(found, false) {
		all[s.Mark] = explanation{all[s.Mark].said, false}
	}
	return all
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
