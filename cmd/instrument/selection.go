package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/fieldprof/fieldprof/pathglob"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/symbols"
	"github.com/fieldprof/fieldprof/profile/view"
)

// symbolFlags say how a profile's code leads back to its sources, and which of
// them are to be seen.
type symbolFlags struct {
	maps, tables []string
	fold         []string
	keepIgnored  bool
}

func (f *symbolFlags) addTo(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.maps, "maps", nil, "`path` of source maps of what was deployed, a file or a directory (may be repeated)")
	flags.StringArrayVar(&f.tables, "tables", nil, "`path` of its function tables, X.js.functions.json (may be repeated; those beside maps count, too)")
	flags.StringArrayVar(&f.fold, "fold", nil, "count code in files that fit `glob` in its callers (may be repeated)")
	flags.BoolVar(&f.keepIgnored, "keep-ignored", false, "do not fold code that the maps' ignore lists name")
}

func (f *symbolFlags) check() error {
	for _, pattern := range f.fold {
		if err := pathglob.Check(pattern); err != nil {
			return usageError("--fold: %v", err)
		}
	}
	return nil
}

// apply brings a profile to its sources.
func (f *symbolFlags) apply(p *profile.Profile, stderr io.Writer) (*profile.Profile, error) {
	p, _, err := f.find(p, stderr)
	return p, err
}

// find does so and gives what led there, which is nil where nothing was named.
func (f *symbolFlags) find(p *profile.Profile, stderr io.Writer) (*profile.Profile, *symbols.Found, error) {
	var found *symbols.Found
	if len(f.maps)+len(f.tables) > 0 {
		var err error
		if found, err = symbols.Find(p, f.maps, f.tables); err != nil {
			return nil, nil, errors.New(view.Printable(err.Error()))
		}
		for _, w := range found.Warnings {
			fmt.Fprintf(stderr, "instrument: warning: %s\n", view.Printable(w))
		}
		p = found.Symbolize(p, f.keepIgnored)
	}
	if len(f.fold) > 0 {
		p = profile.Fold(p, func(fn profile.Function) bool {
			return fn.File != "" && pathglob.FitsAny(f.fold, pathglob.Plain(fn.File))
		})
	}
	return p, found, nil
}

// selection is the part of a profile that a view is of.
type selection struct {
	symbolFlags
	from, to string
	focus    string
}

func (s *selection) addTo(flags *pflag.FlagSet) {
	flags.StringVar(&s.from, "from", "", "leave out samples before this `moment`: since the start, such as 1.5s, or in percent, such as 20%")
	flags.StringVar(&s.to, "to", "", "leave out samples from this `moment` on")
	flags.StringVar(&s.focus, "focus", "", "only samples with a function on the stack whose name fits this regular `expression`")
	s.symbolFlags.addTo(flags)
}

// selected is a profile as selected.
type selected struct {
	*profile.Profile
	fits  func(profile.Function) bool // nil without --focus
	note  string                      // what was selected; "" for everything
	found *symbols.Found              // nil without --maps and --tables
}

// read reads a profile and selects.
func (s *selection) read(path string, stderr io.Writer) (*selected, error) {
	from, to, focus, err := s.parse()
	if err != nil {
		return nil, err
	}
	whole, err := readProfile(path)
	if err != nil {
		return nil, err
	}
	p, found, err := s.find(whole, stderr)
	if err != nil {
		return nil, err
	}
	out := &selected{Profile: p, found: found}
	var notes []string
	if s.from != "" || s.to != "" {
		extent := p.Extent()
		if p.Meta.Duration == 0 && p.Meta.Interval == 0 {
			return nil, fmt.Errorf("%s says nothing of times: --from and --to have no meaning for it", path)
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

// brief is a duration without digits that nobody reads.
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
