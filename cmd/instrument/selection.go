package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/fieldprof/fieldprof/internal/pathglob"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/symbols"
	"github.com/fieldprof/fieldprof/profile/view"
)

// inputFlags say how profiles are read.
type inputFlags struct {
	anySize bool
}

func (f *inputFlags) addTo(flags *pflag.FlagSet) {
	flags.BoolVar(&f.anySize, "any-size", false, "read gzipped profiles of any unpacked size")
}

// symbolFlags say how profiles are read, how their code is traced to its sources, and
// which sources are shown.
type symbolFlags struct {
	inputFlags
	maps, tables []string
	fold         []string
	keepIgnored  bool

	fit fit
}

// fit says whether the maps and tables that were named fit a profile. From the field come profiles of nothing but
// others' scripts, so of several profiles one will do: maps that fit none were named by mistake.
type fit struct {
	several bool
	any     bool
	misfit  error // why they do not fit the first that they do not fit
}

// mistake is the error if the maps fit none of several profiles.
func (f *fit) mistake() error {
	if f.any {
		return nil
	}
	return f.misfit
}

func (f *symbolFlags) addTo(flags *pflag.FlagSet) {
	f.addSources(flags)
	flags.BoolVar(&f.keepIgnored, "keep-ignored", false, "do not fold code in the maps' ignore lists, such as node_modules")
	f.inputFlags.addTo(flags)
}

// addSources adds the flags that say where sources are, and which of them to hide.
func (f *symbolFlags) addSources(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.maps, "maps", nil, "`path` of the deployed files' source maps, a file or a directory (may be repeated)")
	flags.StringArrayVar(&f.tables, "tables", nil, "`path` of their function tables, X.js.functions.json (may be repeated; tables next to maps are found)")
	flags.StringArrayVar(&f.fold, "fold", nil, "count code in files that match `glob` in its callers (may be repeated); none folds nothing, like --keep-ignored")
}

// foldNone is the glob that folds nothing.
const foldNone = "none"

func (f *symbolFlags) check() error {
	if slices.Contains(f.fold, foldNone) {
		if len(f.fold) > 1 {
			return usageError("--fold none and another --fold: choose one")
		}
		f.fold, f.keepIgnored = nil, true
	}
	return checkGlobs("fold", f.fold)
}

// checkGlobs finds mistakes in the patterns of a flag.
func checkGlobs(flag string, patterns []string) error {
	for _, pattern := range patterns {
		if err := pathglob.Check(pattern); err != nil {
			return usageError("--%s: %v", flag, err)
		}
	}
	return nil
}

// apply traces a profile to its sources, and prints what it did.
func (f *symbolFlags) apply(p *profile.Profile, path string, stderr io.Writer) (*profile.Profile, error) {
	p, _, notes, err := f.find(p, stderr)
	for _, note := range notes {
		fmt.Fprintf(stderr, "%s: %s\n", view.Printable(path), note)
	}
	return p, err
}

// find does the same and returns what it found, which is nil if no maps or tables were
// named, and the notes to print.
func (f *symbolFlags) find(p *profile.Profile, stderr io.Writer) (_ *profile.Profile, found *symbols.Found, notes []string, err error) {
	if len(f.maps)+len(f.tables) > 0 {
		switch found, err = symbols.Find(p, f.maps, f.tables); {
		case err == nil:
			f.fit.any = true
		case found == nil || !f.fit.several:
			return nil, nil, nil, quoting{err}
		default:
			err = quoting{err}
			f.fit.misfit = cmp.Or(f.fit.misfit, err)
			notes = append(notes, fmt.Sprintf("not mapped: %v", err))
		}
		for _, w := range found.Warnings {
			fmt.Fprintf(stderr, "instrument: warning: %s\n", view.Printable(w))
		}
		if n := len(found.Mapped); n > 0 {
			notes = append(notes, fmt.Sprintf("mapped already, left unchanged: %s", several(found.Mapped, n)))
		}
		p = found.Symbolize(p, true)
	}
	ignored := func(fn profile.Function) bool { return !f.keepIgnored && found != nil && found.Ignored[fn.File] }
	globbed := func(fn profile.Function) bool {
		return fn.File != "" && pathglob.FitsAny(f.fold, pathglob.Deployed(fn.File))
	}
	hide := func(fn profile.Function) bool { return ignored(fn) || globbed(fn) }
	if note := folding(p, hide, ignored, f.fold); note != "" {
		notes = append(notes, note)
		p = profile.Fold(p, hide)
	}
	return p, found, notes, nil
}

// several names the first of n files.
func several(names []string, n int) string {
	text := view.Printable(names[0])
	if n > 1 {
		text = fmt.Sprintf("%s (and %d more)", text, n-1)
	}
	return text
}

// folding says what is folded in a profile, "" for nothing.
func folding(p *profile.Profile, hide, ignored func(profile.Function) bool, globs []string) string {
	what, any, modules := []string{}, false, true
	for i := range p.Functions.Name {
		fn := p.Function(profile.FunctionID(i))
		any = any || hide(fn)
		if ignored(fn) {
			modules = modules && strings.Contains(fn.File, "node_modules/")
			what = []string{"the maps' ignore lists"}
		}
	}
	switch {
	case !any:
		return ""
	case len(what) > 0 && modules:
		what[0] = "node_modules"
	}
	for _, glob := range globs {
		what = append(what, view.Printable(glob))
	}
	folded, all := profile.Folded(p, hide), max(1, ticks(p))
	amount := fmt.Sprintf("%d ticks", folded)
	if p.Meta.Interval > 0 {
		amount = fmt.Sprintf("%.1f ms", float64(p.TickTime().Of(folded))/1e6)
	}
	return fmt.Sprintf("folded %s (%.1f%%) of %s into its callers; --fold none shows it", amount, 100*float64(folded)/float64(all), strings.Join(what, ", "))
}

// selection is the part of a profile that a view shows.
type selection struct {
	symbolFlags
	from, to string
	focus    string
}

func (s *selection) addTo(flags *pflag.FlagSet) {
	flags.StringVar(&s.from, "from", "", "leave out samples before this `moment`: a time since the start, such as 1.5s, or a percentage, such as 20%")
	flags.StringVar(&s.to, "to", "", "leave out samples from this `moment` on")
	flags.StringVar(&s.focus, "focus", "", "only samples with a function on the stack whose name matches this regular `expression`")
	s.symbolFlags.addTo(flags)
}

// selected is a profile as selected.
type selected struct {
	*profile.Profile
	fits  func(profile.Function) bool // nil without --focus
	note  string                      // what was selected; "" for everything
	notes []string                    // what was done to it before
	found *symbols.Found              // nil without --maps and --tables
}

// read reads a profile and selects.
func (s *selection) read(path string, stderr io.Writer) (*selected, error) {
	from, to, focus, err := s.parse()
	if err != nil {
		return nil, err
	}
	whole, err := s.readProfile(path)
	if err != nil {
		return nil, err
	}
	p, found, done, err := s.find(whole, stderr)
	if err != nil {
		return nil, err
	}
	out := &selected{Profile: p, found: found, notes: done}
	var notes []string
	if s.from != "" || s.to != "" {
		extent := p.Extent()
		if p.Meta.Duration == 0 && p.Meta.Interval == 0 {
			return nil, fmt.Errorf("%s has no times, so --from and --to do not apply", path)
		}
		start, end := from.of(extent), to.of(extent)
		if start >= end {
			return nil, fmt.Errorf("there is nothing from %v to %v: the profile lasts %v", brief(start), brief(end), brief(extent))
		}
		out.Profile = profile.Between(out.Profile, start, end)
		notes = append(notes, fmt.Sprintf("from %v to %v of %v", brief(start), brief(min(end, extent)), brief(extent)))
	}
	if focus != nil {
		out.fits = func(f profile.Function) bool { return focus.MatchString(f.Label()) }
		out.Profile = profile.Focus(out.Profile, out.fits)
		notes = append(notes, "focus "+view.Printable(s.focus))
	}
	if len(notes) > 0 {
		part, all := ticks(out.Profile), ticks(p)
		if part == 0 {
			return nil, fmt.Errorf("%s: no samples are left", strings.Join(notes, ", "))
		}
		out.note = fmt.Sprintf("%s: %d of %d ticks (%.1f%%)", strings.Join(notes, ", "), part, all, 100*float64(part)/float64(all))
	}
	return out, nil
}

func (s *selection) parse() (from, to moment, focus *regexp.Regexp, err error) {
	if err := s.check(); err != nil {
		return from, to, nil, err
	}
	to = moment{share: 1}
	for _, f := range []struct {
		flag, text string
		moment     *moment
	}{{"--from", s.from, &from}, {"--to", s.to, &to}} {
		if f.text == "" {
			continue
		}
		if *f.moment, err = parseMoment(f.text); err != nil {
			return from, to, nil, usageError("%s %s: %v", f.flag, f.text, err)
		}
	}
	if s.focus != "" {
		if focus, err = regexp.Compile(s.focus); err != nil {
			return from, to, nil, usageError("--focus: %v", err)
		}
	}
	return from, to, focus, nil
}

// moment is a time since the start of a profile, or a share of it.
type moment struct {
	since time.Duration
	share float64
}

var errMoment = errors.New("a moment is a duration since the start, such as 1.5s, or a share of the whole, such as 20%")

func parseMoment(text string) (moment, error) {
	if number, ok := strings.CutSuffix(text, "%"); ok {
		v, err := strconv.ParseFloat(number, 64)
		if err != nil || !(v >= 0 && v <= 100) {
			return moment{}, errMoment
		}
		return moment{share: v / 100}, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return moment{}, errMoment
	}
	return moment{since: d}, nil
}

func (m moment) of(extent time.Duration) time.Duration {
	if m.share > 0 {
		return min(time.Duration(m.share*float64(extent)), extent)
	}
	return m.since
}

// brief rounds a duration for display.
func brief(d time.Duration) time.Duration {
	if d > time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(time.Microsecond)
}

func ticks(p *profile.Profile) (all int64) {
	for _, w := range p.Samples.Weight {
		all += int64(w)
	}
	return all
}
