package slices

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Subject is what was slow.
type Subject struct {
	What   profile.What
	Name   string
	Target string
}

// Subject is what the slice is a case of.
func (s *Slice) Subject() Subject { return Subject{s.Mark.What, s.Mark.Name, s.Mark.Target} }

// Summary is about the slices of one subject.
type Summary struct {
	Subject
	Count         int
	P50, P75, Max time.Duration
	Explained     int    // how many have a cause
	Mostly        string // the most frequent cause, as Explain writes it; "" if none has one
}

// Summarize returns a summary of each subject, that with the longest slice first.
func Summarize(found []Slice) []Summary {
	type gathered struct {
		durations []time.Duration
		causes    map[string]int
	}
	by := map[Subject]*gathered{}
	for i := range found {
		s := &found[i]
		g := by[s.Subject()]
		if g == nil {
			g = &gathered{causes: map[string]int{}}
			by[s.Subject()] = g
		}
		g.durations = append(g.durations, s.Mark.Duration)
		if cause := s.Blame.Cause; cause != nil {
			g.causes[shown(cause.Function)]++
		}
	}
	var all []Summary
	for subject, g := range by {
		slices.Sort(g.durations)
		at := func(percent int) time.Duration { return g.durations[(len(g.durations)*percent+99)/100-1] }
		summary := Summary{Subject: subject, Count: len(g.durations), P50: at(50), P75: at(75), Max: at(100)}
		for _, cause := range slices.Sorted(maps.Keys(g.causes)) {
			summary.Explained += g.causes[cause]
			if summary.Mostly == "" || g.causes[cause] > g.causes[summary.Mostly] {
				summary.Mostly = cause
			}
		}
		all = append(all, summary)
	}
	slices.SortFunc(all, func(a, b Summary) int {
		return cmp.Or(cmp.Compare(b.Max, a.Max), cmp.Compare(b.Count, a.Count), compareSubjects(a.Subject, b.Subject))
	})
	return all
}

func compareSubjects(a, b Subject) int {
	return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Target, b.Target))
}
