package builddir

import (
	"fmt"

	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/training"
)

// Counts are of one build: all of its scripts together identify it, inline scripts included.
// Their choice is made once, since the budget is one for all scripts.

// trains reports whether the run makes a counting build, or uses what one has counted.
func (w *work) trains() bool { return w.Train || w.Counts != nil }

// readCounts identifies the build, and makes the choice that the counts are for.
func (w *work) readCounts() error {
	if !w.trains() {
		return nil
	}
	var scripts []training.Script
	for _, s := range w.scripts {
		scripts = append(scripts, training.Script{File: s.path, Hash: s.hash})
	}
	for _, p := range w.pages {
		if p.seen == nil {
			continue // left alone
		}
		for i := range p.seen.Scripts {
			if s := &p.seen.Scripts[i]; runsInline(s) {
				scripts = append(scripts, training.Script{File: p.path, Hash: training.Hash(p.src[s.ContentStart:s.ContentEnd])})
			}
		}
	}
	w.build = training.BuildHash(scripts)
	if w.Counts == nil {
		return nil
	}
	if err := w.Counts.OfBuild(w.build, w.Label(), scripts); err != nil {
		return err
	}
	w.choice = w.Choose(transform.Web)
	return nil
}

// Placed says which sites counts have chosen. Percentages are of the time that was counted.
type Placed struct {
	Sites      int     `json:"sites"`
	Candidates int     `json:"candidates"`
	Overhead   float64 `json:"overheadPercent"` // what they would have taken
	Budget     float64 `json:"budgetPercent"`
	Sessions   int     `json:"sessions"`
	Seconds    float64 `json:"seconds"` // that were counted
}

// reportChoice says what was chosen, and warns if nothing fits.
func (w *work) reportChoice(r *Report) {
	if w.choice == nil {
		return
	}
	p := &Placed{Overhead: w.choice.Overhead(), Budget: w.choice.Percent, Sessions: w.Counts.Sessions, Seconds: w.Counts.Milliseconds / 1000}
	for _, d := range r.Details {
		p.Sites += d.Stats.Entries + d.Stats.Loops + d.Stats.Exits
		p.Candidates += d.Stats.Candidates
	}
	r.Placed = p
	if w.choice.Exceeds {
		r.Warnings = append(r.Warnings, Warning{File: w.Counts.From(), Text: fmt.Sprintf(
			"no checks fit a budget of %.3g%%: only the entries of the largest functions are checked, which would have taken %.3g%%", p.Budget, p.Overhead)})
	}
}
