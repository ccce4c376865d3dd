package transform

import (
	"errors"
	"fmt"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/transform/training"
)

// Selection chooses which checks a script gets, and how they are written. All
// options that lead to Transform embed it. The zero value is the preset balanced
// in the inline form.
type Selection struct {
	Preset Preset
	// MinStatements overrides the preset's N when above 0.
	MinStatements int
	// Checks overrides the preset's sites when not 0.
	Checks functable.Sites
	Form   Form // for target web only
	// MaxGzip, when above 0, bounds how much larger each result may be than its
	// source after gzip -9 (Go's), in percent. The functions that are worth most
	// stay checked; if not even one fits, nothing is inserted.
	MaxGzip float64
	// Train asks for a counting build instead: each site counts its executions (docs/training.md).
	// It has the inline form.
	Train bool
	// Counts and MaxOverhead, in percent, check those of the sites that are worth most for what
	// they cost, by the executions that a counting build of the same selection has counted.
	Counts      *training.Counts
	MaxOverhead float64
	// Times, unless nil, is a profile of the same build: the value of a function's checks is then
	// the time that it shows.
	Times training.Times
}

// Label names the preset and what overrides it: "balanced, N 5, entry,loop".
func (s *Selection) Label() string {
	text := s.Preset.String()
	if s.MinStatements > 0 {
		text += fmt.Sprintf(", N %d", s.MinStatements)
	}
	if s.Checks != 0 {
		text += ", " + s.Checks.String()
	}
	return text
}

// Valid returns what is wrong with a selection, or nil.
func (s *Selection) Valid() error { return s.check() }

func (s *Selection) check() error {
	switch {
	case int(s.Preset) >= len(presets):
		return fmt.Errorf("no preset %d", s.Preset)
	case s.MinStatements < 0:
		return fmt.Errorf("MinStatements is %d: it must not be negative", s.MinStatements)
	case s.Checks&^(functable.Entry|functable.Loop|functable.Exit) != 0:
		return fmt.Errorf("no site kinds %b", s.Checks)
	case int(s.Form) >= len(formNames):
		return fmt.Errorf("no form %d", s.Form)
	case !(s.MaxGzip >= 0):
		return fmt.Errorf("MaxGzip is %v: it must not be negative", s.MaxGzip)
	case s.Train && (s.MaxGzip > 0 || s.Counts != nil || s.MaxOverhead != 0):
		return errors.New("a counting build has all sites: give its budgets to the build that uses the counts")
	case s.Counts == nil && s.MaxOverhead != 0:
		return errors.New("a MaxOverhead needs Counts, which say what each check would cost")
	case s.Counts != nil && !(s.MaxOverhead > 0 && s.MaxOverhead <= 100):
		return fmt.Errorf("the MaxOverhead is %v: Counts need a percentage of the time, such as 2", s.MaxOverhead)
	case s.Times != nil && s.Counts == nil:
		return errors.New("the Times need Counts")
	}
	return nil
}

// Choose picks the sites that Counts and MaxOverhead are for. All results of one build share it.
func (s *Selection) Choose(target Target) *training.Choice {
	costs := training.Inline
	switch {
	case target == Goja:
		costs = training.Goja
	case s.Form == Compact:
		costs = training.Compact
	}
	return s.Counts.Choose(costs, s.MaxOverhead, s.Times)
}

// minStatements returns N.
func (s *Selection) minStatements() int {
	if s.MinStatements > 0 {
		return s.MinStatements
	}
	return s.Preset.MinStatements()
}

// sites returns the sites that are checked.
func (s *Selection) sites() functable.Sites {
	if s.Checks != 0 {
		return s.Checks
	}
	return s.Preset.Checks()
}
