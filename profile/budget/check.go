package budget

import (
	"errors"
	"fmt"
	"math"
	"path"
	"strings"

	"github.com/fieldprof/fieldprof/internal/pathglob"
	"github.com/fieldprof/fieldprof/profile"
)

// Result says how profiles keep to budgets.
type Result struct {
	Profiles int     `json:"profiles"`
	BusyMs   float64 `json:"busyMs"` // of all of them; 0 without a clock
	Broken   int     `json:"broken"`
	Budgets  []Line  `json:"budgets"` // in the order of the file
}

// Line is one budget, with what was measured: percent of the busy time, or
// milliseconds.
type Line struct {
	Name    string  `json:"name"`
	Line    int     `json:"line"` // in the file of budgets
	Measure string  `json:"measure"`
	Unit    string  `json:"unit"` // % or ms
	Max     float64 `json:"max"`
	Value   float64 `json:"value"`
	Margin  float64 `json:"margin"`
	Over    float64 `json:"over"` // by how much it is broken; 0 when it is kept
	// Functions is how many functions of the profiles the budget is of. With none,
	// its globs may be wrong.
	Functions int `json:"functions"`
}

var errClocks = errors.New("the profiles have different intervals, and some have none: their ticks do not add up")

// Check holds profiles to the budgets of a file.
func Check(f *File, profiles ...*profile.Profile) (*Result, error) {
	if len(profiles) == 0 {
		return nil, errors.New("no profiles to check")
	}
	for i, p := range profiles {
		if (p.Meta.Interval == 0) != (profiles[0].Meta.Interval == 0) {
			return nil, errClocks
		}
		if busyOf(p) == 0 {
			return nil, fmt.Errorf("profile %d of %d: nothing ran while it was recorded", i+1, len(profiles))
		}
	}
	r := &Result{Profiles: len(profiles)}
	for _, p := range profiles {
		r.BusyMs += float64(busyOf(p)) * tick(p) * 1e3
	}
	if profiles[0].Meta.Interval == 0 {
		r.BusyMs = 0
	}
	for i := range f.Budgets {
		line, err := f.Budgets[i].measure(profiles)
		if err != nil {
			return nil, err
		}
		if line.Over > 0 {
			r.Broken++
		}
		r.Budgets = append(r.Budgets, line)
	}
	return r, nil
}

// tick is what a profile's tick stands for, in seconds; 1 without a clock.
func tick(p *profile.Profile) float64 {
	if p.Meta.Interval == 0 {
		return 1
	}
	return float64(p.TickTime()) / 1e9
}

// measure holds all profiles to one budget.
func (b *Budget) measure(profiles []*profile.Profile) (Line, error) {
	l := Line{Name: b.Name, Line: b.Line, Measure: "self"}
	if b.Total {
		l.Measure = "total"
	}
	var part, busy, partSquares, squares float64 // in seconds
	functions := map[profile.Function]bool{}
	for _, p := range profiles {
		fits := b.fitting(p, functions)
		in, unit := b.within(p, fits), tick(p)
		for i, s := range p.Samples.Stack {
			w := float64(p.Samples.Weight[i]) * unit
			if !p.IsBusy(s) {
				continue
			}
			square := w * w
			if p.Meta.Summed {
				square = w * unit
			}
			busy += w
			squares += square
			if in[s] {
				part += w
				partSquares += square
			}
		}
	}
	l.Functions = len(functions)
	share := part / busy
	deviation := math.Sqrt((1-share)*(1-share)*partSquares+share*share*(squares-partSquares)) / busy
	if b.Share > 0 {
		l.Unit, l.Max, l.Value, l.Margin = "%", 100*b.Share, 100*share, 100*1.96*deviation
	} else {
		if profiles[0].Meta.Interval == 0 {
			return l, fmt.Errorf("budget %q (line %d): it is of time, and the profile has no clock", b.Name, b.Line)
		}
		mean := busy * 1e3 / float64(len(profiles))
		l.Unit, l.Max, l.Value, l.Margin = "ms", b.Time.Seconds()*1e3, share*mean, 1.96*deviation*mean
	}
	l.Over = max(l.Value-l.Max, 0)
	return l, nil
}

// fitting says which functions the budget is of, and adds them to a set.
func (b *Budget) fitting(p *profile.Profile, set map[profile.Function]bool) []bool {
	fits := make([]bool, len(p.Functions.Name))
	for i := range fits {
		f := p.Function(profile.FunctionID(i))
		if b.fits(f, p.DisplayName(profile.FunctionID(i))) {
			fits[i] = true
			set[profile.Function{Name: f.Name, File: f.File, Line: f.Line, Column: f.Column}] = true
		}
	}
	return fits
}

// oneWord lets * match a slash as well.
var oneWord = strings.NewReplacer("/", "\x00")

func (b *Budget) fits(f profile.Function, name string) bool {
	if len(b.Sources) > 0 {
		return f.File != "" && pathglob.FitsAny(b.Sources, pathglob.Deployed(f.File))
	}
	for _, pattern := range b.Functions {
		if ok, _ := path.Match(oneWord.Replace(pattern), oneWord.Replace(name)); ok {
			return true
		}
	}
	return false
}

// within says for each stack whether its time counts for the budget.
func (b *Budget) within(p *profile.Profile, fits []bool) []bool {
	in := make([]bool, len(p.Stacks.Parent))
	for s, parent := range p.Stacks.Parent { // parents come first
		in[s] = fits[p.Frames.Function[p.Stacks.Frame[s]]] || b.Total && parent != profile.NoStack && in[parent]
	}
	return in
}

// busyOf is the number of a profile's busy ticks.
func busyOf(p *profile.Profile) (ticks int64) {
	for i, s := range p.Samples.Stack {
		if p.IsBusy(s) {
			ticks += int64(p.Samples.Weight[i])
		}
	}
	return ticks
}
